"""`pcl types` writes a module and says whether one still fits; `pcl schema --configuration` is for other languages."""

import json
from pathlib import Path

import pytest
from tests.app.commands import Commands

import pcl_core as pcl
from pcl_core.typed import configuration_schema, types_module


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Commands:
    return Commands(monkeypatch, capfd)


def test_a_module_is_written_and_fits(run: Commands, tmp_path: Path) -> None:
    file = tmp_path / "training_types.py"
    run("types", "training", "--out", file)
    assert run.out == f"{file}: types of 'training'\n"
    assert file.read_text(encoding="utf-8") == types_module(pcl.load("training"))
    run("types", "training", "--check", file)
    assert run.out == f"{file}: fits 'training'\n"
    run("types", "training")
    assert run.out == file.read_text(encoding="utf-8")


def test_a_module_that_no_longer_fits_is_found(run: Commands, tmp_path: Path) -> None:
    file = tmp_path / "training_types.py"
    run("types", "training:max_fatigue=11", "--out", file)
    said = run("types", "training", "--check", file, code=2)
    assert said == (
        f"{file}: types-outdated: these types were not made from 'training' as it is now "
        "(write it anew: pcl types PROBLEM --out FILE)\n"
    )


def test_what_cannot_be_written_or_checked_is_a_sentence(run: Commands, tmp_path: Path) -> None:
    assert "file-not-found" in run("types", "training", "--check", tmp_path / "nowhere.py", code=2)
    assert "cannot-write" in run("types", "training", "--out", tmp_path / "nowhere" / "types.py", code=2)
    (tmp_path / "types.py").write_bytes(b"\xff\xfe")
    assert "not-text" in run("types", "training", "--check", tmp_path / "types.py", code=2)
    assert "written or checked" in run("types", "training", "--check", tmp_path, "--out", tmp_path, code=2)
    assert run("types", "trianing", code=2).startswith("unknown-problem: ")


def test_the_schema_of_configurations_is_printed(run: Commands) -> None:
    run("schema", "training", "--configuration")
    assert json.loads(run.out) == configuration_schema(pcl.load("training"))


@pytest.mark.parametrize(
    "arguments", [("training",), ("--configuration",), ("training", "--configuration", "--ground")]
)
def test_a_schema_of_two_things_at_once_is_refused(run: Commands, arguments: tuple[str, ...]) -> None:
    assert "pcl schema PROBLEM --configuration" in run("schema", *arguments, code=2)
