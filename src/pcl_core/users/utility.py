"""The true utility u* of a simulated person, and what it says about one part in its context."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from pcl_core.errors import Code, Issue, RequestError, UndecidedError, suggest
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Utility, Vector, nearest
from pcl_core.model.names import feature_families
from pcl_core.model.problem import Problem
from pcl_core.solve.judge import Solution
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Sense, Status

WEIGHT_PLACES = 6
"""Sampled weights have this many decimals, so that solvers see them exactly."""

WEIGHT_LAWS = ("normal", "uniform", "sparse", "alike")
SPARSE_FRACTION = 0.2
ALIKE_NOISE = 0.2


def sample_weights(problem: Problem, law: str, generator: np.random.Generator) -> Vector:
    """w* of a random person: standard normal, uniform on [-1, 1], or normal with four in five weights zero.

    Or alike: standard normal for each family of features, and each feature's own a little beside it.
    """
    count = len(problem.features)
    if law == "normal":
        weights = generator.normal(size=count)
    elif law == "uniform":
        weights = generator.uniform(-1.0, 1.0, size=count)
    elif law == "sparse":
        weights = generator.normal(size=count)
        liked = generator.permutation(count)[: max(1, round(SPARSE_FRACTION * count))]
        weights[np.setdiff1d(np.arange(count), liked)] = 0.0
    elif law == "alike":
        families = np.array(feature_families(problem))
        weights = generator.normal(size=families.max() + 1)[families] + ALIKE_NOISE * generator.normal(size=count)
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
    beside: int | None = None
    """Another part that may change together with p: both are looked at as if they were one."""

    @cached_property
    def best(self) -> Solution:
        """The best partial configuration x*_p in this context; x itself where nothing is better."""
        return self._solved(self._solve("max", None))

    @cached_property
    def current(self) -> float:
        """u*[I_p](x)"""
        return nearest(self._utility.of(self._current_units))

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(name for part in self._parts for name in self.oracle.problem.parts[part].variables)

    @property
    def is_best(self) -> bool:
        """CREG_p(x) = 0, decided exactly."""
        return self.exact_regret == 0

    @property
    def conditional_regret(self) -> float:
        """CREG_p(x) = u*(x*_p ∘ x_p̄) − u*(x)"""
        return nearest(self.exact_regret)

    @cached_property
    def exact_regret(self) -> Fraction:
        """CREG_p(x), exactly."""
        if self.best.kept:
            return Fraction(0)
        assert self.best.configuration is not None
        return self.exact_gain(self.best.configuration)

    @property
    def at_stake(self) -> Fraction:
        """By how much the best that could stand here is better than the worst."""
        worst = self._solved(self._solve("min", None)).configuration
        assert worst is not None
        return self.exact_regret - self.exact_gain(worst)

    def least_with(self, gain: Fraction) -> Configuration:
        """The least good configuration that still gains `gain` over x; the best gains at least that."""
        found = self._solved(self._solve("min", self._utility.of(self._current_units) + gain)).configuration
        assert found is not None
        return found

    def best_for(self, weights: Vector) -> Configuration:
        """What somebody with other weights would put here."""
        found = self._solved(self._solve("max", None, weights=weights))
        assert found.configuration is not None
        return found.configuration

    def utility_of(self, configuration: Mapping[str, Value]) -> float:
        """u*[I_p] of any complete configuration."""
        return nearest(self._utility.of(self._units_of(configuration)))

    def gain_of(self, configuration: Mapping[str, Value]) -> float:
        """u*[I_p] of another configuration beyond that of x."""
        return nearest(self.exact_gain(configuration))

    def exact_gain(self, configuration: Mapping[str, Value]) -> Fraction:
        """u*[I_p] of another configuration beyond that of x, exactly."""
        return self._utility.of(self._units_of(configuration) - self._current_units)

    @property
    def _parts(self) -> tuple[int, ...]:
        return (self.part,) if self.beside is None else (self.part, self.beside)

    @cached_property
    def _own(self) -> list[int]:
        subsets = self.oracle.problem.structure.feature_subsets
        return sorted({feature for part in self._parts for feature in subsets[part]})

    @cached_property
    def _utility(self) -> Utility:
        """u*[I_p]"""
        return Utility(self.weights[self._own], self.oracle.features.places[self._own])

    @cached_property
    def _current_units(self) -> Integers:
        return self._units_of(self.configuration)

    def _units_of(self, configuration: Mapping[str, Value]) -> Integers:
        return self.oracle.features.units(configuration)[self._own]

    def _solve(self, sense: Sense, floor: Fraction | None, weights: Vector | None = None) -> Solution:
        return self.oracle.solve(
            self.weights if weights is None else weights,
            variables=self.variables,
            given=self.configuration,
            features=self._own,
            sense=sense,
            floor=floor,
            incumbent=self.configuration if sense == "max" else None,
            fixed=self.fixed,
            exact=weights is None,
        )

    def _solved(self, found: Solution) -> Solution:
        if found.status is Status.OPTIMAL:
            return found
        name = self.oracle.problem.parts[self.part].name
        message = f"the simulated user could not decide on part '{name}': {found.status} ({found.reason})"
        raise UndecidedError(message)
