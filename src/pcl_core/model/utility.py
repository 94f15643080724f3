"""Utilities as exact numbers.

A weight means its shortest decimal text, as every number in a problem does: 0.1 is one tenth. Features count whole
units, so a utility is a whole number at a power of ten, and which of two is larger is never a matter of rounding.
"""

import math
from collections.abc import Iterable, Sequence
from copy import copy
from decimal import Decimal
from fractions import Fraction
from operator import mul

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.vector import Integers

USUAL_PLACES = (0, 6)
"""Whole weights, and those with as many places as sampled ones have, are recognised without spelling them out."""
ALL_DIGITS_COUNT = 1e15
"""Up to this many units, no two decimals with the same number of places are the same floating-point number."""


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
    largest = float(np.abs(weights).max(initial=0.0))
    for places in USUAL_PLACES:
        scale = 10.0**places
        if largest * scale <= ALL_DIGITS_COUNT and np.array_equal((whole := np.rint(weights * scale)) / scale, weights):
            return whole.astype(np.int64).tolist(), places
    spelled = [Decimal(repr(weight)) for weight in weights.tolist()]
    places = max(0, *(-int(decimal.as_tuple().exponent) for decimal in spelled if decimal))
    return [int(decimal.scaleb(places)) for decimal in spelled], places


def refuse_not_finite(weights: npt.NDArray[np.float64]) -> None:
    finite = np.isfinite(weights)
    if not finite.all():
        where = int(np.flatnonzero(~finite)[0])
        raise RequestError(Issue(Code.NOT_FINITE, f"weight {where + 1} is not a finite number"))


class Utility:
    """u(x) = Σ w_i · φ_i(x) = Σ coefficients_i · units_i / 10^places, for features that count 10^-feature_places each."""

    def __init__(
        self, weights: npt.NDArray[np.float64] | Sequence[float], feature_places: Iterable[int] | Integers
    ) -> None:
        given = np.asarray(weights, dtype=np.float64)
        refuse_not_finite(given)
        numerators, places = decimals_of(given)
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

    def total(self, units: Integers) -> int:
        """u(x) · 10^places, from the features in whole units."""
        return sum(map(mul, self.coefficients, units.tolist()))

    def of(self, units: Integers) -> Fraction:
        """u(x)"""
        return Fraction(self.total(units), 10**self.places)
