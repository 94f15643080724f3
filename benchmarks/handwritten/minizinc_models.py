"""The authors' way: MiniZinc flattens the model and Gecode solves it, as processes of their own for every inference."""

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.handwritten import data
from benchmarks.handwritten.data import Configuration, Outcome, Solve, Weights

Datum = str | int | bool | Iterable["Datum"]


def written(value: Datum) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{','.join(map(written, value))}]" if not isinstance(value, (str, int)) else str(value)


def table(rows: Iterable[Iterable[Datum]]) -> str:
    return "[|" + "|".join(",".join(map(written, row)) for row in rows) + "|]"


def solved(model: str, values: Mapping[str, Datum]) -> tuple[int, list[int]]:
    """The objective and the numbers after it, from the last solution; the row of = signs says it is proven best."""
    given = ";".join(f"{name}={written(value)}" for name, value in values.items())
    command = ["minizinc", "--solver", "gecode", "--cmdline-data", given, str(Path(__file__).with_name(model))]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed[-1] == "==========", printed[-1]
    objective, *rest = map(int, printed[-3].split())
    return objective, rest


def grid(w: Weights, x: Configuration) -> Outcome:
    values: dict[str, Datum] = {
        "gains": data.cell_gains(w, x),
        "weights": [w[feature] for feature, _, _ in data.INSIDE],
        "one": [a + 1 for _, a, _ in data.INSIDE],
        "other": [b + 1 for _, _, b in data.INSIDE],
    }
    objective, cells = solved("grid.mzn", values)
    return Outcome(objective, {name: bool(value) for name, value in zip(data.CELLS, cells, strict=True)})


def day(name: str) -> Solve:
    fixed: dict[str, Datum] = {
        "power": table(data.POWER.values()),
        "fatigue": table(data.FATIGUE.values()),
        "available": [slot in data.FREE[name] for slot in data.SLOTS],
        "max_fatigue": data.MAX_FATIGUE,
    }

    def solve(w: Weights, x: Configuration) -> Outcome:
        links = data.links(w, x, name)
        neighbours = [
            [data.ACTIVITIES.index(a) + 1 for a in (*link.activities, *link.activities)][:2] for link in links
        ]
        values = fixed | {
            "w_power": [w[f"power[{name},{m}]"] for m in data.MUSCLES],
            "w_fatigue": [w[f"fatigue[{name},{m}]"] for m in data.MUSCLES],
            "w_link": [link.weight for link in links],
            "first": [link.slots[0] for link in links],
            "neighbour": table(neighbours),
        }
        objective, plan = solved("training.mzn", values)
        return Outcome(objective, data.plan_of(name, {s: data.ACTIVITIES[a - 1] for s, a in enumerate(plan, 1)}))

    return solve


def room(name: str) -> Solve:
    rooms = data.rooms()
    order = list(rooms)
    edges = [[order.index(a) + 1, order.index(b) + 1] for a in order for b in rooms[a].near if a < b]
    fixed: dict[str, Datum] = {
        "rooms": len(order),
        "own": order.index(name) + 1,
        "budget": data.BUDGET,
        "capacity": [held.capacity for held in rooms.values()],
        "bathroom": [held.bathroom for held in rooms.values()],
        "bar": [held.bar for held in rooms.values()],
        "adjacent": table(edges),
    }

    def solve(w: Weights, x: Configuration) -> Outcome:
        values = fixed | {
            "context": table([int(x[f"{kind}[{room}]"]) for kind in data.KINDS] for room in order),
            "w_types": table([w[f"{kind}s{step}"] for step in ("<=4", "<=8", "<=12", ">12")] for kind in data.TYPES),
            "w_cost": [w[f"cost{step}"] for step in ("<=200", "<=300", "<=400", ">400")],
            "w_guests": [w[f"guests{step}"] for step in ("<=20", "<=40", "<=60", ">60")],
            "w_type": [w[f"{kind}[{name}]"] for kind in data.TYPES],
            "w_furniture": [w[f"furniture{step}[{name}]"] for step in ("<=1", "<=2", "<=4", ">4")],
            "w_same": [w.get(f"same_type[{room}]", 0) for room in order],
        }
        objective, pieces = solved("hotel.mzn", values)
        return Outcome(objective, {f"{kind}[{name}]": n for kind, n in zip(data.KINDS, pieces, strict=True)})

    return solve


def of(kind: str, part: str) -> Solve:
    match kind:
        case "grid":
            return grid
        case "training":
            return day(part)
        case _:
            return room(part)
