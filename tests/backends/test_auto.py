"""`auto` asks whoever is expected to be faster, from the scope alone."""

import math

import pytest
from benchmarks.shape_cases import SHAPES

from pcl_backends.auto import A_COLUMN, AutoBackend, solving
from pcl_core import Oracle, Problem, ProblemBuilder, total
from pcl_core.compile import Scope, scope_of
from pcl_core.solve import refusal_of

CHOSEN = {
    ("lookup", 50): "table",
    ("lookup", 52): "table",
    ("different", 6): "table",
    ("different", 8): "table",
    ("different", 12): "cpsat",
    ("wide", 500): "table",
    ("booleans", 4): "table",
    ("booleans", 6): "cpsat",
    ("knapsack", 10): "table",
    ("knapsack", 100): "cpsat",
    ("features", 300): "table",
    ("domains", 10): "table",
    ("domains", 100): "cpsat",
    ("domains", 1000): "cpsat",
}


def scope(name: str, size: int) -> Scope:
    case = SHAPES[name].case(size, 1)
    return scope_of(case.problem, case.variables, case.features)


def chosen(backend: AutoBackend, asked: Scope) -> str:
    found = backend._chosen(asked)
    assert found is not None
    return found.name


@pytest.mark.parametrize(("name", "size"), CHOSEN)
def test_a_scope_goes_to_whoever_is_faster_on_it(name: str, size: int) -> None:
    assert chosen(AutoBackend(), scope(name, size)) == CHOSEN[name, size]


def test_the_choice_does_not_depend_on_what_was_asked_before() -> None:
    asked, one = {key: scope(*key) for key in CHOSEN}, AutoBackend()
    found = {key: chosen(one, asked[key]) for key in reversed(CHOSEN)}
    assert found == CHOSEN
    assert {key: chosen(one, asked[key]) for key in CHOSEN} == CHOSEN


def chain(count: int) -> Problem:
    build = ProblemBuilder("chain")
    links = [build.integer(f"x{at}", 0, 9) for at in range(count)]
    build.feature("sum", total(links))
    for at in range(1, count):
        build.constraint(f"next{at}", links[at] == links[at - 1])
    build.part("all", links)
    return build.problem()


def test_few_allowed_points_among_very_many_combinations_are_enumerated() -> None:
    problem = chain(40)
    assert math.prod(variable.size for variable in problem.variables) == 10**40
    assert chosen(AutoBackend(), scope_of(problem)) == "table"
    assert Oracle.of(problem, "table").solve([1.0]).objective == 360


def test_combinations_beyond_floating_point_are_no_obstacle() -> None:
    assert chosen(AutoBackend(), scope_of(chain(400))) == "cpsat"
    found = refusal_of(AutoBackend()._table, scope_of(chain(400)))
    assert found is not None
    assert "1e+400" in found.message


def matches(tables: int, labels: int = 6) -> Problem:
    """Two choices, and how they go together in several ways."""
    build, names = ProblemBuilder("matches"), [f"v{at}" for at in range(labels)]
    one, other = (build.categorical(name, names) for name in "ab")
    for at in range(tables):
        table = build.table(f"t{at}", {a: {b: u * v + at for v, b in enumerate(names)} for u, a in enumerate(names)})
        build.feature(f"f{at}", table[one, other])
    build.part("both", [one, other])
    return build.problem()


def test_keys_that_are_read_together_are_counted_once_however_many_tables_there_are() -> None:
    assert solving(scope_of(matches(5))) == solving(scope_of(matches(1)))
    few, many = solving(scope_of(matches(1, 5))), solving(scope_of(matches(1, 6)))
    assert many - few == pytest.approx(A_COLUMN * (6 * 6 + 2 * 6 - 5 * 5 - 2 * 5))
