"""Features and constraints of an answer, by meaning and not by what a solver says.

Every answer is evaluated over the scope's own variables and the context's values. The first answer of a scope is
also evaluated by the reference evaluator on the problem as it was written: a scope whose expressions lost their
meaning while being compiled cannot be used at all.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from pcl_core.compile.pipeline import Scope
from pcl_core.ir.domains import CategoricalVariable, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.numbers import from_fraction, scaled
from pcl_core.ir.vector import Integers


class Checker:
    """Evaluates configurations of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._evaluator = scope.evaluator([*scope.feature_nodes, *scope.constraint_nodes])
        rows = {name: at for at, name in enumerate(self._evaluator.variables)}
        self._own = [
            (rows[variable.name], variable.name, isinstance(variable, CategoricalVariable))
            for variable in scope.variables
            if variable.name in rows
        ]
        self._context: list[tuple[int, int, list[int] | None]] = []
        for position, value in enumerate(scope.context):
            if value.variable.name in rows:
                labels = value.variable.labels if isinstance(value.variable, CategoricalVariable) else None
                codes = None if labels is None else [self._evaluator.code(label) for label in labels]
                self._context.append((rows[value.variable.name], position, codes))
        self._trusted = False

    def evaluate(
        self, configurations: Sequence[Mapping[str, Value]], context: Sequence[int]
    ) -> tuple[Integers, npt.NDArray[np.bool_]]:
        """Feature units (a row each) and satisfied constraints (a row each) for each configuration (a column)."""
        template = [0] * len(self._evaluator.variables)
        for row, position, codes in self._context:
            template[row] = context[position] if codes is None else codes[context[position]]
        columns = []
        for x in configurations:
            column = [*template]
            for row, name, labelled in self._own:
                column[row] = self._evaluator.code(str(x[name])) if labelled else int(x[name])
            columns.append(column)
        found = self._evaluator.few(columns)
        count = len(self._scope.features)
        units, satisfied = found[:count], found[count:] != 0
        if not self._trusted:
            self._compare_with_the_reference(configurations[0], units[:, 0], satisfied[:, 0])
            self._trusted = True
        return units, satisfied

    def _compare_with_the_reference(
        self, configuration: Mapping[str, Value], units: Integers, satisfied: npt.NDArray[np.bool_]
    ) -> None:
        problem, digits = self._scope.problem, self._scope.feature_places
        evaluation = Evaluation(problem.symbols, configuration)
        expected = [
            scaled(from_fraction(evaluation.number(problem.features[index].value)), places)
            for index, places in zip(self._scope.features, digits, strict=True)
        ]
        holds = [evaluation.truth(problem.constraints[index].require) for index in self._scope.constraints]
        if units.tolist() != expected or satisfied.tolist() != holds:
            raise AssertionError("a compiled scope does not mean what the problem says")
