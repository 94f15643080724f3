"""How large the numbers of a linear model are, in Python's own integers: what solvers can be trusted with it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pcl_core.compile.digits import LARGEST_ROW, base_for, levels_of
from pcl_core.compile.flat import Column, Row


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
