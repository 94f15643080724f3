"""The utility of many rows as a sum of small tables.

A feature is a sum of terms. Terms that depend on the same few variables share a table over the distinct values
of these. What is in it follows from own variables alone (computed once), from the context alone (a constant),
or from both; of the last sort, everything that does not involve the context is computed once as well.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pcl_core.compile.context import ContextSplit
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code
from pcl_core.ir.domains import AnyVariable, CategoricalVariable
from pcl_core.ir.infer import Inference
from pcl_core.ir.nodes import Const, Node, Sum
from pcl_core.ir.numbers import Number, scaled
from pcl_core.ir.symbols import Symbols
from pcl_core.ir.vector import Integers, VectorEvaluator

MAX_DENSE = 2**20
"""Tables over all combinations of values are used up to this size."""


@dataclass(frozen=True)
class Term:
    """coef · node, counted in units of 10^-places of the feature it belongs to."""

    feature: int
    coef: Number
    node: Node
    places: int

    def factor(self, places: int) -> int:
        """What one unit of 10^-places of the node is worth."""
        return scaled(self.coef, self.places - places)


class Layout:
    """What of a scope does not depend on the rows: names, terms, and who depends on what."""

    def __init__(self, scope: Scope) -> None:
        self.variables: tuple[AnyVariable, ...] = scope.variables
        self.names = [variable.name for variable in scope.variables]
        self.sizes = [variable.size for variable in scope.variables]
        self.context = [value.variable for value in scope.context]
        self.context_names = {variable.name for variable in self.context}
        self.symbols, self.evaluator = scope.symbols, scope.evaluator
        self._position = {name: at for at, name in enumerate(self.names)}
        self._lowering = scope.lowering
        self.static_constraints = [node for node in scope.constraint_nodes if not self.mentions_context(node)]
        self.mixed_constraints = [node for node in scope.constraint_nodes if self.mentions_context(node)]
        self.feature_count = len(scope.features)
        digits = scope.feature_places
        self.terms = [term for at, node in enumerate(scope.feature_nodes) for term in self._terms(at, node, digits[at])]

    def _mentioned(self, node: Node) -> frozenset[str]:
        return self._lowering.mentioned(self._lowering.lower(node))

    def mentions_context(self, node: Node) -> bool:
        return not self.context_names.isdisjoint(self._mentioned(node))

    def positions(self, node: Node) -> tuple[int, ...]:
        """The own variables an expression mentions, by position; the first one where it mentions none."""
        found = sorted(self._position[name] for name in self._mentioned(node) if name in self._position)
        return tuple(found) or (0,)

    @cached_property
    def inference(self) -> Inference:
        return Inference(self.symbols, _unexpected, remember=True)

    def _terms(self, feature: int, node: Node, places: int) -> list[Term]:
        if not isinstance(node, Sum):
            return [Term(feature, 1, node, places)]
        constant = [Term(feature, 1, Const(value=node.constant), places)] if node.constant else []
        return constant + [Term(feature, coef, arg, places) for coef, arg in zip(node.coefs, node.args, strict=True)]

    def encoded(self, evaluator: VectorEvaluator, rows: npt.NDArray[np.int32]) -> Integers:
        """Rows of domain positions as the columns an evaluator over own variables takes."""
        columns = np.empty((len(evaluator.variables), len(rows)), dtype=np.int64)
        for at, name in enumerate(evaluator.variables):
            position = self._position[name]
            columns[at] = domain_codes(self.variables[position], evaluator)[rows[:, position]]
        return columns


def domain_codes(variable: AnyVariable, evaluator: VectorEvaluator) -> Integers:
    """The whole number that stands for each value of a domain."""
    if isinstance(variable, CategoricalVariable):
        return np.array([evaluator.code(label) for label in variable.labels], dtype=np.int64)
    return np.array(variable.values(), dtype=np.int64)


class _Mixed:
    """Expressions over own variables and context, evaluated for all rows of a table in a new context."""

    def __init__(self, layout: Layout, nodes: Sequence[Node], rows: npt.NDArray[np.int32]) -> None:
        # The same pass that splits off the context, with the roles exchanged: own sub-expressions are fixed.
        split = ContextSplit(layout.symbols, layout.context_names, layout.inference, "#")
        roots = [split.split(node) for node in nodes]
        own = [value.variable for value in split.values]
        symbols = Symbols({v.name: v for v in (*layout.context, *own)}, layout.symbols.tables)
        self._evaluator = VectorEvaluator(symbols, roots)
        self.places = self._evaluator.places
        inner = layout.evaluator([value.node for value in split.values])
        computed = inner.evaluate(layout.encoded(inner, rows)) if own else np.empty((0, len(rows)), np.int64)
        by_name = {}
        for value, row in zip(split.values, computed, strict=True):
            if isinstance(value.variable, CategoricalVariable):
                relabelled = {inner.code(label): self._code(label) for label in value.variable.labels}
                row = np.array([relabelled[code] for code in row.tolist()], dtype=np.int64)
            by_name[value.variable.name] = row
        template = np.zeros((len(self._evaluator.variables), len(rows)), dtype=np.int64)
        self._context: list[tuple[int, int, Integers | None]] = []
        positions = {variable.name: at for at, variable in enumerate(layout.context)}
        for at, name in enumerate(self._evaluator.variables):
            if name in by_name:
                template[at] = by_name[name]
            else:
                variable = layout.context[positions[name]]
                codes = domain_codes(variable, self._evaluator) if isinstance(variable, CategoricalVariable) else None
                self._context.append((at, positions[name], codes))

        # Rows that look the same to these expressions are evaluated once.
        self._template, self.spread = _distinct_columns(template)

    def _code(self, label: str) -> int:
        try:
            return self._evaluator.code(label)
        except KeyError:  # a label that no expression can tell from others
            return -1

    def evaluate(self, context: Sequence[int]) -> Integers:
        """Values for the rows that differ; `spread` says for each row which one it is."""
        for at, position, codes in self._context:
            self._template[at] = context[position] if codes is None else codes[context[position]]
        return self._evaluator.evaluate(self._template)


class _Group:
    """A table over the distinct values that some variables take in the rows."""

    def __init__(
        self, layout: Layout, rows: npt.NDArray[np.int32], positions: tuple[int, ...], terms: Sequence[Term]
    ) -> None:
        distinct, self._spread = _distinct(rows, positions, layout.sizes)
        fixed = [term for term in terms if not layout.mentions_context(term.node)]
        mixed = [term for term in terms if layout.mentions_context(term.node)]
        self._static = np.zeros((len(distinct), layout.feature_count), dtype=np.int64)
        if fixed:
            evaluator = layout.evaluator([term.node for term in fixed])
            values = evaluator.evaluate(layout.encoded(evaluator, distinct))
            for term, places, row in zip(fixed, evaluator.places, values, strict=True):
                self._static[:, term.feature] += term.factor(places) * row
        self._used = np.flatnonzero(self._static.any(axis=0))
        self._static = np.ascontiguousarray(self._static[:, self._used])
        self._mixed = _Mixed(layout, [term.node for term in mixed], distinct) if mixed else None
        self._mixed_features = np.array([term.feature for term in mixed], dtype=np.int64)
        factors = [] if self._mixed is None else map(Term.factor, mixed, self._mixed.places)
        self._mixed_factors = np.array(list(factors), dtype=np.int64)

    def evaluate(self, weights: Integers, context: Sequence[int]) -> Integers:
        table = self._static @ weights[self._used]
        if self._mixed is not None:
            mixed = (weights[self._mixed_features] * self._mixed_factors) @ self._mixed.evaluate(context)
            table = table + mixed[self._mixed.spread]
        return table if self._spread is None else table[self._spread]


class _Mask:
    """Constraints that depend on the context, over the distinct values of the variables they mention."""

    def __init__(
        self, layout: Layout, rows: npt.NDArray[np.int32], positions: tuple[int, ...], nodes: Sequence[Node]
    ) -> None:
        distinct, spread = _distinct(rows, positions, layout.sizes)
        self._mixed = _Mixed(layout, nodes, distinct)
        self._spread = self._mixed.spread if spread is None else self._mixed.spread[spread]

    def evaluate(self, context: Sequence[int]) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = np.logical_and.reduce(self._mixed.evaluate(context), axis=0)
        return found[self._spread]


class Factors:
    """All tables of some rows."""

    def __init__(self, layout: Layout, rows: npt.NDArray[np.int32]) -> None:
        self._rows = len(rows)
        self._groups = [_Group(layout, rows, key, found) for key, found in _grouped(layout, layout.terms).items()]
        by_variables: dict[tuple[int, ...], list[Node]] = {}
        for node in layout.mixed_constraints:
            by_variables.setdefault(layout.positions(node), []).append(node)
        self._masks = [_Mask(layout, rows, key, nodes) for key, nodes in by_variables.items()]

    def evaluate(self, weights: Integers, context: Sequence[int]) -> tuple[Integers, npt.NDArray[np.bool_] | None]:
        """The utility of every row, and which rows the context allows (None for all)."""
        utility = np.zeros(self._rows, dtype=np.int64)
        for group in self._groups:
            utility += group.evaluate(weights, context)
        allowed: npt.NDArray[np.bool_] | None = None
        for mask in self._masks:
            found = mask.evaluate(context)
            allowed = found if allowed is None else allowed & found
        return utility, allowed


def _grouped(layout: Layout, terms: Sequence[Term]) -> dict[tuple[int, ...], list[Term]]:
    """Terms by the variables they depend on; a term joins the first group that has all of its variables."""
    subsets = sorted({layout.positions(term.node) for term in terms}, key=lambda subset: (-len(subset), subset))
    groups: dict[tuple[int, ...], list[Term]] = {}
    home: dict[tuple[int, ...], tuple[int, ...]] = {}
    for subset in subsets:
        home[subset] = next((key for key in groups if set(subset) <= set(key)), subset)
        groups.setdefault(home[subset], [])
    for term in terms:
        groups[home[layout.positions(term.node)]].append(term)
    return groups


def _distinct(
    rows: npt.NDArray[np.int32], positions: tuple[int, ...], sizes: Sequence[int]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp] | None]:
    """The rows that differ in the given columns, and for each row which of them it is (None: all differ)."""
    if len(positions) == len(sizes):
        return rows, None
    key = dense_keys(rows, positions, sizes)
    size = math.prod(sizes[position] for position in positions)
    if size > MAX_DENSE:
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return rows[first], inverse.astype(np.intp)
    some_row = np.full(size, -1, dtype=np.intp)
    some_row[key] = np.arange(len(rows))
    present = some_row >= 0
    return rows[some_row[present]], (np.cumsum(present) - 1)[key]


def _distinct_columns(matrix: Integers) -> tuple[Integers, npt.NDArray[np.intp]]:
    """The columns that differ, and for each column which of them it is."""
    # Sorting one mixed number for each column is much faster than sorting columns; equality is checked after.
    mixer = np.random.default_rng(0).integers(1, 2**62, size=len(matrix), dtype=np.int64)
    _, first, inverse = np.unique(mixer @ matrix, return_index=True, return_inverse=True)
    if not np.array_equal(matrix[:, first[inverse]], matrix):
        return matrix, np.arange(matrix.shape[1], dtype=np.intp)
    return np.ascontiguousarray(matrix[:, first]), inverse.astype(np.intp)


def dense_keys(rows: npt.NDArray[np.int32], positions: tuple[int, ...], sizes: Sequence[int]) -> npt.NDArray[np.intp]:
    """One number for each row that tells apart what the given columns hold."""
    key = rows[:, positions[0]].astype(np.intp)
    for position in positions[1:]:
        key = key * sizes[position] + rows[:, position]
    return key


def all_values(positions: tuple[int, ...], sizes: Sequence[int]) -> npt.NDArray[np.int32]:
    """Every combination of values of the given columns, in the order of `dense_keys`; other columns are zero."""
    grids = np.meshgrid(*(np.arange(sizes[position], dtype=np.int32) for position in positions), indexing="ij")
    rows = np.zeros((grids[0].size, len(sizes)), dtype=np.int32)
    for position, grid in zip(positions, grids, strict=True):
        rows[:, position] = grid.ravel()
    return rows


def _unexpected(code: Code, message: str, hint: str | None) -> None:
    raise AssertionError(f"a compiled scope is wrong: {code}: {message}")
