"""CP-SAT, as one writes it for exactly these parts: `fresh` models, and `Kept` ones that are changed in place."""

from collections.abc import Sequence
from typing import Any

from benchmarks.handwritten import data
from benchmarks.handwritten.data import Configuration, Outcome, Solve, Value, Weights
from ortools.sat.python import cp_model

weighted_sum = cp_model.LinearExpr.weighted_sum


def solved(model: Any, workers: int = 1) -> Any:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    status = solver.solve(model)
    assert status == cp_model.OPTIMAL, solver.status_name()
    return solver


# grid


class GridModel:
    """The four cells and whether the pairs inside the block differ; a context only moves the objective."""

    def __init__(self) -> None:
        self.model = cp_model.CpModel()
        self.cells = [self.model.new_bool_var(name) for name in data.CELLS]
        self.differ = [self.model.new_bool_var(feature) for feature, _, _ in data.INSIDE]
        for differ, (_, a, b) in zip(self.differ, data.INSIDE, strict=True):
            self.model.add_bool_xor(self.cells[a], self.cells[b], ~differ)

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        coefs = data.cell_gains(w, x) + [w[feature] for feature, _, _ in data.INSIDE]
        self.model.maximize(weighted_sum(self.cells + self.differ, [2 * coef for coef in coefs]) - sum(coefs))
        solver = solved(self.model)
        values: dict[str, Value] = {
            name: solver.boolean_value(cell) for name, cell in zip(data.CELLS, self.cells, strict=True)
        }
        return Outcome(round(solver.objective_value), values)


# training


class DayModel:
    """One Boolean for each free slot and activity; only the links depend on the context, and they are added last."""

    def __init__(self, day: str, model: Any = None) -> None:
        self.day = day
        self.model = model or cp_model.CpModel()
        self.does = {
            slot: [self.model.new_bool_var(f"{day}{slot}{a}") for a in data.ACTIVITIES] for slot in data.FREE[day]
        }
        for chosen in self.does.values():
            self.model.add_exactly_one(chosen)
        for start in (1, 2, 3):
            window = [slot for slot in range(start, start + 3) if slot in self.does]
            for m in range(5) if window else ():
                coefs = [data.FATIGUE[a][m] for a in data.ACTIVITIES] * len(window)
                literals = [literal for slot in window for literal in self.does[slot]]
                self.model.add(weighted_sum(literals, coefs) <= data.MAX_FATIGUE)

    def new_link(self, at: int) -> Any:
        return self.model.new_bool_var("")

    def link(self, at: int, slots: Sequence[int], activities: frozenset[str]) -> Any:
        """A literal for 'one of the slots has one of the activities', or whether that is so anyway."""
        if "rest" in activities and any(slot not in self.does for slot in slots):
            return True
        picked = [data.ACTIVITIES.index(a) for a in activities]
        literals = [self.does[slot][a] for slot in slots if slot in self.does for a in picked]
        if not literals:
            return False
        linked = self.new_link(at)
        self.model.add_bool_or(*literals, ~linked)
        for literal in literals:
            self.model.add_implication(literal, linked)
        return linked

    def objective(self, w: Weights) -> tuple[list[Any], list[int]]:
        literals = [literal for chosen in self.does.values() for literal in chosen]
        return literals, data.activity_gains(w, self.day) * len(self.does)

    def values(self, solver: Any) -> dict[str, Value]:
        pairs = [(slot, zip(data.ACTIVITIES, chosen, strict=True)) for slot, chosen in self.does.items()]
        return data.plan_of(
            self.day, {slot: next(a for a, held in found if solver.boolean_value(held)) for slot, found in pairs}
        )

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        literals, coefs = self.objective(w)
        constant = 0
        for at, link in enumerate(data.links(w, x, self.day)):
            linked = self.link(at, link.slots, link.activities)
            if isinstance(linked, bool):
                constant += link.weight if linked else -link.weight
            else:
                literals, coefs, constant = [*literals, linked], [*coefs, 2 * link.weight], constant - link.weight
        self.model.maximize(weighted_sum(literals, coefs) + constant)
        solver = solved(self.model)
        return Outcome(round(solver.objective_value), self.values(solver))


class KeptDay(DayModel):
    """The links of the last context are cut off before the new ones are added."""

    def __init__(self, day: str) -> None:
        super().__init__(day)
        self._links = [self.model.new_bool_var("") for _ in range(4)]
        self._size = len(self.model.proto.constraints)

    def new_link(self, at: int) -> Any:
        return self._links[at]

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        del self.model.proto.constraints[self._size :]
        return super().solve(w, x)


# hotel


class RoomModel:
    """Pieces of furniture, what follows for the type, and amounts that are compared with limits."""

    def __init__(self, name: str) -> None:
        self.name, self.room = name, data.rooms()[name]
        self.model = model = cp_model.CpModel()
        most = self.room.capacity
        self.pieces = [model.new_int_var(0, most, kind) for kind in data.KINDS]
        self.beds, self.furniture = sum(self.pieces[:3]), sum(self.pieces)
        self.cost, self.guests = weighted_sum(self.pieces, data.COSTS), weighted_sum(self.pieces, data.GUESTS)
        model.add_linear_constraint(self.furniture, 1, most)
        model.add(self.beds >= 1)
        no_bunk, table = self.reified(self.pieces[2], 0), ~self.reified(self.pieces[3], 0)
        self.types = [model.new_bool_var(kind) for kind in data.TYPES]
        _, normal, suite = self.types
        model.add_exactly_one(self.types)
        if self.room.may_be_suite:
            self.equal_all(suite, [self.reified(self.beds, 1), no_bunk, table, ~self.reified(self.pieces[4], 0)])
        else:
            model.add(suite == 0)
        if self.room.may_be_normal:
            self.equal_all(normal, [~suite, self.reified(self.beds, 3), no_bunk, table])
        else:
            model.add(normal == 0)

    def reified(self, amount: Any, limit: int) -> Any:
        """A literal for amount <= limit."""
        literal = self.model.new_bool_var("")
        self.model.add(amount <= limit).only_enforce_if(literal)
        self.model.add(amount > limit).only_enforce_if(~literal)
        return literal

    def equal_all(self, literal: Any, all_of: Sequence[Any]) -> None:
        self.model.add_bool_and(all_of).only_enforce_if(literal)
        self.model.add_bool_or(literal, *(~each for each in all_of))

    def finish(self, literals: Sequence[Any], coefs: Sequence[int], constant: int) -> Outcome:
        self.model.maximize(weighted_sum(literals, coefs) + constant)
        solver = solved(self.model)
        names = [f"{kind}[{self.name}]" for kind in data.KINDS]
        return Outcome(round(solver.objective_value), dict(zip(names, map(solver.value, self.pieces), strict=True)))

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        """For a model that is used once: limits that cannot be crossed are constants."""
        given = data.offer(w, x, self.name)
        literals, coefs, constant = list(self.types), list(given.types), 0
        most = self.room.capacity
        for amount, ceiling, limits in (
            (self.furniture, most, given.furniture),
            (self.cost, 25 * most, given.cost),
            (self.guests, 3 * most, given.guests),
        ):
            for limit, weight in limits:
                if 1 <= limit < ceiling:
                    literals, coefs = [*literals, self.reified(amount, limit)], [*coefs, 2 * weight]
                    constant -= weight
                else:
                    constant += weight if limit >= ceiling else -weight
        if given.money < 25 * most:
            self.model.add(self.cost <= given.money)
        return self.finish(literals, coefs, constant)


class KeptRoom(RoomModel):
    """All limits are there from the start; a context moves them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        amounts = [self.furniture] * 3 + [self.cost] * 3 + [self.guests] * 3
        self._limits = [(self.model.new_bool_var(""), amount) for amount in amounts]
        self._rows = [
            (
                self.model.add(amount <= 0).only_enforce_if(b).proto,
                self.model.add(amount >= 1).only_enforce_if(~b).proto,
            )
            for b, amount in self._limits
        ]
        self._money = self.model.add(self.cost <= 0).proto

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        given = data.offer(w, x, self.name)
        limits = given.furniture + given.cost + given.guests
        for (below, above), (limit, _) in zip(self._rows, limits, strict=True):
            below.linear.domain[1], above.linear.domain[0] = limit, limit + 1
        self._money.linear.domain[1] = given.money
        weights = [weight for _, weight in limits]
        literals = self.types + [literal for literal, _ in self._limits]
        return self.finish(literals, given.types + [2 * weight for weight in weights], -sum(weights))


def both(kind: str, part: str) -> tuple[Solve, Solve]:
    """One part by a fresh model for each inference, and by one that is kept."""
    match kind:
        case "grid":
            return lambda w, x: GridModel().solve(w, x), GridModel().solve
        case "training":
            return lambda w, x: DayModel(part).solve(w, x), KeptDay(part).solve
        case _:
            return lambda w, x: RoomModel(part).solve(w, x), KeptRoom(part).solve
