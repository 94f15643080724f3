"""`auto`: enumeration where a scope allows few configurations for what its model is, CP-SAT elsewhere."""

from collections.abc import Mapping
from dataclasses import replace

from pcl_backends.cpsat import CpSatBackend
from pcl_backends.table import TableBackend
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import Operation, Value
from pcl_core.solve import Availability, Backend, Capability, Options, Prepared, Refusal, Scope, first_taker, refusal_of

A_SOLVE, A_POINT, A_TRIED = 0.15, 5.5e-6, 1e-4
"""Milliseconds of enumeration, roughly: a solve, each allowed point of it, and each point that is tried once, at first."""
SOLVES = 500
"""Listing is shared out among so many solves."""
A_MODEL, A_COLUMN = 1.0, 0.05
"""Milliseconds of CP-SAT, roughly: a solve, and each column of its model."""


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
        """Whoever is expected to be faster; the other one where the first does not take the scope.

        It follows from the scope alone, so that the same seed gives the same file on every machine.
        """
        expected = self._table.estimate(scope)
        listing = A_SOLVE + A_POINT * expected.allowed + A_TRIED / SOLVES * expected.tried
        faster: list[Backend] = [self._table, self._cpsat]
        return first_taker(faster if listing <= A_MODEL or listing <= solving(scope) else faster[::-1], scope)

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


FREE = frozenset({Operation.VARIABLE, Operation.CONSTANT, Operation.LINEAR, Operation.LOOKUP})
"""Operations that need no column of their own."""


def solving(scope: Scope) -> float:
    """Milliseconds of a solve by CP-SAT, roughly, from the columns that its model has.

    A label is a column for each value, and so is a number that a table is read at. A table of several keys has a column for
    each entry. Comparisons, minima, maxima and products have one.
    """
    registers = scope.registers.registers
    own = {registers.variables[v.name]: v for v in scope.variables if v.name in registers.variables}
    read = {arg for register in registers.items if register.operation is Operation.LOOKUP for arg in register.args}
    columns = sum(v.size if at in read or registers.is_labelled(v.name) else 1 for at, v in own.items())
    columns += sum(register.operation not in FREE for register in registers.items)
    several = sum(register.operation is Operation.LOOKUP and len(register.args) > 1 for register in registers.items)
    return A_MODEL + A_COLUMN * (columns + several * len(registers.entries))
