"""What is true of a problem, found by trying everything with the reference evaluator; and what a backend says, against it."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import numpy as np

from pcl_core.compile.pipeline import ContextEvaluator, scope_of
from pcl_core.errors import Code
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import assess
from pcl_core.model.problem import Problem
from pcl_core.solve import (
    Backend,
    Options,
    Request,
    Sense,
    Solution,
    Status,
    reach_of,
    refusal_of,
)
from pcl_core.testing.generate import all_configurations


def utility(problem: Problem, configuration: Configuration, weights: np.ndarray) -> Fraction:
    """Σ w·φ, exactly; the weights used here are whole numbers."""
    values = assess(problem, configuration).features
    return sum((Fraction(int(w)) * Fraction(v) for w, v in zip(weights, values, strict=True)), Fraction(0))


def best_by_enumeration(
    problem: Problem,
    weights: np.ndarray,
    sense: Sense,
    given: Configuration,
    own: set[str],
    floor: int | Fraction | None = None,
) -> Fraction | None:
    """The optimum over the own variables by trying everything with the reference evaluator."""
    found: list[Fraction] = []
    for values in all_configurations(problem):
        if any(values[name] != given[name] for name in values if name not in own):
            continue
        verdict = assess(problem, values)
        touching = {problem.constraints[index].name for index in problem.constraints_on(own)}
        total = utility(problem, values, weights)
        if not touching.intersection(verdict.violated) and (floor is None or total >= floor):
            found.append(total)
    if not found:
        return None
    return max(found) if sense == "max" else min(found)


def objective_of(solution: Solution) -> Fraction | None:
    return None if solution.objective is None else Fraction(solution.objective, 10**solution.objective_places)


def truth(problem: Problem, weights: tuple[int, ...], sense: Sense, floor: int | None) -> int | None:
    """The best objective in the whole units that a backend gets, by enumeration; None: nothing is allowed."""
    places = max(facts.places for facts in problem.feature_facts)
    own = set(problem.symbols.variables)
    factors = np.array(weights)
    least = None if floor is None else Fraction(floor, 10**places)
    best = best_by_enumeration(problem, factors, sense, {}, own, least)
    return None if best is None else int(best * 10**places)


def expect_truth(
    backend: Backend, problem: Problem, weights: tuple[int, ...], sense: Sense, floor: int | None = None
) -> None:
    """A scope and an objective within a backend's range are decided, and rightly; what it refuses has a reason."""
    scope = scope_of(problem)
    refused = refusal_of(backend, scope)
    if refused is not None:
        assert refused.code in (Code.NUMBERS_OUT_OF_RANGE, Code.SCOPE_TOO_LARGE)
        return
    places = max(facts.places for facts in problem.feature_facts)
    units = tuple(w * 10 ** (places - facts.places) for w, facts in zip(weights, problem.feature_facts, strict=True))
    sizes = [max(abs(facts.low), abs(facts.high)) for facts in problem.feature_facts]
    if sum(abs(unit) * size for unit, size in zip(units, sizes, strict=True)) > reach_of(backend, scope):
        return
    context = ContextEvaluator(problem, scope)({})
    answer = backend.compile(scope).solve(Request(units, sense, context, floor=floor), Options())
    expected = truth(problem, weights, sense, floor)
    assert answer.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
    assert answer.objective == expected


def whole_weights(problem: Problem, random: Random) -> np.ndarray:
    return np.array([random.randint(-9, 9) for _ in problem.features], dtype=float)


def restricted(problem: Problem, weights: np.ndarray, fixed: dict[str, Value]) -> Fraction | None:
    totals = [utility(problem, x, weights) for x in allowed(problem, fixed)]
    return max(totals) if totals else None


def allowed(problem: Problem, fixed: dict[str, Value]) -> Iterator[Configuration]:
    for x in all_configurations(problem):
        if all(x[name] == value for name, value in fixed.items()) and assess(problem, x).feasible:
            yield x
