"""An experiment from start to end: cells, workers, progress on stderr, outputs, and a summary for people.

The paper's experiments go on to their report.
"""

import importlib.resources
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from pcl_app.experiments.plan.files import parse_plan
from pcl_app.experiments.record.outputs import write_outputs
from pcl_app.experiments.record.traces import RUN_FILE_NAME, arrow, read_traces
from pcl_app.experiments.run.cells import Cell
from pcl_app.experiments.run.executors import executor
from pcl_app.experiments.run.scaling import Scaling, measure_scaling
from pcl_app.experiments.run.tasks import cells_of, kept_in, run_cells
from pcl_app.experiments.show.reproduction import reproduction_report
from pcl_app.streams import say
from pcl_app.writing import need
from pcl_core.errors import (
    Code,
    InfeasibleError,
    Issue,
    MissingDependencyError,
    PclError,
    RequestError,
    UndecidedError,
)
from pcl_core.model import Problem

PHASES = {"optima": "best configurations", "users": "simulated users", "scaling": "growing grids"}


class RateColumn(TextColumn):
    """How many are done a second."""

    def __init__(self) -> None:
        super().__init__("")

    def render(self, task: Any) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def progress_bars() -> Iterator[Callable[[str, int, int], None]]:
    """An overall bar for each phase, with rate and remaining time; nothing where stderr is not a terminal."""
    shown = Console(stderr=True)
    bars: dict[str, TaskID] = {}
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=shown,
        disable=not sys.stderr.isatty(),
    ) as progress:

        def update(phase: str, done: int, total: int) -> None:
            if phase not in bars:
                bars[phase] = progress.add_task(PHASES[phase], total=total, completed=done)
            progress.update(bars[phase], completed=done)

        yield update


@contextmanager
def scaling_progress() -> Iterator[Callable[[int, int], None]]:
    """A bar for the study of growing grids, which starts when its first number comes."""
    with ExitStack() as stack:
        bars: list[Callable[[str, int, int], None]] = []

        def update(done: int, total: int) -> None:
            if not bars:  # two bars of rich cannot be alive at once, and the experiment's comes first
                bars.append(stack.enter_context(progress_bars()))
            bars[0]("scaling", done, total)

        yield update


OWN_EXIT_CODES = {error.exit_code for error in (InfeasibleError, UndecidedError, MissingDependencyError)}


class UnfinishedError(PclError):
    """Simulated users could not be run, all for a reason that has an exit code of its own."""

    def __init__(self, issues: Sequence[Issue], exit_code: int) -> None:
        super().__init__(issues)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Workers:
    """Where to run."""

    executor: str = "loky"
    jobs: int | None = None
    address: str | None = None


def run_experiment(
    name: str,
    cells: Sequence[Cell],
    problems: dict[str, Problem],
    out: Path,
    workers: Workers,
    *,
    csv: bool = False,
) -> dict[str, Any]:
    """Run all cells, write the outputs, and return their description. Ctrl-C keeps what is finished."""
    arrow()  # whatever is missing is said before anything is run
    store = kept_in(out)
    try:
        with (
            executor(workers.executor, workers.jobs, workers.address, len(cells)) as run,
            progress_bars() as progress,
        ):
            finished = run_cells(cells, problems, store, run, progress)
        return write_outputs(out, name, cells, problems, finished, store.damaged, csv=csv)
    except KeyboardInterrupt:
        say(f"\nfinished users are kept in {out}; the same command goes on from there", stderr=True)
        raise


def report_problems(description: dict[str, Any]) -> None:
    """Say on stderr what did not go well; raise if anything failed."""
    for name in description["cells"]["damaged"]:
        say(f"the kept result {name} was damaged and has been computed again", stderr=True)
    for key, found in description["theory"]["contradicted"].items():
        say(f"cell {key} contradicts the theory: {'; '.join(found)}", stderr=True)
    if description["optima"]["unproven"]:
        count = description["optima"]["unproven"]
        say(f"{count} optima are not proven; regret_bound says how large the regret can be", stderr=True)
    failures = description["failures"]
    if failures:
        same = _same_reason(failures)
        if same is not None:
            words = f"{len(failures)} of {description['cells']['all']} simulated users could not be run"
            say(f"{words}; {RUN_FILE_NAME} says how to repeat each", stderr=True)
            raise same
        issues = [
            Issue(Code.CELL_FAILED, str(failure["error"]), f"repeat it with: {failure['repeat']}")
            for failure in failures
        ]
        raise RequestError(issues)


def _same_reason(failures: Sequence[dict[str, Any]]) -> PclError | None:
    """The error for failures that all have a reason with an exit code of its own, and the same one."""
    codes = {failure["exit_code"] for failure in failures}
    if len(codes) != 1 or not codes <= OWN_EXIT_CODES:
        return None
    found = [Issue(Code(it["code"]), it["message"], it["hint"]) for failure in failures for it in failure["issues"]]
    return UnfinishedError(list(dict.fromkeys(found)), codes.pop())


@dataclass(frozen=True)
class Size:
    """How much to run."""

    users: int
    queries: int
    sides: tuple[int, ...]
    draws: int
    full_seconds: float
    """The limit for one full inference in the scaling study."""


WHOLE_SIZE = Size(20, 100, (4, 6, 8, 10, 12, 14, 16, 24), 3, 10.0)
QUICK_SIZE = Size(5, 40, (4, 6, 8), 2, 2.0)


def reproduce_paper(
    out: Path, size: Size, seed: int, backend: str, workers: Workers, progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """Run everything, write the report, and say what was found: the description of the run, claims and files."""
    need("matplotlib", "plot")
    text = importlib.resources.files("pcl_app.experiments.plan").joinpath("paper.yaml").read_text(encoding="utf-8")
    changes = {"users": size.users, "queries": size.queries, "seed": seed, "backend": backend}
    plan = parse_plan(text, "paper.yaml", changes)
    cells = cells_of([(entry.settings, range(entry.users)) for entry in plan.entries], plan.problems)
    description = run_experiment(plan.name, cells, plan.problems, out, workers)
    scaling = _scaling(out, size, seed, progress)
    document, claims = reproduction_report(
        read_traces(out), scaling, _facts(description, size, backend), queries=size.queries
    )
    document.write(out)
    return {
        **description,
        "claims": {mode: [claim.data() for claim in found] for mode, found in claims.items()},
        "scaling": [asdict(entry) for entry in scaling],
        "report": str(out / "report.html"),
    }


def _scaling(out: Path, size: Size, seed: int, progress: Callable[[int, int], None]) -> list[Scaling]:
    """Kept like cells: measured once for each size."""
    store = kept_in(out)
    key = f"scaling-{seed}-{size.draws}-{size.full_seconds:g}-" + "-".join(map(str, size.sides))
    found = store.load(key)
    if found is None:
        measured = measure_scaling(size.sides, size.draws, "cpsat", size.full_seconds, seed, progress)
        found = [asdict(entry) for entry in measured]
        store.save(key, found)
    return [Scaling(**entry) for entry in found]


def _facts(description: dict[str, Any], size: Size, backend: str) -> dict[str, str]:
    machine, cells = description["machine"], description["cells"]
    return {
        "date": description["created"][:10],
        "machine": f"{machine['processor']}, {machine['cores']} cores, {machine['system']}",
        "versions": ", ".join(f"{name} {version}" for name, version in description["versions"].items()),
        "users and queries": f"{size.users} users a setting, up to {size.queries} queries each",
        "seeds": ", ".join(map(str, description["seeds"])),
        "solver": f"backend '{backend}' for parts, CP-SAT for complete configurations and for the growing grids",
        "cells": f"{cells['done']} of {cells['all']} simulated users finished",
        "optima": f"{description['optima']['all']}, of which {description['optima']['unproven']} are not proven",
        "theory": f"{len(description['theory']['contradicted'])} of {description['theory']['checked']} runs contradict it",
    }
