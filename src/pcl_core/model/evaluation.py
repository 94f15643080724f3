"""What configurations are worth: features and constraints, by the reference evaluator and fast, and exact utilities.

A weight means its shortest decimal text, as every number in a problem does: 0.1 is one tenth. Features count whole
units, so a utility is a whole number at a power of ten, and which of two is larger is never a matter of rounding.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from operator import mul
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.numbers import Number, from_fraction
from pcl_core.ir.propagate import Propagation
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.model.lately import Lately
from pcl_core.model.problem import Problem

USUAL_PLACES = (0, 6)
"""Whole weights, and those with as many places as sampled ones have, are recognised without spelling them out."""
ALL_DIGITS_COUNT = 1e15
"""Up to this many units, no two decimals with the same number of places are the same floating-point number."""
FEW_WEIGHTS = 20
"""So many are looked at one by one."""


def read_exactly(number: float) -> Fraction:
    """What a floating-point number means: its shortest decimal text."""
    return Fraction(repr(float(number)))


def nearest(value: Fraction) -> float:
    """A utility as a floating-point number; what is not zero does not become zero."""
    found = float(value)
    return math.copysign(math.ulp(0.0), value) if found == 0.0 and value else found


def not_below(value: Fraction) -> float:
    """The next floating-point number that does not mean less."""
    found = float(value)
    return found if read_exactly(found) >= value else math.nextafter(found, math.inf)


def not_above(value: Fraction) -> float:
    """The next floating-point number that does not mean more."""
    return -not_below(-value)


def decimals_of(weights: npt.NDArray[np.float64]) -> tuple[list[int], int]:
    """Whole numbers n and a number of places with weight = n / 10^places, exactly."""
    few = len(weights) <= FEW_WEIGHTS  # numpy takes longer to be called than to compute so little
    given: list[float] = weights.tolist() if few else []
    if not (all(map(math.isfinite, given)) if few else np.isfinite(weights).all()):
        where = np.isfinite(weights).tolist().index(False)
        raise RequestError(Issue(Code.NOT_FINITE, f"weight {where + 1} is not a finite number"))
    largest = max(map(abs, given), default=0.0) if few else float(np.abs(weights).max())
    for places in USUAL_PLACES:
        scale = 10.0**places
        if largest * scale > ALL_DIGITS_COUNT:
            continue
        if few:
            whole = [round(weight * scale) for weight in given]
            if [number / scale for number in whole] == given:
                return whole, places
        elif ((rounded := np.rint(weights * scale)) / scale == weights).all():
            return rounded.astype(np.int64).tolist(), places
    spelled = [Decimal(repr(weight)) for weight in weights.tolist()]
    places = max(0, *(-int(decimal.as_tuple().exponent) for decimal in spelled if decimal))
    return [int(decimal.scaleb(places)) for decimal in spelled], places


class Utility:
    """u(x) = Σ w_i · φ_i(x) = Σ coefficients_i · units_i / 10^places, for features that count 10^-feature_places each."""

    def __init__(
        self, weights: npt.NDArray[np.float64] | Sequence[float], feature_places: Iterable[int] | Integers
    ) -> None:
        numerators, places = decimals_of(np.asarray(weights, dtype=np.float64))
        held = [int(digits) for digits in feature_places]
        finest = max(held, default=0)
        self.coefficients: tuple[int, ...] = tuple(
            [number * 10 ** (finest - digits) for number, digits in zip(numerators, held, strict=True)]
            if finest
            else numerators
        )
        self.places = places + finest

    def shortest(self) -> "Utility":
        """The same with as few places as will do, so that coefficients are as small as they can be."""
        common, places = math.gcd(*self.coefficients), self.places
        divisor = 1
        while places and common % (10 * divisor) == 0 and common:
            divisor, places = 10 * divisor, places - 1
        if divisor == 1:
            return self
        found = copy(self)
        found.coefficients, found.places = tuple([number // divisor for number in self.coefficients]), places
        return found

    def total(self, units: Integers | list[int]) -> int:
        """u(x) · 10^places, from the features in whole units."""
        return sum(map(mul, self.coefficients, units if isinstance(units, list) else units.tolist()))

    def of(self, units: Integers | list[int]) -> Fraction:
        """u(x)"""
        return Fraction(self.total(units), 10**self.places)


Vector: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]

FEW_FEATURES = 500
STATES_KEPT = 16
"""Configurations of which all is known that features are computed from, where these are many."""
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


def broken_at(problem: Problem, configuration: Mapping[str, Value], among: Iterable[int]) -> Iterator[int]:
    """Those of some constraints that a configuration violates, by position and by definition; they mention nothing else."""
    evaluation = Evaluation(problem.symbols, configuration)
    return (at for at in among if not evaluation.truth(problem.constraints[at].require))


class FeatureMap:
    """φ as an array, and φ after a change in one part at the cost of that part's features alone; and what is violated.

    Features are whole numbers of 10^-places; where all features are whole, `units` is φ itself.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        registers = problem.registers.copied()
        roots = [registers.add(feature.value) for feature in problem.features]
        self._whole = VectorEvaluator(registers, roots)
        self._many = _Many(Propagation(registers, roots)) if len(roots) > FEW_FEATURES else None
        self.places = np.array(self._whole.places, dtype=np.int64)
        self._unit = 10.0**self.places if self.places.any() else None

    def units(self, configuration: Mapping[str, Value]) -> Integers:
        """φ(x) in whole units, one entry a feature."""
        return self._whole.one(configuration) if self._many is None else self._many.units(configuration)

    def values(self, configuration: Mapping[str, Value]) -> Vector:
        """φ(x) as floating-point numbers."""
        return self.to_values(self.units(configuration))

    def to_values(self, units: Integers) -> Vector:
        return units.astype(np.float64) if self._unit is None else units / self._unit

    def batch(self, configurations: Sequence[Mapping[str, Value]]) -> Integers:
        """Whole units for many configurations, one row each."""
        return self._whole.evaluate(self._whole.encode(configurations)).T

    def values_of(self, configurations: Sequence[Mapping[str, Value]]) -> list[Vector]:
        """φ of several configurations as floating-point numbers, computed together."""
        if self._many is not None or len(configurations) < 2:
            return [self.values(configuration) for configuration in configurations]
        return list(np.ascontiguousarray(self.to_values(self.batch(configurations))))

    def updated(self, units: Integers, configuration: Mapping[str, Value], part: int) -> Integers:
        """φ(x) where x differs from the configuration behind `units` in one part only: just what it changes is computed.

        Few features are computed anew as a whole, and so are those of which it is not known any more what led to them.
        """
        if self._many is None:
            return self.units(configuration)
        return self._many.updated(units, configuration, self._problem.parts[part].variables)

    @cached_property
    def _constraints(self) -> VectorEvaluator:
        return VectorEvaluator.of(self._problem.symbols, [it.require for it in self._problem.constraints])

    def violated_by_some(self, configurations: Sequence[Mapping[str, Value]]) -> tuple[str, ...]:
        """The constraints that some of many configurations violate."""
        broken: set[int] = set()
        for at in range(0, len(configurations) if self._problem.constraints else 0, BATCH):
            satisfied = self._constraints.evaluate(self._constraints.encode(configurations[at : at + BATCH]))
            broken.update(np.flatnonzero((satisfied == 0).any(axis=1)).tolist())
        return tuple(self._problem.constraints[position].name for position in sorted(broken))


class _Many:
    """Very many features: all that they are computed from is kept for the configurations that were looked at lately."""

    def __init__(self, propagation: Propagation) -> None:
        self._propagation = propagation
        self._behind: Lately[Integers | None] = Lately(STATES_KEPT)

    def units(self, configuration: Mapping[str, Value]) -> Integers:
        return self._kept(self._propagation.values(configuration))

    def updated(self, units: Integers, configuration: Mapping[str, Value], names: Sequence[str]) -> Integers:
        behind = self._behind.get(None, lambda: None, units)
        if behind is None:
            return self.units(configuration)
        return self._kept(self._propagation.changed(behind, configuration, names))

    def _kept(self, behind: Integers) -> Integers:
        found = np.asarray(behind[self._propagation.roots], dtype=np.int64)
        found.flags.writeable = False  # it is known again by its identity
        self._behind.get(None, lambda: behind, found)
        return found


Indices: TypeAlias = npt.NDArray[np.intp]

AT_ONCE = 2**16
"""So many numbers are compared at once; more of them a column at a time, so that no copy is made of all."""


def distinct(rows: Integers) -> tuple[Indices, Indices]:
    """For each different row where it is first, in that order; and for each row which of these it is equal to."""
    # One mixed number for each row is sorted much faster than rows; whether it told them apart is checked.
    _, first, inverse = np.unique(rows @ _mixer(rows.shape[1]), return_index=True, return_inverse=True)
    if rows.size <= AT_ONCE:
        told_apart = bool((rows[first[inverse]] == rows).all())
    else:
        told_apart = all(np.array_equal(column[first][inverse], column) for column in rows.T)
    if not told_apart:
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order].astype(np.intp), rank[inverse.reshape(-1)].astype(np.intp)


@cache
def _mixer(columns: int) -> Integers:
    return np.random.default_rng(0).integers(1, 2**62, size=columns, dtype=np.int64)
