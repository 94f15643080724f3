"""What every hand-written model needs of the three problems: their data, and what a context makes of the weights.

Nothing of pcl is used here. A context is folded into constants as a person would do it for this one problem.
"""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pcl_problems

Value = bool | int | str
Configuration = Mapping[str, Value]
Weights = Mapping[str, int]
"""A whole number for each feature of the part, by its name."""


class Outcome(NamedTuple):
    """The optimal objective and the values of the part's variables."""

    objective: int
    values: dict[str, Value]


Solve = Callable[[Weights, Configuration], Outcome]
"""One inference for a fixed part."""


def rows_of(problem: str, file: str) -> list[dict[str, str]]:
    with (Path(pcl_problems.__path__[0]) / problem / file).open(newline="") as opened:
        return list(csv.DictReader(opened))


# grid: block[0,0] of a 4 x 4 grid

CELLS = ("cell[0,0]", "cell[0,1]", "cell[1,0]", "cell[1,1]")
INSIDE = (("h[0,0]", 0, 1), ("h[1,0]", 2, 3), ("v[0,0]", 0, 2), ("v[0,1]", 1, 3))
BORDER = (
    ("h[0,1]", 1, "cell[0,2]"),
    ("h[1,1]", 3, "cell[1,2]"),
    ("v[1,0]", 2, "cell[2,0]"),
    ("v[1,1]", 3, "cell[2,1]"),
)


def cell_gains(w: Weights, x: Configuration) -> list[int]:
    """What 2·cell - 1 is worth because of the neighbours outside the block."""
    gains = [0, 0, 0, 0]
    for feature, cell, neighbour in BORDER:
        gains[cell] += -w[feature] if x[neighbour] else w[feature]
    return gains


# training: one day

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SLOTS = (1, 2, 3, 4, 5)
MUSCLES = ("arms", "torso", "back", "legs", "heart")
PAIRS = {"morning": (1, 2), "afternoon": (3, 4)}
POWER = {row["activity"]: [int(row[m]) for m in MUSCLES] for row in rows_of("training", "power.csv")}
FATIGUE = {row["activity"]: [int(row[m]) for m in MUSCLES] for row in rows_of("training", "fatigue.csv")}
ACTIVITIES = tuple(POWER)
FREE = {row["day"]: [slot for slot in SLOTS if row[str(slot)] == "1"] for row in rows_of("training", "available.csv")}
MAX_FATIGUE = 10


def activity_gains(w: Weights, day: str) -> list[int]:
    """What each activity is worth in any slot of the day."""
    power, fatigue = ([w[f"{kind}[{day},{m}]"] for m in MUSCLES] for kind in ("power", "fatigue"))
    return [
        sum(u * p + v * f for u, p, v, f in zip(power, POWER[a], fatigue, FATIGUE[a], strict=True)) for a in ACTIVITIES
    ]


class Link(NamedTuple):
    """Worth +weight if some of the slots has one of the activities, else -weight."""

    name: str
    weight: int
    slots: tuple[int, int]
    activities: frozenset[str]


def links(w: Weights, x: Configuration, day: str) -> list[Link]:
    """The features that a day shares with the day before and the day after."""
    found = []
    for before, after in pairwise(DAYS):
        if day in (before, after):
            other = after if day == before else before
            for half, slots in PAIRS.items():
                name = f"{half}[{after}]"
                found.append(Link(name, w[name], slots, frozenset(str(x[f"plan[{other},{s}]"]) for s in slots)))
    return found


def plan_of(day: str, chosen: Mapping[int, str]) -> dict[str, Value]:
    return {f"plan[{day},{slot}]": chosen.get(slot, "rest") for slot in SLOTS}


# hotel: one room

KINDS = ("single_beds", "double_beds", "bunk_beds", "tables", "sofas")
COSTS = (10, 20, 15, 15, 25)
GUESTS = (1, 2, 3, 0, 0)
TYPES = ("dorm", "normal", "suite")
BUDGET = 600


@dataclass(frozen=True)
class Room:
    capacity: int
    bathroom: int
    bar: int
    near: frozenset[str]

    @property
    def may_be_suite(self) -> bool:
        return self.bathroom <= 1 and self.bar <= 2

    @property
    def may_be_normal(self) -> bool:
        return self.bathroom <= 2

    def type_of(self, pieces: Sequence[int]) -> str:
        single, double, bunk, tables, sofas = pieces
        beds = single + double + bunk
        if bunk or not tables:
            return "dorm"
        if self.may_be_suite and beds == 1 and sofas:
            return "suite"
        return "normal" if self.may_be_normal and beds <= 3 else "dorm"


@cache
def rooms() -> dict[str, Room]:
    near: dict[str, set[str]] = {row["room"]: set() for row in rows_of("hotel", "large.rooms.csv")}
    for row in rows_of("hotel", "large.adjacent.csv"):
        near[row["room"]].add(row["next"])
        near[row["next"]].add(row["room"])
    return {
        row["room"]: Room(
            int(row["capacity"]), int(row["bathroom_distance"]), int(row["bar_distance"]), frozenset(near[row["room"]])
        )
        for row in rows_of("hotel", "large.rooms.csv")
    }


@dataclass(frozen=True)
class Offer:
    """What a room's furniture is worth in its context: Σ over types + Σ ±weight of the limits (amount <= limit)."""

    types: list[int]
    furniture: list[tuple[int, int]]
    cost: list[tuple[int, int]]
    guests: list[tuple[int, int]]
    money: int
    """How much the room may cost."""


def offer(w: Weights, x: Configuration, name: str) -> Offer:
    pieces = {room: [int(x[f"{kind}[{room}]"]) for kind in KINDS] for room in rooms() if room != name}
    types = {room: rooms()[room].type_of(found) for room, found in pieces.items()}
    cost = sum(n * price for found in pieces.values() for n, price in zip(found, COSTS, strict=True))
    guests = sum(n * each for found in pieces.values() for n, each in zip(found, GUESTS, strict=True))
    counts = [list(types.values()).count(kind) for kind in TYPES]
    return Offer(
        [_type_gain(w, name, kind, types, counts) for kind in TYPES],
        _limits([w[f"furniture{step}[{name}]"] for step in ("<=1", "<=2", "<=4", ">4")], (1, 2, 4), 0),
        _limits([w[f"cost{step}"] for step in ("<=200", "<=300", "<=400", ">400")], (200, 300, 400), cost),
        _limits([w[f"guests{step}"] for step in ("<=20", "<=40", "<=60", ">60")], (20, 40, 60), guests),
        BUDGET - cost,
    )


def _limits(weights: list[int], limits: tuple[int, int, int], others: int) -> list[tuple[int, int]]:
    """The last two features say the opposite of each other, so they are one."""
    first, second, third, above = weights
    return [(limit - others, w) for limit, w in zip(limits, (first, second, third - above), strict=True)]


def _type_gain(w: Weights, name: str, kind: str, types: Mapping[str, str], counts: Sequence[int]) -> int:
    gain = 0
    for other, count in zip(TYPES, counts, strict=True):
        number = count + (other == kind)
        gain += sum(w[f"{other}s<={k}"] if number <= k else -w[f"{other}s<={k}"] for k in (4, 8, 12))
        gain += w[f"{other}s>12"] if number > 12 else -w[f"{other}s>12"]
        gain += w[f"{other}[{name}]"] if other == kind else -w[f"{other}[{name}]"]
    for room in (name, *rooms()[name].near):
        own = kind if room == name else types[room]
        same = any((kind if other == name else types[other]) == own for other in rooms()[room].near)
        gain += w[f"same_type[{room}]"] if same else -w[f"same_type[{room}]"]
    return gain
