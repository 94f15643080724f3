"""`scip`: SCIP as a backend of pcl, through PySCIPOpt.

The rows are built once. A solve changes their sides, the bounds of columns and the objective.
"""

import importlib.metadata
import importlib.util
import math
from dataclasses import replace
from typing import Any

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.solve import (
    COMMON_REACH,
    Availability,
    Capability,
    Instance,
    LinearProgram,
    LinearRange,
    Options,
    Refusal,
    Reply,
    Request,
    Said,
    Scope,
    Status,
    StopReason,
    concluded,
    settled,
)

TOLERANCE = 1e-9
"""How far SCIP lets a value be from a whole number."""
RANGE = LinearRange(columns=10**7, activity=10**8)
"""SCIP's tolerance is relative: of this it is a tenth of a unit."""
STATUSES = {"optimal": Said.OPTIMAL, "infeasible": Said.INFEASIBLE, "inforunbd": Said.INFEASIBLE}
"""Every column is bounded, so nothing is unbounded."""
FAR = 2**31
"""SCIP makes a column that begins with bounds of 0 and 1 a binary one, which cannot have others later."""
PARAMETERS = {
    "limits/gap": 0.0,
    "limits/absgap": 0.0,
    "limits/maxorigsol": 0,  # a solve starts without the solutions of the one before
    "numerics/feastol": TOLERANCE,
}


class ScipBackend:
    """SCIP, from the package pyscipopt.

    No threads: a model that SCIP has solved concurrently cannot be changed and solved again.
    """

    name = "scip"
    capabilities: frozenset[Capability] = frozenset({Capability.TIME_LIMIT, Capability.SEED, Capability.BOUND})

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'scip' has no solvers to choose from"))

    def availability(self) -> Availability:
        if importlib.util.find_spec("pyscipopt") is None:
            return Availability(False, reason="pyscipopt is not installed", fix="pip install pyscipopt")
        return Availability(True, f"pyscipopt {importlib.metadata.version('pyscipopt')}")

    reach = COMMON_REACH

    def accepts(self, scope: Scope) -> Refusal | None:
        return RANGE.refusal(scope, self.name)

    def compile(self, scope: Scope) -> "PreparedScip":
        return PreparedScip(scope)


class PreparedScip:
    """One scope as a SCIP model that is changed in place."""

    def __init__(self, scope: Scope) -> None:
        import pyscipopt

        self._program = program = LinearProgram(scope)
        self._sum = pyscipopt.quicksum
        self._model: Any = pyscipopt.Model()
        self._model.hideOutput()
        self._model.setParams(PARAMETERS)
        self._columns: list[Any] = [
            self._model.addVar(vtype="I", lb=low, ub=high) for low, high in zip(program.low, program.high, strict=True)
        ]
        self._carries: list[Any] = []
        # The sides of the rows come with each request.
        self._rows: list[Any] = [self._model.addCons(self._terms(row.columns, row.coefs) <= 0) for row in program.rows]

    def _terms(self, columns: tuple[int, ...], coefs: tuple[int, ...]) -> Any:
        known = [*self._columns, *self._carries]
        return self._sum(coef * known[column] for column, coef in zip(columns, coefs, strict=True))

    def solve(self, request: Request, options: Options) -> Reply:
        instance = self._program.instance(request)
        known = settled(self._program, instance, request)
        if known is not None:
            return known
        floor = self._update(instance, request)
        self._model.setParam("limits/time", 1e20 if options.time_limit is None else min(options.time_limit, 1e20))
        self._model.setParam("randomization/randomseedshift", (options.seed or 0) % 2**31)
        try:
            self._model.optimize()
            return self._answer(instance, request)
        finally:
            self._model.freeTransform()
            for row in floor:
                self._model.delCons(row)

    def _update(self, instance: Instance, request: Request) -> list[Any]:
        """Put the request into the model; the rows of the floor, if there is one, are returned."""
        for row, made, side in zip(self._program.rows, self._rows, instance.sides, strict=True):
            if row.equal:
                self._model.chgLhs(made, side)
            self._model.chgRhs(made, side)
        floor = instance.floor
        carries = () if floor is None else floor.carries
        while len(self._carries) < len(carries):
            self._carries.append(self._model.addVar(vtype="I", lb=-FAR, ub=FAR))
        spare = [(0, 0)] * (len(self._carries) - len(carries))
        bounds = [*zip(instance.low, instance.high, strict=True), *carries, *spare]
        for column, (low, high) in zip([*self._columns, *self._carries], bounds, strict=True):
            self._model.chgVarLb(column, min(low, column.getUbOriginal()))  # so that bounds never cross on the way
            self._model.chgVarUb(column, high)
            self._model.chgVarLb(column, low)
        form = instance.objective
        objective = self._terms(form.columns, form.coefs)
        self._model.setObjective(objective, "maximize" if request.sense == "max" else "minimize")
        if floor is None:
            return []
        pairs = zip(floor.rows, floor.sides, strict=True)
        return [self._model.addCons(self._terms(row.columns, row.coefs) <= side) for row, side in pairs]

    def _answer(self, instance: Instance, request: Request) -> Reply:
        status = self._model.getStatus()
        said = STATUSES.get(status, Said.STOPPED)
        limits = {"timelimit": StopReason.TIME_LIMIT, "userinterrupt": StopReason.INTERRUPTED}
        reason = limits.get(status, StopReason.OTHER_LIMIT)
        best = self._model.getBestSol()
        found = None if best is None else [self._model.getSolVal(best, column) for column in self._columns]
        answer = concluded(self._program, instance, request, said, found, reason)
        if answer is None:  # SCIP says optimal, but of values that break a row
            return Reply(Status.UNKNOWN, reason)
        bound, noise = self._model.getDualbound() + instance.objective.constant, _noise(instance)
        if answer.status is not Status.FEASIBLE or self._model.isInfinity(abs(bound)):  # stopped before there was one
            return answer
        safe = math.floor(bound + noise) if request.sense == "max" else math.ceil(bound - noise)
        return replace(answer, bound=safe)


def _noise(instance: Instance) -> float:
    """How far SCIP's objective can be from ours, when each column is a little off a whole number."""
    form = instance.objective
    sizes = [max(abs(instance.low[column]), abs(instance.high[column]), 1) for column in form.columns]
    return TOLERANCE * (1 + sum(abs(coef) * size for coef, size in zip(form.coefs, sizes, strict=True)))
