"""The utility of many points as a sum of small tables.

A feature is a sum of terms. Terms that depend on the same few variables share a table over the distinct values
of these. What is in it follows from own variables alone (computed once), from the context alone (a constant),
or from both; of the last sort, everything that does not involve the context is computed once as well.
Spreading a table over all points costs more than a larger table does, so small ones are put together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pcl_backends.table.tabulate import Layout, Points, Sample, Term, dense_keys
from pcl_backends.table.totals import Doubles, Mask
from pcl_core.ir.vector import Integers, VectorEvaluator

Weighing = TypeVar("Weighing", np.float64, np.int64)
"""Utilities are computed in the numbers of the weights."""

MAX_DENSE = 2**20
"""Tables over all combinations of values are used up to this size."""
MAX_RECENT = 2**15
"""Numbers that are kept of contexts seen before: neighbours of a part often stay as they are."""
CALL, EVALUATOR, SPREAD, PRODUCT, MIXED = 5.0, 25.0, 0.0016, 0.0008, 0.01
"""Microseconds, roughly: of a table, of an evaluator, a point that is looked up, a number in a product, one that is evaluated."""
EXACT = 2**53
"""Whole numbers below this are exact in floating point, and so are sums and products that stay below it."""


class InContext(NamedTuple):
    """What a context makes of the mixed terms of a table, at points that differ, and of its constraints. Not to be changed."""

    terms: Integers
    doubles: Doubles
    """The same in floating point: products of two kinds of numbers are slow."""
    most: Doubles
    """How large each of these is at most."""
    allowed: Mask | None


class _Mixed:
    """Registers over own variables and context, evaluated at all points of a table in a new context."""

    def __init__(self, layout: Layout, numbers: Sequence[int], factors: Integers, points: Points) -> None:
        """The first registers are terms with factors, the others constraints."""
        registers, self._factors = layout.registers, factors[:, None]
        roots, early = registers.separated(numbers, lambda number: not layout.mentions_context(number))
        own = Sample(layout, points)
        inputs = [*early]
        reached = {register.number for register in registers.reached(roots, early)}
        self._context = [(at, number) for at, number in enumerate(layout.context) if number in reached]
        inputs += [number for _, number in self._context]
        self._evaluator = VectorEvaluator(registers, roots, inputs)
        values = np.array([own.values(number) for number in early], dtype=np.int64).reshape(-1, points.shape[1])
        # Points that look the same to these expressions are evaluated once.
        distinct, self.spread = _distinct_columns(values)
        self._template = np.zeros((len(inputs), distinct.shape[1]), dtype=np.int64)
        self._template[: len(early)] = distinct
        self._first = len(early)
        self._recent: dict[tuple[int, ...], InContext] = {}

    def evaluate(self, codes: Sequence[int]) -> InContext:
        """Values for the points that differ; `spread` says for each point which one it is."""
        context = tuple([codes[at] for at, _ in self._context])
        found = self._recent.get(context)
        if found is None:
            inputs = self._template.copy()  # another thread may be here with another context
            for slot, code in enumerate(context, self._first):
                inputs[slot] = code
            values, count = self._evaluator.evaluate(inputs), len(self._factors)
            terms = values[:count] * self._factors
            doubles = values[:count].astype(np.float64) * self._factors
            allowed = (values[count:] != 0).all(axis=0)[self.spread] if len(values) > count else None
            found = InContext(terms, doubles, np.abs(doubles).max(axis=1, initial=0.0), allowed)
            if 2 * values.size * len(self._recent) > MAX_RECENT:
                self._recent = {}
            self._recent[context] = found
        return found


@dataclass
class TermGroup:
    """What is in one table."""

    positions: frozenset[int]
    terms: list[Term] = field(default_factory=list)
    constraints: list[int] = field(default_factory=list)
    """Constraints that depend on the context."""


class _Group:
    """A table over the distinct values that some variables take at the points."""

    def __init__(self, layout: Layout, points: Points, members: TermGroup) -> None:
        distinct, self._spread = _distinct(points, tuple(sorted(members.positions)), layout)
        fixed = [term for term in members.terms if not layout.mentions_context(term.register)]
        mixed = [term for term in members.terms if layout.mentions_context(term.register)]
        used = sorted({term.feature for term in fixed})
        column = {feature: at for at, feature in enumerate(used)}
        everything = len(used) == len(layout.features)
        self._used: slice | npt.NDArray[np.intp] = slice(None) if everything else np.array(used, dtype=np.intp)
        static = np.zeros((len(column), distinct.shape[1]), dtype=np.int64)
        own = Sample(layout, distinct)
        for feature, factor, register in fixed:
            values = own.values(register)
            static[column[feature]] += values if factor == 1 else factor * values
        self.largest = np.zeros(len(layout.features))
        self.largest[self._used] = np.abs(static).max(axis=1, initial=0)
        held = np.float64 if bool((self.largest < EXACT).all()) else np.int64
        self._static = np.ascontiguousarray(static.T, dtype=held)  # the products below read point by point
        numbers = [*(term.register for term in mixed), *members.constraints]
        self._mixed_features = np.array([term.feature for term in mixed], dtype=np.intp)
        factors = np.array([term.factor for term in mixed], dtype=np.int64)
        self._mixed = _Mixed(layout, numbers, factors, distinct) if numbers else None

    def values(self, codes: Sequence[int]) -> InContext | None:
        """What the context makes of mixed terms and constraints."""
        return None if self._mixed is None else self._mixed.evaluate(codes)

    def mask(self, values: InContext | None) -> Mask | None:
        found = None if values is None else values.allowed
        return found if found is None or self._spread is None else found[self._spread]

    def table(self, weights: npt.NDArray[Weighing], values: InContext | None) -> npt.NDArray[Weighing]:
        """Weighted sums at all points."""
        table: npt.NDArray[Weighing] = self._static.astype(weights.dtype, copy=False) @ weights[self._used]
        if self._mixed is not None and values is not None and len(self._mixed_features):
            numbers = values.terms if weights.dtype == np.int64 else values.doubles
            mixed = weights[self._mixed_features] @ numbers.astype(weights.dtype, copy=False)
            table += mixed[self._mixed.spread]
        return table if self._spread is None else table[self._spread]

    def size(self, sizes: Doubles, values: InContext) -> float:
        """How large mixed terms can be, with weights of these sizes."""
        return float(sizes[self._mixed_features] @ values.most)

    def add_units(self, rows: npt.NDArray[np.intp], values: InContext | None, units: Integers) -> None:
        """The features of some points (a column each)."""
        cells = rows if self._spread is None else self._spread[rows]
        units[self._used] += self._static[cells].T.astype(np.int64, copy=False)
        if self._mixed is not None and values is not None and len(self._mixed_features):
            np.add.at(units, self._mixed_features, values.terms[:, self._mixed.spread[cells]])


class Factors:
    """All tables of some points."""

    def __init__(self, layout: Layout, points: Points, grouped: Sequence[TermGroup]) -> None:
        self._features = len(layout.features)
        self._groups = [_Group(layout, points, members) for members in grouped]
        self._largest = np.sum([group.largest for group in self._groups], axis=0)
        self._steps = len(layout.terms) + len(self._groups) + 8

    def values(self, codes: Sequence[int]) -> list[InContext | None]:
        """What the context makes of each table; everything below needs it."""
        return [group.values(codes) for group in self._groups]

    def utility(self, weights: npt.NDArray[Weighing], values: Sequence[InContext | None]) -> npt.NDArray[Weighing]:
        """Σ weights·features of every point."""
        utility = self._groups[0].table(weights, values[0])
        for group, found in zip(self._groups[1:], values[1:], strict=True):
            utility += group.table(weights, found)
        return utility

    def error(self, weights: Doubles, values: Sequence[InContext | None]) -> float:
        """How far from the truth utilities in floating point may be."""
        sizes = np.abs(weights)
        size = float(sizes @ self._largest)
        for group, found in zip(self._groups, values, strict=True):
            if found is not None:
                size += group.size(sizes, found)
        return 0.0 if 2 * size < EXACT else size * self._steps / 2**51  # the size itself is rounded

    def units(self, rows: npt.NDArray[np.intp], values: Sequence[InContext | None]) -> Integers:
        """The features of some points (a column each)."""
        units = np.zeros((self._features, len(rows)), dtype=np.int64)
        for group, found in zip(self._groups, values, strict=True):
            group.add_units(rows, found, units)
        return units

    def allowed(self, values: Sequence[InContext | None]) -> Mask | None:
        """Which points the context allows; None for all."""
        allowed: Mask | None = None
        for group, found in zip(self._groups, values, strict=True):
            mask = group.mask(found)
            if mask is not None:
                allowed = mask if allowed is None else allowed & mask
        return allowed


def grouped_terms(layout: Layout, count: int) -> list[TermGroup]:
    """Terms and constraints of the same variables together, and tables put together where that costs less."""
    by_support: dict[tuple[int, ...], TermGroup] = {}

    def at(register: int) -> TermGroup:
        support = layout.support(register)
        return by_support.setdefault(support, TermGroup(frozenset(support)))

    for term in layout.terms:
        at(term.register).terms.append(term)
    for number in layout.mixed_constraints:
        at(number).constraints.append(number)
    everything = frozenset(range(len(layout.sizes)))
    found: list[TermGroup] = []
    costs: list[float] = []
    for members in sorted(
        by_support.values(), key=lambda members: (-len(members.positions), sorted(members.positions))
    ):
        alone, best = _cost(layout, count, members), None
        for at_, other in enumerate(found):
            joined = _joined(other, members)
            if layout.cells(tuple(sorted(joined.positions))) >= count:
                joined.positions = everything
            saved = costs[at_] + alone - _cost(layout, count, joined)
            if saved > 0 and (best is None or saved > best[0]):
                best = saved, at_, joined
        if best is None:
            found.append(members)
            costs.append(alone)
        else:
            found[best[1]], costs[best[1]] = best[2], costs[best[1]] + alone - best[0]
    return found or [TermGroup(frozenset())]


def _joined(one: TermGroup, other: TermGroup) -> TermGroup:
    return TermGroup(one.positions | other.positions, one.terms + other.terms, one.constraints + other.constraints)


def _cost(layout: Layout, count: int, members: TermGroup) -> float:
    """Microseconds of a solve, roughly."""
    cells = min(count, layout.cells(tuple(sorted(members.positions))))
    features = len({term.feature for term in members.terms})
    mixed = sum(layout.mentions_context(term.register) for term in members.terms) + len(members.constraints)
    spread = 0.0 if len(members.positions) == len(layout.sizes) else SPREAD * count
    return CALL + spread + PRODUCT * cells * features + (EVALUATOR + MIXED * cells * mixed if mixed else 0.0)


def _distinct(points: Points, positions: tuple[int, ...], layout: Layout) -> tuple[Points, npt.NDArray[np.intp] | None]:
    """The points that differ at the given variables, and for each point which of them it is (None: all differ)."""
    if len(positions) == len(layout.sizes):
        return points, None
    key = dense_keys(points, positions, layout.sizes)
    size = layout.cells(positions)
    if size > MAX_DENSE:
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return points[:, first], inverse.astype(np.intp)
    some_point = np.full(size, -1, dtype=np.intp)
    some_point[key] = np.arange(len(key))
    present = some_point >= 0
    if present.all():
        return points[:, some_point], key
    return points[:, some_point[present]], (np.cumsum(present) - 1)[key]


def _distinct_columns(matrix: Integers) -> tuple[Integers, npt.NDArray[np.intp]]:
    """The columns that differ, and for each column which of them it is."""
    # Sorting one mixed number for each column is much faster than sorting columns; equality is checked after.
    mixer = np.random.default_rng(0).integers(1, 2**62, size=len(matrix), dtype=np.int64)
    _, first, inverse = np.unique(mixer @ matrix, return_index=True, return_inverse=True)
    if not np.array_equal(matrix[:, first[inverse]], matrix):
        return matrix, np.arange(matrix.shape[1], dtype=np.intp)
    return np.ascontiguousarray(matrix[:, first]), inverse.astype(np.intp)
