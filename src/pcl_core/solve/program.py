"""A scope's linear model with the context taken out: what linear backends update between two solves.

    g·A·x + C·context <= b  (or ==),   low <= x <= high,   x whole

x counts from the lower bounds of the columns. A and C never change; g is what the coefficients of a row have in common,
so that solvers get A·x <= floor((b - C·context) / g). Rows with large coefficients are split into several (see
`digits`), with whole carries as further columns. A new context changes the sides of the rows, new weights the objective,
fixed variables the bounds of columns.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pcl_core.compile.digits import LARGEST_ROW, Level, SmallRow, base_for, levels_of, rows_of, sides_of
from pcl_core.compile.flat import Form, Row
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.solve.protocol import Request

LARGEST_IN_ARRAYS = 2**60
"""Sums in arrays stay below this, so that none of them can overflow; whoever has larger numbers is refused."""


class ProgramRow(NamedTuple):
    """Σ coefs·columns <= side, or == side; the sides come with each instance."""

    columns: tuple[int, ...]
    coefs: tuple[int, ...]
    equal: bool


class Floor(NamedTuple):
    """The objective is at least the floor, as rows Σ coefs·columns <= side over the program's columns and new carries."""

    rows: tuple[SmallRow, ...]
    sides: tuple[int, ...]
    carries: tuple[tuple[int, int], ...]
    """Bounds of the carries, which are numbered after the program's columns."""


@dataclass(frozen=True, slots=True)
class Instance:
    """The program for one request: sides of rows, bounds of columns, and the objective over them."""

    sides: list[int]
    needed: list[bool]
    """Which rows can be violated at all in this context; the others may be left out."""
    low: list[int]
    high: list[int]
    objective: Form
    floor: Floor | None
    """Only for the sense `min`: what is largest is compared with the floor afterwards."""
    fails: bool
    """Whether bounds already show that a row cannot hold or a fixed variable must differ, so nothing is to be solved."""
    source_sides: npt.NDArray[np.int64]


class _Source(NamedTuple):
    """divisor · Σ coefs·columns + Σ context_coefs·context_columns <= side, or == side"""

    columns: tuple[int, ...]
    coefs: tuple[int, ...]
    side: int
    equal: bool
    context_columns: tuple[int, ...]
    context_coefs: tuple[int, ...]
    divisor: int


class LinearProgram:
    """The rows of one scope; free columns are numbered anew without those of the context, carries come last."""

    def __init__(self, scope: Scope) -> None:
        self._flat = scope.flat
        linear = scope.linear
        # Whoever asks `LinearRange` first never has this; other packages may not, and would get sums that overflow.
        if linear.sizes.sums > LARGEST_IN_ARRAYS:
            message = (
                f"a sum in a constraint can be as large as {linear.sizes.sums:.3g}; the most is {LARGEST_IN_ARRAYS:.3g}"
            )
            raise RequestError(Issue(Code.NUMBERS_OUT_OF_RANGE, message))
        self._width = len(linear.columns)
        self._free = [column for column in range(self._width) if column not in linear.context]
        self._number = {column: at for at, column in enumerate(self._free)}
        # Columns count from their lower bounds: a solver that is told of -1000000..-999996 has given false optima.
        self._start = [linear.columns[column].lower for column in self._free]
        self.low = [0] * len(self._free)
        self.high = [
            linear.columns[column].upper - start for column, start in zip(self._free, self._start, strict=True)
        ]
        sources = [source for row in linear.rows for source in self._sources(row)]
        self._sources_free = [source for source in sources if source.columns]
        self._sources_fixed = [source for source in sources if not source.columns]
        self._make_arrays()
        self.rows: list[ProgramRow] = []
        self._split: dict[int, list[Level]] = {}
        """Sources that are several rows."""
        for at, source in enumerate(self._sources_free):
            self._add_rows(at, source)

    def _sources(self, row: Row) -> list[_Source]:
        """The row with its upper side, negated with its lower side, or once where both are the same."""
        number = self._number
        form, lower, upper = row.form, row.lower, row.upper
        columns = tuple([number[column] for column in form.columns if column in number])
        coefs = form.coefs
        theirs: tuple[int, ...] = ()
        given: tuple[int, ...] = ()
        if len(columns) < len(form.columns):
            pairs = list(zip(form.columns, form.coefs, strict=True))
            coefs = tuple([coef for column, coef in pairs if column in number])
            theirs = tuple([column for column, _ in pairs if column not in number])
            given = tuple([coef for column, coef in pairs if column not in number])
        divisor = math.gcd(*coefs) or 1
        if divisor > 1:
            coefs = tuple([coef // divisor for coef in coefs])
        start = divisor * sum(coef * self._start[column] for column, coef in zip(columns, coefs, strict=True))
        found: list[_Source] = []
        if upper is not None:
            found.append(_Source(columns, coefs, upper - start, lower == upper, theirs, given, divisor))
        if lower is not None and lower != upper:
            turned, away = tuple([-coef for coef in coefs]), tuple([-coef for coef in given])
            found.append(_Source(columns, turned, start - lower, False, theirs, away, divisor))
        return found

    def _make_arrays(self) -> None:
        sources = self._sources_free
        self._entries = _Entries.of([(source.columns, source.coefs) for source in sources])
        self._context_entries = _Entries.of([(source.context_columns, source.context_coefs) for source in sources])
        ends = self._entries.coefs * np.array(self.low, dtype=np.int64)[self._entries.columns]
        other = self._entries.coefs * np.array(self.high, dtype=np.int64)[self._entries.columns]
        self._least = self._entries.sums(np.minimum(ends, other))
        self._most = self._entries.sums(np.maximum(ends, other))
        self._side = np.array([source.side for source in sources], dtype=np.int64)
        self._divisor = np.array([source.divisor for source in sources], dtype=np.int64)
        self._equal = np.array([source.equal for source in sources], dtype=np.bool_)

    def _add_rows(self, at: int, source: _Source) -> None:
        if sum(map(abs, source.coefs)) <= LARGEST_ROW:
            self.rows.append(ProgramRow(source.columns, source.coefs, source.equal))
            return
        bounds = [(self.low[column], self.high[column]) for column in source.columns]
        levels = self._split[at] = levels_of(source.columns, source.coefs, bounds, base_for(len(bounds)))
        self.rows += [ProgramRow(*row, source.equal) for row in rows_of(levels, len(self.low))]
        self.low += [level.low for level in levels[:-1]]
        self.high += [level.high for level in levels[:-1]]

    def instance(self, request: Request) -> Instance:
        context = self._flat.context_numbers(request.context)
        values = np.zeros(self._width, dtype=np.int64)
        values[list(context)] = list(context.values())
        shifted = self._side - self._context_entries.sums(
            self._context_entries.coefs * values[self._context_entries.columns]
        )
        sides = shifted // self._divisor
        needed = (sides < self._most) | (self._equal & (sides > self._least))
        fails = bool(
            ((sides < self._least) | (self._equal & ((sides > self._most) | (shifted % self._divisor > 0)))).any()
        )
        fails = fails or any(not _holds(source, context) for source in self._sources_fixed)
        low, high = list(self.low), list(self.high)
        for column, value in self._flat.own_numbers(request.fixed).items():
            at = self._number[column]
            counted = value - self._start[at]
            fails = fails or not low[at] <= counted <= high[at]  # a hard constraint fixes it to something else
            low[at] = high[at] = counted
        objective = self._objective(request, context)
        floor = None
        if request.floor is not None:
            least, most = self._reached(objective)
            fails = fails or most < request.floor
            if request.sense == "min" and least < request.floor and not fails:
                floor = self._floor(request.floor, objective)
        stated, kept = sides.tolist(), needed.tolist()
        if self._split:
            stated, kept = self._spread(stated, kept)
        return Instance(stated, kept, low, high, objective, floor, fails, sides)

    def _spread(self, sides: list[int], needed: list[bool]) -> tuple[list[int], list[bool]]:
        """Sides of sources as sides of rows."""
        stated: list[int] = []
        kept: list[bool] = []
        for at, (side, need) in enumerate(zip(sides, needed, strict=True)):
            levels = self._split.get(at)
            stated += [side] if levels is None else sides_of(levels, side)
            kept += [need] * (1 if levels is None else len(levels))
        return stated, kept

    def _objective(self, request: Request, context: dict[int, int]) -> Form:
        objective = self._flat.objective(request.weights)
        constant = objective.constant
        kept: list[tuple[int, int]] = []
        for column, coef in zip(objective.columns, objective.coefs, strict=True):
            if column in context:
                constant += coef * context[column]
            else:
                at = self._number[column]
                constant += coef * self._start[at]
                kept.append((at, coef))
        return Form(tuple([c for c, _ in kept]), tuple([k for _, k in kept]), constant)

    def _reached(self, objective: Form) -> tuple[int, int]:
        """Interval of the objective from the bounds of the columns."""
        least = most = objective.constant
        for column, coef in zip(objective.columns, objective.coefs, strict=True):
            ends = (coef * self.low[column], coef * self.high[column])
            least, most = least + min(ends), most + max(ends)
        return least, most

    def _floor(self, floor: int, objective: Form) -> Floor:
        divisor = math.gcd(*objective.coefs)
        coefs = [-coef // divisor for coef in objective.coefs]
        bounds = [(self.low[column], self.high[column]) for column in objective.columns]
        levels = levels_of(objective.columns, coefs, bounds, base_for(len(self._free)))
        sides = sides_of(levels, (objective.constant - floor) // divisor)
        carries = tuple([(level.low, level.high) for level in levels[:-1]])
        return Floor(tuple(rows_of(levels, len(self.low))), tuple(sides), carries)

    def satisfied(self, values: Sequence[int], instance: Instance) -> bool:
        """Whether whole values keep all bounds of columns and rows; carries follow from the others."""
        count = len(self._free)
        given = np.array(values[:count], dtype=np.int64)
        if (given < instance.low[:count]).any() or (given > instance.high[:count]).any():
            return False
        activity = self._entries.sums(self._entries.coefs * given[self._entries.columns])
        sides = instance.source_sides
        return not bool(((activity > sides) | (self._equal & (activity < sides))).any())

    def decode(self, values: Sequence[int]) -> dict[str, Value]:
        """Values of own variables from the values of the columns."""
        everything = [0] * self._width
        for column, value, start in zip(self._free, values, self._start, strict=False):
            everything[column] = value + start
        return self._flat.values(everything)


def _holds(source: _Source, context: dict[int, int]) -> bool:
    pairs = zip(source.context_columns, source.context_coefs, strict=True)
    value = sum(coef * context[column] for column, coef in pairs)
    return value == source.side if source.equal else value <= source.side


def total(form: Form, values: Sequence[int]) -> int:
    """The objective at whole values of the columns."""
    return form.constant + sum(coef * values[column] for column, coef in zip(form.columns, form.coefs, strict=True))


def rounded(values: Sequence[float | None], program: LinearProgram, instance: Instance) -> list[int] | None:
    """Whole values that satisfy every row and bound, or None: solvers may hand back anything."""
    whole: list[int] = []
    for value, low, high in zip(values, instance.low, instance.high, strict=False):
        if value is None or not low - 0.5 <= value <= high + 0.5:  # also not a number, or infinite
            return None
        whole.append(round(value))
    return whole if len(whole) == len(instance.low) and program.satisfied(whole, instance) else None


@dataclass(frozen=True)
class _Entries:
    """The entries of all rows in one array each."""

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    coefs: npt.NDArray[np.int64]
    count: int

    @classmethod
    def of(cls, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> "_Entries":
        return cls(
            np.repeat(np.arange(len(rows), dtype=np.intp), [len(columns) for columns, _ in rows]),
            np.array([column for columns, _ in rows for column in columns], dtype=np.intp),
            np.array([coef for _, coefs in rows for coef in coefs], dtype=np.int64),
            len(rows),
        )

    def sums(self, terms: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each row the sum of its entries' terms."""
        found = np.zeros(self.count, dtype=np.int64)
        np.add.at(found, self.rows, terms)
        return found
