"""Enumeration of what is split, put together, shared and screened finds what trying everything finds."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest

from pcl_backends.table import TableBackend, factors, listing
from pcl_core import Configuration, Oracle, Problem, ProblemBuilder, all_different, all_of, any_of, assess, choose, load
from pcl_core.compile import scope_of
from pcl_core.model.elements import Part
from pcl_core.solve import Sense
from pcl_core.testing import random_configuration

COLOURS, FRUITS = ("red", "green", "blue"), ("fig", "kiwi", "plum")


def rooms(labels: dict[str, tuple[str, ...]], *, size: int = 3) -> Problem:
    """Rooms that are equal but for names: inside, conjunctions of own choices; across, neighbours in a circle."""
    build, names = ProblemBuilder("rooms", allow_shared_only=True), list(labels)
    worth = {name: build.table(f"worth_{name}", dict(zip(labels[name], (3, 5, 8), strict=True))) for name in names}
    colour = {name: build.categorical(f"colour_{name}", labels[name]) for name in names}
    lamps = {name: [build.integer(f"lamp_{name}{at}", 0, size - 1) for at in range(3)] for name in names}
    wide = {name: build.boolean(f"wide_{name}") for name in names}
    for name, after in zip(names, [*names[1:], names[0]], strict=True):
        first, second, third = lamps[name]
        build.feature(f"worth_{name}", worth[name][colour[name]] + 2 * first)
        build.feature(f"many_{name}", abs(first - second) + choose(wide[name], third, 0))
        build.feature(f"like_{name}", choose(wide[name] == wide[after], 1, -1))
        build.feature(f"light_{name}", choose(first > lamps[after][0], second, 0))
        build.constraint(
            f"inside_{name}", all_of([all_different(lamps[name]), any_of([wide[name], first <= second]), third <= size])
        )
        build.constraint(f"across_{name}", all_of([first + lamps[after][1] <= 2 * size - 3, third != 7]))
    for name in names:
        build.part(name, [colour[name], wide[name], *lamps[name]])
    return build.problem()


def best_by_trying(
    problem: Problem, weights: Sequence[float], sense: Sense, given: Configuration, own: Part
) -> Fraction | None:
    """Every combination of the part's values, by the reference evaluator; a weight is what its decimals say."""
    variables = [problem.symbols.variables[name] for name in own.variables]
    touching = {problem.constraints[at].name for at in problem.constraints_on(frozenset(own.variables))}
    exact, found = [Fraction(repr(weight)) for weight in weights], []
    for values in product(*(variable.values() for variable in variables)):
        verdict = assess(problem, {**given, **dict(zip(own.variables, values, strict=True))})
        if not touching.intersection(verdict.violated):
            found.append(sum(w * Fraction(value) for w, value in zip(exact, verdict.features, strict=True)))
    return None if not found else Fraction(max(found) if sense == "max" else min(found))


def compared(problem: Problem, oracle: Oracle, random: Random, weights: Sequence[float]) -> None:
    given = random_configuration(problem, random)
    for part in problem.parts:
        sense: Sense = random.choice(("max", "min"))
        found = oracle.solve(weights, variables=part.variables, given=given, sense=sense)
        assert found.exact == best_by_trying(problem, weights, sense, given, part)


@pytest.mark.parametrize("merging", ["by cost", "never", "always"])
def test_equal_parts_with_other_names_weights_and_contexts(merging: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if merging != "by cost":
        monkeypatch.setattr(factors, "SPREAD", 0.0 if merging == "never" else 1e9)
        monkeypatch.setattr(factors, "CALL", 0.0 if merging == "never" else 1e9)
        monkeypatch.setattr(factors, "EVALUATOR", 0.0)
    problem = rooms({"a": COLOURS, "b": COLOURS, "c": FRUITS})
    oracle = Oracle.of(problem, "table")
    for seed in range(4):
        random = Random(seed)
        compared(problem, oracle, random, [float(random.randint(-4, 4)) for _ in problem.features])
        compared(problem, oracle, random, [random.gauss(0, 1) for _ in problem.features])


def listings(backend: TableBackend, problem: Problem) -> list[object]:
    prepared = []
    for at, part in enumerate(problem.parts):
        scope = scope_of(problem, part.variables, problem.structure.feature_subsets[at])
        prepared.append(backend.compile(scope))
    return [one._listing for one in prepared]


def test_parts_that_differ_in_names_alone_have_one_listing() -> None:
    backend = TableBackend()
    assert len(set(listings(backend, load("grid:side=12,part=2")))) == 9
    assert len(set(listings(backend, rooms({"a": COLOURS, "b": COLOURS, "c": FRUITS, "d": COLOURS})))) < 4


def test_parts_with_other_numbers_in_their_tables_have_listings_of_their_own() -> None:
    build = ProblemBuilder("two")
    for name, values in (("a", (1, 2, 3)), ("b", (1, 2, 4))):
        x = build.categorical(name, COLOURS)
        build.feature(f"f_{name}", build.table(f"t_{name}", dict(zip(COLOURS, values, strict=True)))[x])
        build.part(name, [x])
    assert len(set(listings(TableBackend(), build.problem()))) == 2


def test_what_nobody_uses_is_not_kept() -> None:
    backend, problem = TableBackend(), load("grid:side=8,part=2")
    kept = listings(backend, problem)
    assert len(backend._alike) == len(set(kept)) > 1
    del kept
    assert len(backend._alike) <= 1  # the last one that was asked for


def seats(size: int) -> Problem:
    build = ProblemBuilder("seats")
    places = [build.integer(f"x{at}", 0, size - 1) for at in range(size)]
    build.feature("first", places[0])
    build.feature("apart", abs(places[0] - places[-1]))
    build.constraint("apart", all_different(places))
    build.part("all", places)
    return build.problem()


def test_conjunctions_are_tested_as_soon_as_their_variables_are_known() -> None:
    found = TableBackend().estimate(scope_of(seats(8)))
    assert found.allowed == pytest.approx(40_320, rel=0.01)
    assert found.tried < 20 * 40_320 < 8**8
    assert TableBackend().accepts(scope_of(seats(9))) is None
    assert TableBackend().accepts(scope_of(seats(12))) is not None


def test_an_estimate_is_the_same_whenever_it_is_made() -> None:
    scope = scope_of(seats(8))
    backend = TableBackend()
    again = backend.estimate(scope_of(seats(8)))
    backend.compile(scope)
    assert backend.estimate(scope) == again == TableBackend().estimate(scope)


WEIGHTS = {
    "nothing": [0.0, 0.0],
    "ties of whole numbers": [1.0, 0.0],
    "ties beyond 53 bits": [0.1234567890123456, 0.0],
    "near each other beyond 53 bits": [1e17, 1.0],
    "beyond floating point together": [1e300, 1e-300],
    "negative": [-1.5, -1e18],
}


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS.keys())
@pytest.mark.parametrize("few", [0, 16])
def test_the_first_of_the_best_is_found_whatever_the_weights(
    weights: list[float], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "FEW", few)
    problem = seats(5)
    first, both = (Fraction(repr(weight)) for weight in weights)
    allowed = list(permutations(range(5)))
    scores = [first * point[0] + both * abs(point[0] - point[-1]) for point in allowed]
    ways: tuple[tuple[Sense, Fraction], ...] = (("max", max(scores)), ("min", min(scores)))
    for sense, best in ways:
        found = Oracle.of(problem, "table").solve(weights, sense=sense)
        assert found.configuration is not None
        assert tuple(found.configuration.values()) == allowed[scores.index(best)]


def test_a_number_with_billions_of_values_is_refused_at_once() -> None:
    build = ProblemBuilder("wide")
    x, y = build.integer("x", 0, 10**12), build.integer("y", -5, 5)
    build.feature("f", x + y)
    build.constraint("near", x - y <= 7)
    build.part("all", [x, y])
    assert TableBackend().accepts(scope_of(build.problem())) is not None
