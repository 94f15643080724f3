"""`cpsat`: OR-Tools CP-SAT. The flat model maps one to one onto its constraints.

The model is built once. A solve changes the objective and the domains of what the context fixes, in place.
"""

import importlib.util
import math
import time
from collections.abc import Mapping
from functools import cached_property
from operator import mul

from pcl_backends.apart import Limited, Workshop
from pcl_backends.cpsat_large import (
    LARGEST_FOR_CPSAT,
    LARGEST_TO_COMPARE,
    NOTHING,
    WIDE_FOR_CPSAT,
    TakenApart,
    near_the_best,
    require_another,
    require_at_least,
    taken_apart,
)
from pcl_backends.cpsat_model import CpSatModel
from pcl_backends.cpsat_run import Attempt, Ended, Search, Solver, new_solver, run, what_is_wrong, with_less_time
from pcl_core.compile import Column, ExactlyOne, FlatConstraint, FlatModel, Form, Row
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
FEW_COLUMNS, FEW_CONSTRAINTS = 150, 500
"""Models of either size, such as parts, are solved before a presolve would have paid for itself."""
SHORT = 50_000
"""Columns times values of a sum, up to which a presolve goes through all values sooner than a search begins."""
CREEPING = 10**4
"""Values of a column, beyond which its bounds may creep step by step to where a presolve sets them at once: with |x - y| in
the objective CP-SAT took 4 seconds without one for x up to 30,000, and did not end in 25 for 100,000."""
BRIEFLY, ALONE = 0.05, 2.0
"""How much one worker does before it tries another way, in CP-SAT's own units of work. It is not the clock, which would
stop elsewhere on a busy machine: the same request ends with the same answer.
"""
FIRST = Attempt(1, linear=False, work=BRIEFLY), Attempt(1, linear=True, work=ALONE)
TOGETHER = 8
"""Workers with different strategies; more than there are cores is fine."""
FOR_LONG, SEVERAL = Attempt(1, linear=True), Attempt(TOGETHER)
LEFT_SECONDS = 0.05
"""With less than this left several workers find nothing, and what one has found is kept."""


class CpSatBackend:
    """CP-SAT, from the package ortools."""

    name = "cpsat"
    capabilities: frozenset[Capability] = frozenset(Capability)

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'cpsat' has no solvers to choose from"))

    @cached_property
    def _workshop(self) -> Workshop:
        """Made where it is needed: what is solved here starts no process."""
        return Workshop(self.name)

    def availability(self) -> Availability:
        if importlib.util.find_spec("ortools") is None:
            return Availability(False, reason="ortools is not installed", fix="pip install 'pcl-elicit[cpsat]'")
        return Availability(True, f"ortools {version_of('ortools')}")

    reach = LARGEST_FOR_CPSAT

    def reach_in(self, scope: Scope) -> int:
        """Any size, but where columns are so wide that taking objectives apart may take long: there weights are rounded."""
        wide = sum(column.upper - column.lower for column in scope.flat.compared())
        return ANY_SIZE if wide <= WIDE_FOR_CPSAT else self.reach

    def accepts(self, scope: Scope) -> Refusal | None:
        features = sum(abs(facts.low) + abs(facts.high) for facts in scope.feature_facts)
        for found, most, what in (
            (scope.flat.largest_sum() + features, LARGEST_FOR_CPSAT, "sums"),
            (
                sum(column.size for column in scope.flat.compared()),
                LARGEST_TO_COMPARE,
                "the numbers of features together",
            ),
        ):
            if found > most:
                message = f"{what} can be as large as {found:.3g}; backend 'cpsat' computes up to {most:.3g}"
                return Refusal(Code.NUMBERS_OUT_OF_RANGE, message)
        return None

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
        model = CpSatModel(flat)
        model.restrict(_exactly(flat.context_numbers(context)))
        assumptions = {origin: model.column(0, 1) for origin in sorted(set(flat.origins) - {-1})}
        for constraint, origin in zip(flat.constraints, flat.origins, strict=True):
            model.add(constraint, *([assumptions[origin]] if origin in assumptions else []))
        model.proto.assumptions.extend(assumptions.values())
        solver = new_solver(Attempt(options.threads or 1), options.time_limit, None)
        if run(solver, model.proto) is not Ended.INFEASIBLE:
            return None
        by_literal = {literal: origin for origin, literal in assumptions.items()}
        enough = solver.response.sufficient_assumptions_for_infeasibility
        return tuple(sorted(by_literal[literal] for literal in enough))


class PreparedCpSat:
    """One scope as a CP-SAT model."""

    def __init__(self, scope: Scope) -> None:
        self._flat = scope.flat
        self._model = CpSatModel(self._flat)
        for constraint in self._flat.constraints:
            self._model.add(constraint)
        self._size = columns, constraints = len(self._model.columns), len(self._model.proto.constraints)
        many = columns > FEW_COLUMNS and constraints > FEW_CONSTRAINTS
        creeps = any(column.upper - column.lower > CREEPING for column in self._flat.columns)
        self._pays_to_presolve = many or creeps or _is_one_short_row(self._flat)
        self._linear = any(map(_is_choice_within, self._flat.constraints))
        self._fixed: tuple[int, ...] = ()

    def solve(self, request: Request, options: Options) -> Reply:
        self._forget()
        objective = self._flat.objective(request.weights)
        fixed = self._flat.own_numbers(request.fixed)
        self._fixed = tuple(fixed)
        self._model.restrict(_exactly(self._flat.context_numbers(request.context) | fixed))
        stated = self._model.settled(objective)
        if request.floor is not None:
            require_at_least(self._model, stated, request.floor)
        self._model.hint(self._flat.own_numbers(request.hint))
        sign = 1 if request.sense == "max" else -1
        search = self._best(stated.scaled(sign), options)
        return self._answer(search, objective, sign)

    def _best(self, form: Form, options: Options) -> Search:
        """The search for the largest value of a form, or of what is left of it step by step where it is too large."""
        started, before = time.perf_counter(), None
        while True:
            apart = taken_apart(self._model, form)
            leading = form if apart is None else apart.leading
            self._model.maximise(leading)
            search = self._search(options if before is None else with_less_time(options, started))
            if before is not None and search.ended is Ended.UNKNOWN:
                return before
            most = leading.constant - search.solver.response.inner_objective_lower_bound
            if apart is None:
                return Search(search.ended, search.solver, most)
            search = search._replace(bound=apart.unit * most + self._model.bounds(apart.rest)[1])
            if not search.proved:
                return search
            before = search._replace(ended=Ended.FEASIBLE)
            if self._is_alone(search, apart, most, with_less_time(options, started)):
                return search
            form = near_the_best(self._model, apart, most)

    def _is_alone(self, search: Search, apart: TakenApart, best: int, options: Options) -> bool:
        """Whether it is shown that nothing else has a leading part so near to the best that it could be better.

        It is mostly so, and shown much sooner than what is best among those that are near.
        """
        size = len(self._model.columns), len(self._model.proto.constraints)
        solution = search.solver.response.solution
        require_another(self._model, apart, best, self._flat.own_numbers(self._flat.values(solution)))
        if not self._linear:  # else the objective leads its relaxation
            self._model.maximise(NOTHING)
        found = self._attempt(Attempt(1, self._linear, BRIEFLY), options)
        self._model.cut(*size)
        return found.ended is Ended.INFEASIBLE

    def _search(self, options: Options) -> Search:
        """One worker as it is fastest on small scopes, then with all rows in its linear relaxation, then several workers."""
        threads, started = options.threads, time.perf_counter()
        if threads is not None:
            return self._attempt(Attempt(threads, self._linear), options)
        last = FOR_LONG if options.seed is not None else SEVERAL
        found = None
        for attempt in (*FIRST[self._linear :], last):
            left = with_less_time(options, started)
            if found is not None and left.time_limit is not None and left.time_limit < LEFT_SECONDS:
                break
            before, found = found, self._attempt(attempt, left)
            if found.ended is Ended.UNKNOWN and before is not None:
                found = before
            if found.ended not in (Ended.UNKNOWN, Ended.FEASIBLE):
                break
        assert found is not None
        return found

    def _attempt(self, attempt: Attempt, options: Options) -> Search:
        presolve = self._pays_to_presolve or attempt.workers > 1
        solver = new_solver(attempt, options.time_limit, options.seed, presolve)
        ended = run(solver, self._model.proto)
        if ended is Ended.INVALID and presolve:  # it may make sums that are too large itself
            solver = new_solver(attempt, options.time_limit, options.seed, presolve=False)
            ended = run(solver, self._model.proto)
        return Search(ended, solver)

    def _forget(self) -> None:
        """Undo what the last request changed; before the next and not after it, since ctrl-C can come at any line."""
        self._model.cut(*self._size)
        self._model.restrict({column: self._flat.columns[column] for column in self._fixed})
        self._fixed = ()

    def _answer(self, search: Search, objective: Form, sign: int) -> Reply:
        ended, solver, bound = search
        if ended is Ended.INFEASIBLE:
            return Reply(Status.INFEASIBLE)
        if ended is Ended.INVALID:
            raise BackendContractError("cpsat", f"does not take its own model: {what_is_wrong(self._model.proto):.200}")
        if ended is Ended.UNKNOWN:
            return Reply(Status.UNKNOWN, _limit_of(solver))
        solution = list(solver.response.solution)
        values = self._flat.values(solution)
        total = objective.constant + sum(map(mul, objective.coefs, [solution[column] for column in objective.columns]))
        if search.proved:
            return Reply(Status.OPTIMAL, StopReason.PROVED, values, total, total)
        return Reply(Status.FEASIBLE, _limit_of(solver), values, total, sign * bound)


def _limit_of(solver: Solver) -> StopReason:
    """The limit that stopped a search."""
    limit: float = solver.parameters.max_time_in_seconds
    return StopReason.TIME_LIMIT if math.isfinite(limit) else StopReason.OTHER_LIMIT


def _exactly(values: Mapping[int, int]) -> dict[int, Column]:
    """Columns that have one value."""
    return {at: Column("", value, value) for at, value in values.items()}


def _is_one_short_row(flat: FlatModel) -> bool:
    """Whether the model is one row at most: a presolve solves it by listing what the sum can be, column by column."""
    span = 0
    for constraint in flat.constraints:
        if not isinstance(constraint, Row) or len(flat.constraints) > 1:
            return False
        low, high = flat.bounds(constraint.form)
        span = high - low
    return len(flat.columns) * span <= SHORT


def _is_choice_within(constraint: FlatConstraint) -> bool:
    """Whether it ties the choice of a pair to that of one: with all such as rows, a linear relaxation is nearly exact."""
    return isinstance(constraint, ExactlyOne) and constraint.literals[0] < 0
