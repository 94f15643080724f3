"""This tree beside another, such as one from before a change: CPU time of the same work in both, taking turns.

python -m benchmarks.beside OTHER_TREE [--turns 7] [--only WORD]

OTHER_TREE has an environment of its own in `.venv`. Each tree does the work with its own code, in processes of its own:
one that lasts for what is done over and over, a fresh one each time for what is done once. A ratio above 1 says that
this tree is slower. The same simulated people are used in both; recipes that only one tree has are not compared. Numpy
has one thread: the others spin after it is imported, and would count to whatever comes next.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from benchmarks.cases import Case

Work: TypeAlias = Callable[[], object]

PROBLEMS = ("grid", "training", "hotel")
BACKENDS = ("auto", "cpsat", "pulp:highs")
QUERIES = 10
SERVE, FRESH = "--serve", "--fresh"
MOST = 1.1
ALONE = {"COLUMNS": "80", "OPENBLAS_NUM_THREADS": "1"}


@cache
def cases() -> "dict[str, Case]":
    """A part of each problem."""
    from benchmarks.cases import part_cases

    return {case.name.split()[0]: case for case in reversed(part_cases(QUERIES))}


def inferring(name: str, backend: str) -> Work:
    """The queries of one part, one after the other."""
    from benchmarks.competitors import ours

    case = cases()[name]
    solve = ours(case, backend)
    return lambda: [solve(query) for query in case.queries]


def whole_week() -> Work:
    from benchmarks.cases import make_case, random_week
    from benchmarks.competitors import ours

    from pcl_core import load

    case = make_case("whole week", load("training"), None, random_week, 3)
    solve = ours(case, "cpsat")
    return lambda: [solve(query) for query in case.queries]


def evaluating(name: str) -> Work:
    from random import Random

    from pcl_core import FeatureMap, load
    from pcl_core.testing import random_configuration

    problem, random = load(name), Random(0)
    listed = [random_configuration(problem, random) for _ in range(100)]
    features = FeatureMap(problem)

    def work() -> None:
        for x in listed:
            features.updated(features.units(x), x, 1)
        features.batch(listed)

    return work


def eliciting(name: str) -> Work:
    """A query besides inference: what an elicitation says of itself, in seconds, by the clock."""
    from benchmarks.elicitation import simulated

    def work() -> float:
        return statistics.median(step.seconds_update for step in simulated(name, 100)[0].steps)

    return work


def whole_elicitation(name: str) -> Work:
    from benchmarks.elicitation import simulated

    return lambda: [simulated(name, 100)]


def resuming(name: str) -> Work:
    from benchmarks.elicitation import simulated

    from pcl_core import Elicitation, Oracle, load

    log = Path(tempfile.mkdtemp()) / "log.jsonl"
    simulated(name, 300, log)
    oracle = Oracle.of(load(name), "auto")
    return lambda: Elicitation.resume(log, oracle.problem, oracle=oracle).close()


def loading(name: str) -> Work:
    from pcl_core import load

    return lambda: [load(name)]


def hashing(name: str) -> Work:
    """The hash of a problem that was just read; reading it does not count."""
    from pcl_core import load, parse_ground

    text = load(name).to_json()

    def work() -> float:
        problem = parse_ground(text)
        start = time.process_time()
        _ = problem.content_hash
        return time.process_time() - start

    return work


def solving_first(name: str, backend: str) -> Work:
    """The first query of a part; the solver was imported for a part of another problem."""
    from benchmarks.competitors import ours

    inferring("training" if name == "grid" else "grid", backend)()
    case = cases()[name]
    return lambda: [ours(case, backend)(case.queries[0])]


AGAIN: dict[str, Callable[[], Work]] = {
    **{f"inference of a part: {n}, {b}": partial(inferring, n, b) for n in PROBLEMS for b in BACKENDS},
    "inference of the whole week, cpsat": whole_week,
    **{f"features: {name}": partial(evaluating, name) for name in PROBLEMS},
    **{f"a query besides inference: {name}": partial(eliciting, name) for name in PROBLEMS},
    **{f"100 queries: {name}": partial(whole_elicitation, name) for name in PROBLEMS},
    **{f"resuming 300 queries: {name}": partial(resuming, name) for name in PROBLEMS},
    **{f"loading again: {name}": partial(loading, name) for name in PROBLEMS},
    **{f"content_hash: {name}": partial(hashing, name) for name in PROBLEMS},
}
"""What is done over and over, in a process that lasts."""
ONCE: dict[str, Callable[[], Work]] = {
    **{f"first load: {name}": partial(loading, name) for name in PROBLEMS},
    **{f"first solve of a part: {n}, {b}": partial(solving_first, n, b) for n in PROBLEMS for b in BACKENDS},
}
"""What is done once, in a fresh process."""
PCL = ["-c", "from pcl_app.main import run; run()"]
STARTS = {
    "import pcl_core": ["-c", "import pcl_core"],
    "from pcl_core import load": ["-c", "from pcl_core import load"],
    "from pcl_core import Elicitation": ["-c", "from pcl_core import Elicitation"],
    "pcl --help": [*PCL, "--help"],
    "pcl solve --help": [*PCL, "solve", "--help"],
}
"""Whole processes."""


def taken(work: Work) -> float:
    """CPU seconds of some work, or the seconds that it gives itself."""
    start = time.process_time()
    found = work()
    return found if isinstance(found, float) else time.process_time() - start


def serve() -> None:
    """Answer names of work with how long it took."""
    prepared: dict[str, Work] = {}
    for line in sys.stdin:
        name = json.loads(line)
        if name not in prepared:
            prepared[name] = AGAIN[name]()
            taken(prepared[name])
        sys.stdout.write(json.dumps(taken(prepared[name])) + "\n")
        sys.stdout.flush()


class Tree:
    """One of the two trees: how work is done there."""

    def __init__(self, root: Path) -> None:
        self._python = str(root / ".venv" / "bin" / "python")
        paths = os.pathsep.join(map(str, (root, root / "src")))
        self._root, self._environment = root, {**os.environ, **ALONE, "PYTHONPATH": paths}
        self._lasting: subprocess.Popen[str] | None = None

    def again(self, name: str) -> float:
        if self._lasting is None:
            self._lasting = self._started(SERVE, stdin=subprocess.PIPE)
        assert self._lasting.stdin is not None
        assert self._lasting.stdout is not None
        self._lasting.stdin.write(json.dumps(name) + "\n")
        self._lasting.stdin.flush()
        return float(self._lasting.stdout.readline())

    def once(self, name: str) -> float:
        return float(self._started(FRESH, name).communicate()[0])

    def start(self, name: str) -> float:
        before = os.times()
        command = [self._python, *STARTS[name]]
        subprocess.run(command, cwd=self._root, env=self._environment, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def _started(self, *words: str, stdin: int | None = None) -> "subprocess.Popen[str]":
        command = [self._python, __file__, *words]
        return subprocess.Popen(
            command, cwd=self._root, env=self._environment, stdin=stdin, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        if self._lasting is not None:
            self._lasting.communicate()
            self._lasting = None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, metavar="OTHER_TREE")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--only", default="", metavar="WORD", help="only what has this in its name")
    given = parser.parse_args()
    here, there = Tree(Path(__file__).resolve().parents[1]), Tree(given.other.resolve())
    print("| what | there (ms) | here (ms) | ratio |\n|---|--:|--:|--:|")
    ways = ((AGAIN, Tree.again), (ONCE, Tree.once), (STARTS, Tree.start))
    for way, name in [(way, name) for table, way in ways for name in table if given.only in name]:
        found: dict[Tree, list[float]] = {here: [], there: []}
        for turn in range(given.turns):
            for tree in (here, there) if turn % 2 else (there, here):
                found[tree].append(way(tree, name))
        mine, theirs = statistics.median(found[here]), statistics.median(found[there])
        mark = "" if mine <= MOST * theirs else " slower"
        print(f"| {name} | {1000 * theirs:.3f} | {1000 * mine:.3f} | {mine / theirs:.2f}{mark} |", flush=True)
    here.close()
    there.close()


if __name__ == "__main__":
    if SERVE in sys.argv:
        serve()
    elif FRESH in sys.argv:
        print(taken(ONCE[sys.argv[2]]()))
    else:
        main()
