"""The weekend trip of problem.yaml, written in Python.

Run it with `python examples/trip/trip.py`.
"""

from itertools import pairwise
from pathlib import Path

import pcl_core as pcl

DAYS = ("fri", "sat", "sun")
TIMES = ("morning", "evening")
ACTIVITIES = ("museum", "hike", "beach", "concert", "rest")
TASTES = ("culture", "effort")
PRICE = {"museum": 12.5, "hike": 0, "beach": 5, "concert": 40, "rest": 0}
SCORE = {
    "museum": {"culture": 3, "effort": 1},
    "hike": {"culture": 0, "effort": 4},
    "beach": {"culture": 0, "effort": 1},
    "concert": {"culture": 4, "effort": 0},
    "rest": {"culture": 0, "effort": 0},
}


def trip(budget: int = 90) -> pcl.Problem:
    """Three days, two activities a day, at most `budget` euros."""
    build = pcl.ProblemBuilder("trip", label="Weekend trip", description="Three days at the sea, two activities a day.")
    plan = build.categorical("plan", ACTIVITIES, DAYS, TIMES, label="{0} {1}")
    price = build.table("price", PRICE)
    score = build.table("score", SCORE)
    cost = build.define("cost", pcl.total(price[slot] for slot in plan), label="total price")

    build.constraint("budget", cost <= budget, label=f"the trip costs at most {budget}")
    for day in DAYS:
        no_concert = plan[day, "morning"] != "concert"
        build.constraint(f"no-morning-concert[{day}]", no_concert, label="concerts are in the evening")

    for day in DAYS:
        for taste in TASTES:
            value = pcl.total(score[plan[day, time], taste] for time in TIMES)
            build.feature(f"{taste}[{day}]", value, label=f"{taste} on {day}")
    for today, tomorrow in pairwise(DAYS):
        again = pcl.any_of(plan[today, time] == plan[tomorrow, time] for time in TIMES)
        label = f"{tomorrow} repeats something of {today}"
        build.feature(f"repeat[{tomorrow}]", pcl.choose(again, 1, -1), label=label)
    build.feature("cost", cost, label="total price", unit="EUR")

    for day in DAYS:
        build.part(day, [plan[day, time] for time in TIMES], label=f"the plan for {day}")
    return build.problem()


def main() -> None:
    problem = trip()
    written = pcl.load(Path(__file__).with_name("problem.yaml"))
    print("features:", ", ".join(feature.name for feature in problem.features))
    print("same as problem.yaml:", problem.content_hash == written.content_hash)

    weekend = pcl.read_configuration(problem, {variable.name: "museum" for variable in problem.variables})
    found = pcl.assess(problem, weekend)
    print("feasible:", found.feasible)
    print("values:", *found.features)


if __name__ == "__main__":
    main()
