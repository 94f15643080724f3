"""Results that were kept when a problem's wording was part of its hash."""

import json
from pathlib import Path

import pytest
from tests.app.commands import Commands

from pcl_core import Problem, load


def kept_cells(pcl: Commands, problem: Path, out: Path) -> int:
    """How many of two users were there already."""
    options = ("--queries", "3", "--users", "2", "--jobs", "1", "--format", "json")
    pcl("simulate", problem, *options, "--out", out)
    assert json.loads(pcl.out)["cells"]["done"] == 2
    return int(json.loads(pcl.out)["cells"]["kept"])


def test_kept_results_are_found_under_the_former_hash_and_then_outlive_a_rewording(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "grid.json", tmp_path / "out"
    problem = load("grid")
    file.write_text(problem.to_json())
    with monkeypatch.context() as before:
        before.setattr(Problem, "content_hash", property(lambda problem: problem.former_hash))
        assert kept_cells(pcl, file, out) == 0
    formerly = set((out / "cells").iterdir())
    assert len(formerly) == 4
    assert kept_cells(pcl, file, out) == 2
    assert len(set((out / "cells").iterdir()) - formerly) == 4
    file.write_text(problem.replace(label="Said in other words").to_json())
    assert kept_cells(pcl, file, out) == 2
    file.write_text(problem.replace(name="other").to_json())
    assert kept_cells(pcl, file, out) == 0
