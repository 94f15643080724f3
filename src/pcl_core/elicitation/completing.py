"""Which values can be completed to a whole feasible configuration: facts, the same whatever solver finds them."""

from collections.abc import Mapping

import numpy as np

from pcl_core.errors import UndecidedError
from pcl_core.ir.domains import AnyVariable, IntVariable, Value
from pcl_core.ir.make import compare, conjunction
from pcl_core.ir.nodes import Var
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Constraint
from pcl_core.model.problem import Problem
from pcl_core.solve.judge import Solution
from pcl_core.solve.oracle import Oracle, free_prefix, with_context
from pcl_core.solve.protocol import Status

LISTED = 64
"""Whole numbers with more values than this are looked at by ranges, not value by value."""


def is_wide(variable: AnyVariable) -> bool:
    return isinstance(variable, IntVariable) and variable.size > LISTED


class Completions:
    """Completes values of a problem with an oracle's backend, or with another where that does not take the whole problem.

    Enumeration is for parts. Whether a configuration exists is a matter of proof, not of taste.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle.taking(features=())

    def complete(self, fixed: Mapping[str, Value]) -> Configuration | None:
        """A feasible configuration with these values, or None if it is proven that there is none."""
        nothing = np.zeros(len(self.oracle.problem.features))
        return decided(self.oracle.solve(nothing, features=(), fixed=fixed))

    def nearest(self, name: str, target: int, fixed: Mapping[str, Value], known: Configuration) -> Configuration:
        """A completion whose whole number `name` is as near to the target as can be, the smaller of two.

        `known` is some completion of `fixed`.
        """
        if known[name] == target:
            return known
        best = self.complete({**fixed, name: target})
        if best is not None:
            return best
        best, empty = known, 0
        while (distance := abs(int(best[name]) - target)) > empty + 1:
            middle = (empty + distance) // 2
            found = self._within(name, target - middle, target + middle, fixed)
            if found is None:
                empty = middle
            else:
                best = found
        smaller = None if int(best[name]) < target else target - distance
        if smaller is not None and self.oracle.problem.symbols.variables[name].holds(smaller):
            best = self.complete({**fixed, name: smaller}) or best
        return best

    def _within(self, name: str, low: int, high: int, fixed: Mapping[str, Value]) -> Configuration | None:
        problem, names = self.oracle.problem, self.oracle.problem.symbols.variables
        ranged = self.oracle.derived(_with_ranges).taking(names, ())
        ends: dict[str, Value] = {}
        at = len(problem.variables)
        for variable in filter(is_wide, problem.variables):
            assert isinstance(variable, IntVariable)
            first, last = (low, high) if variable.name == name else (variable.lower, variable.upper)
            ends[ranged.problem.variables[at].name] = max(first, variable.lower)
            ends[ranged.problem.variables[at + 1].name] = min(last, variable.upper)
            at += 2
        nothing = np.zeros(len(problem.features))
        found = decided(ranged.solve(nothing, variables=names, given=ends, features=(), fixed=fixed))
        return None if found is None else {name: found[name] for name in names}


def _with_ranges(problem: Problem) -> Problem:
    prefix = free_prefix(problem)
    ends: list[AnyVariable] = []
    constraints = []
    for position, variable in enumerate(filter(is_wide, problem.variables)):
        low, high = (variable.model_copy(update={"name": f"{prefix}{end} {position}"}) for end in ("low", "high"))
        here = Var(name=variable.name)
        within = conjunction([compare(Var(name=low.name), "<=", here), compare(here, "<=", Var(name=high.name))])
        constraints.append(Constraint(name=f"{prefix}range {position}", require=within))
        ends += [low, high]
    return with_context(problem, ends, constraints)


def decided(found: Solution) -> Configuration | None:
    """What was found, or None: it is proven that there is nothing."""
    if found.status is Status.UNKNOWN:
        raise UndecidedError(f"a start was not found in time: {found.reason}")
    return found.configuration
