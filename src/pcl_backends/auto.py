"""`auto`: enumeration where a scope is small, CP-SAT elsewhere."""

from collections.abc import Mapping
from dataclasses import replace

from pcl_backends.cpsat import CpSatBackend
from pcl_backends.table import TableBackend, size_of
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import Value
from pcl_core.solve import Availability, Backend, Capability, Options, Prepared, Refusal, Scope, first_taker, refusal_of

QUICKER = 2**17
"""Up to this many combinations of values enumeration is the faster of the two."""
STILL_QUICK = 2**20
"""Up to this many it still takes less than a second, for what has numbers too large for CP-SAT."""


class AutoBackend:
    """Chooses for each scope; one that is small needs no solver at all.

    Limits go to CP-SAT. What is small enough to be enumerated takes milliseconds on one core, whatever they are.
    """

    name = "auto"
    capabilities: frozenset[Capability] = frozenset(Capability)

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'auto' has no solvers to choose from"))
        self._table, self._cpsat = TableBackend(), CpSatBackend()

    def availability(self) -> Availability:
        found = self._cpsat.availability()
        note = found.version if found.available else "small scopes only: " + found.reason
        return Availability(True, f"table, {note}", fix="" if found.available else found.fix)

    @property
    def reach(self) -> int:
        return min(self._table.reach, self._cpsat.reach)

    def accepts(self, scope: Scope) -> Refusal | None:
        return None if self._chosen(scope) is not None else self._refusal(scope)

    def _chosen(self, scope: Scope) -> Backend | None:
        """Enumeration for a small scope, else CP-SAT; the other one where the first does not take the scope."""
        size = size_of(scope)
        if size > STILL_QUICK:
            return first_taker([self._cpsat], scope)
        return first_taker([self._table, self._cpsat] if size <= QUICKER else [self._cpsat, self._table], scope)

    def _refusal(self, scope: Scope) -> Refusal | None:
        found = refusal_of(self._cpsat, scope)
        if found is not None and found.code is Code.MISSING_DEPENDENCY:
            return replace(found, message=f"the scope is too large to enumerate, and {found.message}")
        return found

    def compile(self, scope: Scope) -> Prepared:
        return (self._chosen(scope) or self._cpsat).compile(scope)

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        """CP-SAT's conflict where CP-SAT is there."""
        return self._cpsat.conflict(scope, context, options) if self._cpsat.availability().available else None
