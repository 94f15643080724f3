"""A scope's linear model with the context taken out: what linear backends update between two solves.

    lower <= g·A·x + C·context <= upper,   low <= x <= high,   x whole

A and C never change; g is what the coefficients of a row have in common, and solvers get
ceil((lower - C·context) / g) <= A·x <= floor((upper - C·context) / g). A new context shifts the bounds of the rows,
new weights change the objective, fixed variables change the bounds of columns.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pcl_core.compile.flat import Form
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.solve.columns import column_values, decoded, objective_of, own_columns
from pcl_core.solve.protocol import Request

FAR = 2**60
"""Stands for no bound in arrays. All sums of a program are smaller, so none of them can overflow."""


class ProgramRow(NamedTuple):
    """lower <= divisor · Σ coefs·columns + what the context adds <= upper"""

    columns: tuple[int, ...]
    coefs: tuple[int, ...]
    lower: int | None
    upper: int | None
    context_columns: tuple[int, ...]
    context_coefs: tuple[int, ...]
    divisor: int

    def shift(self, context: dict[int, int]) -> int:
        pairs = zip(self.context_columns, self.context_coefs, strict=True)
        return sum(coef * context[column] for column, coef in pairs)


@dataclass(frozen=True, slots=True)
class Instance:
    """The program for one request: bounds of rows and columns, and the objective over free columns."""

    row_lower: list[int | None]
    """Bounds of Σ coefs·columns, the context and the divisor of the row counted in."""
    row_upper: list[int | None]
    low: list[int]
    high: list[int]
    objective: Form
    needed: list[bool]
    """Which rows can be violated at all in this context; the others may be left out."""
    fails: bool
    """Whether bounds already show that a row cannot hold or a fixed variable must differ, so nothing is to be solved."""


class LinearProgram:
    """The rows of one scope; free columns are numbered anew without those of the context."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._flat = scope.flat
        linear = scope.linear
        if max(linear.sizes.activity, linear.sizes.sides, linear.sizes.columns) >= FAR:
            raise RequestError(Issue(Code.NUMBERS_OUT_OF_RANGE, f"a row of the scope has numbers beyond {FAR}"))
        fixed = self._flat.context_columns
        self._free = [column for column in range(len(linear.columns)) if column not in fixed]
        self._number = {column: at for at, column in enumerate(self._free)}
        self.names = [linear.columns[column].name for column in self._free]
        self.low = [linear.columns[column].lower for column in self._free]
        self.high = [linear.columns[column].upper for column in self._free]
        self.rows: list[ProgramRow] = []
        self._context_rows: list[ProgramRow] = []
        for row in linear.rows:
            mine: dict[int, int] = {}
            theirs: dict[int, int] = {}
            for column, coef in zip(row.form.columns, row.form.coefs, strict=True):
                if column in fixed:
                    theirs[column] = coef
                else:
                    mine[self._number[column]] = coef
            divisor = math.gcd(*mine.values()) or 1
            coefs = tuple(mine.values()) if divisor == 1 else tuple([coef // divisor for coef in mine.values()])
            given = (tuple(theirs), tuple(theirs.values()))
            made = ProgramRow(tuple(mine), coefs, row.lower, row.upper, *given, divisor)
            (self.rows if mine else self._context_rows).append(made)
        self._entries = _Entries.of([(row.columns, row.coefs) for row in self.rows])
        self._context_entries = _Entries.of([(row.context_columns, row.context_coefs) for row in self.rows])
        ends = self._entries.coefs * np.array(self.low, dtype=np.int64)[self._entries.columns]
        other = self._entries.coefs * np.array(self.high, dtype=np.int64)[self._entries.columns]
        self._least = self._entries.sums(np.minimum(ends, other))
        self._most = self._entries.sums(np.maximum(ends, other))
        self._lower = np.array([-FAR if row.lower is None else row.lower for row in self.rows], dtype=np.int64)
        self._upper = np.array([FAR if row.upper is None else row.upper for row in self.rows], dtype=np.int64)
        self._has_lower = np.array([row.lower is not None for row in self.rows], dtype=np.bool_)
        self._has_upper = np.array([row.upper is not None for row in self.rows], dtype=np.bool_)
        self._divisor = np.array([row.divisor for row in self.rows], dtype=np.int64)
        self._width = len(linear.columns)

    def instance(self, request: Request) -> Instance:
        context = column_values(self._flat.context, request.context)
        values = np.zeros(self._width, dtype=np.int64)
        values[list(context)] = list(context.values())
        shifts = self._context_entries.sums(self._context_entries.coefs * values[self._context_entries.columns])
        lower, upper = -((shifts - self._lower) // self._divisor), (self._upper - shifts) // self._divisor
        low, high = list(self.low), list(self.high)
        fails = any(not _holds(row, row.shift(context)) for row in self._context_rows)
        highest = np.minimum(self._most, np.where(self._has_upper, upper, FAR))
        fails = fails or bool((self._has_lower & (lower > highest)).any())
        fails = fails or bool((self._has_upper & (upper < self._least)).any())
        for column, value in own_columns(self._flat, request.fixed).items():
            at = self._number[column]
            fails = fails or not low[at] <= value <= high[at]  # a hard constraint fixes it to something else
            low[at] = high[at] = value
        objective = objective_of(self._flat, request.weights)
        constant = objective.constant
        kept: list[tuple[int, int]] = []
        for column, coef in zip(objective.columns, objective.coefs, strict=True):
            if column in context:
                constant += coef * context[column]
            else:
                kept.append((self._number[column], coef))
        return Instance(
            [bound if has else None for bound, has in zip(lower.tolist(), self._has_lower, strict=True)],
            [bound if has else None for bound, has in zip(upper.tolist(), self._has_upper, strict=True)],
            low,
            high,
            Form(tuple(c for c, _ in kept), tuple(k for _, k in kept), constant),
            ((self._has_lower & (lower > self._least)) | (self._has_upper & (upper < self._most))).tolist(),
            fails,
        )

    def satisfied(self, values: Sequence[int], instance: Instance) -> bool:
        """Whether whole values keep all bounds of columns and rows."""
        given = np.array(values, dtype=np.int64)
        if (given < instance.low).any() or (given > instance.high).any():
            return False
        activity = self._entries.sums(self._entries.coefs * given[self._entries.columns]).tolist()
        bounds = zip(activity, instance.row_lower, instance.row_upper, strict=True)
        return all((low is None or at >= low) and (high is None or at <= high) for at, low, high in bounds)

    def decode(self, values: Sequence[int]) -> dict[str, Value]:
        """Values of own variables from the values of the free columns."""
        everything = [0] * (max(self._free, default=-1) + 1)
        for column, value in zip(self._free, values, strict=True):
            everything[column] = value
        return decoded(self._scope, self._flat, everything)


def _holds(row: ProgramRow, value: int) -> bool:
    return (row.lower is None or value >= row.lower) and (row.upper is None or value <= row.upper)


def total(form: Form, values: Sequence[int]) -> int:
    """The objective at whole values of the free columns."""
    return form.constant + sum(coef * values[column] for column, coef in zip(form.columns, form.coefs, strict=True))


def rounded(values: Sequence[float | None], program: LinearProgram, instance: Instance) -> list[int] | None:
    """Whole values that satisfy every row and bound, or None: after a limit, solvers may hand back anything."""
    whole: list[int] = []
    for value, low, high in zip(values, instance.low, instance.high, strict=True):
        if value is None or not low - 0.5 <= value <= high + 0.5:  # also not a number, or infinite
            return None
        whole.append(round(value))
    return whole if program.satisfied(whole, instance) else None


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
