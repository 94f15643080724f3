"""Problems made from a problem: the same variables with a context beside them that its constraints may mention.

The context's values are given with each solve, so one compiled scope answers many questions.
"""

from collections.abc import Sequence

from pcl_core.compile.context import unused_prefix
from pcl_core.ir.domains import AnyVariable
from pcl_core.model.elements import Constraint, Part
from pcl_core.model.problem import Problem


def free_prefix(problem: Problem) -> str:
    """A start for names that nothing in the problem has."""
    return unused_prefix([item.name for item in (*problem.variables, *problem.constraints, *problem.parts)])


def with_context(problem: Problem, variables: Sequence[AnyVariable], constraints: Sequence[Constraint]) -> Problem:
    """The problem with more variables, all in a part of their own, and more constraints."""
    context = Part(name=f"{free_prefix(problem)}context", variables=tuple(variable.name for variable in variables))
    return problem.replace(
        variables=(*problem.variables, *variables),
        constraints=(*problem.constraints, *constraints),
        parts=(*problem.parts, context),
        initial=None,
        shared_only="allow",
    )
