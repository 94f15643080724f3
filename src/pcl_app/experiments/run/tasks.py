"""Running experiments: optima first, then cells; what is finished is kept, and failures do not stop the rest."""

import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pcl_app.experiments.plan.settings import RunSettings
from pcl_app.experiments.run.cells import Bench, Cell, KeptResults, find_optimum, run_cell
from pcl_core.analysis import Optimum
from pcl_core.authoring import load
from pcl_core.errors import Issue, PclError
from pcl_core.model import Problem
from pcl_core.plugins import blamed, told

BENCHES = 2
"""Problems that a process keeps compiled: the one it works on, and the one it comes from."""

Mapper = Callable[..., Iterable[Any]]
Best = tuple[dict[str, Any], float, float]
"""A best configuration, its utility, and a bound on it."""


@dataclass(frozen=True)
class Task:
    """One cell, with what is needed to run it anywhere."""

    problem_json: str
    cell: Cell
    best: Best | None = None
    """What is known of the user's best configuration, if she has one."""
    finds_optimum: bool = False
    """Whether that is what to find out, and nothing else."""


@dataclass(frozen=True)
class Outcome:
    """What became of one cell: a result, or why there is none."""

    cell: Cell
    result: Any = None
    error: str | None = None
    issues: tuple[Issue, ...] = ()
    """What pcl itself found wrong; nothing where somebody else's code failed."""
    exit_code: int | None = None
    """What a program that ends with this error tells; None where it is not one of pcl's."""
    detail: str = ""


@dataclass
class Finished:
    """All that is known when everything has been tried."""

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Rows and failed checks by cell key."""
    optima: dict[str, Best] = field(default_factory=dict)
    failures: list[Outcome] = field(default_factory=list)
    kept: int = 0
    """How many cells were finished before and not run again."""


def cells_of(planned: Sequence[tuple[RunSettings, Sequence[int]]], problems: dict[str, Problem]) -> list[Cell]:
    """A cell for each user of each run; each only once."""
    found = {
        cell.key: cell
        for settings, users in planned
        for cell in (
            Cell(settings=settings, user=user, problem_hash=problems[settings.problem].content_hash) for user in users
        )
    }
    return list(found.values())


def load_problems(planned: Iterable[RunSettings]) -> dict[str, Problem]:
    """Every problem that is named, each loaded once, and all settings checked against their problem."""
    problems: dict[str, Problem] = {}
    for settings in planned:
        if settings.problem not in problems:
            problems[settings.problem] = load(settings.problem)
        settings.check(problems[settings.problem])
    return problems


def run_cells(
    cells: Sequence[Cell],
    problems: dict[str, Problem],
    store: KeptResults,
    run: Mapper,
    progress: Callable[[str, int, int], None],
) -> Finished:
    """Run what is not finished yet. `progress` hears the phase, how much is done, and how much there is."""
    finished = Finished()
    by_optimum: dict[str, list[Cell]] = {}
    for cell in (cell for cell in cells if cell.settings.by_utility):
        by_optimum.setdefault(cell.optimum_key, []).append(cell)
    missing = [
        sharing[0] for sharing in by_optimum.values() if not _known_optimum(store, sharing[0], problems, finished)
    ]

    def take_optimum(outcome: Outcome) -> None:
        key = outcome.cell.optimum_key
        if outcome.error is not None:  # then nobody's regret is known who shares it
            waiting = [cell for cell in by_optimum[key] if not _known_cell(store, cell, problems, finished)]
            finished.failures += [replace(outcome, cell=cell) for cell in waiting]
            return
        store.save(key, outcome.result)
        finished.optima[key] = outcome.result

    def take_cell(outcome: Outcome) -> None:
        if outcome.error is not None:
            finished.failures.append(outcome)
            return
        store.save(outcome.cell.key, outcome.result)
        finished.results[outcome.cell.key] = outcome.result

    _phase("optima", missing, len(by_optimum), problems, None, run, progress, take_optimum)
    lost = {outcome.cell.key for outcome in finished.failures}
    todo = [cell for cell in cells if cell.key not in lost and not _known_cell(store, cell, problems, finished)]
    finished.kept = len(finished.results)
    _phase("users", todo, len(cells), problems, finished.optima, run, progress, take_cell)
    return finished


def _phase(
    name: str,
    cells: Sequence[Cell],
    total: int,
    problems: dict[str, Problem],
    optima: dict[str, Best] | None,
    run: Mapper,
    progress: Callable[[str, int, int], None],
    take: Callable[[Outcome], None],
) -> None:
    done = total - len(cells)
    progress(name, done, total)
    tasks = list(_tasks(cells, problems, optima))
    for outcome in run(run_task, tasks) if tasks else ():
        take(outcome)
        done += 1
        progress(name, done, total)


def _tasks(cells: Sequence[Cell], problems: dict[str, Problem], optima: dict[str, Best] | None) -> Iterable[Task]:
    """A task for each cell; those of one problem and backend follow each other, for what a process keeps compiled."""
    together: dict[tuple[str, str, float | None], list[Cell]] = {}
    for cell in cells:
        said = cell.settings
        together.setdefault((said.problem, said.backend, said.time_limit), []).append(cell)
    for (problem, _, _), group in together.items():
        text = problems[problem].to_json()
        for cell in group:
            yield Task(text, cell, None if optima is None else optima.get(cell.optimum_key), optima is None)


def run_task(task: Task) -> Outcome:
    """Done by a worker: whatever goes wrong with a cell is said, and the others go on."""
    cell = task.cell
    try:
        bench = _bench(task.problem_json, cell.settings.backend, cell.settings.time_limit)
        if task.finds_optimum:
            best = find_optimum(bench, cell)
            return Outcome(cell, (best.configuration, best.utility, best.bound))
        return Outcome(cell, run_cell(bench, cell, None if task.best is None else Optimum(*task.best)))
    except PclError as error:
        return Outcome(cell, error=str(error), issues=error.issues, exit_code=error.exit_code)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plug-in's SystemExit would end the worker
        theirs = blamed(error)
        in_a_file = theirs is not None and theirs.issues[0].location.file is not None
        said = str(theirs) if in_a_file else told(error)
        return Outcome(cell, error=said, detail=traceback.format_exc())


@lru_cache(maxsize=BENCHES)
def _bench(problem_json: str, backend: str, time_limit: float | None) -> Bench:
    return Bench(Problem.from_json(problem_json), backend, time_limit)


def _known_optimum(store: KeptResults, cell: Cell, problems: dict[str, Problem], finished: Finished) -> bool:
    found = _kept(store, cell, problems, lambda cell: (cell.optimum_key,))
    if found is not None:
        finished.optima[cell.optimum_key] = (found[0], found[1], found[2])
    return found is not None


def _known_cell(store: KeptResults, cell: Cell, problems: dict[str, Problem], finished: Finished) -> bool:
    found = _kept(store, cell, problems, lambda cell: (cell.key, cell.former_key))
    if found is not None:
        finished.results[cell.key] = found
    return found is not None


def _kept(
    store: KeptResults, cell: Cell, problems: dict[str, Problem], keys_of: Callable[[Cell], Sequence[str | None]]
) -> Any | None:
    """What is kept under the first key; what was kept under a former one is kept under the present from now on."""
    former = cell.model_copy(update={"problem_hash": problems[cell.settings.problem].former_hash})
    present, *formerly = (*keys_of(cell), *keys_of(former))
    found = store.load(str(present))
    for key in formerly:
        if found is None and key is not None and (found := store.load(key)) is not None:
            store.save(str(present), found)
    return found


def kept_in(out: Path) -> KeptResults:
    return KeptResults(out / "cells")
