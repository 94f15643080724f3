"""Weights as integers, once and for all backends.

Every backend optimises the same integers, so objectives compare with ==. The scale is recorded; with integer
weights it is one and nothing is rounded.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.infer import Facts

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


def quantise(weights: npt.NDArray[np.float64] | Sequence[float], features: Sequence[Facts]) -> IntegerWeights:
    """Integer weights for features that count units of 10^-places each, as fine as the range allows."""
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (len(features),):
        raise RequestError(Issue(Code.BAD_VALUE, f"expected {len(features)} weights, got {given.size}"))
    if not np.isfinite(given).all():
        where = int(np.flatnonzero(~np.isfinite(given))[0])
        raise RequestError(Issue(Code.NOT_FINITE, f"weight {where + 1} is not a finite number"))
    digits = max((facts.places for facts in features), default=0)
    unit_factors = [10 ** (digits - facts.places) for facts in features]
    sizes = [
        max(abs(facts.low), abs(facts.high)) * factor for facts, factor in zip(features, unit_factors, strict=True)
    ]
    reach = float(sum(abs(w) * size for w, size in zip(given.tolist(), sizes, strict=True)))
    whole = bool((given == np.rint(given)).all())
    fine = 0 if whole and reach <= MAX_REACH else FINEST
    if reach > 0:
        # Small weights keep as many significant digits as others; only their ratios matter.
        largest = math.floor(math.log10(float(np.abs(given).max())))
        fine = min(fine + max(0, -largest - 1), math.floor(math.log10(MAX_REACH) - math.log10(reach)), MOST_PLACES)
    factor = 10.0**fine
    rounded = np.rint(given * factor)
    integers = tuple(int(q) * f for q, f in zip(rounded.tolist(), unit_factors, strict=True))
    residue = np.abs(rounded - given * factor)
    error = float(sum(r * size for r, size in zip(residue.tolist(), sizes, strict=True)))
    return IntegerWeights(integers, fine + digits, error)
