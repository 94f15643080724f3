"""Features and constraints of configurations: by the reference evaluator, and fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.ir.domains import Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.numbers import Number, from_fraction
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.model.problem import Problem

Vector: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]

FEW_FEATURES = 500
BATCH = 500


@dataclass(frozen=True)
class Assessment:
    """What the reference evaluator says of a complete configuration."""

    violated: tuple[str, ...]
    features: tuple[Number, ...]

    @property
    def feasible(self) -> bool:
        return not self.violated


def assess(problem: Problem, configuration: Mapping[str, Value]) -> Assessment:
    """Violated constraints and exact feature values φ(x), by definition."""
    evaluation = Evaluation(problem.symbols, configuration)
    return Assessment(
        tuple(c.name for c in problem.constraints if not evaluation.truth(c.require)),
        tuple(from_fraction(evaluation.number(feature.value)) for feature in problem.features),
    )


def violated_by_some(problem: Problem, configurations: Sequence[Mapping[str, Value]]) -> tuple[str, ...]:
    """The constraints that some of many configurations violate."""
    evaluator = VectorEvaluator.of(problem.symbols, [constraint.require for constraint in problem.constraints])
    broken: set[int] = set()
    for at in range(0, len(configurations) if problem.constraints else 0, BATCH):
        satisfied = evaluator.evaluate(evaluator.encode(configurations[at : at + BATCH]))
        broken.update(np.flatnonzero((satisfied == 0).any(axis=1)).tolist())
    return tuple(problem.constraints[position].name for position in sorted(broken))


class FeatureMap:
    """φ as an array, and φ after a change in one part at the cost of that part's features alone.

    Features are whole numbers of 10^-places; where all features are whole, `units` is φ itself.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._whole = VectorEvaluator.of(problem.symbols, [feature.value for feature in problem.features])
        self._of_part: dict[int, tuple[VectorEvaluator, Integers]] = {}
        self.places = np.array(self._whole.places, dtype=np.int64)
        self._unit = 10.0**self.places if self.places.any() else None

    def units(self, configuration: Mapping[str, Value]) -> Integers:
        """φ(x) in whole units, one entry a feature."""
        return self._whole.one(configuration)

    def values(self, configuration: Mapping[str, Value]) -> Vector:
        """φ(x) as floating-point numbers."""
        return self.to_values(self.units(configuration))

    def to_values(self, units: Integers) -> Vector:
        return units.astype(np.float64) if self._unit is None else units / self._unit

    def batch(self, configurations: Sequence[Mapping[str, Value]]) -> Integers:
        """Whole units for many configurations, one row each."""
        return self._whole.evaluate(self._whole.encode(configurations)).T

    def updated(self, units: Integers, configuration: Mapping[str, Value], part: int) -> Integers:
        """φ(x) where x differs from the configuration behind `units` in one part only: just I_p is computed.

        Few features are computed anew as a whole: that takes less than preparing each part's.
        """
        if len(units) <= FEW_FEATURES:
            return self.units(configuration)
        if part not in self._of_part:
            subset = self._problem.structure.feature_subsets[part]
            roots = [self._problem.features[index].value for index in subset]
            evaluator = VectorEvaluator.of(self._problem.symbols, roots)
            self._of_part[part] = (evaluator, np.array(subset, dtype=np.int64))
        evaluator, subset_array = self._of_part[part]
        changed = units.copy()
        changed[subset_array] = evaluator.one(configuration)
        return changed
