"""Cells: pure functions of what they say; kept once finished; damaged ones computed again, and the theory holds."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.app.commands import SECONDS, Commands, kept, traces

from pcl_app.experiments.plan.fields import StartFile
from pcl_app.experiments.plan.settings import RunSettings, read_settings
from pcl_app.experiments.run.cells import KeptResults
from pcl_app.experiments.run.executors import executor
from pcl_app.experiments.run.tasks import Finished, cells_of, load_problems, run_cells, run_task
from pcl_core.errors import Code, RequestError
from pcl_core.learn.learners import LEARNERS
from pcl_core.learn.selection import SELECTIONS
from pcl_core.learn.stopping import STOPS
from pcl_core.users.simulated import USERS

GRID = RunSettings(problem="grid", queries=8)
Row = dict[str, Any]


def finish(out: Path, *settings: RunSettings, users: list[int], backwards: bool = False, jobs: int = 1) -> Finished:
    problems = load_problems(settings)
    cells = cells_of([(setting, users) for setting in settings], problems)
    with executor("loky", jobs, None) as run:
        chosen = cells[::-1] if backwards else cells
        return run_cells(chosen, problems, KeptResults(out / "cells"), run, lambda phase, done, total: None)


def rows(finished: Finished) -> dict[str, list[Row]]:
    return {
        key: [{name: row[name] for name in row if name not in SECONDS} for row in result["rows"]]
        for key, result in finished.results.items()
    }


SEVERAL = (
    GRID,
    RunSettings(problem="grid", queries=8, algorithm="cl"),
    RunSettings(problem="grid", queries=8, user_model="noisy", order="random", select="ucb1", start="random"),
    RunSettings(problem="training", queries=4, backend="cpsat"),
)


def test_rows_do_not_depend_on_the_order_of_cells_or_what_was_run_before(tmp_path: Path) -> None:
    forth = rows(finish(tmp_path / "forth", *SEVERAL, users=[0, 1, 2]))
    back = rows(finish(tmp_path / "back", *SEVERAL, users=[0, 1, 2], backwards=True))
    assert len(forth) == 12
    assert forth == back
    alone = {
        key: found
        for setting in SEVERAL
        for key, found in rows(finish(tmp_path / setting.backend, setting, users=[2])).items()
    }
    assert len(alone) == 4
    assert alone.items() <= forth.items()


def test_a_users_rows_do_not_depend_on_how_many_users_there_are(tmp_path: Path, pcl: Commands) -> None:
    options = ("simulate", "grid", "--queries", "6", "--jobs", "1")
    pcl(*options, "--users", "2", "--out", tmp_path / "two")
    pcl(*options, "--users", "4", "--out", tmp_path / "four")
    pcl(*options, "--only-user", "1", "--out", tmp_path / "one")
    two, four, one = (traces(tmp_path / name) for name in ("two", "four", "one"))
    assert two == [row for row in four if row["user"] < 2]
    assert one == [row for row in four if row["user"] == 1]


def test_the_same_seed_gives_the_same_rows_and_another_seed_others(tmp_path: Path, pcl: Commands) -> None:
    options = ("simulate", "grid", "--queries", "6", "--jobs", "1", "--users", "2")
    pcl(*options, "--out", tmp_path / "first")
    pcl(*options, "--out", tmp_path / "again")
    pcl(*options, "--seed", "1", "--out", tmp_path / "other")
    first, again, other = (traces(tmp_path / name) for name in ("first", "again", "other"))
    assert first == again
    assert [row["utility"] for row in first] != [row["utility"] for row in other]


def test_everything_that_is_said_makes_another_cell() -> None:
    others: dict[str, Any] = {
        "problem": "training",
        "algorithm": "cl",
        "learner": "averaged",
        "select": "ucb1",
        "order": "declared",
        "mode": "keep",
        "stop": "never",
        "look_further": 3,
        "user_model": "noisy",
        "alpha": 0.2,
        "weights": "sparse",
        "start": "random",
        "given": StartFile(file="x.json", text="{}"),
        "start_weights": StartFile(file="x.json", text="{}"),
        "queries": 9,
        "seed": 1,
        "backend": "cpsat",
        "time_limit": 3.0,
    }
    assert others.keys() == RunSettings.model_fields.keys()
    problems = load_problems([GRID, GRID.model_copy(update={"problem": "training"})])
    keys = [cells_of([(GRID.model_copy(update={name: value}), [0])], problems)[0].key for name, value in others.items()]
    keys += [cells_of([(GRID, [user])], problems)[0].key for user in (0, 1)]
    assert len(set(keys)) == len(others) + 2


def damaged_copies(whole: bytes, other: bytes) -> Iterator[bytes]:
    yield b""
    yield whole[:-1]
    yield whole[: len(whole) // 2]
    yield whole.replace(b"true", b"fals", 1) if b"true" in whole else whole[:-1] + b"0"
    yield b"\xff\xfe" + whole
    yield b"\n" + whole
    yield other


def test_damaged_kept_results_are_computed_again_and_that_is_said(tmp_path: Path, pcl: Commands) -> None:
    options = ("simulate", "grid", "--queries", "4", "--jobs", "1", "--users", "4", "--out", tmp_path)
    pcl(*options)
    rows_before, files = traces(tmp_path), sorted((tmp_path / "cells").glob("*.cell"))
    assert len(files) == 8  # an optimum and a cell for each user
    originals = [path.read_bytes() for path in files]
    copies = list(damaged_copies(originals[0], originals[1]))
    for path, content in zip(files, copies, strict=False):
        path.write_bytes(content)
    times = kept(tmp_path)
    said = pcl(*options)
    for path in files[: len(copies)]:
        assert f"the kept result {path.name} was damaged and has been computed again" in said
    assert len(said.splitlines()) == len(copies)
    assert traces(tmp_path) == rows_before
    assert {name for name, when in kept(tmp_path).items() if when != times[name]} == {
        path.name for path in files[: len(copies)]
    }
    described = json.loads((tmp_path / "run.json").read_text())
    assert sorted(described["cells"]["damaged"]) == [path.name for path in files[: len(copies)]]
    assert pcl(*options) == ""


def test_a_kept_result_that_cannot_be_read_is_a_sentence(tmp_path: Path, pcl: Commands) -> None:
    options = ("simulate", "grid", "--queries", "2", "--jobs", "1", "--users", "1", "--out", tmp_path)
    pcl(*options)
    path = next((tmp_path / "cells").glob("*.cell"))
    path.unlink()
    path.mkdir()
    said = pcl(*options, code=2)
    assert said.startswith(f"{path}: file-unreadable: cannot read a kept result")


@pytest.mark.parametrize("out", ["file/out", "file"])
def test_a_folder_that_cannot_be_made_is_a_sentence_before_anything_runs(
    out: str, tmp_path: Path, pcl: Commands
) -> None:
    (tmp_path / "file").write_text("in the way")
    said = pcl("simulate", "grid", "--out", tmp_path / out, code=2)
    assert "cannot-write: a folder is needed here, and this is a file" in said
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_keeps_what_is_finished(tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ("simulate", "grid", "--queries", "3", "--jobs", "1", "--users", "5", "--out", tmp_path)
    replace, left = os.replace, iter(range(7))

    def until_full(source: Path, target: Path) -> None:
        if str(target).endswith(".cell") and next(left, None) is None:
            raise OSError(28, "No space left on device")
        replace(source, target)

    with monkeypatch.context() as full:
        full.setattr(os, "replace", until_full)
        said = pcl(*options, code=2)
    assert "cannot-write: cannot keep a result: No space left on device (finished work is kept" in said
    before = kept(tmp_path)
    assert len(before) == 7
    assert len(list((tmp_path / "cells").iterdir())) == 7
    pcl(*options)
    assert "2 cells were finished before" in pcl.out
    assert kept(tmp_path).items() >= before.items()
    assert len({row["user"] for row in traces(tmp_path)}) == 5


def test_ctrl_c_while_a_result_is_kept_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        KeptResults(tmp_path).save("key", {})
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_when_traces_are_written_keeps_every_cell(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("simulate", "grid", "--queries", "3", "--jobs", "1", "--users", "2", "--out", tmp_path)
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if str(target).endswith(".parquet"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert "cannot-write: cannot write the file: No space left" in pcl(*options, code=2)
    pcl(*options)
    assert "2 cells were finished before" in pcl.out


def test_an_optimum_that_fails_is_a_failure_of_every_cell_that_needs_it(tmp_path: Path) -> None:
    impossible = tmp_path / "none.yaml"
    impossible.write_text(
        "pcl: 1\nname: none\nvariables: {a: {domain: bool}}\nfeatures: [{name: f, value: a}]\n"
        "constraints: [{name: yes, require: a}, {name: no, require: not a}]\nparts: [{name: p, variables: [a]}]\n"
    )
    settings = [RunSettings(problem=str(impossible), select=select, queries=2) for select in ("random", "ucb1")]
    finished = finish(tmp_path, *settings, GRID, users=[0, 1])
    assert len(finished.results) == 2
    assert len({outcome.cell.key for outcome in finished.failures}) == len(finished.failures) == 4
    assert all("no feasible configuration" in (outcome.error or "") for outcome in finished.failures)


def test_a_task_that_cannot_even_start_is_a_failure_and_not_an_exception() -> None:
    problems = load_problems([GRID])
    (cell,) = cells_of([(GRID, [0])], problems)
    from pcl_app.experiments.run.tasks import Task

    outcome = run_task(Task("{}", cell, None))
    assert outcome.error is not None
    assert outcome.result is None


def test_a_result_that_is_not_finite_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        KeptResults(tmp_path).save("key", [float("nan")])
    assert list(tmp_path.iterdir()) == []


def test_a_store_says_which_file_it_cannot_write(tmp_path: Path) -> None:
    store = KeptResults(tmp_path / "cells")
    (tmp_path / "cells" / "key.cell").mkdir()
    with pytest.raises(RequestError, match=r"key\.cell: cannot-write: cannot keep a result") as caught:
        store.save("key", {})
    assert caught.value.code is Code.CANNOT_WRITE
    assert [path.name for path in (tmp_path / "cells").iterdir()] == ["key.cell"]


def theory_settings() -> list[RunSettings]:
    """Every user model, mode, selection, learner and stop at least twice, in various company."""
    users, selections = USERS.names(), SELECTIONS.names()
    learners = (*LEARNERS.names(), "perceptron:step=sqrt", "perceptron:radius=2")
    found = []
    for number in range(18):
        found.append(
            read_settings(
                {
                    "problem": ("grid", "training", "hotel:house=small")[number % 3],
                    "algorithm": "cl" if number % 9 == 0 else "pcl",
                    "user_model": users[(number + number // 6) % len(users)],
                    "select": selections[(number * 5 + number // 6) % len(selections)],
                    "learner": learners[number % len(learners)],
                    "mode": ("paper", "keep")[number // 3 % 2],
                    "stop": STOPS[number // 2 % len(STOPS)],
                    "order": ("degree", "declared", "random", "reversed")[number % 4],
                    "start": (None, "random", "solver")[number // 4 % 3],
                    "weights": ("normal", "uniform", "sparse")[number // 5 % 3],
                    "queries": 25 if number % 3 < 2 else 12,
                }
            )
        )
    return found


def test_where_words_stay_the_bounds_of_the_paper_are_not_promised(tmp_path: Path) -> None:
    said = read_settings({"problem": "grid", "queries": 12, "mode": "people", "stop": "never"})
    finished = finish(tmp_path, said, users=[0, 1])
    assert finished.failures == []
    assert [result["failed"] for result in finished.results.values()] == [[], []]


def test_no_recorded_run_contradicts_the_theory(tmp_path: Path) -> None:
    settings = theory_settings()
    for name, known in (("user_model", USERS.names()), ("select", SELECTIONS.names()), ("stop", STOPS)):
        assert {getattr(setting, name) for setting in settings} == set(known)
    finished = finish(tmp_path, *settings, users=[0, 1])
    assert finished.failures == []
    assert len(finished.results) == 36
    assert {key: result["failed"] for key, result in finished.results.items() if result["failed"]} == {}
