"""Features of one configuration, after a change in one part, and in batches; loading a large problem.

python -m benchmarks.evaluation
"""

import resource
import time
from random import Random

from benchmarks.timing import median_seconds
from rich.console import Console
from rich.table import Table

from pcl_core import FeatureMap, assess, load
from pcl_core.testing import random_configuration

GOALS = {"grid": 0.2, "training": 0.2, "hotel": 0.5, "hotel-published": 0.5}


def evaluation_table() -> Table:
    table = Table("problem", title="features of a configuration, milliseconds (median)")
    for key in ("reference", "vectorised", "goal", "one part", "each of 1,000"):
        table.add_column(key, justify="right")
    for name, goal in GOALS.items():
        table.add_row(name, *(f"{1000 * seconds:.3f}" for seconds in times(name, goal / 1000)))
    return table


def times(name: str, goal: float) -> tuple[float, ...]:
    problem = load(name)
    random = Random(0)
    x, batch = random_configuration(problem, random), [random_configuration(problem, random) for _ in range(1000)]
    feature_map = FeatureMap(problem)
    units = feature_map.units(x)
    return (
        median_seconds(lambda: assess(problem, x)),
        median_seconds(lambda: feature_map.units(x), 300),
        goal,
        median_seconds(lambda: feature_map.updated(units, x, 1), 300),
        median_seconds(lambda: feature_map.batch(batch), 5) / 1000,
    )


def main() -> None:
    console = Console()
    console.print(evaluation_table())
    start = time.perf_counter()
    problem = load("grid:side=100")
    text = problem.to_json()
    seconds = time.perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(
        f"grid of side 100: loaded and grounded in {seconds:.2f} s, {megabytes:.0f} MB, {len(text):,} bytes of JSON"
    )


if __name__ == "__main__":
    main()
