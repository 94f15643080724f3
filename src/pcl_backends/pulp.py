"""`pulp`: PuLP, with CBC from its wheel or with HiGHS.

The rows are built once. A solve changes right-hand sides, bounds and the objective.
"""

import importlib.metadata
import importlib.util
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pcl_backends.highs import HIGHS_OPTIONS
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.solve.program import Instance, LinearProgram, rounded, total
from pcl_core.solve.protocol import (
    COMMON_REACH,
    Answer,
    Availability,
    BackendContractError,
    Capability,
    Options,
    Reason,
    Refusal,
    Request,
    Status,
)

SOLVERS = ("cbc", "highs")
PLAIN_NODES = 100
"""CBC branches on small models faster than it prepares for it; what takes more nodes than this gets everything."""
PLAIN = ("cuts off", "heuristicsOnOff off", "preprocess off")


class PulpBackend:
    """PuLP, from the package pulp."""

    name = "pulp"

    def __init__(self, solver: str | None = None) -> None:
        self._solver = solver or SOLVERS[0]
        if self._solver not in SOLVERS:
            message = f"backend 'pulp' has no solver '{self._solver:.60}'"
            raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(self._solver, SOLVERS)))

    @property
    def capabilities(self) -> frozenset[Capability]:
        common = {Capability.TIME_LIMIT, Capability.SEED}
        # HiGHS fixes the number of threads of a process with its first solve.
        return frozenset(common if self._solver == "highs" else common | {Capability.THREADS})

    def availability(self) -> Availability:
        if importlib.util.find_spec("pulp") is None:
            return Availability(False, reason="pulp is not installed", fix="pip install 'pcl-elicit[pulp]'")
        found = SOLVERS if importlib.util.find_spec("highspy") is not None else SOLVERS[:1]
        version = f"pulp {importlib.metadata.version('pulp')}"
        if self._solver not in found:
            return Availability(False, version, found, "highspy is not installed", "pip install 'pcl-elicit[pulp]'")
        return Availability(True, version, found)

    reach = COMMON_REACH

    def accepts(self, scope: Scope) -> Refusal | None:
        return None

    def compile(self, scope: Scope) -> "PreparedPulp":
        return PreparedPulp(scope, self._solver)


class PreparedPulp:
    """One scope as a PuLP problem that is changed in place."""

    def __init__(self, scope: Scope, solver: str) -> None:
        self._solver = solver
        with _quiet():
            self._build(scope)

    def _build(self, scope: Scope) -> None:
        import pulp

        self._program = LinearProgram(scope)
        self._problem: Any = pulp.LpProblem("scope", pulp.LpMinimize)
        self._columns: list[Any] = [
            pulp.LpVariable(f"x{at}", low, high, cat=pulp.LpInteger)
            for at, (low, high) in enumerate(zip(self._program.low, self._program.high, strict=True))
        ]
        self._problem.addVariables(self._columns)
        self._rows: list[list[tuple[Any, bool]] | None] = [None] * len(self._program.rows)

    def _row(self, at: int) -> list[tuple[Any, bool]]:
        """The constraints of a row, each with whether it is the lower bound; made when a context first needs them."""
        import pulp

        found = self._rows[at]
        if found is None:
            row = self._program.rows[at]
            terms = [(self._columns[column], coef) for column, coef in zip(row.columns, row.coefs, strict=True)]
            if row.lower is not None and row.lower == row.upper:
                senses = [(pulp.LpConstraintEQ, True)]
            else:
                senses = [(pulp.LpConstraintGE, True)] if row.lower is not None else []
                senses += [(pulp.LpConstraintLE, False)] if row.upper is not None else []
            found = self._rows[at] = [
                (pulp.LpConstraint(pulp.LpAffineExpression(terms), sense, f"{'gl'[not lower]}{at}", 0), lower)
                for sense, lower in senses
            ]
        return found

    def solve(self, request: Request, options: Options) -> Answer:
        instance = self._program.instance(request)
        if instance.fails:
            return Answer(Status.INFEASIBLE)
        with _quiet():
            self._update(instance, request)
            started = time.perf_counter()
            left = options.time_limit
            if self._solver == "cbc":
                plain = self._plainly(instance, request, options)
                if plain is not None:
                    return plain
                left = None if left is None else left - (time.perf_counter() - started)
            if left is None or left > 0:
                self._run(self._command(options, left))
            late = options.time_limit is not None and time.perf_counter() - started >= options.time_limit
            return self._answer(instance, request, late)

    def _run(self, command: Any) -> None:
        import pulp

        try:
            self._problem.solve(command)
        except pulp.PulpSolverError as error:
            raise BackendContractError("pulp", f"could not run its solver: {error}") from error

    def _plainly(self, instance: Instance, request: Request, options: Options) -> Answer | None:
        """The optimum, if CBC finds it by branching alone; anything else it says this way is not believed."""
        import pulp

        try:
            self._problem.solve(self._command(options, options.time_limit, PLAIN_NODES))
        except pulp.PulpSolverError:  # without its preprocessing CBC crashes on a few models without solutions
            self._problem.assignStatus(pulp.LpStatusNotSolved)
            return None
        answer = self._answer(instance, request, False)
        return answer if answer.status is Status.OPTIMAL else None

    def _terms(self, instance: Instance) -> list[tuple[Any, int]]:
        pairs = zip(instance.objective.columns, instance.objective.coefs, strict=True)
        return [(self._columns[column], coef) for column, coef in pairs]

    def _update(self, instance: Instance, request: Request) -> None:
        import pulp

        self._problem.constraints.clear()
        in_rows: set[int] = set()
        for at in (at for at, needed in enumerate(instance.needed) if needed):
            in_rows.update(self._program.rows[at].columns)
            for constraint, is_lower in self._row(at):
                constraint.changeRHS(instance.row_lower[at] if is_lower else instance.row_upper[at])
                self._problem.constraints[constraint.name] = constraint
        # PuLP writes bounds for columns that stand in no row, and CBC then refuses the file.
        spare = [at for at in range(len(self._columns)) if at not in in_rows]
        if spare:
            terms = pulp.LpAffineExpression([(self._columns[at], 1) for at in spare])
            most = sum(instance.high[at] for at in spare)
            self._problem.addConstraint(pulp.LpConstraint(terms, pulp.LpConstraintLE, "spare", most))
        for column, low, high in zip(self._columns, instance.low, instance.high, strict=True):
            column.lowBound, column.upBound = low, high
        self._problem.sense = pulp.LpMaximize if request.sense == "max" else pulp.LpMinimize
        objective = self._terms(instance)
        # For an objective without columns PuLP adds one of its own, which stays and which CBC refuses the next time.
        stated = objective or [(column, 0) for column in self._columns[:1]]
        self._problem.setObjective(pulp.LpAffineExpression(stated))
        if request.floor is not None:
            least = request.floor - instance.objective.constant
            floor = pulp.LpConstraint(pulp.LpAffineExpression(objective), pulp.LpConstraintGE, "floor", least)
            self._problem.addConstraint(floor)

    def _command(self, options: Options, time_limit: float | None, nodes: int | None = None) -> Any:
        import pulp

        common: dict[str, Any] = {"msg": False, "gapRel": 0.0, "gapAbs": 0.0, "timeLimit": time_limit}
        if self._solver == "highs":
            seed = {} if options.seed is None else {"random_seed": options.seed % 2**31}
            return pulp.HiGHS(**common, **seed, **HIGHS_OPTIONS)
        # Tolerances stay as they are: tighter ones make both solvers report false optima.
        tuning = ["increment 0"]
        if nodes is not None:
            tuning += PLAIN
        elif "floor" in self._problem.constraints:
            # A row parallel to the objective and CBC's cuts together gave false optima (2 of 2,000 random problems).
            tuning.append("cuts off")
        if options.seed is not None:
            tuning += [f"randomSeed {options.seed % 2**31}", f"randomCbcSeed {options.seed % 2**31}"]
        return pulp.PULP_CBC_CMD(**common, threads=options.threads or 1, maxNodes=nodes, options=tuning)

    def _answer(self, instance: Instance, request: Request, late: bool) -> Answer:
        import pulp

        status, found = self._problem.status, self._problem.sol_status
        limit = Reason.TIME_LIMIT if late else Reason.OTHER_LIMIT
        if status == pulp.LpStatusInfeasible:
            # CBC also says "infeasible" when time runs out before it has looked.
            return Answer(Status.UNKNOWN, limit) if late else Answer(Status.INFEASIBLE)
        values = rounded([column.varValue for column in self._columns], self._program, instance)
        if values is None or found not in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible):
            return Answer(Status.UNKNOWN, limit)
        objective = total(instance.objective, values)
        if request.floor is not None and objective < request.floor:
            return Answer(Status.UNKNOWN, limit)
        if status == pulp.LpStatusOptimal and found == pulp.LpSolutionOptimal:
            return Answer(Status.OPTIMAL, Reason.PROVED, self._program.decode(values), objective)
        return Answer(Status.FEASIBLE, limit, self._program.decode(values), objective)


@contextmanager
def _quiet() -> Iterator[None]:
    """PuLP announces its next version in warnings; the versions are pinned."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
