"""`pulp`: PuLP, with CBC from its wheel or with HiGHS.

The rows are built once. A solve changes right-hand sides, bounds and the objective.
"""

import importlib.util
from collections.abc import Iterator, Sequence
from typing import Any

from pcl_backends.apart import Limited, Workshop
from pcl_backends.attempts import Clock, decided
from pcl_backends.cbc import run_cbc
from pcl_backends.highs import HIGHS_ATTEMPTS, HIGHS_OPTIONS, HIGHS_RANGE, run_highs
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.plugins import version_of
from pcl_core.solve import (
    COMMON_REACH,
    Availability,
    Capability,
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
    Status,
    StopReason,
    concluded,
    settled,
)

RANGES = {"cbc": LinearRange(columns=10**6, activity=10**7), "highs": HIGHS_RANGE}
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
        self._workshop = Workshop(f"{self.name}:{self._solver}")

    @property
    def capabilities(self) -> frozenset[Capability]:
        common = {Capability.TIME_LIMIT, Capability.SEED, Capability.SHARED}
        # HiGHS fixes the number of threads of a process with its first solve.
        return frozenset(common if self._solver == "highs" else common | {Capability.THREADS})

    def availability(self) -> Availability:
        if importlib.util.find_spec("pulp") is None:
            return Availability(False, reason="pulp is not installed", fix="pip install 'pcl-elicit[pulp]'")
        found = SOLVERS if importlib.util.find_spec("highspy") is not None else SOLVERS[:1]
        version = f"pulp {version_of('pulp')}"
        if self._solver not in found:
            return Availability(False, version, found, "highspy is not installed", "pip install 'pcl-elicit[pulp]'")
        return Availability(True, version, found)

    reach = COMMON_REACH

    def accepts(self, scope: Scope) -> Refusal | None:
        return RANGES[self._solver].refusal(scope, self.name)

    def compile(self, scope: Scope) -> Prepared:
        """PuLP takes its time to write a large model, and HiGHS has ignored limits: with one, it is solved apart."""
        return Limited(self.compile_here, scope, self._workshop)

    def compile_here(self, scope: Scope) -> "PreparedPulp":
        return PreparedPulp(scope, self._solver)


class PreparedPulp:
    """One scope as a PuLP problem that is changed in place."""

    def __init__(self, scope: Scope, solver: str) -> None:
        import pulp

        self._scope, self._solver = scope, solver
        pulp.set_v4_migration_warnings(False)  # it announces its next version; the versions are pinned
        self._program = LinearProgram(scope)
        self._problem: Any = pulp.LpProblem("scope", pulp.LpMinimize)
        self._columns: list[Any] = []
        for low, high in zip(self._program.low, self._program.high, strict=True):
            self._add_column(low, high)
        self._count = len(self._columns)
        self._rows: list[Any] = [None] * len(self._program.rows)

    def _add_column(self, low: int, high: int) -> None:
        import pulp

        self._columns.append(pulp.LpVariable(f"x{len(self._columns)}", low, high, cat=pulp.LpInteger))
        self._problem.addVariable(self._columns[-1])

    def _terms(self, columns: Sequence[int], coefs: Sequence[int]) -> Any:
        import pulp

        pairs = zip(columns, coefs, strict=True)
        return pulp.LpAffineExpression([(self._columns[column], coef) for column, coef in pairs])

    def _row(self, at: int) -> Any:
        """The constraint of a row, made when a context first needs it."""
        import pulp

        if self._rows[at] is None:
            row = self._program.rows[at]
            sense = pulp.LpConstraintEQ if row.equal else pulp.LpConstraintLE
            self._rows[at] = pulp.LpConstraint(self._terms(row.columns, row.coefs), sense, f"r{at}", 0)
        return self._rows[at]

    def solve(self, request: Request, options: Options) -> Reply:
        clock = Clock(options.time_limit)
        instance = self._program.instance(request)
        known = settled(self._program, instance, request)
        if known is not None:
            return known
        self._update(instance, request)
        attempts = self._with_highs if self._solver == "highs" else self._with_cbc
        return decided(self._scope, request, clock, attempts(instance, request, options, clock))

    def _update(self, instance: Instance, request: Request) -> None:
        import pulp

        self._problem.constraints.clear()
        floor = instance.floor
        carries = () if floor is None else floor.carries
        while len(self._columns) < self._count + len(carries):
            self._add_column(0, 0)
        spare = [(0, 0)] * (len(self._columns) - self._count - len(carries))
        bounds = [*zip(instance.low, instance.high, strict=True), *carries, *spare]
        for column, (low, high) in zip(self._columns, bounds, strict=True):
            column.lowBound, column.upBound = low, high
        in_rows: set[int] = set()
        for at in (at for at, needed in enumerate(instance.needed) if needed):
            in_rows.update(self._program.rows[at].columns)
            constraint = self._row(at)
            constraint.changeRHS(instance.sides[at])
            self._problem.constraints[constraint.name] = constraint
        if floor is not None:
            for at, (row, side) in enumerate(zip(floor.rows, floor.sides, strict=True)):
                in_rows.update(row.columns)
                terms = self._terms(row.columns, row.coefs)
                self._problem.addConstraint(pulp.LpConstraint(terms, pulp.LpConstraintLE, f"floor{at}", side))
        # PuLP writes bounds for columns that stand in no row, and CBC then refuses the file.
        alone = [at for at in range(len(self._columns)) if at not in in_rows]
        if alone:
            terms = self._terms(alone, [1] * len(alone))
            most = sum(bounds[at][1] for at in alone)
            self._problem.addConstraint(pulp.LpConstraint(terms, pulp.LpConstraintLE, "spare", most))
        self._problem.sense = pulp.LpMaximize if request.sense == "max" else pulp.LpMinimize
        # For an objective without columns PuLP adds one of its own, which stays and which CBC refuses the next time.
        form = instance.objective
        self._problem.setObjective(self._terms(form.columns or (0,), form.coefs or (0,)))

    def _with_cbc(self, instance: Instance, request: Request, options: Options, clock: Clock) -> Iterator[Reply | None]:
        """What CBC says: asked to branch alone, with all it can do, and once more without its preparations."""
        chosen = ["ratio 0", "allow 0", "increment 0"]
        # With one thread of its own CBC sometimes sleeps for ten seconds; without the option it has none.
        chosen += [f"threads {options.threads}"] if (options.threads or 1) > 1 else []
        if options.seed is not None:
            chosen += [f"randomSeed {options.seed % 2**31}", f"randomCbcSeed {options.seed % 2**31}"]
        # A row parallel to the objective and CBC's cuts together gave false optima (2 of 2,000 random problems).
        full = ["cuts off"] if instance.floor is not None else []
        plain = self._asked(instance, request, clock, [*chosen, *PLAIN, f"maxNodes {PLAIN_NODES}"])
        # Anything but the optimum that CBC says this way is not believed; values that are allowed are all it has, though.
        yield plain if plain is not None and (plain.status is Status.OPTIMAL or plain.values) else None
        for tuning in (full, [*PLAIN, "presolve off"]):
            yield self._asked(instance, request, clock, [*chosen, *tuning])

    def _asked(self, instance: Instance, request: Request, clock: Clock, tuning: list[str]) -> Reply | None:
        found = run_cbc(self._problem, tuning, clock.left)
        # CBC also says "infeasible" when time runs out before it has looked.
        said = Said.NOTHING if found.said is Said.INFEASIBLE and clock.over else found.said
        values = [found.values.get(column.name) for column in self._columns[: self._count]]
        limit = StopReason.TIME_LIMIT if clock.over else None
        return concluded(self._program, instance, request, said, values, limit)

    def _with_highs(
        self, instance: Instance, request: Request, options: Options, clock: Clock
    ) -> Iterator[Reply | None]:
        for tuning in HIGHS_ATTEMPTS:
            seed = {} if options.seed is None else {"random_seed": options.seed % 2**31}
            said, values = run_highs(self._problem, {**HIGHS_OPTIONS, **tuning, **seed}, clock.left)
            found = [values[column.name] for column in self._columns[: self._count]] if values else None
            limit = StopReason.TIME_LIMIT if said is Said.STOPPED or clock.over else None
            yield concluded(self._program, instance, request, said, found, limit)
