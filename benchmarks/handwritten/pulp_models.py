"""PuLP, as one writes it for exactly these parts: `fresh` models, and `Kept` ones that are changed in place.

PuLP hands the whole model to its solver every time; what is kept are its Python objects.
"""

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import pulp
from benchmarks.handwritten import data
from benchmarks.handwritten.data import Configuration, Outcome, Solve, Value, Weights

binary = partial(pulp.LpVariable, cat=pulp.LpBinary)


def linear(columns: Sequence[Any], coefs: Sequence[int], constant: int = 0) -> Any:
    return pulp.LpAffineExpression(zip(columns, coefs, strict=True), constant)


def solved(problem: Any, solver: str) -> int:
    """Solve and return the objective in whole numbers, which needs a gap of nothing."""
    command = pulp.HiGHS if solver == "highs" else pulp.PULP_CBC_CMD
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem.solve(command(msg=False, gapRel=0.0, threads=1))
    assert problem.sol_status == pulp.LpSolutionOptimal
    terms = [(coef, round(column.varValue)) for column, coef in problem.objective.items()]
    return int(sum(coef * value for coef, value in terms) + problem.objective.constant)


# grid


class GridModel:
    """The four cells and whether the pairs inside the block differ; a context only moves the objective."""

    def __init__(self, solver: str) -> None:
        self._solver = solver
        self._problem = problem = pulp.LpProblem("grid", pulp.LpMaximize)
        self._cells = [binary(f"c{at}") for at in range(4)]
        self._differ = [binary(f"d{at}") for at in range(4)]
        for differ, (_, i, j) in zip(self._differ, data.INSIDE, strict=True):
            a, b = self._cells[i], self._cells[j]
            problem += linear((differ, a, b), (1, -1, -1)) <= 0
            problem += linear((differ, a, b), (1, 1, 1)) <= 2
            problem += linear((differ, a, b), (1, -1, 1)) >= 0
            problem += linear((differ, a, b), (1, 1, -1)) >= 0

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        coefs = data.cell_gains(w, x) + [w[feature] for feature, _, _ in data.INSIDE]
        self._problem.setObjective(linear(self._cells + self._differ, [2 * coef for coef in coefs], -sum(coefs)))
        objective = solved(self._problem, self._solver)
        return Outcome(objective, {n: round(c.varValue) == 1 for n, c in zip(data.CELLS, self._cells, strict=True)})


# training


class DayModel:
    """One binary for each free slot and activity; the rows of the links are replaced for each context."""

    def __init__(self, day: str, solver: str) -> None:
        self._day, self._solver = day, solver
        self._problem = problem = pulp.LpProblem("day", pulp.LpMaximize)
        count = range(len(data.ACTIVITIES))
        self._does = {slot: [binary(f"x{slot}_{a}") for a in count] for slot in data.FREE[day]}
        for chosen in self._does.values():
            problem += pulp.lpSum(chosen) == 1
        for start in (1, 2, 3):
            window = [slot for slot in range(start, start + 3) if slot in self._does]
            for m in range(5) if window else ():
                coefs = [data.FATIGUE[a][m] for a in data.ACTIVITIES] * len(window)
                problem += linear([c for slot in window for c in self._does[slot]], coefs) <= data.MAX_FATIGUE
        self._links = [binary(f"l{at}") for at in range(4)]
        self._link_rows: list[str] = []

    def _require(self, name: str, row: Any) -> None:
        self._problem.addConstraint(row, name)
        self._link_rows.append(name)

    def _linked(self, at: int, link: data.Link) -> bool | None:
        """Tie the binary of a link to its slots, or say what it is anyway."""
        if "rest" in link.activities and any(slot not in self._does for slot in link.slots):
            return True
        picked = [data.ACTIVITIES.index(a) for a in link.activities]
        has = [[self._does[slot][a] for a in picked] for slot in link.slots if slot in self._does]
        if not has:
            return False
        for number, columns in enumerate(has):
            row = linear([self._links[at], *columns], [1] + [-1] * len(columns)) >= 0
            self._require(f"at_least_{at}_{number}", row)
        both = [column for columns in has for column in columns]
        self._require(f"at_most_{at}", linear([self._links[at], *both], [1] + [-1] * len(both)) <= 0)
        return None

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        for name in self._link_rows:
            del self._problem.constraints[name]
        self._link_rows.clear()
        columns = [column for chosen in self._does.values() for column in chosen]
        coefs, constant = data.activity_gains(w, self._day) * len(self._does), 0
        for at, link in enumerate(data.links(w, x, self._day)):
            known = self._linked(at, link)
            constant += link.weight if known else -link.weight
            if known is None:
                columns, coefs = [*columns, self._links[at]], [*coefs, 2 * link.weight]
            else:  # CBC refuses the file when a column that was there before is in no row
                self._require(f"known_{at}", self._links[at] == int(known))
        self._problem.setObjective(linear(columns, coefs, constant))
        objective = solved(self._problem, self._solver)
        chosen = {slot: next(a for a, c in enumerate(found) if c.varValue > 0.5) for slot, found in self._does.items()}
        return Outcome(objective, data.plan_of(self._day, {slot: data.ACTIVITIES[a] for slot, a in chosen.items()}))


# hotel


class RoomModel:
    """Pieces of furniture, what follows for the type, and amounts that are compared with limits."""

    def __init__(self, name: str, solver: str) -> None:
        self._name, self._solver, self._room = name, solver, data.rooms()[name]
        self._problem = problem = pulp.LpProblem("room", pulp.LpMaximize)
        self._most = most = self._room.capacity
        self._pieces = [pulp.LpVariable(kind, 0, most, pulp.LpInteger) for kind in data.KINDS]
        _, _, bunk, tables, sofas = self._pieces
        beds = pulp.lpSum(self._pieces[:3])
        self._furniture, self._cost = pulp.lpSum(self._pieces), linear(self._pieces, data.COSTS)
        self._guests = linear(self._pieces, data.GUESTS)
        self._made = 0
        self._problem += self._furniture <= most
        self._problem += beds >= 1
        one, few = self._reified(beds, 1, most), self._reified(beds, 3, most)
        no_bunk, no_table, no_sofa = (self._reified(amount, 0, most) for amount in (bunk, tables, sofas))
        self._types = [binary(kind) for kind in data.TYPES]
        _, normal, suite = self._types
        problem += pulp.lpSum(self._types) == 1
        if self._room.may_be_suite:
            for row in (suite <= one, suite <= no_bunk, suite <= 1 - no_table, suite <= 1 - no_sofa):
                problem += row
            problem += suite >= one + no_bunk - no_table - no_sofa - 1
        else:
            problem += suite == 0
        if self._room.may_be_normal:
            for row in (normal <= few, normal <= no_bunk, normal <= 1 - no_table):
                problem += row
            problem += normal + suite >= few + no_bunk - no_table - 1
        else:
            problem += normal == 0

    def _reified(self, amount: Any, limit: int, ceiling: int) -> Any:
        """A binary for amount <= limit, where 0 <= amount <= ceiling."""
        self._made += 1
        holds = binary(f"b{self._made}")
        self._problem += amount + (ceiling - limit) * holds <= ceiling
        self._problem += amount + (limit + 1) * holds >= limit + 1
        return holds

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        """For a model that is used once: limits that cannot be crossed are constants."""
        given = data.offer(w, x, self._name)
        columns, coefs, constant = list(self._types), list(given.types), 0
        for amount, ceiling, limits in (
            (self._furniture, self._most, given.furniture),
            (self._cost, 25 * self._most, given.cost),
            (self._guests, 3 * self._most, given.guests),
        ):
            for limit, weight in limits:
                if 1 <= limit < ceiling:
                    columns, coefs = [*columns, self._reified(amount, limit, ceiling)], [*coefs, 2 * weight]
                    constant -= weight
                else:
                    constant += weight if limit >= ceiling else -weight
        self._problem += self._cost <= given.money
        return self._finish(columns, coefs, constant)

    def _finish(self, columns: Sequence[Any], coefs: Sequence[int], constant: int) -> Outcome:
        self._problem.setObjective(linear(columns, coefs, constant))
        objective = solved(self._problem, self._solver)
        values: dict[str, Value] = {
            f"{kind}[{self._name}]": round(column.varValue)
            for kind, column in zip(data.KINDS, self._pieces, strict=True)
        }
        return Outcome(objective, values)


class KeptRoom(RoomModel):
    """All limits are there from the start; a context moves right-hand sides."""

    def __init__(self, name: str, solver: str) -> None:
        super().__init__(name, solver)
        amounts = [self._furniture] * 3 + [self._cost] * 3 + [self._guests] * 3
        self._ceilings = [self._most] * 3 + [25 * self._most] * 3 + [3 * self._most] * 3
        self._limits = [binary(f"k{at}") for at in range(9)]
        self._rows = []
        for holds, amount, ceiling in zip(self._limits, amounts, self._ceilings, strict=True):
            rows = (amount + (ceiling + 1) * holds <= 0, amount + (ceiling + 1) * holds >= 0)
            for row in rows:
                self._problem += row
            self._rows.append(rows)
        self._money = self._cost <= 0
        self._problem += self._money

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        given = data.offer(w, x, self._name)
        limits = given.furniture + given.cost + given.guests
        for (below, above), (limit, _), ceiling in zip(self._rows, limits, self._ceilings, strict=True):
            within = max(0, min(limit, ceiling))
            below.changeRHS(within + ceiling + 1)
            above.changeRHS(within + 1)
        self._money.changeRHS(given.money)
        weights = [weight for _, weight in limits]
        return self._finish(self._types + self._limits, given.types + [2 * v for v in weights], -sum(weights))


def both(kind: str, part: str, solver: str) -> tuple[Solve, Solve]:
    """One part by a fresh model for each inference, and by one that is kept."""
    match kind:
        case "grid":
            return lambda w, x: GridModel(solver).solve(w, x), GridModel(solver).solve
        case "training":
            return lambda w, x: DayModel(part, solver).solve(w, x), DayModel(part, solver).solve
        case _:
            return lambda w, x: RoomModel(part, solver).solve(w, x), KeptRoom(part, solver).solve
