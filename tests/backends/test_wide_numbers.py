"""Numbers so wide or large that weights with all their digits make objectives beyond 64 bits: never refused, nor in silence
rounded."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pcl_core import Code, Oracle, Problem, ProblemBuilder, RequestError, Solution, largest, total
from pcl_core.compile.pipeline import scope_of
from pcl_core.solve import Sense, Status, reach_of, refusal_of
from pcl_core.solve.registry import get_backend

MARGIN = 12345
WIDE = {"two to 2^45": (2, 2**45), "three to 2^40": (3, 2**40), "three to 2^36": (3, 2**36), "four to 2^50": (4, 2**50)}


def numbers(count: int, least: int, most: int, together: int | None = None) -> Problem:
    """Whole numbers that are features as they are, and that have together at most so much."""
    build = ProblemBuilder("numbers")
    x = build.integer("x", least, most, range(count))
    for at in range(count):
        build.feature(f"f{at}", x[at])
    if together is not None:
        build.constraint("together", total(x) <= together)
    build.part("all", list(x))
    return build.problem()


def corners(count: int, most: int, together: int | None) -> Iterable[tuple[int, ...]]:
    """Where a linear function of 0..most is best: each number at an end, or one between, that has what the others leave."""
    for values in product((0, most), repeat=count):
        if together is None or sum(values) <= together:
            yield values
        for at in range(count):
            between = 0 if together is None else together - sum(values) + values[at]
            if 0 <= between <= most:
                yield (*values[:at], between, *values[at + 1 :])


def utility(weights: Sequence[float], values: Iterable[object]) -> Fraction:
    return sum((Fraction(repr(w)) * int(str(v)) for w, v in zip(weights, values, strict=True)), Fraction(0))


def expect_near(found: Solution, weights: Sequence[float], best: Fraction, sense: Sense) -> None:
    """The best there is, or what rounding may cost below it; and never more is claimed."""
    assert found.status is Status.OPTIMAL
    assert found.configuration is not None
    assert found.bound is not None
    assert found.utility is not None
    missed = best - utility(weights, found.configuration.values())
    missed = missed if sense == "max" else -missed
    digits = abs(best) / 2**52  # of the floats in which a solution says what it claims
    assert 0 <= missed <= 2 * Fraction(found.rounding)
    claimed = Fraction(found.bound) - best
    assert (claimed if sense == "max" else -claimed) >= -digits
    assert found.rounding > 0 or found.bound == found.utility


@pytest.mark.parametrize("name", ["cpsat", "auto"])
@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("together", [False, True], ids=["alone", "together"])
@pytest.mark.parametrize(("count", "most"), WIDE.values(), ids=WIDE.keys())
def test_weights_with_all_their_digits_are_taken_by_whoever_takes_the_numbers(
    name: str, sense: Sense, together: bool, count: int, most: int
) -> None:
    limit = most + MARGIN if together else None
    oracle = Oracle.of(numbers(count, 0, most, limit), name)
    draw = np.random.default_rng(most % 97)
    for _ in range(4):
        weights = draw.normal(size=count).tolist()
        known = [utility(weights, values) for values in corners(count, most, limit)]
        best = max(known) if sense == "max" else min(known)
        found = oracle.solve(weights, sense=sense)
        expect_near(found, weights, best, sense)
        assert (found.rounding > 0) == (count * most > 2**38)
        assert found.rounding <= count * most / 100, "of what is rounded, too, as much is kept as CP-SAT can add up"


@pytest.mark.parametrize("name", ["cpsat", "auto"])
@pytest.mark.parametrize(("count", "most"), WIDE.values(), ids=WIDE.keys())
def test_whole_weights_are_exact_on_wide_numbers(name: str, count: int, most: int) -> None:
    oracle = Oracle.of(numbers(count, 0, most, most + MARGIN), name)
    weights = [float(at + 1) for at in range(count)]
    found = oracle.solve(weights, exact=True)
    best = max(utility(weights, values) for values in corners(count, most, most + MARGIN))
    assert (found.status, found.rounding) == (Status.OPTIMAL, 0.0)
    assert found.configuration is not None
    assert utility(weights, found.configuration.values()) == best


@pytest.mark.parametrize("name", ["cpsat", "auto"])
@pytest.mark.parametrize("sense", ["max", "min"])
def test_floors_among_wide_numbers_are_lowered_by_what_rounding_may_cost(name: str, sense: Sense) -> None:
    most = 2**45
    oracle = Oracle.of(numbers(2, 0, most), name)
    weights = [0.7310129438126453, -1.2047193012398563]
    top = utility(weights, (most, 0))
    for floor in (top, top / 2, -top, top * 2):
        found = oracle.solve(weights, sense=sense, floor=floor)
        if floor > top:
            assert found.status is Status.INFEASIBLE
            continue
        assert found.status is Status.OPTIMAL
        assert found.configuration is not None
        reached = utility(weights, found.configuration.values())
        assert reached >= floor - 2 * Fraction(found.rounding)
        assert sense == "min" or reached >= top - 2 * Fraction(found.rounding)
        assert sense == "max" or reached <= floor + 2 * Fraction(found.rounding)


@pytest.mark.parametrize("name", ["cpsat", "auto", "table"])
@pytest.mark.parametrize("least", [2**38, 2**45, 2**51])
def test_large_numbers_with_few_values_are_compared_exactly(name: str, least: int) -> None:
    """Each step must leave less than it was given, although the numbers are large where their differences are small."""
    oracle = Oracle.of(numbers(2, least, least + 3, 2 * least + 4), name)
    draw, few = np.random.default_rng(0), range(least, least + 4)
    for sense in ("max", "min"):
        for _ in range(4):
            weights = draw.normal(size=2).tolist()
            known = [utility(weights, (x, y)) for x in few for y in few if x + y <= 2 * least + 4]
            floor = sorted(known)[len(known) // 2]
            enough = [each for each in known if each >= floor]
            for asked, among in ((None, known), (floor, enough)):
                found = oracle.solve(weights, sense=sense, floor=asked, exact=True)
                assert (found.status, found.rounding) == (Status.OPTIMAL, 0.0)
                assert found.configuration is not None
                best = max(among) if sense == "max" else min(among)
                assert utility(weights, found.configuration.values()) == best


def test_auto_lists_what_cpsat_would_have_to_round() -> None:
    """A million points take a moment longer than a model of few columns, and nothing is lost."""
    build = ProblemBuilder("large steps")
    x, y = build.integer("x", 0, 999), build.integer("y", 0, 999)
    build.feature("larger", largest([10**12 * x - 7, (10**12 - 1) * y]))
    build.feature("y", y)
    build.part("all", [x, y])
    problem, weights = build.problem(), [0.12345678901234567, -3.2109876543210987]
    scope = scope_of(problem)
    auto, cpsat = get_backend("auto"), get_backend("cpsat")
    assert refusal_of(cpsat, scope) is None
    assert reach_of(auto, scope) > reach_of(cpsat, scope)
    assert Oracle.of(problem, "cpsat").solve(weights).rounding > 0
    for name in ("auto", "cpsat"):
        found = Oracle.of(problem, name).solve(weights, exact=True)
        assert (found.backend, found.configuration, found.rounding) == ("auto", {"x": 999, "y": 0}, 0.0)


def test_what_must_be_exact_is_not_rounded_where_nobody_can_compare_it() -> None:
    problem = numbers(2, 0, 2**45)
    for name in ("cpsat", "auto", "apart:cpsat"):
        oracle = Oracle.of(problem, name)
        assert oracle.solve([1.0, 2.0], exact=True).utility == 3.0 * 2**45
        with pytest.raises(RequestError, match="too far apart in size") as caught:
            oracle.solve([0.12345678901234567, 1.0], exact=True)
        assert caught.value.code is Code.NUMBERS_OUT_OF_RANGE


def test_how_far_a_backend_reaches_is_a_matter_of_the_scope() -> None:
    narrow, wide = scope_of(numbers(2, 0, 9)), scope_of(numbers(2, 0, 2**45))
    for name in ("cpsat", "auto", "apart:cpsat"):
        backend = get_backend(name)
        assert reach_of(backend, narrow) > reach_of(backend, wide) == reach_of(backend) == 2**60
    assert reach_of(get_backend("table"), narrow) == reach_of(get_backend("table"))


def test_numbers_that_are_too_large_to_be_taken_apart_are_refused_before() -> None:
    found = refusal_of(get_backend("cpsat"), scope_of(numbers(5, 0, 2**53 - 1)))
    assert found is not None
    assert found.code is Code.NUMBERS_OUT_OF_RANGE
    assert "the numbers of features together can be as large as 4.5e+16" in found.message
