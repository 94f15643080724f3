"""Features and constraints of an answer, by meaning and not by what a solver says.

Every answer is evaluated over the scope's own variables and the context's values. The first answer of a scope is
also evaluated by the reference evaluator on the problem as it was written: a scope whose expressions lost their
meaning while being compiled cannot be used at all.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from pcl_core.compile.pipeline import Scope
from pcl_core.ir.domains import Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.numbers import from_fraction, scaled
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.model.problem import Problem


class Checker:
    """Evaluates configurations of one scope."""

    def __init__(self, problem: Problem, scope: Scope) -> None:
        self._problem, self._scope = problem, scope
        self._evaluator = VectorEvaluator(scope.registers.registers, scope.registers.roots)
        self._trusted = False

    def evaluate(
        self, configurations: Sequence[Mapping[str, Value]], context: Mapping[str, Value]
    ) -> tuple[Integers, npt.NDArray[np.bool_]]:
        """Feature units (a row each) and satisfied constraints (a row each) for each configuration (a column)."""
        found = self._evaluator.few([{**x, **context} for x in configurations])
        count = len(self._scope.features)
        units, satisfied = found[:count], found[count:] != 0
        if not self._trusted:
            self._compare_with_the_reference(configurations[0], units[:, 0], satisfied[:, 0])
            self._trusted = True
        return units, satisfied

    def _compare_with_the_reference(
        self, configuration: Mapping[str, Value], units: Integers, satisfied: npt.NDArray[np.bool_]
    ) -> None:
        problem, scope = self._problem, self._scope
        evaluation = Evaluation(problem.symbols, configuration)
        expected = [
            scaled(from_fraction(evaluation.number(problem.features[index].value)), facts.places)
            for index, facts in zip(scope.features, scope.feature_facts, strict=True)
        ]
        holds = [evaluation.truth(problem.constraints[index].require) for index in scope.constraints]
        if units.tolist() != expected or satisfied.tolist() != holds:
            raise AssertionError("a compiled scope does not mean what the problem says")
