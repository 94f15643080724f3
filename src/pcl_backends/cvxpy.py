"""`cvxpy`: CVXPY, with HiGHS, SCIP or SciPy's solver.

One affine matrix form whose numbers are Parameters: after the first solve CVXPY skips its reductions.
"""

import importlib.metadata
import importlib.util
import warnings
from typing import Any

import numpy as np

from pcl_backends.highs import HIGHS_OPTIONS
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.solve.program import Instance, LinearProgram, rounded, total
from pcl_core.solve.protocol import (
    COMMON_REACH,
    Answer,
    Availability,
    Capability,
    Options,
    Reason,
    Refusal,
    Request,
    Status,
)

LONGEST = 1e9
"""Seconds, a human generation: solvers refuse limits that are much longer."""
SOLVERS = {"highs": "highspy", "scip": "pyscipopt", "scipy": "scipy"}


class CvxpyBackend:
    """CVXPY, from the package cvxpy."""

    name = "cvxpy"
    capabilities: frozenset[Capability] = frozenset({Capability.TIME_LIMIT})

    def __init__(self, solver: str | None = None) -> None:
        self._solver = (solver or "highs").lower()
        if self._solver not in SOLVERS:
            message = f"backend 'cvxpy' has no solver '{self._solver:.60}'"
            raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(self._solver, SOLVERS)))

    def availability(self) -> Availability:
        if importlib.util.find_spec("cvxpy") is None:
            return Availability(False, reason="cvxpy is not installed", fix="pip install 'pcl-elicit[cvxpy]'")
        found = tuple(name for name, module in SOLVERS.items() if importlib.util.find_spec(module) is not None)
        version = f"cvxpy {importlib.metadata.version('cvxpy')}"
        if self._solver not in found:
            package = SOLVERS[self._solver]
            return Availability(False, version, found, f"{package} is not installed", f"pip install {package}")
        return Availability(True, version, found)

    reach = COMMON_REACH

    def accepts(self, scope: Scope) -> Refusal | None:
        return None

    def compile(self, scope: Scope) -> "PreparedCvxpy":
        return PreparedCvxpy(scope, self._solver)


class PreparedCvxpy:
    """One scope as a parametrised CVXPY problem.

    minimise cost·x  subject to  A·x <= limit (where a row has a lower bound, -A·x <= -lower),  low <= x <= high

    The time CVXPY takes to compile it grows with the number of parameters. Requests that fix variables or have a
    floor get problems of their own, with more parameters: tighter bounds, floor_row·x >= floor.
    """

    def __init__(self, scope: Scope, solver: str) -> None:
        import cvxpy as cp
        import scipy.sparse

        self._solver = solver
        self._program = program = LinearProgram(scope)
        count = len(program.names)
        self._upper_rows = [at for at, row in enumerate(program.rows) if row.upper is not None]
        self._lower_rows = [at for at, row in enumerate(program.rows) if row.lower is not None]
        self._x = cp.Variable(count, integer=True, bounds=[np.array(program.low), np.array(program.high)])
        self._cost, self._floor_row = cp.Parameter(count), cp.Parameter(count)
        self._low, self._high, self._floor = cp.Parameter(count), cp.Parameter(count), cp.Parameter()
        entries: list[tuple[int, int, int]] = []
        for sign, chosen, start in ((1, self._upper_rows, 0), (-1, self._lower_rows, len(self._upper_rows))):
            for offset, at in enumerate(chosen):
                row = program.rows[at]
                entries += [(start + offset, c, sign * k) for c, k in zip(row.columns, row.coefs, strict=True)]
        if entries:
            rows, columns, coefs = zip(*entries, strict=True)
            shape = (len(self._upper_rows) + len(self._lower_rows), count)
            matrix = scipy.sparse.csc_matrix((coefs, (rows, columns)), shape=shape, dtype=float)
            self._limit = cp.Parameter(shape[0])
            self._rows = matrix @ self._x <= self._limit
        else:  # a problem without any row is a special case that not every interface knows
            self._rows = self._x <= np.array(program.high)
        self._problems: dict[tuple[bool, bool], Any] = {}

    def _problem(self, request: Request) -> Any:
        """The problem with the parameters that a request needs."""
        import cvxpy as cp

        key = (bool(request.fixed), request.floor is not None)
        if key not in self._problems:
            constraints = [self._rows]
            if request.fixed:
                constraints += [self._x >= self._low, self._x <= self._high]
            if request.floor is not None:
                constraints.append(self._floor_row @ self._x >= self._floor)
            self._problems[key] = cp.Problem(cp.Minimize(self._cost @ self._x), constraints)
        return self._problems[key]

    def solve(self, request: Request, options: Options) -> Answer:
        import cvxpy as cp

        instance = self._program.instance(request)
        if instance.fails:
            return Answer(Status.INFEASIBLE)
        self._update(instance, request)
        problem = self._problem(request)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "solution may be inaccurate": the status below says so too
                parameters = self._parameters(options)
                problem.solve(solver=self._solver.upper(), canon_backend=cp.COO_CANON_BACKEND, **parameters)
        except cp.error.SolverError:
            return Answer(Status.UNKNOWN, Reason.TIME_LIMIT if options.time_limit is not None else Reason.OTHER_LIMIT)
        return self._answer(problem, instance, request, options)

    def _update(self, instance: Instance, request: Request) -> None:
        count = len(self._program.names)
        row = np.zeros(count)
        row[list(instance.objective.columns)] = instance.objective.coefs
        self._cost.value = -row if request.sense == "max" else row
        if request.fixed:
            self._low.value, self._high.value = np.array(instance.low, float), np.array(instance.high, float)
        upper = [instance.row_upper[at] for at in self._upper_rows]
        lower = [instance.row_lower[at] for at in self._lower_rows]
        if upper or lower:
            self._limit.value = np.array([*upper, *(-bound for bound in lower if bound is not None)], dtype=float)
        if request.floor is not None:
            self._floor_row.value, self._floor.value = row, float(request.floor - instance.objective.constant)

    def _parameters(self, options: Options) -> dict[str, Any]:
        limit = None if options.time_limit is None else min(options.time_limit, LONGEST)
        match self._solver:
            case "highs":
                chosen: dict[str, Any] = {"mip_rel_gap": 0.0, "mip_abs_gap": 0.0, **HIGHS_OPTIONS}
                return {"highs_options": chosen | ({} if limit is None else {"time_limit": limit})}
            case "scip":
                chosen = {"limits/gap": 0.0, "limits/absgap": 0.0, "numerics/feastol": 1e-7}
                return {"scip_params": chosen | ({} if limit is None else {"limits/time": limit})}
            case _:
                return {"scipy_options": {"mip_rel_gap": 0.0} | ({} if limit is None else {"time_limit": limit})}

    def _answer(self, problem: Any, instance: Instance, request: Request, options: Options) -> Answer:
        import cvxpy as cp

        status = problem.status
        limit = Reason.TIME_LIMIT if options.time_limit is not None else Reason.OTHER_LIMIT
        if status == cp.INFEASIBLE:
            return Answer(Status.INFEASIBLE)
        values = None if self._x.value is None else rounded(self._x.value.tolist(), self._program, instance)
        if values is None:
            return Answer(Status.UNKNOWN, limit)
        objective = total(instance.objective, values)
        if request.floor is not None and objective < request.floor:
            return Answer(Status.UNKNOWN, limit)
        if status == cp.OPTIMAL:
            return Answer(Status.OPTIMAL, Reason.PROVED, self._program.decode(values), objective)
        return Answer(Status.FEASIBLE, limit, self._program.decode(values), objective)
