"""`cvxpy`: CVXPY, with HiGHS, SCIP or SciPy's solver.

One affine matrix form whose numbers are Parameters: after the first solve CVXPY skips its reductions.
"""

import importlib.util
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from pcl_backends.apart import Limited, Workshop
from pcl_backends.attempts import Clock, decided
from pcl_backends.highs import HIGHS_ATTEMPTS, HIGHS_OPTIONS, HIGHS_RANGE
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.plugins import version_of
from pcl_core.solve import (
    COMMON_REACH,
    Availability,
    Capability,
    Floor,
    Instance,
    LinearProgram,
    LinearRange,
    Options,
    Prepared,
    Refusal,
    Reply,
    Request,
    Said,
    Scope,
    StopReason,
    concluded,
    settled,
)

ONE_AT_A_TIME = threading.RLock()
"""CVXPY numbers variables with a counter of the whole process, and two threads can get the same number."""
RANGES = {"highs": HIGHS_RANGE, "scip": LinearRange(columns=10**6, activity=10**7), "scipy": HIGHS_RANGE}
SOLVERS = {"highs": "highspy", "scip": "pyscipopt", "scipy": "scipy"}


class CvxpyBackend:
    """CVXPY, from the package cvxpy."""

    name = "cvxpy"
    capabilities: frozenset[Capability] = frozenset({Capability.TIME_LIMIT, Capability.SHARED})

    def __init__(self, solver: str | None = None) -> None:
        self._solver = (solver or "highs").lower()
        if self._solver not in SOLVERS:
            message = f"backend 'cvxpy' has no solver '{self._solver:.60}'"
            raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(self._solver, SOLVERS)))
        self._workshop = Workshop(f"{self.name}:{self._solver}")

    def availability(self) -> Availability:
        if importlib.util.find_spec("cvxpy") is None:
            return Availability(False, reason="cvxpy is not installed", fix="pip install 'pcl-elicit[cvxpy]'")
        found = tuple(name for name, module in SOLVERS.items() if importlib.util.find_spec(module) is not None)
        version = f"cvxpy {version_of('cvxpy')}"
        if self._solver not in found:
            package = SOLVERS[self._solver]
            return Availability(False, version, found, f"{package} is not installed", f"pip install {package}")
        return Availability(True, version, found)

    reach = COMMON_REACH

    def accepts(self, scope: Scope) -> Refusal | None:
        return RANGES[self._solver].refusal(scope, self.name)

    def compile(self, scope: Scope) -> Prepared:
        """SCIP has overrun limits and crashed: it is always apart. The others are apart when there is a limit."""
        if self._solver == "scip":
            return self._workshop.prepared(scope)
        return Limited(self.compile_here, scope, self._workshop)

    def compile_here(self, scope: Scope) -> "PreparedCvxpy":
        return PreparedCvxpy(scope, self._solver)


class PreparedCvxpy:
    """One scope as a parametrised CVXPY problem.

    minimise cost·x  subject to  A·x <= limit (an equality is two rows),  low <= x <= high

    The time CVXPY takes to compile it grows with the number of parameters. Requests that fix variables or have a
    floor get problems of their own, with more parameters: tighter bounds, F·(x, carries) <= floor.
    """

    def __init__(self, scope: Scope, solver: str) -> None:
        self._scope, self._solver = scope, solver
        with ONE_AT_A_TIME:
            self._build(scope)

    def _build(self, scope: Scope) -> None:
        import cvxpy as cp
        import scipy.sparse

        self._program = program = LinearProgram(scope)
        self._count = count = len(program.low)
        self._equal = [at for at, row in enumerate(program.rows) if row.equal]
        self._x = cp.Variable(count, integer=True, bounds=[np.array(program.low), np.array(program.high)])
        self._cost, self._low, self._high = cp.Parameter(count), cp.Parameter(count), cp.Parameter(count)
        signed = [(1, row) for row in program.rows] + [(-1, program.rows[at]) for at in self._equal]
        entries = [
            (at, column, sign * coef)
            for at, (sign, row) in enumerate(signed)
            for column, coef in zip(row.columns, row.coefs, strict=True)
        ]
        if entries:
            rows, columns, coefs = zip(*entries, strict=True)
            matrix = scipy.sparse.csc_matrix((coefs, (rows, columns)), shape=(len(signed), count), dtype=float)
            self._limit = cp.Parameter(len(signed))
            self._rows = matrix @ self._x <= self._limit
        else:  # a problem without any row is a special case that not every interface knows
            self._rows = self._x <= np.array(program.high)
        self._problems: dict[tuple[bool, int], tuple[Any, _FloorRows | None]] = {}

    def _problem(self, request: Request, floor: Floor | None) -> Any:
        """The problem with the parameters that a request needs."""
        import cvxpy as cp

        key = (bool(request.fixed), 0 if floor is None else len(floor.rows))
        if key not in self._problems:
            constraints = [self._rows]
            if request.fixed:
                constraints += [self._x >= self._low, self._x <= self._high]
            rows = None if floor is None else _FloorRows(self._x, len(floor.rows))
            constraints += [] if rows is None else rows.constraints
            self._problems[key] = (cp.Problem(cp.Minimize(self._cost @ self._x), constraints), rows)
        problem, rows = self._problems[key]
        if rows is not None and floor is not None:
            rows.update(floor, self._count)
        return problem

    def solve(self, request: Request, options: Options) -> Reply:
        clock = Clock(options.time_limit)
        instance = self._program.instance(request)
        known = settled(self._program, instance, request)
        if known is not None:
            return known
        with ONE_AT_A_TIME:
            self._update(instance, request)
            problem = self._problem(request, instance.floor)
            return decided(self._scope, request, clock, self._attempts(problem, instance, request, clock))

    def _update(self, instance: Instance, request: Request) -> None:
        row = np.zeros(self._count)
        row[list(instance.objective.columns)] = instance.objective.coefs
        self._cost.value = -row if request.sense == "max" else row
        if request.fixed:
            self._low.value, self._high.value = np.array(instance.low, float), np.array(instance.high, float)
        if instance.sides:
            self._limit.value = np.array([*instance.sides, *(-instance.sides[at] for at in self._equal)], dtype=float)

    def _attempts(self, problem: Any, instance: Instance, request: Request, clock: Clock) -> Iterator[Reply | None]:
        import cvxpy as cp

        for parameters in parameters_for(self._solver):
            said: Said = Said.NOTHING
            self._x.value = None
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # "solution may be inaccurate": the status below says so too
                    problem.solve(
                        solver=self._solver.upper(),
                        canon_backend=cp.COO_CANON_BACKEND,
                        **with_limit(self._solver, parameters, clock.left),
                    )
                kinds = {cp.OPTIMAL: Said.OPTIMAL, cp.INFEASIBLE: Said.INFEASIBLE, cp.USER_LIMIT: Said.STOPPED}
                said = kinds.get(problem.status, Said.NOTHING)
            except cp.error.SolverError:  # how CVXPY puts a limit before anything was found, and failures
                pass
            # SCIP and SciPy call what a limit left them optimal, or inaccurate.
            if clock.over and said is not Said.INFEASIBLE:
                said = Said.STOPPED
            limit = StopReason.TIME_LIMIT if clock.limit is not None and said in (Said.STOPPED, Said.NOTHING) else None
            found = None if self._x.value is None else self._x.value.tolist()
            yield concluded(self._program, instance, request, said, found, limit)


class _FloorRows:
    """Rows for a floor, over the columns and carries of their own."""

    def __init__(self, x: Any, levels: int) -> None:
        import cvxpy as cp

        self._rows = [cp.Parameter(x.size) for _ in range(levels)]
        self._sides = cp.Parameter(levels)
        many = max(1, levels - 1)  # there are no empty parameters
        self._base, self._low, self._high = cp.Parameter(), cp.Parameter(many), cp.Parameter(many)
        self._carries = cp.Variable(many, integer=True)
        self.constraints: list[Any] = []
        for at, row in enumerate(self._rows):
            total = row @ x
            if at:
                total = total + self._carries[at - 1]
            if at < levels - 1:
                total = total - self._base * self._carries[at]
            self.constraints.append(total <= self._sides[at])
        if levels > 1:
            self.constraints += [self._carries >= self._low, self._carries <= self._high]

    def update(self, floor: Floor, count: int) -> None:
        for parameter, row in zip(self._rows, floor.rows, strict=True):
            value = np.zeros(count)
            mine = [(column, coef) for column, coef in zip(row.columns, row.coefs, strict=True) if column < count]
            value[[column for column, _ in mine]] = [coef for _, coef in mine]
            parameter.value = value
        self._sides.value = np.array(floor.sides, dtype=float)
        if floor.carries:
            self._base.value = float(-floor.rows[0].coefs[-1])
            self._low.value, self._high.value = (
                np.array(ends, dtype=float) for ends in zip(*floor.carries, strict=True)
            )


def parameters_for(solver: str) -> tuple[dict[str, Any], ...]:
    """The ways in which a solver is asked, one after the other, while what it says contradicts itself."""
    match solver:
        case "highs":
            common = {"mip_rel_gap": 0.0, "mip_abs_gap": 0.0, **HIGHS_OPTIONS}
            return tuple(common | attempt for attempt in HIGHS_ATTEMPTS)
        case "scip":
            common = {"limits/gap": 0.0, "limits/absgap": 0.0, "numerics/feastol": 1e-9}
            return (common, common | {"presolving/maxrounds": 0, "separating/maxrounds": 0})
        case _:
            return ({"mip_rel_gap": 0.0, "presolve": False}, {"mip_rel_gap": 0.0})


def with_limit(solver: str, parameters: dict[str, Any], seconds: float | None) -> dict[str, Any]:
    """The parameters of a solver as CVXPY takes them."""
    name = "limits/time" if solver == "scip" else "time_limit"
    limit = {} if seconds is None else {name: seconds}
    place = {"highs": "highs_options", "scip": "scip_params", "scipy": "scipy_options"}[solver]
    return {place: parameters | limit}
