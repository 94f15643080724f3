"""Points one variable at a time: what cannot be continued is left out as soon as a constraint says so.

A constraint over few variables is a table of what is allowed, read for all values of the new variable at once. A sum that
is compared has no such table, but bounds: what is chosen so far is kept as one number, and a point is left out where what
the other variables can add is not enough, or too much.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pcl_backends.table.tabulate import Layout, Points, Sample, dense_keys
from pcl_backends.table.totals import Mask
from pcl_core.ir import Operation
from pcl_core.ir.vector import Integers

ReadValue = TypeVar("ReadValue", np.bool_, np.int64)

PAIR = 2
"""Comparisons of more variables than this are sums with bounds, and so are those that are too large for a table."""
HIGHEST = {Operation.EQ: 0, Operation.LE: 0, Operation.LT: -1}
"""What the left side less the right side is at most where a comparison holds."""
SAFE = 2**62
"""Sums that could be larger are compared as the constraint says."""


class Begun(NamedTuple):
    """Values of the first variables, and what the sums that are not complete have so far."""

    points: Points
    sums: dict[int, Integers]


def nothing_chosen(layout: Layout) -> Begun:
    """The one point without variables, in numbers no larger than they need to be: lists are long."""
    kind = np.min_scalar_type(max(layout.sizes, default=1))
    return Begun(np.zeros((0, 1), dtype=kind), {})


class BoundedSum(NamedTuple):
    """low <= Σ terms <= high, where each term is known with the last of its variables."""

    low: int | None
    high: int
    terms: dict[int, list[tuple[tuple[int, ...], Integers]]]
    """By their last variable: which variables come before it, and a row of values for each combination of these."""
    rest: dict[int, tuple[int, int]]
    """What the terms after a variable add, at least and at most."""

    def extended(self, stage: int, begun: Begun, so_far: Integers | None, sizes: Sequence[int]) -> Integers:
        """The sums with each value of one more variable."""
        found: Integers = np.zeros((1, 1), dtype=np.int64) if so_far is None else so_far[:, None]
        for before, table in self.terms[stage]:
            found = found + _rows(table, begun.points, before, sizes)
        return found

    def allows(self, stage: int, sums: Integers) -> Mask:
        """What can still be within the bounds."""
        least, most = self.rest[stage]
        found: Mask = sums <= self.high - least
        return found if self.low is None else found & (sums >= self.low - most)


class Growth:
    """The context-free constraints of a layout, by the variable at which they are looked at."""

    def __init__(self, layout: Layout) -> None:
        self._layout, self._sizes = layout, layout.sizes
        count = len(layout.sizes)
        sums = {number: _sum(layout, number) for number in layout.static_constraints}
        self._sums = {number: found for number, found in sums.items() if found is not None}
        self._stages: list[dict[tuple[int, ...], list[int]]] = [{} for _ in range(count)]
        left = [number for number in layout.static_constraints if number not in self._sums]
        for positions, numbers in layout.by_support(left).items():
            self._stages[max(positions, default=0)][positions] = numbers
        self._tables: dict[tuple[int, ...], Mask] = {}

    def grown(self, begun: Begun, stage: int) -> Begun:
        """The points with each value of one more variable, as far as constraints allow."""
        count, size = begun.points.shape[1], self._sizes[stage]
        allowed: Mask | None = None
        late: list[int] = []
        for positions, numbers in self._stages[stage].items():
            if self._layout.fits(positions):
                table = self._table(positions, numbers)
                allowed = both(allowed, _rows(table, begun.points, positions[:-1], self._sizes))
            else:
                late += numbers
        sums: dict[int, Integers] = {}
        for at, one in self._sums.items():
            if stage in one.terms:
                sums[at] = one.extended(stage, begun, begun.sums.get(at), self._sizes)
                allowed = both(allowed, one.allows(stage, sums[at]))
        shape = count, size
        places = np.arange(count * size) if allowed is None else np.flatnonzero(np.broadcast_to(allowed, shape))
        rows = places // size
        points = np.empty((stage + 1, len(rows)), dtype=begun.points.dtype)
        np.take(begun.points, rows, axis=1, out=points[:stage], mode="clip")  # the other modes copy
        points[stage] = places - rows * size
        kept = {at: found[rows] for at, found in begun.sums.items() if at not in sums}
        for at, found in sums.items():
            if stage < max(self._sums[at].terms):
                kept[at] = np.broadcast_to(found, shape).reshape(-1)[places]
        return self._tested(Begun(points, kept), late) if late else Begun(points, kept)

    def _tested(self, begun: Begun, numbers: Sequence[int]) -> Begun:
        """What constraints allow that are too large for a table, point by point."""
        sample = Sample(self._layout, begun.points)
        allowed = np.logical_and.reduce([sample.values(number) for number in numbers], axis=0)
        return part_of(begun, np.flatnonzero(allowed))

    def _table(self, positions: tuple[int, ...], numbers: Sequence[int]) -> Mask:
        """What constraints over the same few variables allow: a row for each combination of all but the last."""
        if positions not in self._tables:
            found = np.logical_and.reduce([self._layout.table(number).reshape(-1) for number in numbers], axis=0)
            size = self._sizes[positions[-1]] if positions else 1
            self._tables[positions] = found.reshape(-1, size)
        return self._tables[positions]


def part_of(begun: Begun, which: slice | npt.NDArray[np.intp]) -> Begun:
    """Some of the points."""
    return Begun(begun.points[:, which], {at: found[which] for at, found in begun.sums.items()})


def _rows(
    table: npt.NDArray[ReadValue], points: Points, before: tuple[int, ...], sizes: Sequence[int]
) -> npt.NDArray[ReadValue]:
    """The row of each point, or the one that there is."""
    return table[dense_keys(points, before, sizes)] if before else table


def both(first: Mask | None, second: Mask) -> Mask:
    return second if first is None else first & second


def _sum(layout: Layout, number: int) -> BoundedSum | None:
    """A constraint as a sum with bounds, if it is one."""
    register = layout.registers.items[number]
    support = layout.support(number)
    if register.operation not in HIGHEST or (len(support) <= PAIR and layout.fits(support)):
        return None
    left, right = register.args
    tables: dict[tuple[int, ...], Integers] = {}
    size = 0
    for factor, term in (*_terms(layout, 1, left), *_terms(layout, -1, right)):
        positions = layout.support(term)
        if not layout.fits(positions):
            return None
        values = layout.table(term).reshape(-1)
        size += abs(factor) * max(abs(int(values.max())), abs(int(values.min())))
        if size > SAFE:
            return None
        tables[positions] = tables.get(positions, 0) + factor * values
    constant = int(tables.pop((), np.zeros(1, dtype=np.int64))[0])
    terms: dict[int, list[tuple[tuple[int, ...], Integers]]] = {}
    rest: dict[int, tuple[int, int]] = {}
    least = most = 0
    for positions, values in sorted(tables.items(), key=lambda item: item[0][-1], reverse=True):
        last = positions[-1]
        if last not in terms:
            rest[last] = least, most
        terms.setdefault(last, []).append((positions[:-1], values.reshape(-1, layout.sizes[last])))
        least, most = least + int(values.min()), most + int(values.max())
    high = HIGHEST[register.operation] - constant
    return BoundedSum(high if register.operation is Operation.EQ else None, high, terms, rest)


def _terms(layout: Layout, factor: int, number: int) -> Iterator[tuple[int, int]]:
    """A register as a sum: factors and registers that are no sums."""
    register = layout.registers.items[number]
    if register.operation is not Operation.LINEAR:
        yield factor, number
        return
    if register.offset:
        yield factor * register.offset, layout.registers.one
    for coef, arg in zip(register.factors, register.args, strict=True):
        yield from _terms(layout, factor * coef, arg)
