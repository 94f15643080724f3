"""The whole way from a problem to what solvers take. Each pass is a function from plain data to plain data:

    split        expressions over own variables, and values that the context fixes     everyone
    registered   the same as registers of whole numbers                               tables, and whoever checks answers
    flatten      columns of whole numbers, and a few kinds of constraints             solvers with logic
    linearise    rows alone                                                           linear solvers

A scope is compiled once and solved many times, with other weights, contexts and floors.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pcl_core.compile.context import ContextValue, Split, context_variables, split
from pcl_core.compile.flat import FlatModel
from pcl_core.compile.flatten import flatten
from pcl_core.compile.linear import LinearModel, linearise
from pcl_core.ir.domains import AnyVariable, Facts, Value
from pcl_core.ir.long_sums import LongSum
from pcl_core.ir.nodes import Const
from pcl_core.ir.registers import Registers
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.model.problem import Problem

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Scope:
    """Variables to decide, features that count, constraints that must hold; everything else is context.

    It is plain data, and can be sent to another process. What a pass makes is made when a backend first asks for it, and
    never changes. Two threads that ask at once may both make it; all get the same one.
    """

    variables: tuple[AnyVariable, ...]
    features: tuple[int, ...]
    constraints: tuple[int, ...]
    """Positions in the problem."""
    feature_facts: tuple[Facts, ...]
    split: Split
    _made: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False)

    @property
    def registers(self) -> "ScopeRegisters":
        return self._after(registered, self.split)

    @property
    def flat(self) -> FlatModel:
        return self._after(flatten, self.split, self.constraints)

    @property
    def linear(self) -> LinearModel:
        return self._after(linearise, self.flat)

    def _after(self, one_pass: Callable[..., Made], *given: Any) -> Made:
        if one_pass not in self._made:
            self._made.setdefault(one_pass, one_pass(*given))
        made: Made = self._made[one_pass]
        return made

    @property
    def context(self) -> tuple[ContextValue, ...]:
        """What the context fixes."""
        return self.split.context


def scope_of(
    problem: Problem,
    variables: Collection[str] | None = None,
    features: Sequence[int] | None = None,
    constraints: Sequence[int] | None = None,
) -> Scope:
    """The scope of some variables (all by default): features that count, and the constraints on these variables."""
    own = frozenset(problem.symbols.variables if variables is None else variables)
    chosen = tuple(variable for variable in problem.variables if variable.name in own)
    counted = tuple(range(len(problem.features)) if features is None else features)
    required = tuple(problem.constraints_on(own) if constraints is None else constraints)
    expressions = [problem.features[at].value for at in counted], [problem.constraints[at].require for at in required]
    facts = tuple(problem.feature_facts[at] for at in counted)
    parts = split(problem.symbols, problem.inference, problem.long_sums, chosen, *expressions)
    return Scope(chosen, counted, required, facts, parts)


@dataclass(frozen=True)
class ScopeRegisters:
    """The registers of a scope's expressions. They are shared: whoever adds more takes a copy."""

    registers: Registers
    features: tuple[int, ...]
    """The number of the register that holds each feature."""
    constraints: tuple[int, ...]

    @property
    def roots(self) -> tuple[int, ...]:
        return self.features + self.constraints


def registered(parts: Split) -> ScopeRegisters:
    registers = Registers(parts.symbols)
    features = tuple([registers.add(node) for node in parts.features])
    return ScopeRegisters(registers, features, tuple([registers.add(node) for node in parts.constraints]))


FEW_REGISTERS = 10_000
"""Definitions of so many registers are copied for each scope; of more, it adds those that it sees."""


class ContextEvaluator:
    """The context values of a scope, from the values of the variables outside it."""

    def __init__(self, problem: Problem, scope: Scope) -> None:
        self._values = [value.variable for value in scope.context]
        own = {variable.name for variable in scope.variables}
        self.variables = context_variables(scope.context, own, problem.symbols, problem.long_sums)
        """The variables outside the scope that matter to it."""
        self._long_sums = problem.long_sums
        few = len(problem.registers.items) <= FEW_REGISTERS
        self._registers = problem.registers.copied() if few else Registers(problem.symbols)
        self._long: list[tuple[int, LongSum, int]] = []
        nodes = []
        for at, value in enumerate(scope.context):
            long = self._long_sums.of(value.node)
            if long is None:
                nodes.append(value.node)
            else:
                nodes.append(value.less or Const(value=0))
                self._long.append((at, long, 10 ** (long.places - value.places)))
        self._evaluator = VectorEvaluator.of(problem.symbols, nodes, self._registers)
        self._any = {variable.name: variable.values()[0] for variable in scope.variables} if self._long else {}
        """Values of the scope's own variables: a total and its own terms take the same, so these do not matter."""

    def __call__(self, configuration: Mapping[str, Value]) -> dict[str, Value]:
        """Each context value by its name. Numbers count units of 10^-places."""
        if not self._values:
            return {}
        if self._long and not all(map(configuration.__contains__, self._any)):
            configuration = {**self._any, **configuration}
        codes = self._evaluator.few([configuration])[0]
        if self._long:
            totals = self._long_sums.totals(configuration)
            for at, long, unit in self._long:
                own = codes[at] * 10 ** (long.places - self._evaluator.places[at])
                codes[at] = (totals[long.number] - own) // unit
        value = self._registers.coding.value
        return {variable.name: value(variable, code) for variable, code in zip(self._values, codes, strict=True)}
