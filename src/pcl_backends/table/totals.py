"""Weighted sums of whole numbers: in floating point where that is enough, and beyond 64 bits where it is not.

A total beyond 64 bits is computed in digits of 64 bits each, and carried:

    Σ w_i·u_i = Σ_j 2^(bits·j) · Σ_i d_ij·u_i,   w_i = Σ_j 2^(bits·j) · d_ij,   0 <= d_ij < 2^bits below the last

`bits` is chosen so that no Σ_i d_ij·u_i leaves 64 bits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pcl_core.ir.vector import Integers
from pcl_core.solve import Sense

Doubles = npt.NDArray[np.float64]
LONGEST_FLOAT = 900
"""Weights of more bits than this are not given to floating point."""


def as_floats(weights: Sequence[int]) -> Doubles | None:
    """Weights in floating point, unless they are beyond its range."""
    if max([abs(max(weights, default=0)), abs(min(weights, default=0))]).bit_length() > LONGEST_FLOAT:
        return None
    return np.array(weights, dtype=np.float64)


ROOM = 61
"""Bits of a total; one is left for the sign, one for what is carried."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Digits:
    """Weights as digits, the least significant first."""

    weights: tuple[Integers, ...]
    bits: int


def digits_of(weights: Sequence[int], size: int) -> Digits:
    """Weights as digits that can be multiplied with units whose sizes add up to `size`."""
    bits = max(1, ROOM - size.bit_length())
    longest = max((weight.bit_length() for weight in weights), default=0)
    count = max(1, -(-(longest + 1) // bits))  # a bit for the sign
    if count == 1:
        return Digits((np.array(weights, dtype=np.int64),), bits)
    mask = (1 << bits) - 1
    lower = [[weight >> (bits * at) & mask for weight in weights] for at in range(count - 1)]
    last = [weight >> (bits * (count - 1)) for weight in weights]
    return Digits(tuple(np.array(digit, dtype=np.int64) for digit in (*lower, last)), bits)


class Totals:
    """The weighted sums of many points."""

    def __init__(self, digits: Digits, evaluate: Callable[[Integers], Integers]) -> None:
        self._bits = digits.bits
        self._digits = [evaluate(weights) for weights in digits.weights]
        mask = (1 << digits.bits) - 1
        for lower, higher in zip(self._digits, self._digits[1:], strict=False):
            higher += lower >> digits.bits
            lower &= mask

    def at_least(self, floor: int) -> Mask:
        """Where the total is not below the floor."""
        wanted = [floor]
        while len(wanted) < len(self._digits):
            higher, lower = divmod(wanted.pop(), 1 << self._bits)
            wanted += [lower, higher]
        found = self._digits[0] >= wanted[0]
        for digit, least in zip(self._digits[1:], wanted[1:], strict=True):
            found = (digit > least) | ((digit == least) & found)
        return found

    def best(self, allowed: Mask | None, sense: Sense) -> tuple[int, int] | None:
        """The first of the best points that are allowed, with its total."""
        pick = np.argmax if sense == "max" else np.argmin
        if len(self._digits) == 1 and allowed is None:
            at = int(pick(self._digits[0]))
            return int(self._digits[0][at]), at
        left = np.arange(len(self._digits[0])) if allowed is None else np.flatnonzero(allowed)
        if not len(left):
            return None
        total = 0
        for digit in reversed(self._digits):
            values = digit[left]
            best = values[pick(values)]
            left = left[values == best]
            total = (total << self._bits) + int(best)
        return total, int(left[0])
