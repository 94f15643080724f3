"""`table`: exact, vectorised enumeration, for scopes with few configurations.

The allowed configurations of a scope are listed once, pruned by constraints as soon as their variables have
values. A utility is then a sum of small tables: each term of each feature depends on a few variables only, so
its weighted sum is computed over the distinct values of those and spread over all points by one look-up.
"""

import math
import sys
import weakref
from collections.abc import Hashable, Sequence

import numpy as np

from pcl_backends.table.listing import PointList, Prospect, Wanted
from pcl_backends.table.tabulate import context_names, likeness
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

SURELY = 2**15
"""Scopes with no more combinations of values than this need no estimate."""
MOST_VARIABLES = 64
"""Scopes with more variables than this are judged by their combinations alone."""
FEW = 100
"""Values of a variable that are kept in a list."""
MAX_TRIED, MAX_ALLOWED, MAX_HELD = 2**23, 2**22, 2**25
"""Scopes of which more points would be tried, or allowed, or more numbers kept, are refused: they would take seconds and
hundreds of megabytes.
"""


def combinations(scope: Scope) -> int:
    """How many combinations of values the scope's variables have."""
    return math.prod(variable.size for variable in scope.variables)


class TableBackend:
    """Enumerates; needs nothing but numpy. Scopes that are alike but for names share what is listed."""

    name = "table"
    capabilities: frozenset[Capability] = frozenset({Capability.SEED, Capability.BOUND, Capability.SHARED})

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'table' has no solvers to choose from"))
        self._alike: weakref.WeakValueDictionary[Hashable, PointList] = weakref.WeakValueDictionary()
        self._lately: tuple[weakref.ref[Scope], PointList] | None = None
        """Whoever asks what a scope takes compiles it next, or never."""

    def availability(self) -> Availability:
        return Availability(True, f"numpy {np.__version__}")

    reach = ANY_SIZE

    def estimate(self, scope: Scope) -> Prospect:
        """How many points are tried and allowed: a bound for small scopes, an estimate for others."""
        size = combinations(scope)
        if size <= SURELY:
            return self._listing(scope).bound(size)
        if sum(variable.size > 1 for variable in scope.variables) > MOST_VARIABLES:
            bound = float(size) if size < sys.float_info.max else math.inf
            return Prospect(bound, bound, bound)
        return self._listing(scope).estimate(MAX_TRIED)

    def accepts(self, scope: Scope) -> Refusal | None:
        found = self.estimate(scope)
        held = found.allowed * len(scope.variables) + found.numbers
        if found.tried > MAX_TRIED:
            what = f"the scope has {_rounded(combinations(scope))} configurations, and too many would be tried"
            most = MAX_TRIED
        elif found.allowed > MAX_ALLOWED:
            what, most = f"about {_rounded(round(found.allowed))} configurations are allowed", MAX_ALLOWED
        elif held > MAX_HELD:
            what, most = f"about {_rounded(round(held))} numbers would be kept", MAX_HELD
        else:
            return None
        return Refusal(Code.SCOPE_TOO_LARGE, f"{what}; backend 'table' takes up to {most:,}")

    def compile(self, scope: Scope) -> "PreparedTable":
        return PreparedTable(scope, self._listing(scope))

    def _listing(self, scope: Scope) -> PointList:
        """The one of scopes like this, if there is one."""
        lately = self._lately
        if lately is not None and lately[0]() is scope:
            return lately[1]
        key = likeness(scope)
        found = self._alike.get(key)
        if found is None:
            found = self._alike.setdefault(key, PointList(scope))
        self._lately = weakref.ref(scope), found
        return found


def _rounded(count: int) -> str:
    return f"{count:.3g}" if count < sys.float_info.max else f"1e+{math.floor(math.log10(count))}"


class PreparedTable:
    """One scope: the names of what is listed."""

    def __init__(self, scope: Scope, listing: PointList) -> None:
        self._listing, self._variables = listing, scope.variables
        self._position = {variable.name: at for at, variable in enumerate(scope.variables)}
        self._context, self._coding = context_names(scope), scope.registers.registers.coding
        self._values: list[Sequence[Value] | None] = [
            [value_at(v, place) for place in range(v.size)] if v.size <= FEW else None for v in scope.variables
        ]

    def solve(self, request: Request, options: Options) -> Reply:
        codes = [self._coding.code(request.context[name]) for name in self._context]
        rows = ((self._position[name], value) for name, value in request.fixed.items())
        places = {row: place_of(self._variables[row], value) for row, value in rows}
        found = self._listing.best(Wanted(request.weights, request.sense, codes, places, request.floor))
        if found is None:
            return Reply(Status.INFEASIBLE)
        values = {
            variable.name: value_at(variable, place) if known is None else known[place]
            for variable, known, place in zip(self._variables, self._values, found.point.tolist(), strict=True)
        }
        return Reply(Status.OPTIMAL, StopReason.PROVED, values, found.objective, found.objective)
