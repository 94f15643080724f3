"""`pcl simulate` from outside: what it leaves behind, what it says when cells fail, and that nothing finished is lost."""

import json
import os
import pty
import shlex
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pyarrow import csv, parquet
from tests.app.commands import (
    PATIENCE,
    PCL,
    Commands,
    install_stubborn_users,
    kept,
    start,
    traces,
    until,
)

from pcl_app.experiments.plan.fields import StartFile
from pcl_app.experiments.plan.settings import RunSettings
from pcl_app.experiments.record.traces import COLUMNS
from pcl_app.experiments.run import tasks
from pcl_app.experiments.run.cells import Cell, weights_of
from pcl_core.authoring.load import load
from pcl_core.errors import Code, Issue, MissingDependencyError

GRID = ("simulate", "grid", "--queries", "4", "--users", "6", "--jobs", "1")


def described(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "run.json").read_text())
    return found


def refusing(users: int) -> list[int]:
    """The users whose first weight is positive: stubborn ones do something there."""
    problem = load("grid")
    cells = [
        Cell(settings=RunSettings(problem="grid"), user=user, problem_hash=problem.content_hash)
        for user in range(users)
    ]
    return [cell.user for cell in cells if weights_of(cell, problem)[0] > 0]


def test_run_json_says_how_the_traces_came_about(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--seed", "5", "--alpha", "0.3", "--out", tmp_path, "--format", "json")
    found = described(tmp_path)
    assert json.loads(pcl.out) == {**found, "out": str(tmp_path)}
    grid = load("grid")
    assert found["problems"] == {"grid": {"name": "grid", "label": grid.label, "hash": grid.content_hash}}
    assert found["seeds"] == [5]
    assert found["settings"] == [RunSettings(problem="grid", queries=4, seed=5, alpha=0.3).model_dump()]
    assert found["cells"] == {"all": 6, "done": 6, "kept": 0, "damaged": []}
    assert found["optima"] == {"all": 6, "unproven": 0}
    assert found["theory"] == {"checked": 6, "contradicted": {}}
    assert found["failures"] == []
    assert {"python", "pcl", "numpy", "joblib", "pyarrow", "ortools"} <= found["versions"].keys()
    assert found["machine"]["cores"] >= 1


def test_csv_on_request_holds_what_parquet_holds_and_does_not_outlive_it(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--out", tmp_path)
    assert not (tmp_path / "traces.csv").exists()
    pcl(*GRID, "--out", tmp_path, "--csv")
    binary = parquet.ParquetFile(tmp_path / "traces.parquet").read()
    options = csv.ConvertOptions(column_types=binary.schema, strings_can_be_null=False)
    assert csv.read_csv(tmp_path / "traces.csv", convert_options=options).equals(binary)
    assert binary.column_names == list(COLUMNS)
    pcl(*GRID, "--seed", "1", "--out", tmp_path)
    assert not (tmp_path / "traces.csv").exists()


def test_traces_of_before_do_not_stand_beside_a_run_that_recorded_nothing(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    pcl(*GRID, "--out", tmp_path, "--csv")
    monkeypatch.setattr(tasks, "run_cell", no_solver)
    pcl(*GRID, "--seed", "1", "--out", tmp_path, code=5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells", "run.json"]
    assert described(tmp_path)["cells"]["done"] == 0


def no_solver(*_: object) -> None:
    raise MissingDependencyError(Issue(Code.MISSING_DEPENDENCY, "there is no solver", "pip install one"))


NOTHING = "pcl: 1\nname: none\nvariables: {n: {domain: 0..3}}\nconstraints: [{name: c, require: n > 5}]\n"
NOTHING += "features: [{name: f, value: n}]\nparts: [{name: p, variables: n}]\n"


def test_a_reason_that_all_failures_share_is_said_once_and_gives_the_exit_code(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "none.yaml", tmp_path / "out"
    file.write_text(NOTHING)
    few = ("--users", "3", "--jobs", "1", "--out", out)
    said = pcl("simulate", file, *few, code=3)
    assert said.splitlines() == [
        "3 of 3 simulated users could not be run; run.json says how to repeat each",
        "infeasible: problem 'none' has no feasible configuration: c",
    ]
    said = pcl("simulate", "hotel", "--backend", "cpsat", "--time-limit", "0.000001", *few, code=4)
    assert said.count("limit-reached: ") == 1
    assert all("--only-user" in failure["repeat"] for failure in described(out)["failures"])
    assert {failure["exit_code"] for failure in described(out)["failures"]} == {4}
    monkeypatch.setattr(tasks, "run_cell", no_solver)
    said = pcl(*GRID, "--out", out, code=5)
    assert said.endswith("missing-dependency: there is no solver (pip install one)\n")


def test_a_run_without_queries_is_refused_and_leaves_an_earlier_one_alone(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--out", tmp_path)
    before = traces(tmp_path)
    said = pcl("simulate", "grid", "--users", "1", "--queries", "0", "--out", tmp_path, code=2)
    assert "--queries: it must be greater than or equal to 1" in said
    assert traces(tmp_path) == before


def test_the_defaults_of_the_command_are_those_of_conditions(tmp_path: Path, pcl: Commands) -> None:
    pcl("simulate", "grid", "--only-user", "0", "--jobs", "1", "--out", tmp_path)
    assert described(tmp_path)["settings"] == [RunSettings(problem="grid").model_dump()]


def test_failing_cells_are_collected_and_their_commands_repeat_them(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stubborn_users(tmp_path, monkeypatch)
    failing, out = refusing(6), tmp_path / "a folder"
    assert 0 < len(failing) < 6
    said = pcl(
        *GRID, "--user", "grumpy", "--mode", "keep", "--alpha", "0.25", "--weights", "normal", "--out", out, code=2
    )
    assert len(said.splitlines()) == len(failing)
    assert all(line.startswith("cell-failed: ValueError: I will not answer (repeat it") for line in said.splitlines())
    assert {row["user"] for row in traces(out)} == set(range(6)) - set(failing)
    found = described(out)
    assert (found["cells"]["all"], found["cells"]["done"]) == (6, 6 - len(failing))
    assert all("Traceback" in failure["detail"] for failure in found["failures"])
    for line, failure in zip(said.splitlines(), found["failures"], strict=True):
        assert line.endswith(f"(repeat it with: {failure['repeat']})")
        program, *words = shlex.split(failure["repeat"])
        assert program == "pcl"
        again = pcl(*words, "--jobs", "1", code=2)
        assert again.startswith("cell-failed: ValueError: I will not answer")
        repeated = described(Path(words[-1]))
        assert [failure["cell"]] == [other["cell"] for other in repeated["failures"]]
    assert described(out) == found  # repeating left the experiment alone


def test_a_command_that_repeats_a_cell_gives_the_same_rows(tmp_path: Path, pcl: Commands) -> None:
    weights = tmp_path / "w.json"
    weights.write_text('{"h[0,0]": 1}')
    settings = RunSettings(
        problem="grid:side=4,part=2",
        algorithm="cl",
        learner="perceptron:step=sqrt",
        select="ucb1",
        order=", ".join(part.name for part in reversed(load("grid").parts)),
        mode="keep",
        stop="never",
        user_model="noisy:p=0.3",
        alpha=0.2,
        weights="sparse",
        start="random",
        start_weights=StartFile(file=str(weights), text=weights.read_text()),
        queries=3,
        seed=9,
        backend="cpsat",
        time_limit=30.0,
    )
    not_beside_these = {"given", "look_further"}
    assert settings.model_fields_set | not_beside_these == RunSettings.model_fields.keys()
    cell = Cell(settings=settings, user=2, problem_hash=load("grid").content_hash)
    words = shlex.split(cell.command(tmp_path / "it's here"))
    pcl(*words[1:], "--jobs", "1")
    rows = traces(Path(words[-1]))
    assert {row["cell"] for row in rows} == {cell.key}
    assert described(Path(words[-1]))["settings"] == [settings.model_dump()]
    further = RunSettings(problem="grid", mode="people", look_further=3)
    words = shlex.split(cell.model_copy(update={"settings": further}).command(tmp_path))
    assert words[words.index("--look-further") + 1] == "3"


def test_a_scope_that_is_too_large_for_a_backend_fails_as_cells_and_others_go_on(tmp_path: Path, pcl: Commands) -> None:
    switches = tmp_path / "switches.yaml"
    switches.write_text(
        "pcl: 1\nname: switches\nsets: {place: 0..29}\nvariables: {on: {index: [place], domain: bool}}\n"
        "features: [{name: 'f[{p}]', foreach: {p: place}, value: 'on[p]'}]\n"
        "parts: [{name: all, variables: ['on[*]']}]\n"
    )
    file = tmp_path / "study.yaml"
    file.write_text(
        "pcl: 1\nexperiment: x\ndefaults: {users: 2, queries: 2}\n"
        f"runs: [{{problem: {switches}, backend: table}}, {{problem: grid, algorithm: cl, backend: table}}]\n"
    )
    said = pcl("experiment", file, "--jobs", "1", "--out", tmp_path / "out", code=2)
    assert said.count("cell-failed: scope-too-large: ") == len(said.splitlines()) == 2
    assert {row["problem"] for row in traces(tmp_path / "out")} == {"grid"}


WRONG: dict[str, str] = {
    "--users 0": "the number of users is 0",
    "--users 99999999": "it must be from 1 to 1,000,000",
    "--alpha 0": "--alpha: it must be greater than 0",
    "--alpha nan": "--alpha: it must be",
    "--queries -1": "--queries: it must be",
    "--seed -1": "--seed: it must be",
    "--algorithm plc": "unknown-option: --algorithm: there is no 'plc' (did you mean 'pcl'?)",
    "--mode kep": "unknown-option: --mode: there is no 'kep' (did you mean 'keep'?)",
    "--stop newer": "unknown-option: --stop: there is no 'newer' (did you mean 'never'?)",
    "--weights norml": "unknown-option: weights cannot be drawn 'norml' (did you mean 'normal'",
    "--user informativ": "did you mean 'informative'?",
    "--user best --alpha 0.5": "user 'best' has alpha 1, not 0.5 (leave it out)",
    "--start nowhere": "there is no start 'nowhere'",
    "--look-further 3": "looking further begins with a certificate in the mode 'people'",
    "--recipe people --look-further -1": "--look-further",
    "--backend nosuch": "there is no backend 'nosuch'",
    "--backend table --time-limit 3": "does not take the option 'time limit'",
    "--time-limit 0": "--time-limit: it must be",
    "--only-user 3000000000": "--only-user",
    "--jobs 0": "--jobs",
}


@pytest.mark.parametrize("options", WRONG)
def test_a_wrong_option_is_a_sentence_before_anything_is_run(options: str, tmp_path: Path, pcl: Commands) -> None:
    said = pcl("simulate", "grid", "--out", tmp_path / "out", *options.split(), code=2)
    assert WRONG[options] in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_experiment_goes_on_where_it_stopped(
    how: signal.Signals, tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, out = install_stubborn_users(tmp_path, monkeypatch), tmp_path / "out"
    wait.touch()
    options = (*GRID[:-1], "2", "--user", "waiting", "--out", out)
    with start(*options) as process:
        until(lambda: len(kept(out)) > 6 or process.poll() is not None)  # all optima, and a user who does not wait
        os.killpg(process.pid, how)  # Ctrl-C reaches the workers, too
        _, said = process.communicate(timeout=PATIENCE)
    before = kept(out)
    assert 6 < len(before) < 12
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert f"finished users are kept in {out}; the same command goes on from there\npcl: interrupted\n" in said
        assert "Traceback" not in said
    else:
        assert process.returncode == -signal.SIGKILL
    wait.unlink()
    pcl(*GRID, "--user", "waiting", "--out", out)
    assert f"{len(before) - 6} cells were finished before" in pcl.out
    assert kept(out).items() >= before.items()
    pcl(*GRID, "--user", "waiting", "--out", tmp_path / "whole")
    assert traces(out) == traces(tmp_path / "whole")


def test_progress_is_shown_on_a_terminal_and_never_on_stdout(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = [str(PCL), *GRID, "--out", str(tmp_path), "--format", "json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # how Linux says that nobody writes any more
                break
            if not chunk:
                break
            said += chunk
        stdout, _ = process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert process.returncode == 0
    shown = said.decode()
    assert "best configurations" in shown
    assert "simulated users" in shown
    assert "6/6" in shown
    assert json.loads(stdout)["cells"]["done"] == 6


def test_without_a_terminal_nothing_is_shown_even_if_colours_are_wanted(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert pcl(*GRID, "--out", tmp_path, "--format", "json") == ""
    assert json.loads(pcl.out)["cells"]["done"] == 6
