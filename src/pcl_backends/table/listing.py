"""The allowed points of a scope, and of all scopes that are like it: listed once, and read by every solve.

Variables are added one at a time, and what cannot be continued is left out as soon as a constraint says so. How many
points that takes is estimated before, by following only some of them.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pcl_backends.table.factors import Factors, InContext, TermGroup, grouped_terms
from pcl_backends.table.growth import Growth, both, nothing_chosen, part_of
from pcl_backends.table.tabulate import Layout, Points
from pcl_backends.table.totals import Totals, as_floats, digits_of
from pcl_core.solve import Scope, Sense

PointRows = npt.NDArray[np.intp]

CHUNK = 2**15
"""Points that are looked at together: what is computed for them stays in fast memory, and on one core."""
MAX_KEPT = 2**22
"""Beyond this many allowed points the list is made anew for every solve, chunk by chunk, to bound memory."""
FOLLOWED = 512
"""Points that an estimate follows from one variable to the next."""
FEW = 16
"""So many points that are equally good in floating point are compared one by one."""


@dataclass(frozen=True)
class Prospect:
    """What listing is expected to take."""

    tried: float
    """Points that are looked at on the way."""
    allowed: float
    numbers: float
    """Numbers that a solve multiplies."""


class Wanted(NamedTuple):
    """A request in numbers: weights of features, codes of the context, places of variables that are fixed."""

    weights: tuple[int, ...]
    sense: Sense
    codes: Sequence[int]
    fixed: Mapping[int, int]
    floor: int | None


class BestPoint(NamedTuple):
    """The best of some points."""

    objective: int
    point: Points

    def better(self, other: "BestPoint | None", sense: Sense) -> bool:
        if other is None:
            return True
        return self.objective > other.objective if sense == "max" else self.objective < other.objective


@dataclass(frozen=True)
class _Chunk:
    """Some allowed points, and the tables that make their utility."""

    points: Points
    factors: Factors

    def best(self, wanted: Wanted, size: int) -> BestPoint | None:
        """The first of the best points.

        Floating point leaves few that can be it, usually one. Where it does not, whole numbers of any size decide.
        """
        factors, values = self.factors, self.factors.values(wanted.codes)
        allowed = factors.allowed(values)
        for row, place in wanted.fixed.items():
            allowed = both(allowed, self.points[row] == place)
        weights = as_floats(wanted.weights)
        if weights is not None and not (wanted.sense == "min" and wanted.floor is not None):
            utility = factors.utility(weights if wanted.sense == "max" else -weights, values)
            if allowed is not None:
                utility[~allowed] = -np.inf
            at = utility.argmax()
            top = float(utility[at])
            if top == -np.inf:
                return None
            error = factors.error(weights, values)
            if not error:
                return self._at(wanted, int(at), int(top) if wanted.sense == "max" else -int(top))
            near = (utility >= top - 2 * error).nonzero()[0]
            if len(near) <= FEW:
                return self._first(wanted, near, values)
        totals = Totals(digits_of(wanted.weights, size), lambda digit: factors.utility(digit, values))
        if wanted.floor is not None:
            allowed = both(allowed, totals.at_least(wanted.floor))
        found = totals.best(allowed, wanted.sense)
        return None if found is None else BestPoint(found[0], self.points[:, found[1]])

    def _at(self, wanted: Wanted, row: int, objective: int) -> BestPoint | None:
        """A point, if it is not below the floor."""
        enough = wanted.floor is None or objective >= wanted.floor
        return BestPoint(objective, self.points[:, row]) if enough else None

    def _first(self, wanted: Wanted, rows: PointRows, values: Sequence[InContext | None]) -> BestPoint | None:
        """The first of the best of a few points."""
        best: BestPoint | None = None
        for row, units in zip(rows.tolist(), self.factors.units(rows, values).T.tolist(), strict=True):
            found = self._at(wanted, row, sum(map(mul, wanted.weights, units)))
            if found is not None and found.better(best, wanted.sense):
                best = found
        return best


class PointList:
    """The allowed points. Names do not matter here: equal parts of different places have one listing."""

    def __init__(self, scope: Scope) -> None:
        self._layout = Layout(scope)
        self._size = sum(max(abs(facts.low), abs(facts.high)) for facts in scope.feature_facts)
        self._estimate: Prospect | None = None
        self._groups: dict[int, list[TermGroup]] = {}
        self._kept: list[_Chunk] | None = None
        self._making = threading.Lock()
        """Held while points are listed: tables are made on the way. What is kept is only read."""

    @cached_property
    def _growth(self) -> Growth:
        return Growth(self._layout)

    def estimate(self, most: float) -> Prospect:
        """How many points will be tried and allowed, from some that are followed; beyond `most`, that they are more.

        It is the same for the same scope, whenever it is asked for.
        """
        if self._estimate is None:
            with self._making:
                self._estimate = self._followed(most)
        return self._estimate

    def bound(self, size: int) -> Prospect:
        """The same for so few points that none need be followed."""
        return Prospect(size, size, self._layout.numbers(size))

    def _followed(self, most: float) -> Prospect:
        begun = nothing_chosen(self._layout)
        each, tried = 1.0, 0.0
        for stage, size in enumerate(self._layout.sizes):
            tried += each * begun.points.shape[1] * size
            if tried > most:
                return Prospect(tried, tried, tried)
            begun = self._growth.grown(begun, stage)
            count = begun.points.shape[1]
            if count > FOLLOWED:
                # Not evenly spaced ones: these would have the same values of the last variables, again and again.
                begun = part_of(begun, np.random.default_rng(0).choice(count, FOLLOWED, replace=False))
                each *= count / FOLLOWED
        allowed = each * begun.points.shape[1]
        return Prospect(tried, allowed, self._layout.numbers(allowed))

    def _pieces(self) -> Iterator[Points]:
        """Allowed points in lexicographic order, in pieces of bounded size."""
        sizes = self._layout.sizes
        pending = [nothing_chosen(self._layout)]
        while pending:
            begun = pending.pop()
            stage, count = begun.points.shape
            if stage == len(sizes):
                yield begun.points
                continue
            step = max(1, CHUNK // sizes[stage])
            if count > step:
                pending.extend(part_of(begun, slice(at, at + step)) for at in reversed(range(0, count, step)))
                continue
            grown = self._growth.grown(begun, stage)
            if grown.points.size:
                pending.append(grown)

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

    def _chunks(self) -> Iterator[_Chunk]:
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[_Chunk] = []
        total = 0
        for points in self._joined():
            chunk = _Chunk(points, Factors(self._layout, points, self._grouped(points.shape[1])))
            total += points.shape[1]
            if total <= MAX_KEPT:
                kept.append(chunk)
            yield chunk
        if total <= MAX_KEPT:
            self._kept = kept

    def _grouped(self, count: int) -> list[TermGroup]:
        """What is in the tables of a chunk; most have the same size."""
        if count not in self._groups:
            self._groups[count] = grouped_terms(self._layout, count)
        return self._groups[count]

    def best(self, wanted: Wanted) -> BestPoint | None:
        """The first of the best points, in lexicographic order."""
        if self._kept is not None:
            return self._best_of(self._kept, wanted)
        with self._making:
            return self._best_of(self._chunks(), wanted)

    def _best_of(self, chunks: Iterable[_Chunk], wanted: Wanted) -> BestPoint | None:
        best: BestPoint | None = None
        for chunk in chunks:
            found = chunk.best(wanted, self._size)
            if found is not None and found.better(best, wanted.sense):
                best = found
        return best
