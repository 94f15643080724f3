"""`auto`: enumeration where a scope allows few configurations for what its model is, CP-SAT elsewhere."""

import math
from collections.abc import Mapping
from dataclasses import replace

from pcl_backends.cpsat import CpSatBackend
from pcl_backends.table import Prospect, TableBackend
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import Operation, Value
from pcl_core.solve import (
    Availability,
    Backend,
    Capability,
    Options,
    Prepared,
    Refusal,
    Scope,
    first_taker,
    reach_of,
    refusal_of,
)

A_SOLVE, A_POINT, A_NUMBER, A_TRIED = 0.15, 5.5e-6, 1e-6, 5e-5
"""Milliseconds of enumeration, roughly: a solve, each allowed point of it, each number that is multiplied, and each point
that is tried once, at first.
"""
SOLVES = 100
"""Listing is shared out among so many solves, about what an elicitation asks of a part."""
A_MODEL, A_COLUMN = 0.5, 0.025
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

    def reach_in(self, scope: Scope) -> int:
        return reach_of(self._chosen(scope) or self._cpsat, scope)

    def accepts(self, scope: Scope) -> Refusal | None:
        return None if self._chosen(scope) is not None else self._refusal(scope)

    def _chosen(self, scope: Scope) -> Backend | None:
        """Whoever is expected to be faster; the other one where the first does not take the scope, or would have to round.

        It follows from the scope alone, so that the same seed gives the same file on every machine.
        """
        listing = enumerating(self._table.estimate(scope))
        faster: list[Backend] = [self._table, self._cpsat]
        found = first_taker(faster if listing <= A_MODEL or listing <= solving(scope) else faster[::-1], scope)
        if found is self._cpsat and reach_of(found, scope) < self._table.reach:
            return first_taker([self._table], scope) or found
        return found

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


def enumerating(expected: Prospect) -> float:
    """Milliseconds of a solve by enumeration, roughly, with its share of the first one."""
    each = A_SOLVE + A_POINT * expected.allowed + A_NUMBER * expected.numbers
    return each + A_TRIED / SOLVES * expected.tried


FREE = frozenset({Operation.VARIABLE, Operation.CONSTANT, Operation.LINEAR, Operation.LOOKUP})
"""Operations that need no column of their own."""
AN_EXTREME = 3
"""What each argument of a minimum or maximum counts."""
EXTREMES = frozenset({Operation.MIN, Operation.MAX})


def solving(scope: Scope) -> float:
    """Milliseconds of a solve by CP-SAT, roughly, from the columns that its model has.

    A label is a column for each value, and so is a number that a table is read at. Keys that a table is read at together
    have a column for each combination, whatever the number of such tables. Comparisons and products have one; of minima and
    maxima each argument needs a literal and two rows. What a constraint is as a whole needs none.
    """
    registers, roots = scope.registers.registers, frozenset(scope.registers.constraints)
    own = {registers.variables[v.name]: v for v in scope.variables if v.name in registers.variables}
    lookups = [register for register in registers.items if register.operation is Operation.LOOKUP]
    read = {arg for register in lookups for arg in register.args}
    columns = sum(v.size if at in read or registers.is_labelled(v.name) else 1 for at, v in own.items())
    sizes = {number: variable.size for number, variable in own.items()}
    sizes |= {register.number: 1 for register in registers.items if register.operation is Operation.CONSTANT}
    for register in registers.items:
        if register.operation not in FREE and register.number not in roots:
            columns += AN_EXTREME * len(register.args) if register.operation in EXTREMES else 1
    for keys in {register.args for register in lookups if len(register.args) > 1}:
        columns += min(math.prod([sizes.get(key, len(registers.entries)) for key in keys]), len(registers.entries))
    return A_MODEL + A_COLUMN * columns
