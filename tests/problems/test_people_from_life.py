"""Three people who want something definite, and some with weights, on each of the problems from life."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from pcl_core import Elicitation, Oracle, Problem, Simulation, load, person, verify
from pcl_core.alternatives import Listing
from pcl_core.users import Informative, Wishing, sample_weights
from pcl_core.users.wishes import Wish, always, at_least, exactly, never

MEAT = ("pasta with minced meat", "chicken curry", "roast chicken", "chili with beans")
FISH = ("fish fingers", "salmon with broccoli")
MUSEUMS = ("art museum", "history museum", "palace", "cathedral")


def names(problem: Problem, ending: str = "") -> list[str]:
    return [variable.name for variable in problem.variables if variable.name.endswith(ending)]


def vegetarians(problem: Problem) -> list[Wish]:
    """No meat and no fish, soup at least twice, and nothing sweet in the evening."""
    meals = names(problem)
    return [
        never(meals, *MEAT, *FISH),
        at_least(2, meals, "vegetable soup"),
        never(names(problem, "dinner]"), "pancakes"),
    ]


def fish_on_friday(problem: Problem) -> list[Wish]:
    """A roast on Sunday, fish on Friday, and noodles on Wednesday and on no other day."""
    others = [name for name in names(problem) if name != "menu[wed,dinner]"]
    return [
        exactly({"menu[sun,lunch]": "roast chicken", "menu[fri,dinner]": "salmon with broccoli"}),
        exactly({"menu[wed,dinner]": "pasta with tomatoes"}),
        never(others, "pasta with tomatoes", "pasta with minced meat"),
    ]


def quick_cooks(problem: Problem) -> list[Wish]:
    """At noon nothing but what is quick, and chili with beans on a Saturday."""
    quick = ("bread and cheese", "green salad with nuts", "omelette with spinach")
    return [always(names(problem, "lunch]"), *quick), exactly({"menu[sat,dinner]": "chili with beans"})]


def office(problem: Problem) -> list[Wish]:
    """A tiny computer without a graphics card, that nobody hears."""
    return [
        exactly({"case": "tiny box", "card": "no card", "disk": "no disk", "drive": "1 TB NVMe"}),
        exactly({"processor": "Ryzen 5 7600", "cooler": "low cooler", "supply": "650 W gold"}),
    ]


def games(problem: Problem) -> list[Wish]:
    """All that lights up, behind glass."""
    return [
        exactly({"case": "glass tower", "memory": "32 GB DDR5 lit", "cooler": "lit tower cooler"}),
        always(["card"], "RTX 4060", "RX 7800 XT", "RTX 4070"),
    ]


def videos(problem: Problem) -> list[Wish]:
    """Much memory, a fast drive and a large disk; the rest is nobody's business."""
    return [
        exactly({"memory": "64 GB DDR5", "drive": "2 TB NVMe fast"}),
        always(["disk"], "4 TB disk", "8 TB disk quiet"),
    ]


def museums(problem: Problem) -> list[Wish]:
    """A museum on most mornings, music in the evening, no football."""
    return [
        at_least(3, names(problem, "morning]"), *MUSEUMS),
        exactly({"plan[sat,evening]": "concert", "plan[fri,evening]": "jazz bar"}),
        never(names(problem), "football match", "zoo"),
    ]


def with_children(problem: Problem) -> list[Wish]:
    """The zoo, a boat and the beach; every evening at the hotel."""
    visits = names(problem)
    return [
        always(names(problem, "evening]"), "free time"),
        *(at_least(1, visits, place) for place in ("zoo", "river boat", "city beach")),
        never(visits, *MUSEUMS[:3]),
    ]


def late_risers(problem: Problem) -> list[Wish]:
    """Nothing in the morning, dinner on Thursday, the match on Saturday."""
    return [
        always(names(problem, "morning]"), "free time"),
        exactly({"plan[thu,evening]": "tasting dinner", "plan[sat,afternoon]": "football match"}),
    ]


def light_to_work(problem: Problem) -> list[Wish]:
    """Both desks at a window, the beds in corners."""
    return [
        always(["place[desk]"], "e1", "f1", "g2"),
        always(["place[school desk]"], "a5", "b6"),
        always(["place[double bed]"], "a1-a2", "c1-c2"),
        always(["place[small bed]"], "a4-a5", "c5-c6"),
    ]


def one_flat(problem: Problem) -> list[Wish]:
    """Everything where it was in the last flat."""
    spots = ["b1-b2", "a3", "c1", "f2-f3", "d2", "g3", "g2", "c5-c6", "a5", "a6", "f4-g4", "f6-g6", "d5"]
    return [exactly(dict(zip(names(problem), spots, strict=True)))]


def large_table(problem: Problem) -> list[Wish]:
    """The table in the middle of the kitchen, the sofa before the window, no shelf in a child's corner."""
    return [
        exactly({"place[dining table]": "e5-f5", "place[sofa]": "e1-f1"}),
        never(["place[toy shelf]"], "a4", "a6", "c6"),
    ]


PEOPLE: dict[str, Sequence[Callable[[Problem], list[Wish]]]] = {
    "meals": (vegetarians, fish_on_friday, quick_cooks),
    "pc": (office, games, videos),
    "trip": (museums, with_children, late_risers),
    "flat": (light_to_work, one_flat, large_table),
}
CASES = [(name, wishes) for name, several in PEOPLE.items() for wishes in several]


@pytest.mark.parametrize(("name", "wishes"), CASES, ids=[f"{name}-{wishes.__name__}" for name, wishes in CASES])
def test_somebody_definite_gets_what_she_wants_and_nothing_is_undone(
    name: str, wishes: Callable[[Problem], list[Wish]]
) -> None:
    problem = load(name)
    elicitation, somebody = Elicitation(problem), Wishing(Listing.shared(problem), wishes(problem))
    trace = Simulation(elicitation, somebody).run(60)
    assert trace.certificate is not None
    assert somebody.satisfied(elicitation.configuration)
    assert sum(step.values_undone for step in trace.steps) == 0
    assert len(trace.steps) <= 3 * len(problem.parts)
    assert sum(step.values_typed for step in trace.steps) <= len(problem.variables) + 4


@pytest.mark.parametrize("name", ["trip", "flat"])
def test_somebody_with_weights_reaches_a_certificate_that_holds(name: str) -> None:
    problem = load(name)
    oracle = Oracle.of(problem)
    weights = sample_weights(problem, "normal", np.random.default_rng(3))
    elicitation = Elicitation(problem, oracle=oracle)
    trace = Simulation(elicitation, person(oracle, weights, Informative(alpha=0.3), (3,))).run(100)
    assert trace.certificate is not None
    assert verify(trace.certificate, oracle, weights).holds
