"""The training week of the catalogue, written in Python; it is the same problem, down to its hash."""

import csv
from itertools import pairwise
from pathlib import Path

from pcl_core import Problem, ProblemBuilder, any_of, choose, total

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SLOTS = (1, 2, 3, 4, 5)
ACTIVITIES = ("pushups", "weights", "walking", "running", "squats", "abs", "swimming", "rest")
MUSCLES = ("arms", "torso", "back", "legs", "heart")
HALVES = {"morning": (1, 2), "afternoon": (3, 4)}


def read_matrix(path: Path) -> dict[str, dict[str, int]]:
    """Rows of a CSV file by its first column."""
    with path.open(newline="") as file:
        rows = csv.DictReader(file)
        assert rows.fieldnames is not None
        first, *columns = rows.fieldnames
        return {row[first]: {column: int(row[column]) for column in columns} for row in rows}


def training(data: Path) -> Problem:
    available = read_matrix(data / "available.csv")
    build = ProblemBuilder(
        "training",
        label="Training week",
        description="A week of training, five slots a day. Each activity strengthens and tires five muscle groups.",
    )
    power = build.table("power", read_matrix(data / "power.csv"))
    fatigue = build.table("fatigue", read_matrix(data / "fatigue.csv"))
    plan = build.categorical("plan", ACTIVITIES, DAYS, SLOTS, label="{0} slot {1}")

    for d in DAYS:
        for s in SLOTS:
            if not available[d][str(s)]:
                rests = plan[d, s] == "rest"
                build.constraint(f"unavailable[{d},{s}]", rests, label=f"no training on {d} in slot {s}")
    for d in DAYS:
        for s in (1, 2, 3):
            for m in MUSCLES:
                tired = total(fatigue[plan[d, k], m] for k in (s, s + 1, s + 2))
                label = f"{m} must not tire too much on {d} from slot {s} to {s + 2}"
                build.constraint(f"overload[{d},{s},{m}]", tired <= 10, label=label)

    for d in DAYS:
        for m in MUSCLES:
            build.feature(f"power[{d},{m}]", total(power[plan[d, s], m] for s in SLOTS), label=f"power for {m} on {d}")
    for d in DAYS:
        for m in MUSCLES:
            value = total(fatigue[plan[d, s], m] for s in SLOTS)
            build.feature(f"fatigue[{d},{m}]", value, label=f"fatigue of {m} on {d}")
    for yesterday, today in pairwise(DAYS):
        for half, slots in HALVES.items():
            repeated = any_of(plan[yesterday, s] == plan[today, t] for s in slots for t in slots)
            label = f"{today} {half} repeats an activity of {yesterday}"
            build.feature(f"{half}[{today}]", choose(repeated, 1, -1), label=label)

    for d in DAYS:
        build.part(d, [plan[d, s] for s in SLOTS])
    build.initial(plan, "rest")
    build.initial((plan[d, s] for d in DAYS for s in SLOTS if available[d][str(s)]), "pushups")
    return build.problem()


if __name__ == "__main__":
    import pcl_problems.training

    assert pcl_problems.training.__file__ is not None
    week = training(Path(pcl_problems.training.__file__).parent)
    print(f"{week.name}: {len(week.parts)} parts, {len(week.features)} features, hash {week.content_hash[:12]}")
