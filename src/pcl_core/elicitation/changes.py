"""What a proposal, or a draft of one, changes."""

from collections.abc import Mapping
from typing import NamedTuple

from pcl_core.ir.domains import Value
from pcl_core.model.problem import Problem


class Change(NamedTuple):
    """A variable that becomes something else."""

    variable: str
    label: str
    before: Value
    after: Value


def find_changes(problem: Problem, before: Mapping[str, Value], after: Mapping[str, Value]) -> tuple[Change, ...]:
    """Where `after`, values of some variables, differs from what was there."""
    variables = problem.symbols.variables
    return tuple(
        Change(name, variables[name].label or name, before[name], value)
        for name, value in after.items()
        if before[name] != value
    )
