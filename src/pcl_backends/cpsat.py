"""`cpsat`: OR-Tools CP-SAT. The flat model maps one to one onto its constraints.

The model is built once. A solve changes the objective and the domains of what the context fixes, in place.
"""

import importlib.metadata
import importlib.util
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from pcl_core.compile.flat import Apart, Clause, ExactlyOne, FlatConstraint, Form, Implied, Maximum, Row
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.solve.columns import column_values, decoded, objective_of, own_columns
from pcl_core.solve.protocol import Answer, Availability, Capability, Options, Reason, Refusal, Request, Status

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

LOWEST, HIGHEST = -(2**62), 2**62
SMALL = 150
"""Columns. Models of this size, such as parts, are solved before a presolve would have paid for itself."""
ALONE_SECONDS = 1.0
"""One worker is fastest on small scopes; what it cannot solve in this time is given to several."""
BRIEF_SECONDS = 1.0
"""How long ctrl-C may wait; a solve that may take longer runs beside the main thread."""
TOGETHER = 8
"""Workers with different strategies; more than there are cores is fine."""


class CpSatBackend:
    """CP-SAT, from the package ortools."""

    name = "cpsat"
    capabilities: frozenset[Capability] = frozenset(Capability)

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'cpsat' has no solvers to choose from"))

    def availability(self) -> Availability:
        if importlib.util.find_spec("ortools") is None:
            return Availability(False, reason="ortools is not installed", fix="pip install 'pcl-elicit[cpsat]'")
        return Availability(True, f"ortools {importlib.metadata.version('ortools')}")

    reach = 2**60

    def accepts(self, scope: Scope) -> Refusal | None:
        return None

    def compile(self, scope: Scope) -> "PreparedCpSat":
        return PreparedCpSat(scope)

    def conflict(self, scope: Scope, context: tuple[int, ...], options: Options) -> tuple[int, ...] | None:
        """Named constraints in conflict, by assumptions: each holds only where its own literal is true."""
        from ortools.sat.python import cp_model

        flat = scope.flat
        model = cp_model.CpModel()
        proto: Any = model.proto
        for column in flat.columns:
            proto.variables.add(name=column.name, domain=[column.lower, column.upper])
        for index, value in column_values(flat.context, context).items():
            proto.variables[index].domain[:] = [value, value]
        assumptions: dict[int, int] = {}
        for origin in sorted(set(flat.origins) - {-1}):
            assumptions[origin] = len(proto.variables)
            proto.variables.add(domain=[0, 1])
        for constraint, origin in zip(flat.constraints, flat.origins, strict=True):
            add_constraint(proto, constraint, assumptions.get(origin))
        proto.assumptions.extend(assumptions.values())
        solver = _solver(options.threads or 1, options.time_limit, None)
        if _run(solver, model) != cp_model.INFEASIBLE:
            return None
        by_literal = {literal: origin for origin, literal in assumptions.items()}
        return tuple(sorted(by_literal[literal] for literal in solver.sufficient_assumptions_for_infeasibility()))


class PreparedCpSat:
    """One scope as a CP-SAT model."""

    def __init__(self, scope: Scope) -> None:
        from ortools.sat.python import cp_model

        self._scope = scope
        self._flat = scope.flat
        self._model: cp_model.CpModel = cp_model.CpModel()
        self._proto: Any = self._model.proto
        for column in self._flat.columns:
            self._proto.variables.add(name=column.name, domain=[column.lower, column.upper])
        for constraint in self._flat.constraints:
            add_constraint(self._proto, constraint)
        self._built = len(self._proto.constraints)
        self._fixed: tuple[int, ...] = ()

    def solve(self, request: Request, options: Options) -> Answer:
        from ortools.sat.python import cp_model

        self._forget()
        objective = objective_of(self._flat, request.weights)
        self._fix(column_values(self._flat.context, request.context), own_columns(self._flat, request.fixed))
        self._state_objective(objective, request)
        solver = _solver(options.threads or 1, options.time_limit, options.seed)
        solver.parameters.cp_model_presolve = len(self._flat.columns) > SMALL
        patient = options.threads is None and options.seed is None
        if patient and (options.time_limit is None or options.time_limit > ALONE_SECONDS):
            solver.parameters.max_time_in_seconds = ALONE_SECONDS
        status = _run(solver, self._model)
        if patient and status in (cp_model.UNKNOWN, cp_model.FEASIBLE) and solver.wall_time >= 0.9 * ALONE_SECONDS:
            left = None if options.time_limit is None else options.time_limit - solver.wall_time
            if left is None or left > 0:
                solver = _solver(TOGETHER, left, None)
                status = _run(solver, self._model)
        return self._answer(status, solver, objective, options)

    def _forget(self) -> None:
        """Undo what the last request changed; before the next and not after it, since ctrl-C can come at any line."""
        for column in self._fixed:
            held = self._flat.columns[column]
            self._proto.variables[column].domain[:] = [held.lower, held.upper]
        self._fixed = ()
        del self._proto.constraints[self._built :]

    def _fix(self, context: dict[int, int], fixed: dict[int, int]) -> None:
        self._fixed = tuple(fixed)
        for column, value in (context | fixed).items():
            self._proto.variables[column].domain[:] = [value, value]

    def _state_objective(self, objective: Form, request: Request) -> None:
        sign = -1 if request.sense == "max" else 1
        self._proto.ClearField("objective")
        self._proto.ClearField("solution_hint")
        if objective.columns:
            self._proto.objective.vars.extend(objective.columns)
            self._proto.objective.coeffs.extend(sign * coef for coef in objective.coefs)
            self._proto.objective.offset = sign * objective.constant
            self._proto.objective.scaling_factor = sign
        if request.floor is not None:
            add_constraint(self._proto, Row(objective, request.floor, None))
        if request.hint:
            for column, value in own_columns(self._flat, request.hint).items():
                self._proto.solution_hint.vars.append(column)
                self._proto.solution_hint.values.append(value)

    def _answer(self, status: Any, solver: "cp_model.CpSolver", objective: Form, options: Options) -> Answer:
        from ortools.sat.python import cp_model

        if status == cp_model.INFEASIBLE:
            return Answer(Status.INFEASIBLE)
        if status == cp_model.MODEL_INVALID:
            raise AssertionError(f"CP-SAT refuses the model: {self._model.validate()}")
        limit: float = solver.parameters.max_time_in_seconds
        reason = Reason.TIME_LIMIT if solver.wall_time >= 0.9 * limit else Reason.OTHER_LIMIT
        if status == cp_model.UNKNOWN:
            return Answer(Status.UNKNOWN, reason)
        response: Any = solver.response_proto
        values: dict[str, Value] = decoded(self._scope, self._flat, response.solution)
        total = objective.constant + sum(
            coef * response.solution[column] for column, coef in zip(objective.columns, objective.coefs, strict=True)
        )
        if status == cp_model.OPTIMAL:
            return Answer(Status.OPTIMAL, Reason.PROVED, values, total, total)
        return Answer(Status.FEASIBLE, reason, values, total, solver.best_objective_bound)


def _run(solver: "cp_model.CpSolver", model: "cp_model.CpModel") -> Any:
    """Solve, and leave ctrl-C to the program.

    CP-SAT's own handling of SIGINT returns what was found so far as if nothing had happened, and can deadlock. Here
    what takes long runs beside the main thread, which stops it and raises KeyboardInterrupt.
    """
    solver.parameters.catch_sigint_signal = False
    brief: bool = solver.parameters.max_time_in_seconds <= BRIEF_SECONDS
    if brief or threading.current_thread() is not threading.main_thread():
        return solver.solve(model)
    with ThreadPoolExecutor(1) as beside:
        solving = beside.submit(solver.solve, model)
        try:
            return solving.result()
        except KeyboardInterrupt:
            while not solving.done():  # a stop before it has begun would not be noticed
                solver.stop_search()
                wait([solving], timeout=0.05)
            raise


def _solver(workers: int, time_limit: float | None, seed: int | None) -> "cp_model.CpSolver":
    """A solver with a light presolve: on scopes of the size of a part the full one costs more than it saves."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.max_presolve_iterations = 1
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = time_limit
    if seed is not None:
        solver.parameters.random_seed = seed % 2**31
    return solver


def add_constraint(proto: Any, constraint: FlatConstraint, assumption: int | None = None) -> None:
    """One constraint of the flat model; with an assumption it only holds where that literal is true."""
    added = proto.constraints.add()
    if assumption is not None:
        added.enforcement_literal.append(assumption)
    match constraint:
        case Row():
            _linear(added, constraint.form, [(constraint.lower, constraint.upper)])
        case Implied():
            added.enforcement_literal.append(constraint.literal)
            _linear(added, constraint.form, [(constraint.lower, constraint.upper)])
        case Apart():
            added.enforcement_literal.append(constraint.literal)
            _linear(added, constraint.form, [(None, -1), (1, None)])
        case Clause():
            added.bool_or.literals.extend(constraint.literals)
        case ExactlyOne():
            added.exactly_one.literals.extend(constraint.literals)
        case Maximum():
            added.lin_max.target.vars.append(constraint.column)
            added.lin_max.target.coeffs.append(1)
            for form in constraint.forms:
                expression = added.lin_max.exprs.add()
                expression.vars.extend(form.columns)
                expression.coeffs.extend(form.coefs)
                expression.offset = form.constant


def _linear(added: Any, form: Form, intervals: list[tuple[int | None, int | None]]) -> None:
    added.linear.vars.extend(form.columns)
    added.linear.coeffs.extend(form.coefs)
    for lower, upper in intervals:
        below = LOWEST if lower is None else lower - form.constant
        above = HIGHEST if upper is None else upper - form.constant
        added.linear.domain.extend((below, above))
