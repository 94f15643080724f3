"""`pcl validate` says when nothing is possible, and `pcl solve` how to find out why."""

import importlib.util
import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.app.commands import Commands, interrupt, start, until

from pcl_app import possibility
from pcl_core import load

TIGHT = """
pcl: 1
name: tight
variables: {n: {domain: 0..9}, m: {domain: 0..9}}
constraints:
  - {name: big, require: n + m >= 15, label: much of both}
  - {name: small, require: n <= LIMIT}
  - {name: other, require: m >= 1}
features: [{name: n, value: n}, {name: m, value: m}]
parts: [{name: first, variables: n}, {name: second, variables: m}]
"""
PIGEONS = """
pcl: 1
name: pigeons
sets: {bird: 1..40, hole: 1..39}
variables: {nest: {index: [bird, hole], domain: bool}}
constraints:
  - {name: "home[{b}]", foreach: {b: bird}, require: "count(nest[b, h] for h in hole) >= 1"}
  - {name: "alone[{h},{b},{c}]", foreach: {h: hole, b: 1..39, c: 2..40}, if: c > b, require: "not (nest[b, h] and nest[c, h])"}
features: [{name: some, value: "count(nest[b, 1] for b in bird)"}]
parts: [{name: all, variables: "nest[*, *]"}]
"""


@pytest.fixture
def tight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tight.yaml").write_text(TIGHT.replace("LIMIT", "3"))
    Path("loose.yaml").write_text(TIGHT.replace("LIMIT", "8"))
    Path("w.json").write_text("[1, 1]")
    return tmp_path


def test_a_valid_file_that_nothing_satisfies(tight: Path, pcl: Commands) -> None:
    said = pcl("validate", "tight.yaml", code=3)
    assert pcl.out == "tight.yaml: 'tight' is valid: 2 parts, 2 features\n"
    assert said.startswith("tight.yaml: infeasible: nothing is possible: ")
    assert said.endswith("these cannot hold together: big (much of both); small (loosen one of them)\n")
    pcl("validate", "tight.yaml", "--format", "json", code=3)
    found = json.loads(pcl.out)
    assert (found["valid"], found["possible"], found["undecided"]) == (True, False, None)
    assert found["conflict"] == {"constraints": ["big", "small"], "minimal": True}


def test_a_valid_file_that_something_satisfies(tight: Path, pcl: Commands) -> None:
    assert pcl("validate", "loose.yaml") == ""
    assert pcl.out == "loose.yaml: 'tight' is valid: 2 parts, 2 features\n"
    pcl("validate", "loose.yaml", "--format", "json")
    found = json.loads(pcl.out)
    assert (found["possible"], found["conflict"], found["undecided"]) == (True, None, None)


def test_one_constraint_alone_can_be_impossible(tight: Path, pcl: Commands) -> None:
    Path("one.yaml").write_text(TIGHT.replace("LIMIT", "-1"))
    assert "this one cannot hold: small (loosen it)" in pcl("validate", "one.yaml", code=3)


def test_many_constraints_are_counted(tight: Path, pcl: Commands) -> None:
    names = [f"  - {{name: step{at}, require: 'x[{at + 1}] > x[{at}]'}}\n" for at in range(1, 12)]
    text = "pcl: 1\nname: steps\nsets: {i: 1..12}\nvariables: {x: {index: [i], domain: 0..5}}\n"
    text += "constraints:\n" + "".join(names)
    text += 'features: [{name: "x[{k}]", foreach: {k: i}, value: "x[k]"}]\nparts: [{name: all, variables: "x[*]"}]\n'
    Path("steps.yaml").write_text(text)
    said = pcl("validate", "steps.yaml", code=3)
    assert " and 1 more (loosen one of them)" in said
    assert len(said) < 400


def test_only_reading(tight: Path, pcl: Commands) -> None:
    assert pcl("validate", "tight.yaml", "--no-solve") == ""
    pcl("validate", "tight.yaml", "--no-solve", "--format", "json")
    assert json.loads(pcl.out)["possible"] is None


def test_the_declared_start_shows_that_something_is_possible(
    tight: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(possibility, "Oracle", None)  # which would fail if it were asked
    Path("declared.yaml").write_text(TIGHT.replace("LIMIT", "9") + "initial: [{set: [n, m], to: 8}]\n")
    pcl("validate", "declared.yaml", "--format", "json")
    assert json.loads(pcl.out)["possible"] is True


def test_without_a_solver_it_is_said_that_nobody_knows(
    tight: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *_: None if name == "ortools" else find(name))
    Path("pigeons.yaml").write_text(PIGEONS)
    pcl("validate", "pigeons.yaml")
    assert "the scope is too large to enumerate, and backend 'cpsat' cannot run: ortools is not installed" in pcl.out
    assert "pip install 'pcl-elicit[cpsat]'" in pcl.out
    assert "cannot hold together" in pcl("validate", "tight.yaml", code=3)  # for small ones nothing is needed


def test_what_takes_too_long_is_not_found_out(tight: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possibility, "SOLVE_SECONDS", 0.01)
    monkeypatch.setattr(possibility, "ALL_SECONDS", 60.0)
    Path("pigeons.yaml").write_text(PIGEONS)
    pcl("validate", "pigeons.yaml", "--format", "json")
    found = json.loads(pcl.out)
    assert (found["possible"], found["undecided"]) == (None, "a solver did not know after 0.01 seconds")


SLOW = """
import sys, time
from pcl_app import possibility
from pcl_app.main import run
class Slow:
    @staticmethod
    def of(*_):
        print("begun", file=sys.stderr, flush=True)
        time.sleep(60)
possibility.Oracle = Slow
possibility.ALL_SECONDS = float(sys.argv.pop(1))
run()
"""


def test_what_cannot_be_stopped_is_left_alone(tight: Path) -> None:
    with start("-c", SLOW, "0.1", "validate", "loose.yaml", program=sys.executable) as process:
        out, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (0, "begun\n")
    assert out.endswith("whether anything is possible was not found out: it takes more than 0.1 seconds\n")


def test_ctrl_c_while_it_is_found_out(tight: Path) -> None:
    with start("-c", SLOW, "50", "validate", "loose.yaml", program=sys.executable) as process:
        assert process.stderr is not None
        until(lambda: process.stderr.readline() == "begun\n")  # type: ignore[union-attr]
        assert interrupt(process) == (130, "", "pcl: interrupted\n")


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ("", "pcl explain tight.yaml"),
        ("--backend pulp", "pcl explain tight.yaml --backend pulp"),
        ("--part second --given 'my values.json'", "pcl explain tight.yaml --given 'my values.json' --part second"),
    ],
)
def test_solve_says_how_to_find_out_why(options: str, command: str, tight: Path, pcl: Commands) -> None:
    Path("my values.json").write_text('{"n": 2, "m": 9}')
    solve = ["solve", "tight.yaml", "--weights", "w.json", *shlex.split(options)]
    pcl(*solve, code=3)
    assert f"to see why: {command}\n" in pcl.out
    pcl(*solve, "--format", "json", code=3)
    assert json.loads(pcl.out)["explain"] == command
    pcl(*shlex.split(command)[1:], code=3)  # the very command does it
    assert "  big: much of both\n" in pcl.out


def test_a_floor_that_is_the_reason_is_said_to_be(tight: Path, pcl: Commands) -> None:
    pcl("solve", "loose.yaml", "--weights", "w.json", "--floor", "100", code=3)
    assert "it is the floor alone that nothing reaches" in pcl.out
    assert "to see why" not in pcl.out, "nothing is in conflict"
    pcl("solve", "loose.yaml", "--weights", "w.json", "--floor", "100", "--format", "json", code=3)
    assert (found := json.loads(pcl.out))["floor_too_high"] is True
    assert found["explain"] is None
    pcl("explain", "loose.yaml")
    assert pcl.out == "Something is possible; nothing is in conflict.\n"


def test_what_is_solved_points_nowhere(tight: Path, pcl: Commands) -> None:
    pcl("solve", "loose.yaml", "--weights", "w.json", "--format", "json")
    assert json.loads(pcl.out)["explain"] is None
    assert load("loose.yaml").name == "tight"
