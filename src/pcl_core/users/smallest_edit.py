"""The fewest variables to change for a gain, found by the backend that finds everything else.

A derived problem has, beside each variable, one for the value that it had, and for each part how many values may
differ. All of these are context: the problem is compiled once, and says nothing of weights or configurations.
"""

from dataclasses import replace

from pcl_core.compile.context import unused_prefix
from pcl_core.ir.domains import IntVariable
from pcl_core.ir.make import compare, count
from pcl_core.ir.nodes import Var
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Constraint, Part
from pcl_core.model.problem import Problem
from pcl_core.users.utility import PartView


def smallest_edit(view: PartView, gain: float) -> Configuration:
    """Of the configurations that change as few variables as gain this much, the least good."""
    assert view.best.configuration is not None
    best = view.best.configuration
    fewest, most = 1, sum(best[name] != view.configuration[name] for name in view.variables)
    while fewest < most:
        middle = (fewest + most) // 2
        found = _with_changes(view, middle).best.configuration
        assert found is not None
        if view.reaches(found, gain):
            best, most = found, middle
        else:
            fewest = middle + 1
    least = _with_changes(view, most).least_with(gain)
    found = least if least is not None and view.reaches(least, gain) else best
    return {name: found[name] for name in view.configuration}


def _with_changes(view: PartView, most: int) -> PartView:
    """The same part with at most so many changes."""
    problem, oracle = view.oracle.problem, view.oracle.derived("edits", _edits_of)
    context = oracle.problem.variables[len(problem.variables) :]
    values = [*(view.configuration[variable.name] for variable in problem.variables), most]
    before = {variable.name: value for variable, value in zip(context, values, strict=True)}
    return replace(view, oracle=oracle, configuration={**view.configuration, **before})


def _edits_of(problem: Problem) -> Problem:
    """The problem with what its values were, and a constraint for each part on how many of them differ."""
    taken = [item.name for item in (*problem.variables, *problem.constraints, *problem.parts)]
    prefix = unused_prefix(taken)
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
    context = (*before.values(), most)
    return problem.replace(
        variables=(*problem.variables, *context),
        constraints=(*problem.constraints, *constraints),
        parts=(*problem.parts, Part(name=f"{prefix}before", variables=tuple(each.name for each in context))),
        initial=None,
        shared_only="allow",
    )
