"""Long sums are prepared once for all parts; what a scope means, and what is solved, stays the same."""

import random
from collections.abc import Mapping

import numpy as np
import pytest

from pcl_core import Problem, load
from pcl_core.authoring.builder import ProblemBuilder
from pcl_core.authoring.symbolic import total
from pcl_core.compile import ContextEvaluator, Scope, scope_of
from pcl_core.elicitation.surroundings import Surroundings
from pcl_core.ir import long_sums
from pcl_core.ir.domains import Value
from pcl_core.model.evaluation import FeatureMap
from pcl_core.solve import Oracle

NEVER = 10**9


def with_long_sums(problem: Problem, least: int, monkeypatch: pytest.MonkeyPatch) -> Problem:
    """A copy of the problem in which sums of so many terms are long."""
    monkeypatch.setattr(long_sums, "LONG", least)
    made = Problem.from_json(problem.to_json())
    assert bool(made.long_sums) is (least != NEVER)
    return made


def drawn(problem: Problem, rng: random.Random) -> dict[str, Value]:
    return {variable.name: rng.choice(list(variable.values())) for variable in problem.variables}


def decimal_problem(rng: random.Random) -> Problem:
    build = ProblemBuilder("sums")
    places = range(8)
    x = build.integer("x", -2, 5, places)
    y = build.boolean("y", places)
    factors = [rng.choice((1, 2, -3, 0.5, -0.25, 0.125)) for _ in places]
    cost = build.define("cost", total(factors[at] * x[at] for at in places) + 0.5)
    mixed = build.define("mixed", total(x[at] * y[(at + 1) % 8] for at in places))
    build.constraint("limit", cost <= 9)
    build.feature("cheap", cost)
    build.feature("many", mixed + 2 * total(y[at] for at in places))
    for at in places:
        build.feature(f"x[{at}]", x[at])
        build.part(f"p{at}", [x[at], y[at]])
    return build.problem()


def part_scope(problem: Problem, part: int) -> Scope:
    return scope_of(problem, problem.parts[part].variables, problem.structure.feature_subsets[part])


def context_of(problem: Problem, scope: Scope, x: Mapping[str, Value]) -> list[tuple[object, ...]]:
    found = ContextEvaluator(problem, scope)(x)
    own = {variable.name for variable in scope.variables}
    assert own.isdisjoint(ContextEvaluator(problem, scope).variables)
    return [(value.variable, value.places, found[value.variable.name]) for value in scope.context]


@pytest.mark.parametrize("seed", range(12))
def test_a_long_sum_gives_a_scope_the_context_that_its_terms_one_by_one_give(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    problem = decimal_problem(rng)
    short, long = (with_long_sums(problem, least, monkeypatch) for least in (NEVER, 3))
    for part in range(len(problem.parts)):
        scopes = part_scope(short, part), part_scope(long, part)
        assert scopes[0].split.features == scopes[1].split.features
        assert scopes[0].split.constraints == scopes[1].split.constraints
        x = drawn(problem, rng)
        assert context_of(short, scopes[0], x) == context_of(long, scopes[1], x)
        outside = {name: value for name, value in x.items() if name not in problem.parts[part].variables}
        assert context_of(long, scopes[1], outside) == context_of(long, scopes[1], x)


@pytest.mark.parametrize("source", ["hotel", "hotel:house=small,budget=300", "training", "pc"])
def test_parts_are_solved_alike_with_long_sums_and_without(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = load(source)
    solved = []
    weights = np.random.default_rng(5).normal(size=len(problem.features)).round(3)
    order = np.random.default_rng(6).permutation(len(problem.parts))[:4].tolist()
    for least in (NEVER, 4):
        one = with_long_sums(problem, least, monkeypatch)
        oracle, x, found = Oracle.of(one), one.initial_configuration, []
        x = x or dict(oracle.solve(weights).configuration or {})
        for part in order:
            subset = one.structure.feature_subsets[part]
            solution = oracle.solve(weights, variables=one.parts[part].variables, given=x, features=subset, incumbent=x)
            assert solution.configuration is not None
            x = dict(solution.configuration)
            found.append((solution.status, solution.utility, solution.bound, x))
        solved.append(found)
    assert solved[0] == solved[1]


def test_the_summary_of_a_query_is_the_same_with_long_sums_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    hotel = load("hotel")
    short, long = (Surroundings(with_long_sums(hotel, least, monkeypatch)) for least in (NEVER, 4))
    rng = random.Random(3)
    for part in (0, 7):
        for _ in range(3):
            x = drawn(hotel, rng)
            assert short.summary(part, x) == long.summary(part, x)
            assert str(short.summary(part, x)) == str(long.summary(part, x))


def test_features_after_a_change_in_a_part_are_those_of_the_whole_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pcl_core.model.evaluation.FEW_FEATURES", 3)
    rng = random.Random(4)
    for source in ("hotel", "grid:side=6"):
        problem = load(source)
        features = FeatureMap(problem)
        for part in (0, 2, 3):
            x = drawn(problem, rng)
            changed = x | {name: drawn(problem, rng)[name] for name in problem.parts[part].variables}
            found = features.updated(features.units(x), changed, part)
            assert found.tolist() == features.units(changed).tolist()
