"""Random starts of problems whose domains cannot be listed, and of those that cannot be enumerated as a whole."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from pcl_core import Configuration, Oracle, Problem, Solution, assess, load, parse_authored
from pcl_core.elicitation import completing
from pcl_core.elicitation.completing import Completions
from pcl_core.elicitation.setup import initial_configuration, random_configuration

HUGE = parse_authored("""
pcl: 1
name: huge
variables: {x: {domain: 0..1000000000}, k: {domain: 0..1000000}, y: {domain: -50000000..50000000}, b: {domain: bool}}
constraints:
  - {name: steps, require: x == 1000 * k + 3}
  - {name: sum, require: x + y == 40000000}
  - {name: low, require: b or x <= 30000000}
features: [{name: f, value: b}, {name: g, value: b == (k >= 5)}, {name: h, value: y >= 0}]
parts: [{name: X, variables: [x, k, b]}, {name: Y, variables: [y]}]
""")
GAPS = parse_authored("""
pcl: 1
name: gaps
variables: {x: {domain: -100..100}, b: {domain: bool}}
constraints:
  - {name: gaps, require: "x in [-90, -88, -40, 0, 1, 6, 77]"}
  - {name: both, require: b or x <= 1}
features: [{name: f, value: x}, {name: g, value: b}]
parts: [{name: X, variables: [x]}, {name: B, variables: [b]}]
""")
ALLOWED = (-90, -88, -40, 0, 1, 6, 77)


def start(problem: Problem, backend: str, seed: int) -> Configuration:
    return initial_configuration(Oracle.of(problem, backend), "random", np.random.default_rng(seed))


@pytest.mark.parametrize("backend", ["auto", "pulp", "table"])
def test_a_domain_of_a_billion_values_is_not_listed(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solves, solve = [0], Oracle.solve

    def counted(self: Oracle, *arguments: Any, **named: Any) -> Solution:
        solves[0] += 1
        return solve(self, *arguments, **named)

    monkeypatch.setattr(Oracle, "solve", counted)
    found = [start(HUGE, backend, seed) for seed in range(3)]
    assert 3 < solves[0] < 3 * 2 * 50, "each of two numbers takes as many solves as it has bits, or a few more"
    assert all(assess(HUGE, x).feasible for x in found)
    assert len({x["x"] for x in found}) == 3
    assert found == [start(HUGE, "cpsat", seed) for seed in range(3)]


@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp", "cvxpy"])
def test_the_nearest_value_that_can_be_completed_is_found(backend: str) -> None:
    completions = Completions(Oracle.of(GAPS, backend))
    known = completions.complete({})
    assert known is not None
    for target, b in product((-100, -89, -20, 1, 3, 4) if backend != "pulp" else (-89, 4), (None, False)):
        fixed: Configuration = {} if b is None else {"b": b}
        around = completions.complete(fixed)
        assert around is not None
        found = completions.nearest("x", target, fixed, around)
        can = ALLOWED if b is not False else ALLOWED[:5]
        assert found["x"] == min(can, key=lambda value: (abs(value - target), value)), (target, b)
        assert list(found) == ["x", "b"]
        assert assess(GAPS, found).feasible
        assert b in (None, found["b"])


def test_wide_numbers_reach_more_than_one_value() -> None:
    found = {start(GAPS.replace(constraints=GAPS.constraints[:1]), "table", seed)["x"] for seed in range(40)}
    assert found >= {-40, 77}


@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp"])
@pytest.mark.parametrize("name", ["training", "hotel"])
def test_the_catalogue_starts_at_random_the_same_on_every_backend(name: str, backend: str) -> None:
    problem = load(name)
    found = start(problem, backend, 5)
    assert assess(problem, found).feasible
    assert found == start(problem, "auto", 5)


@pytest.mark.parametrize("name", ["training", "hotel"])
def test_where_drawing_fails_enumeration_leaves_whole_problems_to_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pcl_core.elicitation.setup.MAX_DRAWS", 0)
    problem = load(name)
    assert start(problem, "table", 1) == start(problem, "auto", 1)
    assert assess(
        problem, initial_configuration(Oracle.of(problem, "table"), "solver", np.random.default_rng(0))
    ).feasible


def test_small_domains_start_where_they_always_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded seeds stay what they are: values in random order, however many there are up to the limit."""
    monkeypatch.setattr("pcl_core.elicitation.setup.MAX_DRAWS", 0)
    narrow = parse_authored("""
pcl: 1
name: narrow
variables: {x: {domain: 1..64}, y: {domain: 0..63}}
constraints: [{name: sum, require: x + y == 70}]
features: [{name: f, value: x}, {name: g, value: y}]
parts: [{name: X, variables: [x]}, {name: Y, variables: [y]}]
""")
    assert completing.LISTED == 64
    found = [random_configuration(Oracle.of(narrow, "table"), np.random.default_rng(seed)) for seed in range(4)]
    assert [(x["x"], x["y"]) for x in found] == [(17, 53), (63, 7), (27, 43), (26, 44)]
