"""The paper's problems written a second time, straight from their definitions, without any of pcl.

Nothing here is shared with the implementation: the data is typed in again, features are computed by hand.
"""

import csv
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

Configuration = Mapping[str, bool | int | str]

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MUSCLES = ("arms", "torso", "back", "legs", "heart")
POWER = {
    "pushups": (4, 1, 2, 1, 2), "weights": (6, 4, 4, 3, 4), "walking": (0, 1, 1, 2, 1), "running": (0, 2, 2, 5, 3),
    "squats": (0, 1, 1, 6, 4), "abs": (0, 5, 4, 1, 2), "swimming": (4, 3, 3, 4, 2), "rest": (0, 0, 0, 0, 0),
}  # fmt: skip
FATIGUE = {
    "pushups": (3, 2, 2, 1, 1), "weights": (4, 2, 2, 1, 2), "walking": (0, 1, 1, 1, 1), "running": (0, 1, 1, 4, 4),
    "squats": (0, 1, 2, 3, 1), "abs": (0, 4, 2, 0, 1), "swimming": (4, 2, 3, 2, 3), "rest": (0, 0, 0, 0, 0),
}  # fmt: skip
AVAILABLE = {
    "mon": "10000",
    "tue": "01111",
    "wed": "11000",
    "thu": "11111",
    "fri": "11000",
    "sat": "11110",
    "sun": "01100",
}


def grid(x: Configuration, side: int = 4) -> tuple[list[int], bool]:
    cell = [[x[f"cell[{r},{c}]"] for c in range(side)] for r in range(side)]
    features = [1 if cell[r][c] != cell[r][c + 1] else -1 for r in range(side) for c in range(side - 1)]
    features += [1 if cell[r][c] != cell[r + 1][c] else -1 for r in range(side - 1) for c in range(side)]
    return features, True


def grid_names(side: int = 4) -> list[str]:
    horizontal = [f"h[{r},{c}]" for r in range(side) for c in range(side - 1)]
    return horizontal + [f"v[{r},{c}]" for r in range(side - 1) for c in range(side)]


def training(x: Configuration) -> tuple[list[int], bool]:
    plan = {day: [str(x[f"plan[{day},{slot}]"]) for slot in range(1, 6)] for day in DAYS}
    features = [sum(POWER[a][m] for a in plan[day]) for day in DAYS for m in range(5)]
    features += [sum(FATIGUE[a][m] for a in plan[day]) for day in DAYS for m in range(5)]
    for before, after in pairwise(DAYS):
        for start in (0, 2):
            shared = set(plan[before][start : start + 2]) & set(plan[after][start : start + 2])
            features.append(1 if shared else -1)
    rests = all(plan[d][s] == "rest" for d in DAYS for s in range(5) if AVAILABLE[d][s] == "0")
    tired = any(sum(FATIGUE[a][m] for a in plan[d][s : s + 3]) > 10 for d in DAYS for s in range(3) for m in range(5))
    return features, rests and not tired


def training_names() -> list[str]:
    names = [f"{kind}[{d},{m}]" for kind in ("power", "fatigue") for d in DAYS for m in MUSCLES]
    return names + [f"{half}[{d}]" for d in DAYS[1:] for half in ("morning", "afternoon")]


class Hotel:
    """Both hotels; rooms and adjacency are read with the standard csv module."""

    def __init__(self, folder: Path, house: str) -> None:
        with (folder / f"{house}.rooms.csv").open(newline="") as file:
            self.rooms = {
                row["room"]: {k: int(v) for k, v in row.items() if k != "room"} for row in csv.DictReader(file)
            }
        with (folder / f"{house}.adjacent.csv").open(newline="") as file:
            self.edges = {(row["room"], row["next"]) for row in csv.DictReader(file)}

    @staticmethod
    def furniture(x: Configuration, room: str) -> list[int]:
        return [int(x[f"{kind}[{room}]"]) for kind in ("single_beds", "double_beds", "bunk_beds", "tables", "sofas")]

    def _types(self, x: Configuration) -> dict[str, str]:
        types = {}
        for room, at in self.rooms.items():
            single, double, bunk, tables, sofas = self.furniture(x, room)
            beds = single + double + bunk
            if (
                beds == 1
                and bunk == 0
                and tables
                and sofas
                and at["bathroom_distance"] <= 1
                and at["bar_distance"] <= 2
            ):
                types[room] = "suite"
            elif beds <= 3 and bunk == 0 and tables and at["bathroom_distance"] <= 2:
                types[room] = "normal"
            else:
                types[room] = "dorm"
        return types

    def _totals(self, x: Configuration) -> tuple[int, int]:
        all_furniture = [self.furniture(x, room) for room in self.rooms]
        cost = sum(10 * f[0] + 20 * f[1] + 15 * f[2] + 15 * f[3] + 25 * f[4] for f in all_furniture)
        return cost, sum(f[0] + 2 * f[1] + 3 * f[2] for f in all_furniture)

    def evaluate(self, x: Configuration) -> tuple[list[int], bool]:
        types = self._types(x)
        cost, guests = self._totals(x)
        sizes = {room: sum(self.furniture(x, room)) for room in self.rooms}
        features: list[int] = []
        for kind in ("dorm", "normal", "suite"):
            features += steps(list(types.values()).count(kind), (4, 8, 12))
        features += steps(cost, (200, 300, 400)) + steps(guests, (20, 40, 60))
        for kind in ("dorm", "normal", "suite"):
            features += [sign(types[room] == kind) for room in self.rooms]
        for most in (1, 2, 4):
            features += [sign(sizes[room] <= most) for room in self.rooms]
        features += [sign(sizes[room] > 4) for room in self.rooms]
        for room in self.rooms:
            near = {b for a, b in self.edges if a == room} | {a for a, b in self.edges if b == room}
            features.append(sign(any(types[other] == types[room] for other in near)))
        fits = all(sizes[room] <= at["capacity"] for room, at in self.rooms.items())
        beds = all(sum(self.furniture(x, room)[:3]) >= 1 for room in self.rooms)
        return features, fits and beds and cost <= 600

    def evaluate_published(self, x: Configuration) -> tuple[list[int], bool]:
        normal, suite = {}, {}
        for room, at in self.rooms.items():
            single, double, bunk, tables, sofas = self.furniture(x, room)
            beds = single + double + bunk
            normal[room] = beds <= 3 and bunk == 0 and tables >= 1 and at["bathroom_distance"] <= 2
            suite[room] = beds <= 1 and bunk == 0 and tables >= 1 and sofas >= 1 and at["bathroom_distance"] <= 1
        dorm = {room: not normal[room] and not suite[room] for room in self.rooms}
        cost, guests = self._totals(x)
        features: list[int] = []
        for kind in (dorm, normal, suite):
            features += steps(sum(kind.values()), (4, 8, 12))
        features += steps(cost, (100, 200, 300)) + steps(guests, (20, 40, 60))
        for kind in (dorm, normal, suite):
            features += [sign(kind[room]) for room in self.rooms]
        for most in (2, 4, 6):
            features += [sign(sum(self.furniture(x, room)) <= most) for room in self.rooms]
        features += [sign(sum(self.furniture(x, room)) > 6) for room in self.rooms]
        return features, True


def sign(holds: bool) -> int:
    return 1 if holds else -1


def steps(amount: int, thresholds: tuple[int, ...]) -> list[int]:
    return [sign(amount <= t) for t in thresholds] + [sign(amount > thresholds[-1])]
