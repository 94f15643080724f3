"""Optimal means for the weights as given: rounding is never silent, and what must be decided is decided exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcl_core import Oracle, Problem, parse_authored
from pcl_core.model.evaluation import assess
from pcl_core.solve.judge import Solution
from pcl_core.solve.protocol import Sense, Status

EXACT = ("table", "auto", "cpsat")
ROUNDING = ("pulp", "cvxpy")

SPREAD = parse_authored("""
pcl: 1
name: spread
variables: {a: {domain: bool}, b: {domain: 0..9}}
features: [{name: fa, value: a + 0 * b}, {name: fb, value: 0.000000000001 * b}]
parts: [{name: all, variables: [a, b]}]
""")
MIXED = parse_authored("""
pcl: 1
name: mixed
variables: {x: {domain: 0..3}, y: {domain: 0..3}, z: {domain: bool}}
constraints: [{name: some, require: x + y + 2 * z <= 6}]
features:
  - {name: large, value: 3000000000 * x - 2999999999 * y}
  - {name: tiny, value: 0.000001 * y - 0.000002 * z}
  - {name: plain, value: x + y - z}
  - {name: sign, value: 1 if z else -1}
parts: [{name: all, variables: [x, y, z]}]
""")
WEIGHT = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(-10, 10).map(lambda w: round(w, 6)),
    st.floats(-10, 10),
    st.sampled_from([0.1, 0.2, 0.3, 1e9, -1e9, 1e-6, -1e-6, 1e-12, 1e15, 1e280, -1e-300]),
)


def utilities(problem: Problem, weights: list[float]) -> list[Fraction]:
    """u(x) of everything that is allowed, by the reference evaluator."""
    found = []
    for values in product(*(variable.values() for variable in problem.variables)):
        x = dict(zip(problem.symbols.variables, values, strict=True))
        verdict = assess(problem, x)
        if verdict.feasible:
            pairs = zip(weights, verdict.features, strict=True)
            found.append(sum((Fraction(repr(w)) * Fraction(v) for w, v in pairs), Fraction(0)))
    return found


def exact_utility(problem: Problem, weights: list[float], found: Solution) -> Fraction:
    assert found.configuration is not None
    pairs = zip(weights, assess(problem, found.configuration).features, strict=True)
    return sum((Fraction(repr(w)) * Fraction(v) for w, v in pairs), Fraction(0))


@pytest.mark.parametrize("backend", [*EXACT, *ROUNDING])
def test_a_whole_weight_is_not_rounded_to_nothing(backend: str) -> None:
    found = Oracle.of(SPREAD, backend).solve(np.array([3.0, 1.0]))
    assert found.status is Status.OPTIMAL
    assert found.utility == pytest.approx(3.0)
    assert found.utility is not None
    assert found.bound is not None
    assert found.bound >= 3.000000000009
    if backend in EXACT:
        assert (found.utility, found.bound, found.rounding) == (3.000000000009, 3.000000000009, 0.0)
    else:
        assert found.bound - found.utility <= 2 * found.rounding


@pytest.mark.parametrize("backend", ["table", "cpsat"])
@pytest.mark.parametrize("sense", ["max", "min"])
@given(st.lists(WEIGHT, min_size=4, max_size=4), st.one_of(st.none(), st.integers(-40, 40), st.floats(-1e9, 1e9)))
@settings(deadline=None)
def test_optima_are_the_truth_for_any_weights(
    backend: str, sense: Sense, weights: list[float], floor: float | None
) -> None:
    known = utilities(MIXED, weights)
    if floor is not None:
        known = [each for each in known if each >= Fraction(repr(float(floor)))]
    found = Oracle.of(MIXED, backend).solve(weights, sense=sense, floor=floor)
    assert found.rounding == 0.0
    if not known:
        assert found.status is Status.INFEASIBLE
        return
    best = max(known) if sense == "max" else min(known)
    assert found.status is Status.OPTIMAL
    assert exact_utility(MIXED, weights, found) == best
    assert found.utility == found.bound
    assert found.utility is not None
    assert abs(Fraction(found.utility) - best) <= abs(best) / 2**52 + Fraction(5e-324)


@given(st.lists(WEIGHT, min_size=4, max_size=4))
@settings(deadline=None)
def test_what_a_small_range_claims_encloses_the_truth(weights: list[float]) -> None:
    """The same question to a backend that has to round: its interval says by how much it may be wrong."""
    known = utilities(MIXED, weights)
    oracle = Oracle.of(MIXED, "table")
    oracle.backend.reach = 10**6  # type: ignore[attr-defined]
    for sense, best in (("max", max(known)), ("min", min(known))):
        found = oracle.solve(weights, sense="max" if sense == "max" else "min")
        utility = exact_utility(MIXED, weights, found)
        assert found.bound is not None
        bound = Fraction(repr(found.bound))
        assert bound >= best if sense == "max" else bound <= best
        assert abs(best - utility) <= 2 * Fraction(found.rounding)
        if found.rounding == 0.0:
            assert utility == best
        else:
            assert found.bound != found.utility


@pytest.mark.parametrize("backend", EXACT)
def test_equal_decimals_are_equal(backend: str) -> None:
    """0.1 + 0.2 is 0.3 here, whatever floating-point numbers make of it."""
    problem = parse_authored("""
pcl: 1
name: tie
variables: {a: {domain: bool}}
features: [{name: p, value: a}, {name: q, value: a}, {name: r, value: 1 - a}]
parts: [{name: all, variables: [a]}]
""")
    for stands in (False, True):
        found = Oracle.of(problem, backend).solve(np.array([0.1, 0.2, 0.3]), incumbent={"a": stands})
        assert (found.kept, found.configuration, found.utility) == (True, {"a": stands}, 0.3)


@pytest.mark.parametrize("backend", [*EXACT, *ROUNDING])
@pytest.mark.parametrize("size", [10**3, 10**5, 10**9])
def test_floors_are_exact_where_weights_are_whole(backend: str, size: int) -> None:
    problem = parse_authored(f"""
pcl: 1
name: floors
variables: {{x: {{domain: 0..{size}}}}}
features: [{{name: f, value: x}}]
parts: [{{name: all, variables: [x]}}]
""")
    if size > 10**5:
        backend = "cpsat"  # beyond what is enumerated, and beyond the range of solvers in doubles
    oracle = Oracle.of(problem, backend)
    found = oracle.solve(np.array([1.0]), sense="min", floor=size - 1)
    assert (found.status, found.configuration) == (Status.OPTIMAL, {"x": size - 1})
    assert oracle.solve(np.array([1.0]), floor=size + 1e-3).status is Status.INFEASIBLE
    assert oracle.solve(np.array([1.0]), floor=float(size)).configuration == {"x": size}


@pytest.mark.parametrize("floor", [1e300, -1e300, 1e-300, Fraction(10**400), Fraction(-(10**400))])
def test_floors_of_any_size_are_understood(floor: float | Fraction) -> None:
    found = Oracle.of(SPREAD, "table").solve(np.array([3.0, 1.0]), sense="min", floor=floor)
    assert found.status is (Status.INFEASIBLE if floor > 10 else Status.OPTIMAL)


def test_a_backend_that_would_round_is_not_asked_what_must_be_exact() -> None:
    oracle = Oracle.of(SPREAD, "pulp")
    assert oracle.solve(np.array([3.0, 1.0])).rounding > 0
    found = oracle.solve(np.array([3.0, 1.0]), exact=True)
    assert (found.backend, found.rounding, found.utility) == ("auto", 0.0, 3.000000000009)
