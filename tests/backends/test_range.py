"""Numbers that a backend cannot tell apart are refused before anything is compiled, and others are not."""

from random import Random

import numpy as np
import pytest
from tests.backends.campaign import BACKENDS

from pcl_core import Code, Oracle, Problem, ProblemBuilder, RequestError, Value, largest, load, total
from pcl_core.compile.pipeline import scope_of
from pcl_core.solve import Options, Request, Status, refusal_of
from pcl_core.solve.program import LARGEST_IN_ARRAYS, LinearProgram
from pcl_core.solve.registry import find_backend, get_backend

LINEAR = ("pulp", "pulp:highs", "cvxpy", "cvxpy:scip", "cvxpy:scipy")


def with_maxima(count: int, size: int) -> Problem:
    """Features that are the largest of two numbers up to `size`, which need a column of that size."""
    build = ProblemBuilder("maxima")
    x, y = build.integer("x", 0, 3), build.integer("y", 0, 3)
    for at in range(count):
        build.feature(f"f{at}", largest([size // 3 * x - at, (size // 3 - 1) * y]))
    build.part("all", [x, y])
    return build.problem()


@pytest.mark.parametrize("name", LINEAR)
def test_a_number_that_is_too_large_is_named_with_those_who_take_it(name: str) -> None:
    with pytest.raises(RequestError) as caught:
        Oracle.of(with_maxima(1, 10**12), name).solve([1.0])
    (issue,) = caught.value.issues
    assert issue.code is Code.NUMBERS_OUT_OF_RANGE
    assert "999,999,999,999" in issue.message
    assert issue.hint is not None
    assert "'cpsat'" in issue.hint
    assert f"'{name.partition(':')[0]}'" not in issue.hint


@pytest.mark.parametrize("name", ["table", "cpsat", "auto"])
def test_whole_numbers_have_more_room(name: str) -> None:
    found = Oracle.of(with_maxima(1, 10**12), name).solve([1.0], sense="min")
    assert (found.status, found.utility) == (Status.OPTIMAL, 0.0)


def test_auto_takes_the_one_that_can() -> None:
    scope = scope_of(with_maxima(300, 2**53 - 2000))
    refused = refusal_of(get_backend("cpsat"), scope)
    assert refused is not None
    assert refused.code is Code.NUMBERS_OUT_OF_RANGE
    assert refusal_of(get_backend("auto"), scope) is None
    weights = tuple([1] + [0] * 299)
    answer = get_backend("auto").compile(scope).solve(Request(weights, "max"), Options())
    assert answer.objective == (2**53 - 2000) // 3 * 3


@pytest.mark.parametrize("weight", [1, 2**7])
def test_cpsat_adds_up_features_not_entries(weight: int) -> None:
    """One of 500 labels is chosen; the sum of all entries would be too large for CP-SAT."""
    labels = [f"l{at}" for at in range(500)]
    build = ProblemBuilder("labels")
    value = build.table("value", {label: 2**53 - 1 - 7919 * at % 500 for at, label in enumerate(labels)})
    chosen = build.categorical("chosen", labels)
    build.feature("value", value[chosen])
    build.feature("other", (chosen.is_in(labels[:1])) * 1)
    build.part("all", [chosen])
    prepared = get_backend("cpsat").compile(scope_of(build.problem()))
    for sense, best in (("max", 2**53 - 1), ("min", 2**53 - 500)):
        for _ in range(2):
            answer = prepared.solve(Request((weight, 0), sense), Options())  # type: ignore[arg-type]
            assert (answer.status, answer.objective) == (Status.OPTIMAL, weight * best)
    answer = prepared.solve(Request((weight, 0), "min", floor=weight * (2**53 - 3)), Options())
    assert answer.objective == weight * (2**53 - 3)


def budget(count: int, seed: int) -> Problem:
    """Prices in cents of up to a few thousand euros, and a budget that some choice meets exactly."""
    random = Random(seed)
    prices = [random.randint(50, 300_000) for _ in range(count)]
    build = ProblemBuilder("budget")
    buy = build.boolean("buy", range(count))
    spent = total(buy[at] * prices[at] for at in range(count))
    build.constraint("budget", spent <= sum(prices[::2]))
    build.constraint("not-less", spent >= sum(prices[::2]) - 1000)
    build.feature("worth", total(buy[at] * random.randint(1, 99) for at in range(count)))
    build.feature("spent", spent)
    build.part("all", list(buy))
    return build.problem()


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("seed", range(3))
def test_prices_in_cents_are_ordinary(name: str, seed: int) -> None:
    problem = budget(12, seed)
    for weights, sense in (([1.0, 0.0], "max"), ([0.0, 1.0], "max"), ([3.0, -1.0], "min")):
        found, known = (Oracle.of(problem, each).solve(weights, sense=sense) for each in (name, "table"))  # type: ignore[arg-type]
        assert (found.status, found.objective) == (known.status, known.objective)


@pytest.mark.parametrize("name", ["grid", "training", "hotel", "hotel-published", "grid:side=8"])
def test_the_problems_of_the_paper_are_taken_by_all(name: str) -> None:
    scope = scope_of(load(name))
    for backend in (*LINEAR, "cpsat"):
        assert refusal_of(find_backend(backend), scope) is None


def test_sums_in_arrays_cannot_overflow() -> None:
    build = ProblemBuilder("sums")
    x = [build.integer(f"x{at}", -(2**26), 2**26) for at in range(130)]
    for at in range(130):
        build.constraint(f"c{at}", 2**26 * x[at] + 3 * x[at - 1] >= 0)
    build.feature("x", x[0])
    build.part("all", x)
    scope = scope_of(build.problem())
    assert refusal_of(find_backend("pulp"), scope) is not None
    program = LinearProgram(scope)  # its sums are far below the limit, and exact
    values = [2**26] * 130
    assert program.satisfied(values, program.instance(Request((1,))))
    assert not program.satisfied([-value for value in values], program.instance(Request((1,))))


def test_sums_that_would_overflow_are_refused_also_where_nobody_asked_before() -> None:
    labels = [f"l{at}" for at in range(500)]
    build = ProblemBuilder("labels")
    value = build.table("value", {label: (2**53 - 1) * at // 500 for at, label in enumerate(labels)})
    chosen = build.categorical("chosen", labels)
    build.constraint("limit", value[chosen] <= 2**52 + 1)
    build.feature("first", chosen.is_in(labels[:1]) * 1)
    build.part("all", [chosen])
    scope = scope_of(build.problem())
    assert scope.linear.sizes.sums > LARGEST_IN_ARRAYS
    assert refusal_of(find_backend("pulp"), scope) is not None
    with pytest.raises(RequestError, match="a sum in a constraint can be as large as"):
        LinearProgram(scope)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300, None])
def test_values_that_are_no_numbers_are_no_answer(value: float | None) -> None:
    from pcl_core.solve.verdict import Said, concluded

    program = LinearProgram(scope_of(load("grid")))
    request = Request(tuple(np.ones(24, dtype=int).tolist()))
    values = [value] * len(program.low)
    assert concluded(program, program.instance(request), request, Said.OPTIMAL, values, None) is None


def test_weights_with_all_their_digits_on_many_labels_are_taken_where_sums_over_all_labels_would_be_too_large() -> None:
    """CP-SAT's presolve adds up what every label is worth, although one is chosen: it made sums beyond 64 bits itself."""
    build, labels, draw = ProblemBuilder("two"), [f"o{at}" for at in range(100)], np.random.default_rng(0)
    chosen = [build.categorical(name, labels) for name in "ab"]
    price = draw.integers(1, 100, size=100).tolist()
    cost = build.table("price", dict(zip(labels, price, strict=True)))
    worths = draw.integers(1, 100, size=(6, 100)).tolist()
    for kind, row in enumerate(worths):
        worth = build.table(f"worth{kind}", dict(zip(labels, row, strict=True)))
        for name, choice in zip("ab", chosen, strict=True):
            build.feature(f"worth{kind}_{name}", worth[choice])
    build.constraint("limit", cost[chosen[0]] + cost[chosen[1]] <= 100)
    build.part("both", chosen)
    problem = build.problem()
    for _ in range(3):
        weights = draw.normal(size=12)
        found, known = (Oracle.of(problem, name).solve(weights) for name in ("cpsat", "table"))
        assert (found.status, found.utility) == (Status.OPTIMAL, known.utility)


def test_a_wide_number_ends_where_terms_of_the_objective_nearly_cancel() -> None:
    build, wide = ProblemBuilder("wide", allow_shared_only=True), 10**6
    x, y = build.integer("x", 0, wide), build.integer("y", -wide, wide)
    for name, value in {"x": x, "sum": x + y, "distance": abs(x - y)}.items():
        build.feature(name, value)
    build.part("a", [x])
    build.part("b", [y])
    weights = np.array([4.003665393000455e-08, 3.02410835327608e-07, -4.833592407898126e-07])
    given: dict[str, Value] = {"x": wide, "y": -wide}
    found = Oracle.of(build.problem(), "cpsat").solve(weights, variables=["x"], given=given)
    assert (found.status, found.configuration) == (Status.OPTIMAL, {"x": 0, "y": -wide})
