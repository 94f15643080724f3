"""`scip`: SCIP as a backend of pcl, through PySCIPOpt.

The rows are built once. A solve changes their sides, the bounds of columns and the objective.
"""

import importlib.metadata
import importlib.util
import math
from typing import Any

from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.solve.program import Instance, LinearProgram, rounded, total
from pcl_core.solve.protocol import (
    Answer,
    Availability,
    Capability,
    Options,
    Reason,
    Refusal,
    Request,
    Status,
)

TOLERANCE = 1e-9
"""How far SCIP lets a value be from a whole number."""
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

    reach = 10**9

    def accepts(self, scope: Scope) -> Refusal | None:
        return None

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
        # The sides of the rows come with each request.
        self._rows: list[Any] = [self._model.addCons(self._terms(row.columns, row.coefs) <= 0) for row in program.rows]

    def _terms(self, columns: tuple[int, ...], coefs: tuple[int, ...]) -> Any:
        return self._sum(coef * self._columns[column] for column, coef in zip(columns, coefs, strict=True))

    def solve(self, request: Request, options: Options) -> Answer:
        instance = self._program.instance(request)
        if instance.fails or self._constant_below_floor(instance, request):
            return Answer(Status.INFEASIBLE)
        floor = self._update(instance, request)
        self._model.setParam("limits/time", 1e20 if options.time_limit is None else min(options.time_limit, 1e20))
        self._model.setParam("randomization/randomseedshift", (options.seed or 0) % 2**31)
        try:
            self._model.optimize()
            return self._answer(instance, request)
        finally:
            self._model.freeTransform()
            if floor is not None:
                self._model.delCons(floor)

    @staticmethod
    def _constant_below_floor(instance: Instance, request: Request) -> bool:
        """An objective without columns has one value, and SCIP takes no row without columns."""
        form = instance.objective
        return request.floor is not None and not form.columns and form.constant < request.floor

    def _update(self, instance: Instance, request: Request) -> Any:
        """Put the request into the model; the row of the floor, if there is one, is returned."""
        for row, lower, upper in zip(self._rows, instance.row_lower, instance.row_upper, strict=True):
            self._model.chgLhs(row, lower)
            self._model.chgRhs(row, upper)
        widest = self._program.low
        for column, least, low, high in zip(self._columns, widest, instance.low, instance.high, strict=True):
            self._model.chgVarLb(column, least)  # so that bounds never cross on the way
            self._model.chgVarUb(column, high)
            self._model.chgVarLb(column, low)
        form = instance.objective
        objective = self._terms(form.columns, form.coefs)
        self._model.setObjective(objective, "maximize" if request.sense == "max" else "minimize")
        if request.floor is None or not form.columns:
            return None
        return self._model.addCons(objective >= request.floor - form.constant)

    def _answer(self, instance: Instance, request: Request) -> Answer:
        said = self._model.getStatus()
        if said in ("infeasible", "inforunbd"):  # every column is bounded, so nothing is unbounded
            return Answer(Status.INFEASIBLE)
        limits = {"timelimit": Reason.TIME_LIMIT, "userinterrupt": Reason.INTERRUPTED}
        reason = limits.get(said, Reason.OTHER_LIMIT)
        best = self._model.getBestSol()
        found = None if best is None else [self._model.getSolVal(best, column) for column in self._columns]
        values = None if found is None else rounded(found, self._program, instance)
        if values is None:
            return Answer(Status.UNKNOWN, reason)
        objective = total(instance.objective, values)
        if request.floor is not None and objective < request.floor:
            return Answer(Status.UNKNOWN, reason)
        decoded = self._program.decode(values)
        bound, noise = self._model.getDualbound() + instance.objective.constant, _noise(instance)
        if said == "optimal" and abs(bound - objective) <= noise:
            return Answer(Status.OPTIMAL, Reason.PROVED, decoded, objective, objective)
        if self._model.isInfinity(abs(bound)):  # stopped before there was one
            return Answer(Status.FEASIBLE, reason, decoded, objective)
        safe = math.floor(bound + noise) if request.sense == "max" else math.ceil(bound - noise)
        return Answer(Status.FEASIBLE, reason, decoded, objective, safe)


def _noise(instance: Instance) -> float:
    """How far SCIP's objective can be from ours, when each column is a little off a whole number."""
    form = instance.objective
    sizes = [max(abs(instance.low[column]), abs(instance.high[column]), 1) for column in form.columns]
    return TOLERANCE * (1 + sum(abs(coef) * size for coef, size in zip(form.coefs, sizes, strict=True)))
