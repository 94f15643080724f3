"""Large numbers of linear models: how large they are, and rows with large coefficients as several with small ones, exactly.

Solvers in doubles take a column for whole when it is within a tolerance of a whole number. A coefficient of ten million
makes ten units of an error of a millionth, and the solver accepts what breaks a row, or believes that nothing keeps it.
With a = B·h + l, |l| <= B/2, and a whole carry k

    Σ a·x <= b      is      Σ l·x - B·k <= b mod B,    Σ h·x + k <= floor(b / B)

(k = ceil((Σ l·x - b mod B) / B) is the smallest carry; both rows together, the second B times, are the first one again).
The same holds for equalities. Where the h are still large they are split again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pcl_core.compile.flat import Column, Row

LARGEST_ROW = 100_000
"""Σ |coefficient| of a row beyond which it is split: a tolerance of 1e-6 then amounts to a tenth of a unit at most."""


class Level(NamedTuple):
    """One of the rows: coefs · columns + the carry of the level before - base · own carry."""

    columns: tuple[int, ...]
    coefs: tuple[int, ...]
    base: int
    """Zero at the last level, which has no carry of its own."""
    low: int
    high: int
    """Bounds of the carry."""


def base_for(count: int) -> int:
    """A base so small that a row of so many digits, with its carries, is not too large."""
    return max(2, 2 * (LARGEST_ROW - 1) // (count + 2))


def levels_of(
    columns: Sequence[int], coefs: Sequence[int], bounds: Sequence[tuple[int, int]], base: int
) -> list[Level]:
    """The digits of a row's coefficients, lowest first; `bounds` are those of the columns."""
    found: list[Level] = []
    rest = list(coefs)
    carried = (0, 0)
    while sum(map(abs, rest)) + bool(found) > LARGEST_ROW:
        digits = [(coef + base // 2) % base - base // 2 for coef in rest]
        low, high = carried
        for digit, (least, most) in zip(digits, bounds, strict=True):
            low += min(digit * least, digit * most)
            high += max(digit * least, digit * most)
        # The side's digit is 0..base-1, so the smallest carry is within these whatever the side is.
        carried = (-((base - 1 - low) // base), -(-high // base))
        found.append(_level(columns, digits, base, *carried))
        rest = [(coef - digit) // base for coef, digit in zip(rest, digits, strict=True)]
    return [*found, _level(columns, rest, 0, 0, 0)]


def _level(columns: Sequence[int], digits: Sequence[int], base: int, low: int, high: int) -> Level:
    kept = [(column, digit) for column, digit in zip(columns, digits, strict=True) if digit]
    return Level(tuple([c for c, _ in kept]), tuple([d for _, d in kept]), base, low, high)


def sides_of(levels: Sequence[Level], side: int) -> list[int]:
    """The right-hand side of each level."""
    found = []
    for level in levels[:-1]:
        found.append(side % level.base)
        side //= level.base
    return [*found, side]


class SmallRow(NamedTuple):
    """Σ coefs · columns, without large coefficients."""

    columns: tuple[int, ...]
    coefs: tuple[int, ...]


def rows_of(levels: Sequence[Level], first_carry: int) -> list[SmallRow]:
    """The rows of the levels; carries are columns numbered from `first_carry`."""
    found = []
    for at, level in enumerate(levels):
        columns, coefs = list(level.columns), list(level.coefs)
        if at:
            columns.append(first_carry + at - 1)
            coefs.append(1)
        if level.base:
            columns.append(first_carry + at)
            coefs.append(-level.base)
        found.append(SmallRow(tuple(columns), tuple(coefs)))
    return found


@dataclass(frozen=True, slots=True)
class Sizes:
    """The largest numbers of a linear model, whatever the context."""

    columns: int
    """How far apart the bounds of a free column are."""
    activity: int
    """Σ |coefficient| · width of the column over the free columns of a row as solvers get it: divided, and split if it is large."""
    sums: int
    """Σ |coefficient · column| over all columns of a row as it stands here, and its sides."""


def sizes_of(columns: Sequence[Column], rows: Sequence[Row], context: frozenset[int]) -> Sizes:
    """How large the numbers are, in Python's own integers."""
    largest = [max(abs(column.lower), abs(column.upper)) for column in columns]
    widths = [column.upper - column.lower for column in columns]  # solvers count from lower bounds
    activity = sums = 0
    for form, lower, upper in ((row.form, row.lower, row.upper) for row in rows):
        total = sum([abs(coef) * largest[column] for column, coef in zip(form.columns, form.coefs, strict=True)])
        sums = max(sums, total + max(abs(lower or 0), abs(upper or 0)))
        wide = sum([abs(coef) * widths[column] for column, coef in zip(form.columns, form.coefs, strict=True)])
        if wide > activity:  # else neither division nor splitting could make it larger
            own = [
                (column, coef) for column, coef in zip(form.columns, form.coefs, strict=True) if column not in context
            ]
            activity = max(activity, _activity(own, widths))
    free = (width for column, width in enumerate(widths) if column not in context)
    return Sizes(max(free, default=0), activity, sums)


def _activity(own: list[tuple[int, int]], widths: list[int]) -> int:
    """Σ |coefficient · column| of a row, divided, or the largest of those that it is split into."""
    divisor = math.gcd(*[coef for _, coef in own]) or 1
    coefs = [coef // divisor for _, coef in own]
    sizes = [widths[column] for column, _ in own]
    if sum(map(abs, coefs)) <= LARGEST_ROW:
        return sum([abs(coef) * size for coef, size in zip(coefs, sizes, strict=True)])
    bounds = [(0, width) for width in sizes]
    found = carried = 0
    for level in levels_of(range(len(own)), coefs, bounds, base_for(len(own))):
        carry = max(abs(level.low), abs(level.high))
        mine = sum([abs(coef) * sizes[at] for at, coef in zip(level.columns, level.coefs, strict=True)])
        found, carried = max(found, mine + carried + level.base * carry), carry
    return found
