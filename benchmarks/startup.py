"""What it costs to start: CPU seconds of fresh processes, taking turns, against importing what everything stands on.

python -m benchmarks.startup [--repeats 15]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.report import Goal, Sheet, load_average, machine, milliseconds
from rich.console import Console

BASE = "import numpy, pydantic"
PCL = str(Path(sys.executable).parent / "pcl")
STARTS = {
    BASE: [sys.executable, "-c", BASE],
    "import pcl_core": [sys.executable, "-c", "import pcl_core"],
    "from pcl_core import load": [sys.executable, "-c", "from pcl_core import load"],
    "from pcl_core import Elicitation": [sys.executable, "-c", "from pcl_core import Elicitation"],
    "from pcl_core import *": [sys.executable, "-c", "from pcl_core import *"],
    "pcl --help": [PCL, "--help"],
    "pcl solve --help": [PCL, "solve", "--help"],
}
GOALS = {"import pcl_core": Goal(2.5)}


def cpu_seconds(command: list[str]) -> float:
    """Of a process: what it works itself and what the system does for it; waiting for others does not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "80"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def measure(repeats: int) -> dict[str, float]:
    """The median of each; they take turns, and a first round that fills caches does not count."""
    found: dict[str, list[float]] = {name: [] for name in STARTS}
    for turn in range(repeats + 1):
        for name, command in STARTS.items():
            seconds = cpu_seconds(command)
            if turn:
                found[name].append(seconds)
    return {name: statistics.median(values) for name, values in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    chosen = parser.parse_args()
    before = load_average()
    found = measure(chosen.repeats)
    sheet = Sheet(f"Starting (CPU ms, medians of {chosen.repeats})", ("what", "ms", f"against {BASE}", "goal"))
    for name, seconds in found.items():
        ratio, goal = seconds / found[BASE], GOALS.get(name)
        said = f"{ratio:.2f}" if goal is None else goal.judged(ratio)
        sheet.rows.append((name, milliseconds(seconds), said, "" if goal is None else str(goal)))
    console = Console(width=120)
    console.print(sheet.rich())
    print()
    print(sheet.markdown())
    print("\n".join(f"- {line}" for line in [*machine(), f"load average before: {before}"]))


if __name__ == "__main__":
    main()
