"""Room for a person's values: what must change elsewhere so that they can stand, as little as possible.

A derived problem has, beside each variable, one for the value that it has now, and a feature that says whether they
differ. The values are context, so it is compiled once for each set of variables that may move.
"""

from collections.abc import Collection, Mapping

import numpy as np

from pcl_core.elicitation.completing import decided
from pcl_core.ir.domains import Value
from pcl_core.ir.make import compare
from pcl_core.ir.nodes import Var
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Feature, Part
from pcl_core.model.problem import Problem
from pcl_core.solve.conflict import plainly_broken
from pcl_core.solve.oracle import Oracle, free_prefix


def fewest_changes(
    oracle: Oracle,
    wanted: Mapping[str, Value],
    free: Collection[str],
    dear: Collection[str] = (),
    liked: Collection[str] = (),
) -> Configuration | None:
    """What to change among the `free` variables so that all constraints hold; None if nothing helps.

    `wanted` is a complete configuration; what is not free stays as it says. As few of the `dear` values change as can,
    then as few of the `liked` ones, then as few values at all.
    """
    problem, may_move = oracle.problem, frozenset(free)
    if plainly_broken(problem, {name: it for name, it in wanted.items() if name not in may_move}) is not None:
        return None
    counting = oracle.derived(_changes_of)
    now = counting.problem.variables[len(problem.variables) :]
    before = {held.name: wanted[variable.name] for held, variable in zip(now, problem.variables, strict=True)}
    moving = [position for position, variable in enumerate(problem.variables) if variable.name in may_move]
    weights = np.zeros(len(problem.variables))
    names = [problem.variables[position].name for position in moving]
    above = 1.0 + len(moving)  # all others together, so that no number of them is worth one that is liked, or dear
    dearest = above * (1.0 + len(set(names).intersection(liked)))
    weights[moving] = [dearest if name in dear else above if name in liked else 1.0 for name in names]
    found = decided(
        counting.taking(names, moving).solve(
            weights,
            variables=names,
            given={**wanted, **before},
            features=moving,
            sense="min",
        )
    )
    return None if found is None else {name: found[name] for name in free if found[name] != wanted[name]}


def _changes_of(problem: Problem) -> Problem:
    """The same variables and constraints with what the values are now; features say which of them change."""
    prefix = free_prefix(problem)
    now = tuple(
        variable.model_copy(update={"name": f"{prefix}now {position}"})
        for position, variable in enumerate(problem.variables)
    )
    changes = tuple(
        Feature(name=f"{prefix}moves {position}", value=compare(Var(name=variable.name), "!=", Var(name=held.name)))
        for position, (variable, held) in enumerate(zip(problem.variables, now, strict=True))
    )
    everything = (*problem.variables, *now)
    return problem.replace(
        variables=everything,
        features=changes,
        parts=(Part(name=f"{prefix}all", variables=tuple(variable.name for variable in everything)),),
        initial=None,
        shared_only="allow",
    )
