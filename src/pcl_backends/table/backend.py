"""`table`: exact, vectorised enumeration, for scopes with few configurations.

The allowed configurations of a scope are listed once, pruned by constraints as soon as their variables have
values. A utility is then a sum of small tables: each term of each feature depends on a few variables only, so
its weighted sum is computed over the distinct values of those and spread over all points by one look-up.
"""

import math
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pcl_backends.table.factors import Factors, Layout
from pcl_backends.table.tabulate import Digits, Points, Sample, Totals, dense_keys, digits_of
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import Value, place_of, value_at
from pcl_core.solve import (
    ANY_SIZE,
    Availability,
    Capability,
    Options,
    Refusal,
    Reply,
    Request,
    Scope,
    Status,
    StopReason,
)

MAX_ASSIGNMENTS = 2**24
"""Scopes with more combinations of values than this are refused."""
CHUNK = 2**17
MAX_KEPT = 2**20
"""Beyond this many allowed points the list is made anew for every solve, chunk by chunk, to bound memory."""


def size_of(scope: Scope) -> int:
    """How many combinations of values the scope's variables have."""
    return math.prod(variable.size for variable in scope.variables)


class TableBackend:
    """Enumerates; needs nothing but numpy."""

    name = "table"
    capabilities: frozenset[Capability] = frozenset({Capability.SEED, Capability.BOUND, Capability.SHARED})

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'table' has no solvers to choose from"))

    def availability(self) -> Availability:
        return Availability(True, f"numpy {np.__version__}")

    reach = ANY_SIZE

    def accepts(self, scope: Scope) -> Refusal | None:
        size = size_of(scope)
        if size <= MAX_ASSIGNMENTS:
            return None
        found = f"{size:.3g}" if size < sys.float_info.max else f"1e+{math.floor(math.log10(size))}"
        message = f"the scope has {found} configurations; backend 'table' takes up to {MAX_ASSIGNMENTS:,}"
        return Refusal(Code.SCOPE_TOO_LARGE, message)

    def compile(self, scope: Scope) -> "PreparedTable":
        return PreparedTable(scope)


class _Pruning:
    """Constraints over the same few variables: a table of what they allow, or a look at each point where that is large."""

    def __init__(self, layout: Layout, positions: tuple[int, ...], numbers: Sequence[int]) -> None:
        self._layout, self._positions, self._numbers = layout, positions, numbers
        self._table: npt.NDArray[np.bool_] | None = None
        if layout.fits(positions):
            tables = [layout.table(number).reshape(-1) for number in numbers]
            self._table = np.logical_and.reduce(tables, axis=0)

    def allows(self, points: Points) -> npt.NDArray[np.bool_]:
        if self._table is not None:
            return self._table[dense_keys(points, self._positions, self._layout.sizes)]
        sample = Sample(self._layout, points)
        found = [sample.values(number) for number in self._numbers]
        return np.asarray(np.logical_and.reduce(found, axis=0), dtype=np.bool_)


@dataclass(frozen=True)
class _Chunk:
    """Some allowed points, and the tables that make their utility."""

    points: Points
    factors: Factors


class PreparedTable:
    """The allowed points of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._layout = Layout(scope)
        self._size = sum(max(abs(facts.low), abs(facts.high)) for facts in scope.feature_facts)
        self._stages = self._constraints_by_stage()
        self._kept: list[_Chunk] | None = None
        self._listing = threading.Lock()
        """Held while points are listed: tables are made on the way. What is kept is only read."""

    def _constraints_by_stage(self) -> list[list[_Pruning]]:
        """For each variable the context-free constraints whose last variable it is."""
        layout = self._layout
        stages: list[list[_Pruning]] = [[] for _ in layout.variables]
        for positions, numbers in layout.by_support(layout.static_constraints).items():
            stages[max(positions, default=0)].append(_Pruning(layout, positions, numbers))
        return stages

    def _pieces(self) -> Iterator[Points]:
        """Allowed points in lexicographic order, in pieces of bounded size."""
        sizes = self._layout.sizes
        pending: list[Points] = [np.zeros((0, 1), dtype=np.int32)]
        while pending:
            points = pending.pop()
            stage, count = points.shape
            if stage == len(sizes):
                yield points
                continue
            step = max(1, CHUNK // sizes[stage])
            if count > step:
                pending.extend(points[:, at : at + step] for at in reversed(range(0, count, step)))
                continue
            values = np.tile(np.arange(sizes[stage], dtype=np.int32), count)
            grown = np.vstack([np.repeat(points, sizes[stage], axis=1), values])
            for pruning in self._stages[stage]:
                grown = grown.compress(pruning.allows(grown), axis=1)
            if grown.size:
                pending.append(grown)

    def _chunks(self) -> Iterator[_Chunk]:
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[_Chunk] = []
        total = 0
        for points in self._joined():
            chunk = _Chunk(points, Factors(self._layout, points))
            total += points.shape[1]
            if total <= MAX_KEPT:
                kept.append(chunk)
            yield chunk
        if total <= MAX_KEPT:
            self._kept = kept

    def _joined(self) -> Iterator[Points]:
        """Pieces put together up to the size of a chunk."""
        waiting: list[Points] = []
        for points in self._pieces():
            waiting.append(points)
            if sum(piece.shape[1] for piece in waiting) >= CHUNK:
                yield np.concatenate(waiting, axis=1)
                waiting = []
        if waiting:
            yield waiting[0] if len(waiting) == 1 else np.concatenate(waiting, axis=1)

    def solve(self, request: Request, options: Options) -> Reply:
        with nullcontext() if self._kept is not None else self._listing:
            return self._best(request)

    def _best(self, request: Request) -> Reply:
        weights = digits_of(request.weights, self._size)
        best: tuple[int, Points] | None = None
        for chunk in self._chunks():
            found = self._best_in(chunk, request, weights)
            if found is not None and (
                best is None or (found[0] > best[0] if request.sense == "max" else found[0] < best[0])
            ):
                best = found
        if best is None:
            return Reply(Status.INFEASIBLE)
        return Reply(Status.OPTIMAL, StopReason.PROVED, self._decoded(best[1]), best[0], best[0])

    def _best_in(self, chunk: _Chunk, request: Request, weights: Digits) -> tuple[int, Points] | None:
        totals = Totals(weights, lambda digit: chunk.factors.utility(digit, request.context))
        allowed = chunk.factors.allowed(request.context)
        for name, value in request.fixed.items():
            row = self._layout.position[name]
            allowed = _both(allowed, chunk.points[row] == place_of(self._layout.variables[row], value))
        if request.floor is not None:
            allowed = _both(allowed, totals.at_least(request.floor))
        found = totals.best(allowed, request.sense)
        return None if found is None else (found[0], chunk.points[:, found[1]])

    def _decoded(self, point: Points) -> dict[str, Value]:
        return {
            variable.name: value_at(variable, place)
            for variable, place in zip(self._layout.variables, point.tolist(), strict=True)
        }


def _both(first: npt.NDArray[np.bool_] | None, second: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return second if first is None else first & second
