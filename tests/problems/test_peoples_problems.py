"""The catalogue's problems from life: a family's meals, a computer, a city trip, a furnished flat."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

import pcl_problems
from pcl_core import Elicitation, Oracle, Settings, Simulation, assess, load, optimum, person, verify
from pcl_core.solve.protocol import Status
from pcl_core.testing import random_configuration
from pcl_core.users.simulated import Informative
from pcl_core.users.utility import sample_weights

NAMES = ("meals", "pc", "trip", "flat")
EXACT = ("cpsat", "pulp", "cvxpy")


@pytest.mark.parametrize(
    ("name", "parts", "variables"), [("meals", 7, 14), ("pc", 4, 9), ("trip", 4, 12), ("flat", 4, 13)]
)
def test_the_problem_starts_from_a_feasible_configuration(name: str, parts: int, variables: int) -> None:
    problem = load(name)
    assert (len(problem.parts), len(problem.variables)) == (parts, variables)
    assert problem.initial_configuration is not None
    assert assess(problem, problem.initial_configuration).feasible


@pytest.mark.parametrize("name", NAMES)
def test_every_part_has_a_feature_of_its_own(name: str) -> None:
    assert all(load(name).structure.private_features)


@pytest.mark.parametrize("name", NAMES)
def test_people_are_told_in_labels_what_everything_is(name: str) -> None:
    problem = load(name)
    assert all(item.label for item in (*problem.variables, *problem.features, *problem.constraints))
    assert len(Path(pcl_problems.__path__[0], name, "problem.yaml").read_text(encoding="utf-8").splitlines()) < 150


@pytest.mark.parametrize("name", NAMES)
def test_its_page_has_a_picture_and_names_parameters_and_data(name: str) -> None:
    folder = Path(pcl_problems.__path__[0], name)
    page = (folder / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[.+\]\((.+)\)", page)
    assert pictures
    assert all((folder / picture).is_file() for picture in pictures)
    parameters = re.search(
        r"^parameters:\n((?:  .+\n)+)", (folder / "problem.yaml").read_text(encoding="utf-8"), re.MULTILINE
    )
    for parameter in re.findall(r"^  (\w+):", parameters[1] if parameters else "", re.MULTILINE):
        assert f"`{parameter}`" in page
    assert "We wrote all of it ourselves" in page


def test_parameters_that_leave_less_room_still_load() -> None:
    assert load("meals:budget=83").initial is not None
    assert load("meals:budget=82").initial is None
    assert load("meals:most_often=2").initial is None
    assert load("meals:lunch_minutes=29").initial is None
    assert load("pc:budget=929,reserve=420").initial is not None
    assert load("pc:budget=928").initial is None
    assert load("pc:reserve=421").initial is None
    assert load("trip:budget=0,walking_minutes=0").initial is not None


def test_a_familys_allergy_leaves_dishes_out_and_nothing_else() -> None:
    plain, careful = load("meals"), load("meals:without=nuts")
    menu = careful.initial_configuration
    assert menu is not None
    assert assess(careful, menu | {"menu[mon,dinner]": "green salad with nuts"}).violated == ("without[mon,dinner]",)
    assert assess(plain, menu | {"menu[mon,dinner]": "green salad with nuts"}).feasible
    assert load("meals:without=gluten").initial is None


def test_a_trip_keeps_to_opening_hours_money_and_what_feet_can_bear() -> None:
    problem = load("trip")
    start = problem.initial_configuration
    assert start is not None
    wrong: dict[str, tuple[dict[str, str], set[str]]] = {
        "a museum at night": ({"plan[fri,evening]": "history museum"}, {"hours[fri,evening]"}),
        "a closed day": ({"plan[thu,morning]": "history museum"}, {"hours[thu,morning]"}),
        "twice": ({"plan[fri,morning]": "cathedral"}, {"once[cathedral]"}),
        "far apart": ({"plan[sun,morning]": "castle hill", "plan[sun,afternoon]": "city beach"}, {"walk[sun]"}),
        "too dear": (
            {
                "plan[fri,evening]": "concert",
                "plan[sat,afternoon]": "football match",
                "plan[sat,evening]": "tasting dinner",
                "plan[thu,evening]": "theatre",
                "plan[thu,afternoon]": "art museum",
                "plan[sun,afternoon]": "river boat",
            },
            {"budget"},
        ),
    }
    for values, violated in wrong.values():
        assert set(assess(problem, start | values).violated) == violated


def test_furniture_that_cannot_stand_there_is_refused_by_name() -> None:
    problem = load("flat")
    start = problem.initial_configuration
    assert start is not None
    wrong: dict[str, tuple[dict[str, str], set[str]]] = {
        "on the bed": ({"armchair": "a2"}, {"overlap[double bed,armchair]"}),
        "in the door": ({"armchair": "b3"}, {"door[armchair]"}),
        "before the window": ({"wardrobe": "b1"}, {"window[wardrobe]"}),
        "across the room": ({"kitchen unit": "e5-f5"}, {"pipes"}),
    }
    for values, violated in wrong.values():
        changed = start | {f"place[{piece}]": spot for piece, spot in values.items()}
        assert set(assess(problem, changed).violated) == violated


def test_a_menu_that_breaks_the_familys_limits_is_refused_by_name() -> None:
    problem = load("meals")
    menu = problem.initial_configuration
    assert menu is not None
    menu |= {f"menu[{day},dinner]": "salmon with broccoli" for day in ("mon", "tue", "wed", "thu")}
    menu |= {"menu[fri,lunch]": "roast chicken", "menu[fri,dinner]": "roast chicken"}
    assert set(assess(problem, menu).violated) == {"budget", "often[salmon with broccoli]", "twice[fri]", "school[fri]"}


def test_components_that_do_not_fit_are_refused_by_name() -> None:
    problem = load("pc")
    start = problem.initial_configuration
    assert start is not None
    wrong: dict[str, tuple[dict[str, str], set[str]]] = {
        "an Intel processor": ({"processor": "Core i5 13400F"}, {"socket"}),
        "old memory": ({"memory": "16 GB DDR4"}, {"memory"}),
        "a tiny box": ({"case": "tiny box"}, {"size", "height"}),
        "a large card": ({"card": "RTX 4080", "case": "tiny box"}, {"size", "height", "length"}),
        "a weak supply": ({"supply": "400 W", "card": "RX 7800 XT"}, {"power"}),
        "a weak cooler": ({"processor": "Ryzen 9 7900", "cooler": "boxed cooler"}, {"heat"}),
        "no picture": ({"board": "B550 large", "processor": "Ryzen 5 5600", "card": "no card"}, {"memory", "picture"}),
        "too dear": ({"card": "RTX 4080", "drive": "4 TB NVMe"}, {"budget"}),
    }
    for values, violated in wrong.values():
        assert set(assess(problem, start | values).violated) == violated


@pytest.mark.parametrize("name", ["meals", "pc"])
def test_all_backends_agree_on_the_whole(name: str) -> None:
    problem = load(name)
    for seed in range(2):
        weights = np.random.default_rng(seed).normal(size=len(problem.features)).round(3)
        found = [Oracle.of(problem, backend).solve(weights) for backend in EXACT]
        assert {solution.status for solution in found} == {Status.OPTIMAL}
        assert len({solution.exact for solution in found}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_all_backends_agree_on_every_part(name: str) -> None:
    problem, random = load(name), Random(name)
    oracles = [Oracle.of(problem, backend) for backend in ("table", *EXACT)]
    weights = np.random.default_rng(7).normal(size=len(problem.features)).round(3)
    start = problem.initial_configuration
    assert start is not None
    for context in (start, random_configuration(problem, random)):
        for part, own in zip(problem.parts, problem.structure.feature_subsets, strict=True):
            found = [oracle.solve(weights, variables=part.variables, given=context, features=own) for oracle in oracles]
            assert len({(solution.status, solution.exact) for solution in found}) == 1


@pytest.mark.parametrize("name", ["meals", "pc"])
def test_a_linear_person_reaches_a_certificate_that_holds(name: str) -> None:
    problem = load(name)
    oracle = Oracle.of(problem)
    weights = sample_weights(problem, "normal", np.random.default_rng(0))
    elicitation = Elicitation(problem, oracle=oracle, settings=Settings(select="round-robin"))
    somebody = person(oracle, weights, Informative(alpha=0.3), (0,))
    trace = Simulation(elicitation, somebody, optimum(oracle, weights)).run(100)
    assert trace.certificate is not None
    assert verify(trace.certificate, oracle, weights).holds
