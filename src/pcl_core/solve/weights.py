"""Weights as integers, once and for all backends.

Every backend optimises the same integers, so objectives compare with ==. The scale is recorded; with integer
weights it is one and nothing is rounded.
"""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.facts import Facts

FINEST = 6
"""Weights keep this many decimal places where the range allows, small ones as many significant digits."""
MOST_PLACES = 250
MAX_REACH = 10**12
"""Objectives stay far below 2^53: solvers in doubles must tell neighbours apart, and files keep 13 digits."""


@dataclass(frozen=True)
class IntegerWeights:
    """Integers q with Σ q·units ≈ 10^places · Σ w·φ."""

    integers: tuple[int, ...]
    places: int
    error: float
    """How far the integer objective can be from the scaled real one, over all configurations."""

    @property
    def scale(self) -> float:
        return float(10.0**self.places)


class Quantiser:
    """Makes integer weights for a fixed list of features, which count units of 10^-places each."""

    def __init__(self, features: Sequence[Facts]) -> None:
        self._count = len(features)
        self._digits = max((facts.places for facts in features), default=0)
        self._factors = np.array([10 ** (self._digits - facts.places) for facts in features], dtype=np.int64)
        sizes = [max(abs(facts.low), abs(facts.high)) for facts in features]
        self._sizes = np.array(sizes, dtype=np.float64) * self._factors
        self._largest = sys.float_info.max / max(1.0, float(self._sizes.sum()))  # utilities stay finite

    def __call__(self, weights: npt.NDArray[np.float64] | Sequence[float]) -> IntegerWeights:
        """Integer weights as fine as the range allows."""
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (self._count,):
            raise RequestError(Issue(Code.BAD_VALUE, f"expected {self._count} weights, got {given.size}"))
        sizes = np.abs(given)
        largest = float(sizes.max(initial=0.0))
        if not largest <= self._largest:
            finite = np.isfinite(given)
            if finite.all():
                raise RequestError(Issue(Code.NUMBER_TOO_LARGE, "the weights are too large to compute with"))
            where = int(np.flatnonzero(~finite)[0])
            raise RequestError(Issue(Code.NOT_FINITE, f"weight {where + 1} is not a finite number"))
        fine = self._places(given, largest, float(sizes @ self._sizes))
        scaled = given * 10.0**fine
        rounded = np.rint(scaled)
        integers = tuple((rounded.astype(np.int64) * self._factors).tolist())
        return IntegerWeights(integers, fine + self._digits, float(np.abs(rounded - scaled) @ self._sizes))

    def _places(self, given: npt.NDArray[np.float64], largest: float, reach: float) -> int:
        if largest == 0.0:
            return 0
        if reach <= MAX_REACH and bool((given == np.rint(given)).all()):
            return 0
        # Small weights keep as many significant digits as others; only their ratios matter.
        fine = FINEST + max(0, -math.floor(math.log10(largest)) - 1)
        room = math.log10(MAX_REACH) - math.log10(reach) if reach > 0 else MOST_PLACES
        return min(fine, math.floor(room), MOST_PLACES)


def quantise(weights: npt.NDArray[np.float64] | Sequence[float], features: Sequence[Facts]) -> IntegerWeights:
    """Integer weights for features that count units of 10^-places each, as fine as the range allows."""
    return Quantiser(features)(weights)
