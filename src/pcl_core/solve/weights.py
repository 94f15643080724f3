"""Weights as integers, once and for all backends.

A backend optimises integers. Where they can be as large as the weights need them, nothing is rounded and an optimum is
one for the weights as given. Elsewhere the error that rounding can cause is known, and widens what is claimed.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Facts
from pcl_core.ir.vector import Integers
from pcl_core.model.evaluation import Utility
from pcl_core.solve.protocol import COMMON_REACH


@dataclass(frozen=True)
class IntegerWeights:
    """Integers q with |Σ q·units / 10^places − u(x)| <= error for every configuration x."""

    integers: tuple[int, ...]
    places: int
    error: Fraction
    """Zero where nothing was rounded."""
    most: int
    """No configuration has an objective Σ q·units that is larger in size."""
    exact: Utility
    shared: "IntegerWeights | None" = None
    """The integers of the common size, where these are larger: what objectives of all backends are compared in."""

    @property
    def scale(self) -> Fraction:
        """How many units of the objective are a utility of one."""
        return Fraction(10) ** self.places

    def objective(self, units: Integers) -> int:
        """Σ q·units"""
        return sum(map(mul, self.integers, units.tolist()))


class Quantiser:
    """Makes integer weights for a fixed list of features, which count units of 10^-places each."""

    def __init__(self, features: Sequence[Facts], reach: int = COMMON_REACH) -> None:
        """Objectives are never larger than `reach` in size."""
        self._reach = reach
        self._places = [facts.places for facts in features]
        self._sizes = [max(abs(facts.low), abs(facts.high)) for facts in features]

    def __call__(self, weights: npt.NDArray[np.float64] | Sequence[float]) -> IntegerWeights:
        """Integer weights: exact if they can be."""
        reach = self._reach
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (len(self._sizes),):
            raise RequestError(Issue(Code.BAD_VALUE, f"expected {len(self._sizes)} weights, got {given.size}"))
        exact = Utility(given, self._places)
        most = self._most(exact.coefficients)
        if most > min(reach, COMMON_REACH):
            exact = exact.shortest()
            most = self._most(exact.coefficients)
        if most > int(sys.float_info.max) * 10**exact.places:
            raise RequestError(Issue(Code.NUMBER_TOO_LARGE, "the weights are too large to compute with"))
        shared = self._rounded(exact, most, COMMON_REACH) if most > COMMON_REACH else None
        if most <= reach:
            return IntegerWeights(exact.coefficients, exact.places, Fraction(0), most, exact, shared)
        if reach < COMMON_REACH:
            whole = IntegerWeights(exact.coefficients, exact.places, Fraction(0), most, exact)
            return replace(self._rounded(exact, most, reach), shared=shared or whole)
        assert shared is not None
        return shared

    def _most(self, coefficients: Sequence[int]) -> int:
        return sum(map(mul, map(abs, coefficients), self._sizes))

    def _rounded(self, exact: Utility, most: int, reach: int) -> IntegerWeights:
        """As many decimal places as leave room; the room that rounding up may take is kept free."""
        room = max(1, reach - sum(self._sizes) // 2)
        dropped = max(1, len(str(most // room)) - 1)
        while True:
            unit = 10**dropped
            integers = tuple([_divided(number, unit) for number in exact.coefficients])
            size = self._most(integers)
            if size <= reach:
                break
            dropped += 1
        lost = self._most([number - unit * kept for number, kept in zip(exact.coefficients, integers, strict=True)])
        return IntegerWeights(integers, exact.places - dropped, Fraction(lost, 10**exact.places), size, exact)


def _divided(number: int, unit: int) -> int:
    """number / unit, rounded to the nearest whole number, the same way for both signs."""
    whole = (2 * abs(number) + unit) // (2 * unit)
    return whole if number >= 0 else -whole


def quantise(
    weights: npt.NDArray[np.float64] | Sequence[float], features: Sequence[Facts], reach: int = COMMON_REACH
) -> IntegerWeights:
    """Integer weights for features that count units of 10^-places each, as fine as the range allows."""
    return Quantiser(features, reach)(weights)
