"""Running experiments: optima first, then cells; what is finished is kept, and failures do not stop the rest."""

import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pcl_app.experiments.cells import Bench, Cell, Conditions, find_optimum, run_cell
from pcl_app.experiments.store import Store
from pcl_core.analysis.regret import Optimum
from pcl_core.authoring.load import load
from pcl_core.errors import PclError
from pcl_core.model.problem import Problem

MAX_TOGETHER = 5
"""Cells of a task: they share what was compiled; more would make the last task of all run alone for long."""

Mapper = Callable[..., Iterable[Any]]


@dataclass(frozen=True)
class Task:
    """Some cells of one problem and backend, to be run one after the other in one process."""

    problem_json: str
    cells: tuple[Cell, ...]
    optima: dict[str, tuple[dict[str, Any], float, float]] | None
    """What is known of the users' best configurations; None: find them out."""


@dataclass(frozen=True)
class Outcome:
    """What became of one cell: a result, or why there is none."""

    cell: Cell
    result: Any = None
    error: str | None = None
    detail: str = ""


@dataclass
class Finished:
    """All that is known when everything has been tried."""

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Rows and failed checks by cell key."""
    optima: dict[str, tuple[dict[str, Any], float, float]] = field(default_factory=dict)
    failures: list[Outcome] = field(default_factory=list)
    kept: int = 0
    """How many cells were finished before and not run again."""


def cells_of(settings: Sequence[tuple[Conditions, Sequence[int]]], problems: dict[str, Problem]) -> list[Cell]:
    """A cell for each user of each setting; each only once."""
    found = {
        cell.key: cell
        for setting, users in settings
        for cell in (
            Cell(setting=setting, user=user, problem_hash=problems[setting.problem].content_hash) for user in users
        )
    }
    return list(found.values())


def load_problems(settings: Iterable[Conditions]) -> dict[str, Problem]:
    """Every problem that is named, each loaded once, and every setting checked against its problem."""
    problems: dict[str, Problem] = {}
    for setting in settings:
        if setting.problem not in problems:
            problems[setting.problem] = load(setting.problem)
        setting.check(problems[setting.problem])
    return problems


def run_cells(
    cells: Sequence[Cell],
    problems: dict[str, Problem],
    store: Store,
    run: Mapper,
    progress: Callable[[str, int, int], None],
) -> Finished:
    """Run what is not finished yet. `progress` hears the phase, how much is done, and how much there is."""
    finished = Finished()
    by_optimum = {cell.optimum_key: cell for cell in cells}
    missing = [cell for key, cell in by_optimum.items() if not _known_optimum(store, key, finished)]
    _phase(
        "optima", missing, len(by_optimum), problems, None, run, progress, lambda out: _optimum(out, store, finished)
    )
    todo = [cell for cell in cells if not _known_cell(store, cell, finished)]
    finished.kept = len(cells) - len(todo)
    ready = [cell for cell in todo if cell.optimum_key in finished.optima]
    _phase(
        "users", ready, len(cells), problems, finished.optima, run, progress, lambda out: _cell(out, store, finished)
    )
    return finished


def _phase(
    name: str,
    cells: Sequence[Cell],
    total: int,
    problems: dict[str, Problem],
    optima: dict[str, tuple[dict[str, Any], float, float]] | None,
    run: Mapper,
    progress: Callable[[str, int, int], None],
    take: Callable[[Outcome], None],
) -> None:
    done = total - len(cells)
    progress(name, done, total)
    tasks = list(_tasks(cells, problems, optima))
    for outcomes in run(run_task, tasks) if tasks else ():
        for outcome in outcomes:
            take(outcome)
            done += 1
            progress(name, done, total)


def _tasks(
    cells: Sequence[Cell],
    problems: dict[str, Problem],
    optima: dict[str, tuple[dict[str, Any], float, float]] | None,
) -> Iterable[Task]:
    together: dict[tuple[str, str, float | None], list[Cell]] = {}
    for cell in cells:
        setting = cell.setting
        together.setdefault((setting.problem, setting.backend, setting.time_limit), []).append(cell)
    for (problem, _, _), group in together.items():
        text = problems[problem].to_json()
        size = MAX_TOGETHER if optima is not None else 1
        for at in range(0, len(group), size):
            chunk = tuple(group[at : at + size])
            known = None if optima is None else {cell.optimum_key: optima[cell.optimum_key] for cell in chunk}
            yield Task(text, chunk, known)


def run_task(task: Task) -> list[Outcome]:
    """Done by a worker: whatever goes wrong with one cell is said, and the others go on."""
    problem = Problem.from_json(task.problem_json)
    outcomes = []
    bench: Bench | None = None
    for cell in task.cells:
        try:
            bench = bench or Bench(problem, cell.setting)
            outcomes.append(Outcome(cell, _run(bench, cell, task)))
        except PclError as error:
            outcomes.append(Outcome(cell, error=str(error)))
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            outcomes.append(Outcome(cell, error=said, detail=traceback.format_exc()))
    return outcomes


def _run(bench: Bench, cell: Cell, task: Task) -> Any:
    if task.optima is None:
        best = find_optimum(bench, cell)
        return [best.configuration, best.utility, best.bound]
    return run_cell(bench, cell, Optimum(*task.optima[cell.optimum_key]))


def _known_optimum(store: Store, key: str, finished: Finished) -> bool:
    found = store.load(key)
    if found is not None:
        finished.optima[key] = (found[0], found[1], found[2])
    return found is not None


def _known_cell(store: Store, cell: Cell, finished: Finished) -> bool:
    found = store.load(cell.key)
    if found is not None:
        finished.results[cell.key] = found
    return found is not None


def _optimum(outcome: Outcome, store: Store, finished: Finished) -> None:
    if outcome.error is not None:
        finished.failures.append(outcome)
        return
    key = outcome.cell.optimum_key
    store.save(key, outcome.result)
    finished.optima[key] = (outcome.result[0], outcome.result[1], outcome.result[2])


def _cell(outcome: Outcome, store: Store, finished: Finished) -> None:
    if outcome.error is not None:
        finished.failures.append(outcome)
        return
    store.save(outcome.cell.key, outcome.result)
    finished.results[outcome.cell.key] = outcome.result


def store_in(out: Path) -> Store:
    return Store(out / "cells")
