"""Where results go: a place that cannot be written to is named, what is missing is said before anything is run."""

import json
import sys
from pathlib import Path

import pytest
from tests.app.commands import Commands, kept, traces

from pcl_app.commands import demonstrating

GRID = ("simulate", "grid", "--queries", "2", "--users", "2", "--jobs", "1")
A_FILE = "a folder is needed here, and this is a file"


def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path, pcl: Commands) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for command in (("demo",), GRID):
        for out in (file, file / "below", file / ("x" * 300)):
            assert pcl(*command, "--out", out, code=2) == f"{file}: cannot-write: {A_FILE}\n"
    assert file.read_text() == "mine"


def test_a_folder_where_a_log_should_be_is_named(tmp_path: Path, pcl: Commands) -> None:
    said = pcl("elicit", "grid", "--log", tmp_path, code=2)
    assert said == f"{tmp_path}: cannot-write: a log is a file, and this is a folder (name a file in it)\n"


def test_a_folder_where_a_csv_file_should_be_is_named(tmp_path: Path, pcl: Commands) -> None:
    (tmp_path / "traces.csv").mkdir()
    for more in ([], ["--csv"]):
        assert pcl(*GRID, *more, "--out", tmp_path, code=2).startswith(f"{tmp_path / 'traces.csv'}: cannot-write: ")


def test_run_json_is_replaced_and_never_half_written(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    pcl(*GRID, "--out", tmp_path)
    before = json.loads((tmp_path / "run.json").read_text())
    inode = (tmp_path / "run.json").stat().st_ino

    def full(*_: object, **__: object) -> str:
        return "\udcff"  # cannot be encoded, so writing fails half-way

    monkeypatch.setattr(json, "dumps", full)
    pcl(*GRID, "--out", tmp_path, code=1)
    monkeypatch.undo()
    assert json.loads((tmp_path / "run.json").read_text()) == before
    assert (tmp_path / "run.json").stat().st_ino == inode
    assert not list(tmp_path.glob(".*"))


def test_what_is_missing_is_said_before_anything_is_run(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "traces need pyarrow" in pcl(*GRID, "--out", tmp_path / "out", code=5)
    assert not kept(tmp_path / "out")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (tmp_path / "week.jsonl").write_text("from before")
    assert "this needs matplotlib" in pcl("reproduce", "--out", tmp_path, code=5)
    assert (tmp_path / "week.jsonl").read_text() == "from before"
    assert pcl.out == ""


def test_a_seed_beyond_all_limits_leaves_the_old_log_alone(tmp_path: Path, pcl: Commands) -> None:
    (tmp_path / "week.jsonl").write_text("from before")
    assert "--seed" in pcl("demo", "--seed", "99999999999999999999999", "--out", tmp_path, code=2)
    assert (tmp_path / "week.jsonl").read_text() == "from before"


def test_a_demo_without_certificate_still_says_how_far_it_came(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demonstrating, "MAX_QUERIES", 3)
    pcl("demo", "--out", tmp_path)
    assert "There is no certificate yet: " in pcl.out
    assert "3 answers, " in pcl.out
    assert "0 of them changed afterwards: she is not satisfied." in pcl.out


def test_a_demo_with_a_seed_has_another_athlete(tmp_path: Path, pcl: Commands) -> None:
    pcl("demo", "--seed", "4", "--out", tmp_path)
    assert "rules for her week, drawn at random" in pcl.out
    assert "all that she wanted is there" in pcl.out


def test_traces_can_be_written_over(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--out", tmp_path)
    pcl(*GRID, "--seed", "1", "--out", tmp_path)
    assert {row["seed"] for row in traces(tmp_path)} == {1}
