"""The true utility u* of a simulated person, and what it says about one part in its context."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcl_core.errors import Code, Issue, RequestError, UndecidedError, suggest
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle, Solution
from pcl_core.solve.protocol import Sense, Status

WEIGHT_PLACES = 6
"""Sampled weights have this many decimals, so that solvers see them exactly."""

WEIGHT_LAWS = ("normal", "uniform", "sparse")
SPARSE_FRACTION = 0.2
ROUNDING = 1e-12
"""A shortfall this small beside the terms of a gain is none: decimals do not add up exactly."""


def sample_weights(problem: Problem, law: str, generator: np.random.Generator) -> Vector:
    """w* of a random person: standard normal, uniform on [-1, 1], or normal with four in five weights zero."""
    count = len(problem.features)
    if law == "normal":
        weights = generator.normal(size=count)
    elif law == "uniform":
        weights = generator.uniform(-1.0, 1.0, size=count)
    elif law == "sparse":
        weights = generator.normal(size=count)
        liked = generator.permutation(count)[: max(1, round(SPARSE_FRACTION * count))]
        weights[np.setdiff1d(np.arange(count), liked)] = 0.0
    else:
        message = f"weights cannot be drawn '{law:.60}'"
        raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(law, WEIGHT_LAWS)))
    return np.asarray(np.round(weights, WEIGHT_PLACES), dtype=np.float64)


@dataclass(frozen=True)
class PartView:
    """One part p of a configuration x, with a person's utility u*[I_p] of what could stand there instead."""

    oracle: Oracle
    weights: Vector
    part: int
    configuration: Configuration
    """x, complete and feasible"""
    fixed: Mapping[str, Value]
    """Own variables that must stay as they are."""

    @cached_property
    def best(self) -> Solution:
        """The best partial configuration x*_p in this context; x itself where nothing is better."""
        return self._solved(self._solve("max", None))

    @cached_property
    def current(self) -> float:
        """u*[I_p](x)"""
        return float(self.weights[self._own] @ self._current_features)

    @property
    def variables(self) -> tuple[str, ...]:
        return self.oracle.problem.parts[self.part].variables

    @property
    def is_best(self) -> bool:
        """CREG_p(x) = 0.

        Where features are so large that the integers are coarse, what they rank higher may be no better: then x is.
        """
        return self.conditional_regret == 0.0

    @cached_property
    def conditional_regret(self) -> float:
        """CREG_p(x) = u*(x*_p ∘ x_p̄) − u*(x)"""
        if self.best.kept:
            return 0.0
        assert self.best.configuration is not None
        return max(0.0, self.gain_of(self.best.configuration))

    def worst(self) -> float:
        """The least utility that could stand here."""
        return _utility(self._solved(self._solve("min", None)))

    def least_with(self, gain: float) -> Configuration | None:
        """The least good configuration that still gains `gain` over x, or None if nothing does."""
        found = self._solve("min", self.current + gain)
        if found.status is Status.INFEASIBLE:
            return None
        return self._solved(found).configuration

    def best_for(self, weights: Vector) -> Configuration:
        """What somebody with other weights would put here."""
        found = self._solved(self._solve("max", None, weights=weights))
        assert found.configuration is not None
        return found.configuration

    def utility_of(self, configuration: Mapping[str, Value]) -> float:
        """u*[I_p] of any complete configuration."""
        return float(self.weights[self._own] @ self._features_of(configuration))

    def gain_of(self, configuration: Mapping[str, Value]) -> float:
        """u*[I_p] of another configuration beyond that of x."""
        return float(self._gains(configuration).sum())

    def reaches(self, configuration: Mapping[str, Value], gain: float) -> bool:
        """Whether a configuration gains this much, but for rounding."""
        gains = self._gains(configuration)
        return float(gains.sum()) >= gain - ROUNDING * float(np.abs(gains).sum())

    def _gains(self, configuration: Mapping[str, Value]) -> Vector:
        """Feature by feature; the difference of features is taken first, so that what is equal cancels exactly."""
        return np.asarray(self.weights[self._own] * (self._features_of(configuration) - self._current_features))

    @cached_property
    def _own(self) -> list[int]:
        return list(self.oracle.problem.structure.feature_subsets[self.part])

    @cached_property
    def _current_features(self) -> Vector:
        return self._features_of(self.configuration)

    def _features_of(self, configuration: Mapping[str, Value]) -> Vector:
        return self.oracle.features.values(configuration)[self._own]

    def _solve(self, sense: Sense, floor: float | None, weights: Vector | None = None) -> Solution:
        problem = self.oracle.problem
        return self.oracle.solve(
            self.weights if weights is None else weights,
            variables=self.variables,
            given=self.configuration,
            features=problem.structure.feature_subsets[self.part],
            sense=sense,
            floor=floor,
            incumbent=self.configuration if sense == "max" else None,
            fixed=self.fixed,
        )

    def _solved(self, found: Solution) -> Solution:
        if found.status is Status.OPTIMAL:
            return found
        name = self.oracle.problem.parts[self.part].name
        message = f"the simulated user could not decide on part '{name}': {found.status} ({found.reason})"
        raise UndecidedError(message)


def _utility(found: Solution) -> float:
    assert found.utility is not None
    return found.utility
