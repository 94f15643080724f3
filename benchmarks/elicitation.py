"""What eliciting costs besides inference, a whole simulated elicitation, and resuming a long one.

python -m benchmarks.elicitation
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import count, cycle
from pathlib import Path

import numpy as np
from benchmarks.report import Goal, Sheet, load_average, machine, milliseconds
from benchmarks.timing import median_seconds
from rich.console import Console

from pcl_core import Elicitation, Optimum, Oracle, Settings, Simulation, Trace, load, person
from pcl_core.users import USERS, Liking, Shown, sample_weights

OVERHEAD_GOAL = Goal(0.2)
"""milliseconds for each query, besides inference"""
LEARNER_GOAL, TOTAL_GOAL = Goal(0.1), Goal(0.5)
"""seconds for 100 queries of the training week"""
RESUME_GOAL = Goal(0.5)
"""seconds for 1,000 queries"""
PEOPLE_GOAL = Goal(40)
"""milliseconds of processor time for each query with people, with 100 answers in"""
PEOPLE = Settings(mode="people", learner="belief", select="round-robin", order="declared")
CHILD = "--one-training-week"


def simulated(name: str, queries: int, log: Path | None = None) -> tuple[Trace, float]:
    """A person's queries, and how long they took altogether, with her own thinking."""
    problem = load(name)
    oracle = Oracle.of(problem, "auto")
    weights = sample_weights(problem, "normal", np.random.default_rng(0))
    start = time.perf_counter()
    live = Elicitation(problem, oracle=oracle, settings=Settings(stop="never"), log=log)
    somebody = person(oracle, weights, USERS.make("informative:alpha=0.3"), (1,))
    trace = Simulation(live, somebody, Optimum({}, 0.0, 0.0)).run(queries)  # regret is not looked at
    seconds = time.perf_counter() - start
    live.close()
    return trace, seconds


def overhead_sheet(queries: int) -> Sheet:
    sheet = Sheet(f"A query besides inference (ms, median; goal {OVERHEAD_GOAL})", ("problem", "inference", "the rest"))
    for name in ("grid", "training", "hotel"):
        steps = simulated(name, queries)[0].steps
        infer, rest = (
            1000 * statistics.median(getattr(step, field) for step in steps)
            for field in ("seconds_infer", "seconds_update")
        )
        sheet.rows.append((name, f"{infer:.3f}", OVERHEAD_GOAL.judged(rest, 3)))
    return sheet


def week_in_a_fresh_process() -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.elicitation", CHILD]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = json.loads(printed)
    return found


def one_week() -> None:
    trace, total = simulated("training", 100)
    infer, rest = (sum(getattr(step, field) for step in trace.steps) for field in ("seconds_infer", "seconds_update"))
    print(json.dumps({"rest": rest, "infer": infer, "total": total}))


def week_sheet(repeats: int) -> Sheet:
    title = "100 queries of the training week, one simulated person, `auto`, in a fresh process (s, median)"
    sheet = Sheet(title, ("what", "seconds", "goal"))
    runs = [week_in_a_fresh_process() for _ in range(repeats)]
    infer, rest, total = (statistics.median(run[key] for run in runs) for key in ("infer", "rest", "total"))
    sheet.rows.append(("learner besides inference", f"{rest:.3f}", ""))
    sheet.rows.append(("learner and inference", LEARNER_GOAL.judged(infer + rest, 3), str(LEARNER_GOAL)))
    sheet.rows.append(("with the person's own solving", TOTAL_GOAL.judged(total, 3), str(TOTAL_GOAL)))
    return sheet


def answered_by_people(name: str, queries: int) -> tuple[list[tuple[float, int]], float, float]:
    """Processor time of each query without the person's thinking, of the start of another elicitation, of taking back.

    With each query, how many parts it shows. Whenever everything is as she wants it, she wants something else, so that there
    are as many queries as one likes.
    """
    problem = load(name)
    oracle, parts, seconds = (
        Oracle.of(problem, "auto"),
        cycle(part.name for part in problem.parts),
        list[tuple[float, int]](),
    )
    minds = (sample_weights(problem, "normal", np.random.default_rng(seed)) for seed in count())
    somebody = Liking(oracle, next(minds), USERS.make("informative:alpha=0.3"))
    live = Elicitation(problem, oracle=oracle, settings=PEOPLE)
    while len(seconds) < queries:
        start = time.process_time()
        query = live.ask() or live.ask(next(parts))
        took = time.process_time() - start
        assert query is not None
        if live.certificate is not None:
            somebody = Liking(oracle, next(minds), USERS.make("informative:alpha=0.3"))
        shown = (Shown(problem.part_position(it), query.configuration, query.pins, query.number) for it in query.parts)
        reply = next((it for it in map(somebody.reply, shown) if it.kind == "improved"), None)
        start = time.process_time()
        live.tell(query.accept() if reply is None else query.improve(reply.values, final=reply.final))
        seconds.append((took + time.process_time() - start, len(query.parts)))
    start = time.process_time()
    Elicitation(problem, oracle=oracle, settings=PEOPLE).ask()
    again = time.process_time()
    live.undo()
    return seconds, again - start, time.process_time() - again


def people_sheet(queries: int) -> Sheet:
    title = f"People, with {queries - 40} to {queries} answers in (ms of processor time; goal {PEOPLE_GOAL} a question)"
    columns = ("a question about a part", "a look at several, and a search for two that gain together")
    sheet = Sheet(title, ("problem", *columns, "another elicitation and its first query", "undo"))
    for name in ("grid", "training", "hotel"):
        seconds, again, undo = answered_by_people(name, queries)
        single = [took for took, parts in seconds[-40:] if parts == 1]
        looks = [took for took, parts in seconds[-40:] if parts > 1]
        mean, look = PEOPLE_GOAL.judged(1000 * statistics.mean(single), 1), milliseconds(statistics.mean(looks))
        sheet.rows.append((name, mean, look, milliseconds(again), milliseconds(undo)))
    return sheet


def resume_sheet(queries: int, repeats: int) -> Sheet:
    title = f"Resuming {queries:,} queries (s, median; goal {RESUME_GOAL})"
    sheet = Sheet(title, ("problem", "lines", "size", "seconds", "a query (ms)"))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("grid", "training", "hotel"):
            log = Path(folder) / f"{name}.jsonl"
            simulated(name, queries, log)
            problem = load(name)
            oracle = Oracle.of(problem, "auto")

            def resume(log: Path = log, oracle: Oracle = oracle) -> None:
                Elicitation.resume(log, oracle.problem, oracle=oracle).close()

            seconds = median_seconds(resume, repeats, 1)
            content = log.read_bytes()
            cells = (f"{content.count(bytes([10])):,}", f"{len(content) / 1e6:.2f} MB", RESUME_GOAL.judged(seconds, 3))
            sheet.rows.append((name, *cells, milliseconds(seconds / queries)))
    return sheet


def main() -> None:
    console = Console()
    sheets = [overhead_sheet(200), week_sheet(5), people_sheet(120), resume_sheet(1000, 5)]
    for sheet in sheets:
        console.print(sheet.rich())
    print("\n" + "\n".join(sheet.markdown() for sheet in sheets))
    print("\n".join([*machine(), f"load: {load_average()}"]))


if __name__ == "__main__":
    if CHILD in sys.argv:
        one_week()
    else:
        main()
