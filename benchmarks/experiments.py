"""The same experiment by one process and by two, each from nothing: how much faster, and how much memory.

Two processes start, import and compile for about two seconds each, one for as long: there must be work enough.

python -m benchmarks.experiments [--users 256] [--queries 100] [--repeats 3]
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Goal, Sheet, load_average, machine
from rich.console import Console

PROBLEM = "training"
GOAL = Goal(1.7, at_least=True)
MEASURED = """
import json, resource, sys, time
from joblib.externals.loky import get_reusable_executor
from pcl_app.main import run

began = time.perf_counter()
try:
    run()
except SystemExit as stopped:
    assert not stopped.code, stopped.code
seconds = time.perf_counter() - began
get_reusable_executor().shutdown(wait=True)  # only processes that have ended are counted
who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
memory = [resource.getrusage(one).ru_maxrss / 1024 for one in who]
print(json.dumps([seconds, *memory]), file=sys.stderr)
"""


@dataclass(frozen=True)
class Measured:
    """One run: seconds, and the largest memory of the process and of any one that it started, in MB."""

    seconds: float
    own: float
    children: float


def measure(jobs: int, users: int, queries: int) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        options = [
            "--users",
            str(users),
            "--queries",
            str(queries),
            "--jobs",
            str(jobs),
            "--out",
            str(Path(folder) / "out"),
        ]
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, "simulate", PROBLEM, "--stop", "never", *options],
            capture_output=True,
            text=True,
            check=True,
        )
    return Measured(*json.loads(done.stderr.splitlines()[-1]))


def sheet(users: int, queries: int, repeats: int) -> Sheet:
    """One and two take turns, so that a busy moment of the machine hits both."""
    runs: dict[int, list[Measured]] = {1: [], 2: []}
    for turn in range(repeats):
        for jobs in (1, 2) if turn % 2 == 0 else (2, 1):
            runs[jobs].append(measure(jobs, users, queries))
    seconds = {jobs: statistics.median(run.seconds for run in found) for jobs, found in runs.items()}
    table = Sheet(
        f"{PROBLEM}: {users} users, {queries} queries each, medians of {repeats}",
        ("jobs", "seconds", "times as fast", f"goal {GOAL}", "memory, MB", "memory of a worker, MB"),
    )
    for jobs, found in runs.items():
        ratio = seconds[1] / seconds[jobs]
        own, child = (max(getattr(run, name) for run in found) for name in ("own", "children"))
        judged = "" if jobs == 1 else GOAL.judged(ratio)
        table.rows.append(
            (
                str(jobs),
                f"{seconds[jobs]:.1f}",
                f"{ratio:.2f}",
                judged,
                f"{own:.0f}",
                "" if jobs == 1 else f"{child:.0f}",
            )
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("users", 256), ("queries", 100), ("repeats", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    before = load_average()
    table = sheet(given.users, given.queries, given.repeats)
    Console().print(table.rich())
    print(table.markdown())
    print("\n".join(machine()))
    print(f"load average before: {before}, after: {load_average()}")


if __name__ == "__main__":
    main()
