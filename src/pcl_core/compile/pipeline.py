"""The whole lowering: from a problem and the variables to decide, to models that solvers take.

A scope is compiled once and solved many times, with other weights, contexts and floors.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcl_core.compile.context import ContextSplit, ContextValue, context_variables, unused_prefix
from pcl_core.compile.flat import FlatModel
from pcl_core.compile.flatten import Flattening
from pcl_core.compile.linear import LinearModel, linearise
from pcl_core.ir.domains import AnyVariable, CategoricalVariable, Value
from pcl_core.ir.lowering import Lowering
from pcl_core.ir.nodes import Node
from pcl_core.ir.symbols import Symbols
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.model.problem import Problem


@dataclass(frozen=True)
class Scope:
    """Variables to decide, features that count, constraints that must hold; everything else is context."""

    problem: Problem
    variables: tuple[AnyVariable, ...]
    features: tuple[int, ...]
    constraints: tuple[int, ...]

    def __getstate__(self) -> dict[str, object]:
        """For another process: the fields and the models made of them, without what evaluators keep."""
        fields = {name: getattr(self.problem, name) for name in type(self.problem).model_fields}
        bare = type(self.problem).model_construct(**fields)
        kept = ("variables", "features", "constraints", "_split", "flat", "linear")
        return {"problem": bare} | {name: value for name, value in self.__dict__.items() if name in kept}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)

    @cached_property
    def _split(self) -> tuple[tuple[Node, ...], tuple[Node, ...], tuple[ContextValue, ...]]:
        symbols = self.problem.symbols
        own = {variable.name for variable in self.variables}
        split = ContextSplit(symbols, own, self.problem.inference, unused_prefix(own))
        features = tuple(split.whole(self.problem.features[index].value) for index in self.features)
        constraints = tuple(split.whole(self.problem.constraints[index].require) for index in self.constraints)
        return features, constraints, tuple(split.values)

    @property
    def feature_nodes(self) -> tuple[Node, ...]:
        """The features over own variables and context values."""
        return self._split[0]

    @property
    def constraint_nodes(self) -> tuple[Node, ...]:
        """The constraints over own variables and context values."""
        return self._split[1]

    @property
    def context(self) -> tuple[ContextValue, ...]:
        """What the context fixes."""
        return self._split[2]

    @cached_property
    def symbols(self) -> Symbols:
        """What the names in the scope's expressions stand for."""
        variables = (*self.variables, *(value.variable for value in self.context))
        return Symbols({variable.name: variable for variable in variables}, self.problem.symbols.tables)

    @cached_property
    def lowering(self) -> Lowering:
        """What all who evaluate the scope's expressions, or parts of them, have in common."""
        return Lowering(self.symbols)

    def evaluator(self, nodes: Sequence[Node]) -> VectorEvaluator:
        """For expressions over own variables and context values."""
        return VectorEvaluator.of(self.symbols, nodes, self.lowering)

    @cached_property
    def context_variables(self) -> tuple[str, ...]:
        """The variables outside the scope that matter to it."""
        return context_variables(self.context, self.problem.symbols)

    @cached_property
    def _context_evaluator(self) -> VectorEvaluator:
        nodes = [value.node for value in self.context]
        return VectorEvaluator.of(self.problem.symbols, nodes, self.problem.lowering.copied())

    def context_values(self, configuration: Mapping[str, Value]) -> Integers:
        """The context values under a configuration, as whole numbers; a label is its position in the domain."""
        if not self.context:
            return np.empty(0, dtype=np.int64)
        found = self._context_evaluator.one(configuration)
        for position, positions in self._label_positions:
            found[position] = positions[int(found[position])]
        return found

    @cached_property
    def _label_positions(self) -> list[tuple[int, dict[int, int]]]:
        """For each context value that is a label: its position in the domain by the evaluator's code."""
        code = self._context_evaluator.code
        return [
            (position, {code(label): at for at, label in enumerate(value.variable.labels)})
            for position, value in enumerate(self.context)
            if isinstance(value.variable, CategoricalVariable)
        ]

    @cached_property
    def flat(self) -> FlatModel:
        """The passes, in order: split off the context (above), then name Booleans and encode."""
        flattening = Flattening(self.variables, [value.variable for value in self.context], self.problem.symbols.tables)
        for node in self.feature_nodes:
            flattening.feature(node)
        for index, node in zip(self.constraints, self.constraint_nodes, strict=True):
            flattening.constraint(node, index)
        return flattening.model

    @cached_property
    def linear(self) -> LinearModel:
        """One pass further: rows alone."""
        return linearise(self.flat)

    @cached_property
    def feature_places(self) -> tuple[int, ...]:
        return tuple(self.problem.feature_facts[index].places for index in self.features)


def scope_of(
    problem: Problem,
    variables: Collection[str] | None = None,
    features: Sequence[int] | None = None,
    constraints: Sequence[int] | None = None,
) -> Scope:
    """The scope of some variables (all by default): features that count, and the constraints on these variables."""
    own = frozenset(problem.symbols.variables if variables is None else variables)
    chosen = tuple(variable for variable in problem.variables if variable.name in own)
    wanted = range(len(problem.features)) if features is None else features
    if constraints is None:
        constraints = problem.constraints_on(own)
    return Scope(problem, chosen, tuple(wanted), tuple(constraints))
