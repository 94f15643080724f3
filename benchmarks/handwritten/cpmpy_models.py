"""CPMpy with CP-SAT: a model for each query, as its users write it."""

from typing import Any

import cpmpy as cp
from benchmarks.handwritten import data
from benchmarks.handwritten.data import Configuration, Outcome, Solve, Weights


def solved(model: Any) -> int:
    assert model.solve(solver="ortools", num_workers=1)
    return int(model.objective_value())


def grid(w: Weights, x: Configuration) -> Outcome:
    cells = cp.boolvar(shape=4)
    gains = data.cell_gains(w, x)
    objective = sum(gains[at] * (2 * cells[at] - 1) for at in range(4))
    objective += sum(w[feature] * (2 * (cells[a] != cells[b]) - 1) for feature, a, b in data.INSIDE)
    model = cp.Model(maximize=objective)
    value = solved(model)
    return Outcome(value, {name: bool(held) for name, held in zip(data.CELLS, cells.value(), strict=True)})


def day(name: str) -> Solve:
    free = data.FREE[name]

    def solve(w: Weights, x: Configuration) -> Outcome:
        does = cp.boolvar(shape=(len(free), len(data.ACTIVITIES)))
        model = cp.Model([cp.sum(row) == 1 for row in does])
        for start in (1, 2, 3):
            window = [at for at, slot in enumerate(free) if start <= slot < start + 3]
            for m in range(5) if window else ():
                fatigue = [data.FATIGUE[a][m] for a in data.ACTIVITIES]
                model += cp.sum([cp.sum(fatigue * does[at]) for at in window]) <= data.MAX_FATIGUE
        gains = data.activity_gains(w, name)
        objective = cp.sum([cp.sum(gains * row) for row in does])
        for link in data.links(w, x, name):
            rests = "rest" in link.activities and any(slot not in free for slot in link.slots)
            slots = [at for at, slot in enumerate(free) if slot in link.slots]
            same = rests or cp.any([does[at, data.ACTIVITIES.index(a)] for at in slots for a in link.activities])
            objective += link.weight * (2 * same - 1)
        model.maximize(objective)
        value = solved(model)
        chosen = does.value().argmax(axis=1)
        return Outcome(value, data.plan_of(name, {s: data.ACTIVITIES[a] for s, a in zip(free, chosen, strict=True)}))

    return solve


def room(name: str) -> Solve:
    held = data.rooms()[name]

    def solve(w: Weights, x: Configuration) -> Outcome:
        given = data.offer(w, x, name)
        pieces = cp.intvar(0, held.capacity, shape=5)
        _, _, bunk, tables, sofas = pieces
        beds, furniture = cp.sum(pieces[:3]), cp.sum(pieces)
        cost, guests = cp.sum(pieces * data.COSTS), cp.sum(pieces * data.GUESTS)
        dorm, normal, suite = cp.boolvar(shape=3)
        could = [beds == 1, bunk == 0, tables >= 1, sofas >= 1, held.may_be_suite]
        model = cp.Model(furniture <= held.capacity, beds >= 1, cost <= given.money)
        model += suite == cp.all(could)
        model += normal == cp.all([~suite, beds <= 3, bunk == 0, tables >= 1, held.may_be_normal])
        model += dorm == (~suite & ~normal)
        objective = sum(gain * kind for gain, kind in zip(given.types, (dorm, normal, suite), strict=True))
        for amount, limits in ((furniture, given.furniture), (cost, given.cost), (guests, given.guests)):
            objective += sum(weight * (2 * (amount <= limit) - 1) for limit, weight in limits)
        model.maximize(objective)
        value = solved(model)
        names = [f"{kind}[{name}]" for kind in data.KINDS]
        return Outcome(value, dict(zip(names, map(int, pieces.value()), strict=True)))

    return solve


def of(kind: str, part: str) -> Solve:
    match kind:
        case "grid":
            return grid
        case "training":
            return day(part)
        case _:
            return room(part)
