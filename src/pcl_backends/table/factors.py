"""The utility of many points as a sum of small tables.

A feature is a sum of terms. Terms that depend on the same few variables share a table over the distinct values
of these. What is in it follows from own variables alone (computed once), from the context alone (a constant),
or from both; of the last sort, everything that does not involve the context is computed once as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pcl_backends.table.tabulate import Points, Sample, Tabulation, dense_keys
from pcl_core.ir import Operation, Value
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.solve import Scope

MAX_DENSE = 2**20
"""Tables over all combinations of values are used up to this size."""


class Term(NamedTuple):
    """factor · register, in the units of the feature it belongs to."""

    feature: int
    factor: int
    register: int


class Layout(Tabulation):
    """What of a scope does not depend on the points: terms, constraints, and what each needs of the context."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.context = [value.variable for value in scope.context]
        self.static_constraints = [number for number in self.constraints if not self.mentions_context(number)]
        self.mixed_constraints = [number for number in self.constraints if self.mentions_context(number)]
        self.terms = [term for at, number in enumerate(self.features) for term in self._terms(at, number)]

    def _terms(self, feature: int, root: int) -> Iterator[Term]:
        register = self.registers.items[root]
        if register.operation is not Operation.LINEAR:
            yield Term(feature, 1, root)
            return
        if register.offset:
            yield Term(feature, register.offset, self.registers.one)
        for factor, arg in zip(register.factors, register.args, strict=True):
            yield Term(feature, factor, arg)


class _Mixed:
    """Registers over own variables and context, evaluated at all points of a table in a new context."""

    def __init__(self, layout: Layout, numbers: Sequence[int], points: Points) -> None:
        registers = layout.registers
        roots, early = registers.separated(numbers, lambda number: not layout.mentions_context(number))
        own = Sample(layout, points)
        inputs = [*early]
        self._context: list[tuple[int, str]] = []
        reached = {register.number for register in registers.reached(roots, early)}
        for variable in layout.context:
            number = registers.variables.get(variable.name)
            if number in reached:
                self._context.append((len(inputs), variable.name))
                inputs.append(number)
        self._coding = registers.coding
        self._evaluator = VectorEvaluator(registers, roots, inputs)
        values = np.array([own.values(number) for number in early], dtype=np.int64).reshape(-1, points.shape[1])
        # Points that look the same to these expressions are evaluated once.
        distinct, self.spread = _distinct_columns(values)
        self._template = np.zeros((len(inputs), distinct.shape[1]), dtype=np.int64)
        self._template[: len(early)] = distinct

    def evaluate(self, context: Mapping[str, Value]) -> Integers:
        """Values for the points that differ; `spread` says for each point which one it is."""
        inputs = self._template.copy()  # another thread may be here with another context
        for at, name in self._context:
            inputs[at] = self._coding.code(context[name])
        return self._evaluator.evaluate(inputs)


class _Group:
    """A table over the distinct values that some variables take at the points."""

    def __init__(self, layout: Layout, points: Points, positions: tuple[int, ...], terms: Sequence[Term]) -> None:
        distinct, self._spread = _distinct(points, positions, layout)
        fixed = [term for term in terms if not layout.mentions_context(term.register)]
        mixed = [term for term in terms if layout.mentions_context(term.register)]
        self._used = np.array(sorted({term.feature for term in fixed}), dtype=np.intp)
        column = {feature: at for at, feature in enumerate(self._used.tolist())}
        static = np.zeros((len(column), distinct.shape[1]), dtype=np.int64)
        own = Sample(layout, distinct)
        for feature, factor, register in fixed:
            values = own.values(register)
            static[column[feature]] += values if factor == 1 else factor * values
        self._static = np.ascontiguousarray(static.T)  # the products below read point by point
        self._mixed = _Mixed(layout, [term.register for term in mixed], distinct) if mixed else None
        self._mixed_features = np.array([term.feature for term in mixed], dtype=np.intp)
        self._mixed_factors = np.array([term.factor for term in mixed], dtype=np.int64)

    def evaluate(self, weights: Integers, context: Mapping[str, Value]) -> Integers:
        table = self._static @ weights[self._used]
        if self._mixed is not None:
            mixed = (weights[self._mixed_features] * self._mixed_factors) @ self._mixed.evaluate(context)
            table = table + mixed[self._mixed.spread]
        return table if self._spread is None else table[self._spread]


class _Mask:
    """Constraints that depend on the context, over the distinct values of the variables they mention."""

    def __init__(self, layout: Layout, points: Points, positions: tuple[int, ...], numbers: Sequence[int]) -> None:
        distinct, spread = _distinct(points, positions, layout)
        self._mixed = _Mixed(layout, numbers, distinct)
        self._spread = self._mixed.spread if spread is None else self._mixed.spread[spread]

    def evaluate(self, context: Mapping[str, Value]) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = np.logical_and.reduce(self._mixed.evaluate(context), axis=0)
        return found[self._spread]


class Factors:
    """All tables of some points."""

    def __init__(self, layout: Layout, points: Points) -> None:
        self._count = points.shape[1]
        self._groups = [_Group(layout, points, key, found) for key, found in _grouped(layout, layout.terms).items()]
        by_support = layout.by_support(layout.mixed_constraints)
        self._masks = [_Mask(layout, points, key, numbers) for key, numbers in by_support.items()]

    def utility(self, weights: Integers, context: Mapping[str, Value]) -> Integers:
        """Σ weights·features of every point."""
        utility = np.zeros(self._count, dtype=np.int64)
        for group in self._groups:
            utility += group.evaluate(weights, context)
        return utility

    def allowed(self, context: Mapping[str, Value]) -> npt.NDArray[np.bool_] | None:
        """Which points the context allows; None for all."""
        allowed: npt.NDArray[np.bool_] | None = None
        for mask in self._masks:
            found = mask.evaluate(context)
            allowed = found if allowed is None else allowed & found
        return allowed


def _grouped(layout: Layout, terms: Sequence[Term]) -> dict[tuple[int, ...], list[Term]]:
    """Terms by the variables they depend on; a term joins the first group that has all of its variables."""
    subsets = sorted({layout.support(term.register) for term in terms}, key=lambda subset: (-len(subset), subset))
    groups: dict[tuple[int, ...], list[Term]] = {}
    home: dict[tuple[int, ...], tuple[int, ...]] = {}
    for subset in subsets:
        home[subset] = next((key for key in groups if set(subset) <= set(key)), subset)
        groups.setdefault(home[subset], [])
    for term in terms:
        groups[home[layout.support(term.register)]].append(term)
    return groups


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
