"""A problem as those see it who decide some of its variables: a small problem of its own.

What everybody else contributes to a constraint is a value of the context, as it is where these variables are solved. So
whatever is worked out about a part beside what stands elsewhere costs what the part sees, and not what there is.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pcl_core.compile.pipeline import ContextEvaluator, scope_of
from pcl_core.ir.domains import Value
from pcl_core.ir.make import compare
from pcl_core.ir.nodes import Var
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Feature, Part
from pcl_core.model.problem import Problem
from pcl_core.solve.compiled import ROOM, Compiled
from pcl_core.solve.oracle import Oracle

KEPT = 16
"""Sets of variables of which it is kept what they see: a person goes from part to part."""


@dataclass(frozen=True)
class SeenProblem:
    """What is seen by some variables."""

    oracle: Oracle
    """Of the small problem: these variables, the constraints on them by their names, and the values of the context."""
    context: ContextEvaluator

    def around(self, configuration: Mapping[str, Value], own: Mapping[str, Value]) -> Configuration:
        """Own values, and those of the context that a whole configuration is for them."""
        return {**own, **self.context(configuration)}


def seen_by(oracle: Oracle, variables: Collection[str]) -> SeenProblem:
    """The problem of an oracle as some variables see it. Constraints that mention none of them are not in it."""
    own = frozenset(variables)
    found = oracle.compiled.seen.get(own)
    if found is None:
        with oracle.problem.shared.lock:
            found = _made(oracle.compiled, own)
        oracle.compiled.seen.put(own, found, ROOM // KEPT)
    compiled, context = found
    return SeenProblem(Oracle(compiled.problem, compiled.backend, oracle.options, compiled), context)


def _made(compiled: Compiled, own: Collection[str]) -> tuple[Compiled, ContextEvaluator]:
    problem = compiled.problem
    scope = scope_of(problem, own, ())
    variables = tuple(scope.split.symbols.variables.values())
    some = Var(name=variables[0].name)
    required = zip(scope.constraints, scope.split.constraints, strict=True)
    small = Problem.create(
        name=problem.name,
        variables=variables,
        tables=problem.tables,
        constraints=[problem.constraints[at].model_copy(update={"require": node}) for at, node in required],
        features=[Feature(name="nothing", value=compare(some, "==", some))],  # a problem has one at least
        parts=[Part(name="seen", variables=tuple(variable.name for variable in variables))],
        shared_only="allow",
    )
    return compiled.beside(small), ContextEvaluator(problem, scope)
