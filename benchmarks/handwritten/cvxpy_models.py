"""CVXPY with HiGHS, as one writes it for exactly these parts.

Each model is written once over numbers that are constants (a fresh problem for each inference) or Parameters
(one problem, compiled once, whose parameters get new values).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import cvxpy as cp
import numpy as np
import numpy.typing as npt
from benchmarks.handwritten import data
from benchmarks.handwritten.data import Configuration, Outcome, Solve, Value, Weights

Array = npt.NDArray[np.float64]
Numbers = dict[str, Array]
Build = Callable[[Mapping[str, Any]], tuple[Any, dict[str, Any]]]
"""From numbers (or parameters) to a problem and its variables."""
Read = Callable[[Weights, Configuration], tuple[Numbers, int]]
"""From a query to the numbers and the constant of the objective."""
Write = Callable[[Mapping[str, Any]], dict[str, Value]]
"""From the solved variables to the values of the part."""


def solved(problem: Any) -> int:
    options = {"mip_rel_gap": 0.0, "mip_abs_gap": 0.0, "mip_feasibility_tolerance": 1e-9}
    value: float = problem.solve(solver="HIGHS", highs_options=options)
    assert problem.status == cp.OPTIMAL, problem.status
    return round(value)


def fresh(build: Build, read: Read, write: Write) -> Solve:
    def solve(w: Weights, x: Configuration) -> Outcome:
        numbers, constant = read(w, x)
        problem, variables = build(numbers)
        return Outcome(solved(problem) + constant, write(variables))

    return solve


def kept(build: Build, read: Read, write: Write, example: tuple[Weights, Configuration]) -> Solve:
    parameters = {name: cp.Parameter(number.shape) for name, number in read(*example)[0].items()}
    problem, variables = build(parameters)

    def solve(w: Weights, x: Configuration) -> Outcome:
        numbers, constant = read(w, x)
        for name, number in numbers.items():
            parameters[name].value = number
        return Outcome(solved(problem) + constant, write(variables))

    return solve


# grid

ONE_END = np.eye(4)[[a for _, a, _ in data.INSIDE]]
OTHER_END = np.eye(4)[[b for _, _, b in data.INSIDE]]


def build_grid(number: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    cells, differ = cp.Variable(4, boolean=True), cp.Variable(4, boolean=True)
    a, b = ONE_END @ cells, OTHER_END @ cells
    rows = [differ <= a + b, differ <= 2 - a - b, differ >= a - b, differ >= b - a]
    return cp.Problem(cp.Maximize(number["cells"] @ cells + number["differ"] @ differ), rows), {"cells": cells}


def read_grid(w: Weights, x: Configuration) -> tuple[Numbers, int]:
    cells, differ = data.cell_gains(w, x), [w[feature] for feature, _, _ in data.INSIDE]
    return {"cells": 2.0 * np.array(cells), "differ": 2.0 * np.array(differ)}, -sum(cells) - sum(differ)


def write_grid(variables: Mapping[str, Any]) -> dict[str, Value]:
    return {name: bool(value > 0.5) for name, value in zip(data.CELLS, variables["cells"].value, strict=True)}


# training


@cache
def windows(day: str) -> Array:
    """Fatigue of each window and muscle, by free slot and activity."""
    fatigue = np.array([data.FATIGUE[a] for a in data.ACTIVITIES]).T
    nothing = np.zeros_like(fatigue)
    return np.vstack(
        [
            np.hstack([fatigue if start <= slot < start + 3 else nothing for slot in data.FREE[day]])
            for start in (1, 2, 3)
            if any(start <= slot < start + 3 for slot in data.FREE[day])
        ]
    )


def build_day(day: str) -> Build:
    count, width = len(data.FREE[day]), len(data.ACTIVITIES)
    one = np.kron(np.eye(count), np.ones(width))

    def build(number: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        does, linked = cp.Variable(count * width, boolean=True), cp.Variable(4, boolean=True)
        has_first, has_second = number["first"] @ does, number["second"] @ does
        rows = [one @ does == 1, windows(day) @ does <= data.MAX_FATIGUE]
        rows += [linked >= has_first + number["given"], linked >= has_second + number["given"]]
        rows += [linked <= has_first + has_second + number["given"]]
        return cp.Problem(cp.Maximize(number["gains"] @ does + number["links"] @ linked), rows), {"does": does}

    return build


def read_day(day: str) -> Read:
    free, width = data.FREE[day], len(data.ACTIVITIES)

    def read(w: Weights, x: Configuration) -> tuple[Numbers, int]:
        ends = np.zeros((2, 4, len(free) * width))
        given, weights = np.zeros(4), np.zeros(4)
        for at, link in enumerate(data.links(w, x, day)):
            weights[at] = link.weight
            for end, slot in enumerate(link.slots):
                if slot in free:
                    for activity in link.activities:
                        ends[end, at, free.index(slot) * width + data.ACTIVITIES.index(activity)] = 1
                elif "rest" in link.activities:
                    given[at] = 1
        if given.any():  # what holds anyway must not be counted again by the free slot of the pair
            ends[:, given == 1] = 0
        gains = np.tile(np.array(data.activity_gains(w, day), dtype=float), len(free))
        numbers = {"gains": gains, "links": 2 * weights, "first": ends[0], "second": ends[1], "given": given}
        return numbers, -int(weights.sum())

    return read


def write_day(day: str) -> Write:
    def write(variables: Mapping[str, Any]) -> dict[str, Value]:
        chosen = variables["does"].value.reshape(len(data.FREE[day]), -1).argmax(axis=1)
        return data.plan_of(day, {s: data.ACTIVITIES[a] for s, a in zip(data.FREE[day], chosen, strict=True)})

    return write


# hotel


def build_room(name: str) -> Build:
    room = data.rooms()[name]
    most = room.capacity
    amounts = np.repeat(np.array([np.ones(5), data.COSTS, data.GUESTS]), 3, axis=0)
    ceilings = np.repeat([most, 25 * most, 3 * most], 3)
    parts = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])
    limits = np.array([1, 3, 0, 0, 0])

    def build(number: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        pieces, types = cp.Variable(5, integer=True), cp.Variable(3, boolean=True)
        facts, within = cp.Variable(5, boolean=True), cp.Variable(9, boolean=True)
        one, few, no_bunk, no_table, no_sofa = facts
        _, normal, suite = types
        moved = amounts @ pieces + cp.multiply(ceilings + 1, within)
        rows = [pieces >= 0, cp.sum(pieces) <= most, cp.sum(pieces[:3]) >= 1, cp.sum(types) == 1]
        rows += [data.COSTS @ pieces <= number["money"]]
        rows += [parts @ pieces + cp.multiply(most - limits, facts) <= most]
        rows += [parts @ pieces + cp.multiply(limits + 1, facts) >= limits + 1]
        rows += [moved <= number["limits"] + ceilings + 1, moved >= number["limits"] + 1]
        rows += [suite <= one, suite <= no_bunk, suite <= 1 - no_table, suite <= 1 - no_sofa]
        rows += [suite >= one + no_bunk - no_table - no_sofa - 1 if room.may_be_suite else suite == 0]
        rows += [normal <= few, normal <= no_bunk, normal <= 1 - no_table]
        rows += [normal + suite >= few + no_bunk - no_table - 1 if room.may_be_normal else normal == 0]
        objective = number["types"] @ types + number["weights"] @ within
        return cp.Problem(cp.Maximize(objective), rows), {"pieces": pieces}

    return build


def read_room(name: str) -> Read:
    most = data.rooms()[name].capacity
    ceilings = np.repeat([most, 25 * most, 3 * most], 3)

    def read(w: Weights, x: Configuration) -> tuple[Numbers, int]:
        given = data.offer(w, x, name)
        limits, weights = np.array(given.furniture + given.cost + given.guests, dtype=float).T
        return {
            "types": np.array(given.types, dtype=float),
            "weights": 2 * weights,
            "limits": np.clip(limits, 0, ceilings),
            "money": np.array(float(given.money)),
        }, -int(weights.sum())

    return read


def write_room(name: str) -> Write:
    names = [f"{kind}[{name}]" for kind in data.KINDS]
    return lambda variables: {n: round(v) for n, v in zip(names, variables["pieces"].value, strict=True)}


def both(kind: str, part: str, example: tuple[Weights, Configuration]) -> tuple[Solve, Solve]:
    """One part by a fresh problem for each inference, and by one with parameters; the example tells their shapes."""
    model: tuple[Build, Read, Write]
    match kind:
        case "grid":
            model = build_grid, read_grid, write_grid
        case "training":
            model = build_day(part), read_day(part), write_day(part)
        case _:
            model = build_room(part), read_room(part), write_room(part)
    return fresh(*model), kept(*model, example)
