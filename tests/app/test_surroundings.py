"""Strange surroundings: a working folder that is gone, terminals of other encodings and widths, no home."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.app.commands import PATIENCE, PCL
from tests.folders import in_a_folder_that_is_gone

HOUSES = """
pcl: 1
name: häuser
label: Häuser ☃
variables: {n: {domain: [groß, klein], label: Größe ☃}}
constraints: [{name: muß, require: "n == 'groß'", label: muß groß sein}]
features: [{name: größe, value: "n == 'groß'", label: Größe ☃}]
parts: [{name: ψ, variables: n, label: Ψ ☃}]
"""
IMPOSSIBLE = HOUSES.replace("constraints: [", "constraints: [{name: darf-nicht-☃, require: \"n != 'groß'\"}, ")
# Each command is a process, so that what has nothing to do with each other shares a surrounding.
SURROUNDINGS = {
    "C, no home, no terminal": {"LC_ALL": "C", "LANG": "C", "HOME": "", "TERM": "", "COLUMNS": "wide"},
    "C without UTF-8, dumb": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TERM": "dumb"},
    "latin, no width": {"PYTHONIOENCODING": "latin-1", "COLUMNS": "0", "LINES": "-1"},
    "ascii, narrow": {"PYTHONIOENCODING": "ascii:strict", "COLUMNS": "20"},
}
COMMANDS = {
    "validate good.yaml": 0,
    "validate bad.yaml": 3,
    "validate bad.yaml --format json": 3,
    "show good.yaml": 0,
    "show good.yaml --format json": 0,
    "show good.yaml --graph good.svg": 0,
    "explain bad.yaml": 3,
    "evaluate good.yaml --config x.json": 0,
    "solve good.yaml --weights w.json": 0,
    "solve bad.yaml --weights w.json": 3,
    "elicit good.yaml --log log.jsonl": 0,
    "ground good.yaml": 0,
    "simulate good.yaml --users 1 --queries 2 --jobs 1 --out run": 0,
    "--help": 0,
    "solve --help": 0,
    "show nösuch☃": 2,
    "problems": 0,
}


@pytest.fixture
def houses(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(HOUSES, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(IMPOSSIBLE, encoding="utf-8")
    (tmp_path / "x.json").write_text('{"n": "groß"}', encoding="utf-8")
    (tmp_path / "w.json").write_text("[1]", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_every_command_ends_as_it_should(surroundings: str, houses: Path) -> None:
    for line, code in COMMANDS.items():
        done = subprocess.run(
            [PCL, *shlex.split(line)],
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            cwd=houses,
            env={**os.environ, **SURROUNDINGS[surroundings]},
            stdin=subprocess.DEVNULL,
        )
        said = done.stderr.decode(errors="replace")
        assert done.returncode == code, f"{line}: {said}"
        assert "Traceback" not in said
        assert "bug" not in said


GONE = {
    "--help": (0, ""),
    "--version": (0, ""),
    "--show-completion": (0, ""),
    "problems": (0, ""),
    "backends": (0, ""),
    "plugins": (0, ""),
    "schema": (0, ""),
    "ground grid": (0, ""),
    "show grid": (0, ""),
    "show grid --graph x.svg": (2, "x.svg: cannot-write: "),
    "validate x.yaml": (2, "x.yaml: file-not-found: "),
    "validate {there}/good.yaml": (0, ""),
    "evaluate grid --config x.json": (2, "x.json: file-not-found: "),
    "explain {there}/bad.yaml": (3, ""),
    "solve {there}/good.yaml --weights {there}/w.json": (0, ""),
    "solve training --weights {there}/none.json --backend cpsat": (0, ""),
    "solve training --weights {there}/none.json --backend cvxpy": (0, ""),
    "solve training --weights {there}/none.json --backend pulp:highs": (0, ""),
    "conformance table": (2, "file-not-found: the folder in which pcl was started is gone"),
    "elicit grid": (2, "grid-"),
    "elicit grid --log {there}/log.jsonl": (0, ""),
    "simulate grid --users 1 --queries 2 --jobs 1 --out {there}/run": (0, ""),
    "simulate grid --users 1 --queries 2 --jobs 1 --out run": (2, "run/cells: cannot-write: "),
    "simulate grid --users 2 --queries 2 --jobs 2 --out {there}/other": (2, "file-not-found: the folder in which"),
    "simulate grid --users 1 --queries 2 --executor dask --out {there}/dask": (
        2,
        "file-not-found: the folder in which",
    ),
    "experiment x.yaml --out run": (2, "x.yaml: file-not-found: "),
    "reproduce --quick --out run": (2, "run/cells: cannot-write: "),
    "compare {there}/run {there}/run": (0, ""),
    "demo": (2, "pcl-demo: cannot-write: "),
}


@in_a_folder_that_is_gone
def test_a_working_folder_that_is_gone(houses: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (houses / "none.json").write_text("{}")
    gone = tmp_path_factory.mktemp("gone")
    for line, (code, said) in GONE.items():
        gone.mkdir(exist_ok=True)
        command = f"cd {gone} && rmdir {gone} && exec {PCL} {line.format(there=houses)}"
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False, input=""
        )
        assert done.returncode == code, f"{line}: {done.stderr}"
        assert done.stderr.startswith(said), line
        assert "Traceback" not in done.stderr
        assert "bug" not in done.stderr
