"""The catalogue's problems are the paper's: names, orders, and values against an independent implementation."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.problems import independent

import pcl_problems.hotel
from pcl_core import Configuration, FeatureMap, Problem, assess, load
from pcl_core.testing import random_configuration

assert pcl_problems.hotel.__file__ is not None
HOTEL = independent.Hotel(Path(pcl_problems.hotel.__file__).parent, "large")
SMALL_HOTEL = independent.Hotel(Path(pcl_problems.hotel.__file__).parent, "small")

Evaluate = Callable[[independent.Configuration], tuple[list[int], bool]]
CASES: dict[str, Evaluate] = {
    "grid": independent.grid,
    "grid:side=6,part=3": lambda x: independent.grid(x, side=6),
    "training": independent.training,
    "hotel": HOTEL.evaluate,
    "hotel:house=small": SMALL_HOTEL.evaluate,
    "hotel-published": HOTEL.evaluate_published,
    "hotel:variant=published": HOTEL.evaluate_published,
}


@pytest.mark.parametrize(
    ("name", "parts", "features"),
    [
        ("grid", 4, 24),
        ("training", 7, 82),
        ("hotel", 15, 140),
        ("hotel-published", 15, 125),
        ("grid:side=8,part=4", 4, 112),
    ],
)
def test_sizes(name: str, parts: int, features: int) -> None:
    problem = load(name)
    assert (len(problem.parts), len(problem.features)) == (parts, features)


def test_names_and_orders() -> None:
    grid, week, hotel = load("grid"), load("training"), load("hotel")
    assert [f.name for f in grid.features] == independent.grid_names()
    assert [v.name for v in grid.variables][:5] == ["cell[0,0]", "cell[0,1]", "cell[0,2]", "cell[0,3]", "cell[1,0]"]
    assert [p.name for p in grid.parts] == ["block[0,0]", "block[0,1]", "block[1,0]", "block[1,1]"]
    assert grid.parts[1].variables == ("cell[0,2]", "cell[0,3]", "cell[1,2]", "cell[1,3]")
    assert [f.name for f in week.features] == independent.training_names()
    assert [p.name for p in week.parts] == list(independent.DAYS)
    assert [p.name for p in hotel.parts] == list(HOTEL.rooms)
    assert hotel.parts[0].variables == tuple(
        f"{k}[r7]" for k in ("single_beds", "double_beds", "bunk_beds", "tables", "sofas")
    )


def near_feasible(problem: Problem, random: Random) -> Configuration:
    """Values that often satisfy the hard constraints, so that both verdicts are exercised."""
    x = random_configuration(problem, random)
    for name in x:
        if problem.name == "training":
            day, slot = name[5:-1].split(",")
            free = independent.AVAILABLE[day][int(slot) - 1] == "1"
            x[name] = random.choice(["walking", "abs", "pushups", "rest"]) if free else "rest"
        elif problem.name.startswith("hotel"):
            x[name] = int(name.startswith(random.choice(["single_beds", "bunk_beds"]))) if random.random() < 0.5 else 0
            if name.startswith("double_beds"):
                x[name] = 1
    return x


@pytest.mark.parametrize("name", CASES)
def test_features_and_feasibility_agree_with_the_independent_implementation(name: str) -> None:
    problem, evaluate, random = load(name), CASES[name], Random(name)
    feature_map = FeatureMap(problem)
    verdicts = set()
    drawn = [random_configuration(problem, random) for _ in range(60)]
    drawn += [near_feasible(problem, random) for _ in range(60)]
    for x in drawn:
        features, feasible = evaluate(x)
        found = assess(problem, x)
        assert list(found.features) == features
        assert feature_map.units(x).tolist() == features
        assert found.feasible == feasible
        verdicts.add(feasible)
    assert verdicts == ({True, False} if problem.constraints else {True})


def count_feasible(problem: Problem, day: str) -> int:
    """Feasible plans of one day, by enumeration with the vectorised evaluator."""
    import numpy as np

    from pcl_core.ir.registers import Registers
    from pcl_core.ir.vector import VectorEvaluator

    roots = [c.require for c in problem.constraints if f"[{day}," in c.name]
    registers = Registers(problem.symbols)
    evaluator = VectorEvaluator.of(problem.symbols, roots, registers)
    codes = registers.coding.domain(problem.symbols.variables["plan[mon,1]"])
    grids = np.meshgrid(*[codes] * len(evaluator.variables), indexing="ij")
    return int(evaluator.evaluate(np.stack([grid.ravel() for grid in grids])).all(axis=0).sum())


def test_feasible_plans_a_day_are_as_published() -> None:
    week = load("training")
    counted = {day: count_feasible(week, day) for day in independent.DAYS}
    assert counted == {"mon": 8, "tue": 3714, "wed": 64, "thu": 28476, "fri": 64, "sat": 3714, "sun": 64}


@pytest.mark.parametrize("name", CASES)
def test_initial_configurations_are_feasible_by_the_independent_implementation(name: str) -> None:
    start = load(name).initial_configuration
    assert start is not None
    assert CASES[name](start)[1]


def test_initial_configurations_are_simple() -> None:
    assert set(start_of("grid").values()) == {False}
    assert set(start_of("hotel-published").values()) == {0}
    for house in ("large", "small"):
        hotel = start_of(f"hotel:house={house}")
        assert {name: value for name, value in hotel.items() if value} == {
            name: 1 for name in hotel if name.startswith("single_beds")
        }
    free = {f"plan[{d},{s + 1}]" for d, slots in independent.AVAILABLE.items() for s in range(5) if slots[s] == "1"}
    week = start_of("training")
    assert week == {name: "pushups" if name in free else "rest" for name in week}


def start_of(name: str) -> Configuration:
    start = load(name).initial_configuration
    assert start is not None
    return start


def test_parameters_that_leave_less_room_still_load() -> None:
    assert set(start_of("training:max_fatigue=9").values()) == {"pushups", "rest"}
    assert set(start_of("training:max_fatigue=8").values()) == {"rest"}
    assert load("training:max_fatigue=-1").initial is None
    assert start_of("hotel:budget=150") == start_of("hotel")
    assert load("hotel:budget=149").initial is None


@pytest.mark.parametrize("name", ["grid", "training", "hotel", "published"])
def test_files_are_short_enough_to_read(name: str) -> None:
    import pcl_problems

    folder = Path(pcl_problems.__path__[0])
    path = folder / "hotel" / "published.yaml" if name == "published" else folder / name / "problem.yaml"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 150


def test_a_grid_of_side_100_loads_whole() -> None:
    grid = load("grid:side=100")
    assert (len(grid.variables), len(grid.features), len(grid.parts)) == (10_000, 19_800, 2_500)
    assert len(grid.initial or ()) == 10_000
