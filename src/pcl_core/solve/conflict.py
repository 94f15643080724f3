"""Why a request is infeasible: a smallest set of named constraints that cannot hold together.

Backend-neutral: constraints are left out as long as the rest is still infeasible (a deletion filter, in chunks
first). A backend that can name a conflict by itself gives the filter a head start.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from pcl_core.compile.pipeline import ContextEvaluator, Scope, scope_of
from pcl_core.errors import Code, InfeasibleError, Issue
from pcl_core.ir.domains import Kind, Value
from pcl_core.model.evaluation import broken_at
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Capability, Options, Status


@dataclass(frozen=True)
class Conflict:
    """Constraints that cannot hold together with the given values. Leaving out any one of them would help."""

    constraints: tuple[str, ...]
    minimal: bool
    """Whether that last sentence was proven; not if a limit stopped a proof."""


@dataclass(frozen=True)
class Explanation:
    """Whether given values can be completed, and if not, why."""

    status: Status
    conflict: Conflict | None = None


@runtime_checkable
class FindsConflicts(Protocol):
    """A backend with Capability.CONFLICT."""

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        """Positions of named constraints that cannot hold together, or None if it found no conflict."""
        ...


def explain(oracle: Oracle, given: Mapping[str, Value]) -> Explanation:
    """Say whether values for some variables can be completed; `given` may be empty, partial or complete."""
    problem = oracle.problem
    broken = plainly_broken(problem, given)
    if broken is not None:
        return Explanation(Status.INFEASIBLE, Conflict((problem.constraints[broken].name,), True))
    free = [name for name in problem.symbols.variables if name not in given]
    if not free:
        return Explanation(Status.FEASIBLE)
    nothing = np.zeros(len(problem.features))

    def test(constraints: Sequence[int]) -> Status:
        return oracle.solve(nothing, variables=free, given=given, features=(), constraints=constraints).status

    scope = scope_of(problem, free, ())
    status = test(scope.constraints)
    if status is not Status.INFEASIBLE:
        return Explanation(Status.FEASIBLE if status is Status.OPTIMAL else status)
    start = _head_start(oracle, scope, given)
    suspects, minimal = delete_what_can_go(list(scope.constraints if start is None else start), test)
    return Explanation(Status.INFEASIBLE, Conflict(tuple(problem.constraints[i].name for i in suspects), minimal))


def plainly_broken(problem: Problem, given: Mapping[str, Value]) -> int | None:
    """A constraint that cannot hold beside the given values, whatever the others are: seen without solving anything."""
    found = next(broken_at(problem, given, problem.constraints_within(given)), None)
    return found if found is not None or not given else _beyond_its_bounds(problem, given)


def _beyond_its_bounds(problem: Problem, given: Mapping[str, Value]) -> int | None:
    """A constraint that nothing beside the given values can meet, such as a budget."""
    inference = problem.inference_beside(given)
    for position in problem.constraints_on(name for name in given if name in problem.symbols.variables):
        facts = inference.facts(problem.constraints[position].require)
        if facts.kind is Kind.TRUTH and facts.high == 0:
            return position
    return None


def _head_start(oracle: Oracle, scope: Scope, given: Mapping[str, Value]) -> tuple[int, ...] | None:
    backend = oracle.backend
    if Capability.CONFLICT in backend.capabilities and isinstance(backend, FindsConflicts):
        with oracle.compiled.asking():
            return backend.conflict(scope, ContextEvaluator(oracle.problem, scope)(given), oracle.options)
    return None


def delete_what_can_go(suspects: list[int], test: Callable[[Sequence[int]], Status]) -> tuple[list[int], bool]:
    """The deletion filter: what remains is infeasible, and no single one of it can be left out."""
    minimal = True
    size = max(1, len(suspects) // 2)
    while True:
        at = 0
        while at < len(suspects):
            rest = suspects[:at] + suspects[at + size :]
            status = test(rest)
            if status is Status.INFEASIBLE:
                suspects = rest
            else:
                if size == 1 and status is Status.UNKNOWN:
                    minimal = False
                at += size
        if size == 1:
            return suspects, minimal
        size //= 2


def infeasible(oracle: Oracle, given: Mapping[str, Value], message: str, hint: str | None = None) -> InfeasibleError:
    """The error for values that cannot be completed, with as few named constraints as can be found."""
    found = explain(oracle, given)
    names = found.conflict.constraints if found.conflict else ()
    return refusal(oracle, names, message, hint)


def refusal(oracle: Oracle, names: tuple[str, ...], message: str, hint: str | None = None) -> InfeasibleError:
    """The error for values that break these constraints."""
    labels = oracle.problem.constraint_labels
    listed = "; ".join(f"{name} ({labels[name]})" if labels[name] else name for name in names)
    return InfeasibleError(Issue(Code.INFEASIBLE, f"{message}: {listed}" if names else message, hint), names)
