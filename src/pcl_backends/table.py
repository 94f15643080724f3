"""`table`: exact, vectorised enumeration, for scopes with few configurations.

The allowed configurations of a scope are listed once, pruned by constraints as soon as their variables have
values. A utility is then a sum of small tables: each term of each feature depends on a few variables only, so
its weighted sum is computed over the distinct values of those and spread over all rows by one look-up.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pcl_backends.factors import Factors, Layout, all_values, dense_keys
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.ir.nodes import Node
from pcl_core.solve.protocol import Answer, Availability, Capability, Options, Reason, Request, Status

MAX_ASSIGNMENTS = 2**24
"""Scopes with more combinations of values than this are refused."""
CHUNK_ROWS = 2**17
MAX_TABLE = 2**14
MAX_KEPT_ROWS = 2**20
"""Beyond this many allowed rows the list is made anew for every solve, chunk by chunk, to bound memory."""


def size_of(scope: Scope) -> int:
    """How many combinations of values the scope's variables have."""
    return math.prod(variable.size for variable in scope.variables)


class TableBackend:
    """Enumerates; needs nothing but numpy."""

    name = "table"
    capabilities: frozenset[Capability] = frozenset({Capability.SEED, Capability.BOUND})

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'table' has no solvers to choose from"))

    def availability(self) -> Availability:
        return Availability(True, f"numpy {np.__version__}")

    def compile(self, scope: Scope) -> "PreparedTable":
        if size_of(scope) > MAX_ASSIGNMENTS:
            message = (
                f"the scope has {size_of(scope):.3g} configurations; backend 'table' takes up to {MAX_ASSIGNMENTS:,}"
            )
            raise RequestError(Issue(Code.SCOPE_TOO_LARGE, message, "use backend 'cpsat', or 'auto'"))
        return PreparedTable(scope)


class _Pruning:
    """Constraints over the same few variables: a table of what they allow, or an evaluation where that is large."""

    def __init__(self, layout: Layout, positions: tuple[int, ...], nodes: Sequence[Node]) -> None:
        self._layout, self._positions = layout, positions
        self._evaluator = layout.evaluator(nodes)
        self._table: npt.NDArray[np.bool_] | None = None
        if math.prod(layout.sizes[position] for position in positions) <= MAX_TABLE:
            self._table = self._evaluate(all_values(positions, layout.sizes))

    def _evaluate(self, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        found = self._evaluator.evaluate(self._layout.encoded(self._evaluator, rows))
        return np.asarray(np.logical_and.reduce(found, axis=0), dtype=np.bool_)

    def allows(self, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        if self._table is None:
            return self._evaluate(rows)
        return self._table[dense_keys(rows, self._positions, self._layout.sizes)]


@dataclass(frozen=True)
class _Chunk:
    """Some allowed rows, as positions in the domains, and the tables that make their utility."""

    rows: npt.NDArray[np.int32]
    factors: Factors


class PreparedTable:
    """The allowed rows of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._layout = Layout(scope)
        self._stages = self._constraints_by_stage()
        self._kept: list[_Chunk] | None = None

    def _constraints_by_stage(self) -> list[list[_Pruning]]:
        """For each variable the context-free constraints whose last variable it is."""
        layout = self._layout
        together: dict[tuple[int, ...], list[Node]] = {}
        for node in layout.static_constraints:
            together.setdefault(layout.positions(node), []).append(node)
        stages: list[list[_Pruning]] = [[] for _ in layout.variables]
        for positions, nodes in together.items():
            stages[max(positions)].append(_Pruning(layout, positions, nodes))
        return stages

    def _pieces(self) -> Iterator[npt.NDArray[np.int32]]:
        """Allowed rows in lexicographic order, in pieces of bounded size."""
        sizes = self._layout.sizes
        pending: list[npt.NDArray[np.int32]] = [np.zeros((1, 0), dtype=np.int32)]
        while pending:
            rows = pending.pop()
            stage = rows.shape[1]
            if stage == len(sizes):
                yield rows
                continue
            step = max(1, CHUNK_ROWS // sizes[stage])
            if len(rows) > step:
                pending.extend(rows[at : at + step] for at in reversed(range(0, len(rows), step)))
                continue
            values = np.tile(np.arange(sizes[stage], dtype=np.int32), len(rows))
            grown = np.column_stack([np.repeat(rows, sizes[stage], axis=0), values])
            for pruning in self._stages[stage]:
                grown = grown[pruning.allows(grown)]
            if len(grown):
                pending.append(grown)

    def _chunks(self) -> Iterator[_Chunk]:
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[_Chunk] = []
        total = 0
        for rows in self._joined():
            chunk = _Chunk(rows, Factors(self._layout, rows))
            total += len(rows)
            if total <= MAX_KEPT_ROWS:
                kept.append(chunk)
            yield chunk
        if total <= MAX_KEPT_ROWS:
            self._kept = kept

    def _joined(self) -> Iterator[npt.NDArray[np.int32]]:
        """Pieces put together up to the size of a chunk."""
        waiting: list[npt.NDArray[np.int32]] = []
        for rows in self._pieces():
            waiting.append(rows)
            if sum(map(len, waiting)) >= CHUNK_ROWS:
                yield np.concatenate(waiting)
                waiting = []
        if waiting:
            yield np.concatenate(waiting)

    def solve(self, request: Request, options: Options) -> Answer:
        weights = np.array(request.weights, dtype=np.int64)
        best: tuple[int, npt.NDArray[np.int32]] | None = None
        for chunk in self._chunks():
            found = self._best_in(chunk, request, weights)
            if found is not None and (
                best is None or (found[0] > best[0] if request.sense == "max" else found[0] < best[0])
            ):
                best = found
        if best is None:
            return Answer(Status.INFEASIBLE)
        return Answer(Status.OPTIMAL, Reason.PROVED, self._decoded(best[1]), best[0], best[0])

    def _best_in(
        self, chunk: _Chunk, request: Request, weights: npt.NDArray[np.int64]
    ) -> tuple[int, npt.NDArray[np.int32]] | None:
        utility, allowed = chunk.factors.evaluate(weights, request.context)
        for name, value in request.fixed.items():
            column = self._layout.names.index(name)
            position = self._layout.variables[column].values().index(value)  # type: ignore[arg-type]
            allowed = _both(allowed, chunk.rows[:, column] == position)
        if request.floor is not None:
            allowed = _both(allowed, utility >= request.floor)
        pick = np.argmax if request.sense == "max" else np.argmin
        if allowed is None:
            row = int(pick(utility))
        else:
            rows = np.flatnonzero(allowed)
            if not len(rows):
                return None
            row = int(rows[pick(utility[rows])])
        return int(utility[row]), chunk.rows[row]

    def _decoded(self, row: npt.NDArray[np.int32]) -> dict[str, Value]:
        return {
            variable.name: variable.values()[position]
            for variable, position in zip(self._layout.variables, row.tolist(), strict=True)
        }


def _both(first: npt.NDArray[np.bool_] | None, second: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return second if first is None else first & second
