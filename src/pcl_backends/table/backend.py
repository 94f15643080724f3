"""`table`: exact, vectorised enumeration, for scopes with few configurations.

The allowed configurations of a scope are listed once, pruned by constraints as soon as their variables have
values. A utility is then a sum of small tables: each term of each feature depends on a few variables only, so
its weighted sum is computed over the distinct values of those and spread over all points by one look-up.
"""

import math
import sys
import weakref
from collections.abc import Hashable

import numpy as np

from pcl_backends.table.listing import PointList, Prospect, Wanted
from pcl_backends.table.tabulate import context_names, likeness
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import place_of, value_at
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
MAX_TRIED, MAX_ALLOWED = 2**23, 2**20
"""Scopes of which more points would be tried, or allowed, are refused: they would take seconds and hundreds of megabytes."""


def size_of(scope: Scope) -> int:
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
        size = size_of(scope)
        if size <= SURELY or sum(variable.size > 1 for variable in scope.variables) > MOST_VARIABLES:
            bound = float(size) if size < sys.float_info.max else math.inf
            return Prospect(bound, bound)
        return self._listing(scope).estimate(MAX_TRIED)

    def accepts(self, scope: Scope) -> Refusal | None:
        found = self.estimate(scope)
        if found.tried <= MAX_TRIED and found.allowed <= MAX_ALLOWED:
            return None
        if found.tried > MAX_TRIED:
            what, most = (
                f"the scope has {_rounded(size_of(scope))} configurations, and too many would be tried",
                MAX_TRIED,
            )
        else:
            what, most = f"about {_rounded(round(found.allowed))} configurations are allowed", MAX_ALLOWED
        message = f"{what}; backend 'table' takes up to {most:,}"
        return Refusal(Code.SCOPE_TOO_LARGE, message)

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

    def solve(self, request: Request, options: Options) -> Reply:
        codes = [self._coding.code(request.context[name]) for name in self._context]
        fixed = {self._position[name]: value for name, value in request.fixed.items()}
        places = {row: place_of(self._variables[row], value) for row, value in fixed.items()}
        found = self._listing.best(Wanted(request.weights, request.sense, codes, places, request.floor))
        if found is None:
            return Reply(Status.INFEASIBLE)
        pairs = zip(self._variables, found.point.tolist(), strict=True)
        values = {variable.name: value_at(variable, place) for variable, place in pairs}
        return Reply(Status.OPTIMAL, StopReason.PROVED, values, found.objective, found.objective)
