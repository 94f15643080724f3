"""What `pcl simulate` says of its people: worse answers, regret that is not certain, limits that are not theirs."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.app.commands import Commands, traces

from pcl_app.experiments.run import cells, tasks
from pcl_app.experiments.run.cells import Bench, Cell, find_optimum
from pcl_core.analysis.regret import Optimum
from pcl_core.solve.oracle import Oracle

GRID = ("simulate", "grid", "--queries", "4", "--users", "6", "--jobs", "1")


def worse_answers(out: Path) -> Any:
    return json.loads((out / "run.json").read_text())["worse_answers"]


def test_answers_that_were_worse_are_counted(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--user", "noisy:p=0.9", "--out", tmp_path)
    rows = traces(tmp_path)
    worse = sum(row["utility_improved"] < row["utility"] for row in rows)
    assert worse > 0
    assert worse_answers(tmp_path) == worse
    assert f"{worse} of {len(rows)} answers were worse than what was shown" in pcl.out
    pcl(*GRID, "--out", tmp_path)
    assert worse_answers(tmp_path) == 0
    assert "answers were worse" not in pcl.out


def test_the_regret_is_an_interval_where_the_optimum_is_not_proven(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unproven(bench: Bench, cell: Cell) -> Optimum:
        found = find_optimum(bench, cell)
        return replace(found, bound=found.utility + 5)

    pcl(*GRID, "--out", tmp_path / "proven")
    assert "–" not in pcl.out
    monkeypatch.setattr(tasks, "find_optimum", unproven)
    pcl(*GRID, "--out", tmp_path / "unproven")
    first = sum(row["regret"] for row in traces(tmp_path / "unproven") if row["query"] == 1) / 6
    assert f"{first:.2f}–{first + 5:.2f}" in pcl.out


@pytest.mark.parametrize("algorithm", ["pcl", "cl"])
def test_a_time_limit_is_for_the_learner_and_not_for_people(
    algorithm: str, tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float | None] = []
    for name in ("person", "matched_person"):
        made = getattr(cells, name)

        def noting(oracle: Oracle, *rest: object, made: Any = made) -> Any:
            limits.append(oracle.options.time_limit)
            return made(oracle, *rest)

        monkeypatch.setattr(cells, name, noting)
    limited = ("--backend", "cpsat", "--time-limit", "30", "--algorithm", algorithm)
    pcl(*GRID, "--only-user", "0", *limited, "--out", tmp_path)
    assert limits == [None] * (1 if algorithm == "pcl" else 2)
