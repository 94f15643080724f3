"""Simulated elicitations that start from a configuration and weights of one's own."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.app.commands import Commands, traces

from pcl_app.experiments.plan.settings import read_settings
from pcl_app.experiments.run.cells import Cell
from pcl_core import load
from pcl_core.users.utility import sample_weights

GRID = load("grid")
ONE = ("simulate", "grid", "--queries", "3", "--only-user", "0", "--jobs", "1")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A configuration that is not the solver's, and weights."""
    configuration = {variable.name: (at % 3 == 0) for at, variable in enumerate(GRID.variables)}
    weights = sample_weights(GRID, "normal", np.random.default_rng(5))
    (tmp_path / "x.json").write_text(json.dumps(configuration))
    (tmp_path / "w.json").write_text(json.dumps(weights.tolist()))
    return tmp_path / "x.json", tmp_path / "w.json"


def described(out: Path) -> Any:
    return json.loads((out / "run.json").read_text())


def test_a_start_from_files(files: tuple[Path, Path], tmp_path: Path, pcl: Commands) -> None:
    first, weights = files
    pcl(*ONE, "--out", tmp_path / "plain")
    pcl(*ONE, "--given", first, "--out", tmp_path / "given")
    pcl(*ONE, "--given", first, "--start-weights", weights, "--out", tmp_path / "both")
    utilities = [[row["utility"] for row in traces(tmp_path / name)] for name in ("plain", "given", "both")]
    assert utilities[0] != utilities[1] != utilities[2]
    assert {row["start"] for row in traces(tmp_path / "both")} == {f"{first}, weights of {weights}"}
    assert described(tmp_path / "both")["settings"][0]["given"] == {"file": str(first), "text": first.read_text()}


def test_another_content_of_the_same_file_is_another_cell(
    files: tuple[Path, Path], tmp_path: Path, pcl: Commands
) -> None:
    first, _ = files
    pcl(*ONE, "--given", first, "--out", tmp_path / "out")
    pcl(*ONE, "--given", first, "--out", tmp_path / "out")
    assert "1 cells were finished before" in pcl.out
    first.write_text(first.read_text().replace("true", "false"))
    pcl(*ONE, "--given", first, "--out", tmp_path / "out")
    assert "0 cells were finished before" in pcl.out


def test_files_in_an_experiment(files: tuple[Path, Path], tmp_path: Path, pcl: Commands) -> None:
    first, weights = files
    study = tmp_path / "study.yaml"
    run = f"{{problem: grid, users: 2, queries: 2, given: {first}, start_weights: [null, {weights}]}}"
    study.write_text(f"pcl: 1\nexperiment: starts\nruns: [{run}]\n")
    pcl("experiment", study, "--jobs", "1", "--out", tmp_path / "out")
    assert {row["start"] for row in traces(tmp_path / "out")} == {str(first), f"{first}, weights of {weights}"}
    study.write_text(f"pcl: 1\nexperiment: starts\nruns: [{run.replace('x.json', 'nowhere.json')}]\n")
    assert f"{study}:3:" in pcl("experiment", study, "--out", tmp_path / "out", code=2)


def test_a_start_that_is_not_allowed_is_said_once(tmp_path: Path, pcl: Commands) -> None:
    week = load("training")
    busy = {variable.name: "running" for variable in week.variables}
    (tmp_path / "x.json").write_text(json.dumps(busy))
    few = ("--users", "2", "--jobs", "1", "--out", tmp_path / "out")
    said = pcl("simulate", "training", "--given", tmp_path / "x.json", *few, code=3)
    assert said.count("infeasible: the configuration to start from is not allowed") == 1


def test_wrong_files_are_sentences(files: tuple[Path, Path], tmp_path: Path, pcl: Commands) -> None:
    first, weights = files
    out = ("--out", tmp_path / "out")
    assert "16 variables have no value" not in pcl(*ONE, "--given", first, *out)
    assert f"{weights}:1:1: " in pcl(*ONE, "--given", weights, *out, code=2)
    assert f"{tmp_path / 'no.json'}: file-not-found" in pcl(*ONE, "--start-weights", tmp_path / "no.json", *out, code=2)
    said = pcl(*ONE, "--start", "solver", "--given", first, *out, code=2)
    assert "'start' and 'given' are two places to start from (give one)" in said


def test_the_command_that_repeats_a_cell_names_the_files(files: tuple[Path, Path], tmp_path: Path) -> None:
    first, weights = map(str, files)
    settings = read_settings({"problem": "grid", "given": first, "start_weights": weights})
    words = shlex.split(Cell(settings=settings, user=0, problem_hash=GRID.content_hash).command(tmp_path))
    assert words[words.index("--given") + 1] == first
    assert words[words.index("--start-weights") + 1] == weights
