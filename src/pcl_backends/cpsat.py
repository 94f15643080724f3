"""`cpsat`: OR-Tools CP-SAT. The flat model maps one to one onto its constraints.

The model is built once. A solve changes the objective and the domains of what the context fixes, in place.
"""

import importlib.util
import math
import time
from collections.abc import Mapping

from pcl_backends.apart import Limited, Workshop
from pcl_backends.cpsat_model import (
    LARGEST_FOR_CPSAT,
    add_column,
    add_constraint,
    bounds_of,
    near_the_best,
    require_at_least,
    settled,
    size_of,
    split,
)
from pcl_backends.cpsat_run import Ended, Search, new_model, new_solver, run, what_is_wrong, with_less_time
from pcl_core.compile import Form, Row, add
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import Value
from pcl_core.plugins import version_of
from pcl_core.solve import (
    ANY_SIZE,
    Availability,
    BackendContractError,
    Capability,
    Copies,
    Options,
    Prepared,
    Refusal,
    Reply,
    Request,
    Scope,
    Status,
    StopReason,
)

WIDE = 10**5
"""Values of a column, beyond which CP-SAT has overrun its time limit by seconds."""
FEW_COLUMNS = 150
"""Columns. Models of this size, such as parts, are solved before a presolve would have paid for itself."""
ALONE_SECONDS = 1.0
"""One worker is fastest on small scopes; what it cannot solve in this time is given to several."""
LEFT_SECONDS = 0.05
"""With less than this left several workers find nothing, and what one has found is kept."""
TOGETHER = 8
"""Workers with different strategies; more than there are cores is fine."""


class CpSatBackend:
    """CP-SAT, from the package ortools."""

    name = "cpsat"
    capabilities: frozenset[Capability] = frozenset(Capability)

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'cpsat' has no solvers to choose from"))
        self._workshop = Workshop(self.name)

    def availability(self) -> Availability:
        if importlib.util.find_spec("ortools") is None:
            return Availability(False, reason="ortools is not installed", fix="pip install 'pcl-elicit[cpsat]'")
        return Availability(True, f"ortools {version_of('ortools')}")

    reach = ANY_SIZE

    def accepts(self, scope: Scope) -> Refusal | None:
        features = sum(abs(facts.low) + abs(facts.high) for facts in scope.feature_facts)
        found = scope.flat.largest_sum() + features
        if found <= LARGEST_FOR_CPSAT:
            return None
        message = f"sums can be as large as {found:.3g}; backend 'cpsat' computes up to {LARGEST_FOR_CPSAT:.3g}"
        return Refusal(Code.NUMBERS_OUT_OF_RANGE, message)

    def compile(self, scope: Scope) -> Prepared:
        """Bounds of wide columns creep step by step, and CP-SAT does not look at the clock: with a limit, apart."""
        if any(column.upper - column.lower > WIDE for column in scope.flat.columns):
            return Limited(self.compile_here, scope, self._workshop)
        return Copies(lambda: PreparedCpSat(scope))

    def compile_here(self, scope: Scope) -> "PreparedCpSat":
        return PreparedCpSat(scope)

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        """Named constraints in conflict, by assumptions: each holds only where its own literal is true."""
        flat = scope.flat
        proto = new_model()
        for column in flat.columns:
            proto.variables.add(name=column.name, domain=[column.lower, column.upper])
        for index, value in flat.context_numbers(context).items():
            proto.variables[index].domain[:] = [value, value]
        assumptions: dict[int, int] = {}
        for origin in sorted(set(flat.origins) - {-1}):
            assumptions[origin] = len(proto.variables)
            proto.variables.add(domain=[0, 1])
        for constraint, origin in zip(flat.constraints, flat.origins, strict=True):
            add_constraint(proto, constraint, *([assumptions[origin]] if origin in assumptions else []))
        proto.assumptions.extend(assumptions.values())
        solver = new_solver(options.threads or 1, options.time_limit, None)
        if run(solver, proto) is not Ended.INFEASIBLE:
            return None
        by_literal = {literal: origin for origin, literal in assumptions.items()}
        enough = solver.response.sufficient_assumptions_for_infeasibility
        return tuple(sorted(by_literal[literal] for literal in enough))


class PreparedCpSat:
    """One scope as a CP-SAT model."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._flat = scope.flat
        self._proto = new_model()
        for column in self._flat.columns:
            self._proto.variables.add(name=column.name, domain=[column.lower, column.upper])
        for constraint in self._flat.constraints:
            add_constraint(self._proto, constraint)
        self._columns, self._built = len(self._proto.variables), len(self._proto.constraints)
        self._fixed: tuple[int, ...] = ()

    def solve(self, request: Request, options: Options) -> Reply:
        self._forget()
        objective = self._flat.objective(request.weights)
        self._fix(self._flat.context_numbers(request.context), self._flat.own_numbers(request.fixed))
        stated = settled(self._proto, self._within_range(objective, request.weights))
        if request.floor is not None:
            require_at_least(self._proto, stated, request.floor)
        for column, value in self._flat.own_numbers(request.hint).items():
            self._proto.solution_hint.vars.append(column)
            self._proto.solution_hint.values.append(value)
        sign = 1 if request.sense == "max" else -1
        search = self._best(stated.scaled(sign), options)
        return self._answer(search, objective, sign)

    def _best(self, form: Form, options: Options) -> Search:
        """The search for the largest value of a form, or of what is left of it step by step where it is too large."""
        started, before = time.perf_counter(), None
        while True:
            apart = split(self._proto, form)
            leading = form if apart is None else apart.leading
            self._maximise(leading)
            search = self._search(options if before is None else with_less_time(options, started))
            if before is not None and search.ended is Ended.UNKNOWN:
                return before
            most = leading.constant - search.solver.response.inner_objective_lower_bound
            if apart is None:
                return search._replace(bound=most)
            search = search._replace(bound=apart.unit * most + bounds_of(self._proto, apart.rest)[1])
            if not search.proved:
                return search
            before = search._replace(ended=Ended.FEASIBLE)
            form = near_the_best(self._proto, apart, most)

    def _maximise(self, form: Form) -> None:
        """State an objective; its constant is left out, since CP-SAT keeps it as a double."""
        self._proto.ClearField("objective")
        if form.columns:
            self._proto.objective.vars.extend(form.columns)
            self._proto.objective.coeffs.extend(-coef for coef in form.coefs)
            self._proto.objective.scaling_factor = -1

    def _search(self, options: Options) -> Search:
        solver = new_solver(options.threads or 1, options.time_limit, options.seed)
        solver.parameters.cp_model_presolve = len(self._flat.columns) > FEW_COLUMNS
        patient = options.threads is None and options.seed is None
        if patient and (options.time_limit is None or options.time_limit > ALONE_SECONDS):
            solver.parameters.max_time_in_seconds = ALONE_SECONDS
        ended = run(solver, self._proto)
        spent = solver.response.wall_time
        if patient and ended in (Ended.UNKNOWN, Ended.FEASIBLE) and spent >= 0.9 * ALONE_SECONDS:
            left = None if options.time_limit is None else options.time_limit - spent
            if left is None or left > LEFT_SECONDS:
                solver = new_solver(TOGETHER, left, None)
                ended = run(solver, self._proto)
        return Search(ended, solver)

    def _forget(self) -> None:
        """Undo what the last request changed; before the next and not after it, since ctrl-C can come at any line."""
        for column in self._fixed:
            held = self._flat.columns[column]
            self._proto.variables[column].domain[:] = [held.lower, held.upper]
        self._fixed = ()
        del self._proto.constraints[self._built :]
        del self._proto.variables[self._columns :]
        self._proto.ClearField("solution_hint")

    def _fix(self, context: dict[int, int], fixed: dict[int, int]) -> None:
        self._fixed = tuple(fixed)
        for column, value in (context | fixed).items():
            self._proto.variables[column].domain[:] = [value, value]

    def _within_range(self, objective: Form, weights: tuple[int, ...]) -> Form:
        """The objective, with a column for each feature where a sum over all columns would be too large for CP-SAT.

        It does not see that one label is chosen, and adds up the entries of all; a feature's bounds know better.
        """
        if size_of(self._proto, objective) <= LARGEST_FOR_CPSAT:
            return objective
        terms: list[tuple[int, Form]] = []
        for weight, form, facts in zip(weights, self._flat.features, self._scope.feature_facts, strict=True):
            if facts.low == facts.high:
                terms.append((weight, Form(constant=facts.low)))
                continue
            column = add_column(self._proto, facts.low, facts.high)
            terms.append((weight, Form((column,), (1,))))
            add_constraint(self._proto, Row(add([(1, form._replace(places=0)), (-1, Form((column,), (1,)))]), 0, 0))
        return add(terms)

    def _answer(self, search: Search, objective: Form, sign: int) -> Reply:
        ended, solver, bound = search
        if ended is Ended.INFEASIBLE:
            return Reply(Status.INFEASIBLE)
        if ended is Ended.INVALID:
            raise BackendContractError("cpsat", f"does not take its own model: {what_is_wrong(self._proto):.200}")
        limit: float = solver.parameters.max_time_in_seconds
        reason = StopReason.TIME_LIMIT if math.isfinite(limit) else StopReason.OTHER_LIMIT
        if ended is Ended.UNKNOWN:
            return Reply(Status.UNKNOWN, reason)
        solution = list(solver.response.solution)
        values = self._flat.values(solution)
        total = objective.constant + sum(
            coef * solution[column] for column, coef in zip(objective.columns, objective.coefs, strict=True)
        )
        if search.proved:
            return Reply(Status.OPTIMAL, StopReason.PROVED, values, total, total)
        return Reply(Status.FEASIBLE, reason, values, total, sign * bound)
