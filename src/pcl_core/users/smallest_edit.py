"""The fewest variables to change for a gain, found by the backend that finds everything else.

A derived problem has, beside each variable, one for the value that it had, and for each part how many values may
differ. All of these are context: the problem is compiled once, and says nothing of weights or configurations.
"""

from dataclasses import replace
from fractions import Fraction

from pcl_core.ir.domains import IntVariable
from pcl_core.ir.make import compare, count
from pcl_core.ir.nodes import Var
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Constraint
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import free_prefix, with_context
from pcl_core.users.utility import PartView


def smallest_edit(view: PartView, gain: Fraction) -> Configuration:
    """Of the configurations that change as few variables as gain this much, the least good."""
    assert view.best.configuration is not None
    best = view.best.configuration
    fewest, most = 1, sum(best[name] != view.configuration[name] for name in view.variables)
    while fewest < most:
        middle = (fewest + most) // 2
        found = _with_changes(view, middle).best.configuration
        assert found is not None
        if view.exact_gain(found) >= gain:
            most = middle
        else:
            fewest = middle + 1
    found = _with_changes(view, most).least_with(gain)
    return {name: found[name] for name in view.configuration}


def _with_changes(view: PartView, most: int) -> PartView:
    """The same part with at most so many changes."""
    problem, oracle = view.oracle.problem, view.oracle.derived(_edits_of)
    context = oracle.problem.variables[len(problem.variables) :]
    values = [*(view.configuration[variable.name] for variable in problem.variables), most]
    before = {variable.name: value for variable, value in zip(context, values, strict=True)}
    return replace(view, oracle=oracle, configuration={**view.configuration, **before})


def _edits_of(problem: Problem) -> Problem:
    """The problem with what its values were, and a constraint for each part on how many of them differ."""
    prefix = free_prefix(problem)
    before = {
        variable.name: variable.model_copy(update={"name": f"{prefix}before {position}"})
        for position, variable in enumerate(problem.variables)
    }
    most = IntVariable(name=f"{prefix}most", lower=0, upper=max(len(part.variables) for part in problem.parts))
    constraints = []
    for position, part in enumerate(problem.parts):
        changes = [compare(Var(name=name), "!=", Var(name=before[name].name)) for name in part.variables]
        few = compare(count(changes), "<=", Var(name=most.name))
        constraints.append(Constraint(name=f"{prefix}changes {position}", require=few))
    return with_context(problem, (*before.values(), most), constraints)
