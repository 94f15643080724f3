"""The whole program with lines from a pipe: results, logs, resuming, and what is wrong from the start."""

import io
import json
import resource
import sys
from pathlib import Path

import pytest
from tests.app.terminal.driving import IN_TURN, document, pcl_elicit

from pcl_app.main import run
from pcl_core import load


def test_a_training_week_to_its_certificate(tmp_path: Path) -> None:
    lines = "1 = run\ndone\n" + "a\n" * 30
    done = pcl_elicit(tmp_path, "training", "--log", "week.jsonl", lines=lines)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "> 1 = run" in done.stdout
    assert "This is certified: whichever one of the 7 were changed alone, it would be no better for you." in done.stdout
    assert "The log is week.jsonl" in done.stdout
    assert "\x1b" not in done.stdout


def test_json_is_one_document_and_the_rest_goes_to_stderr(tmp_path: Path) -> None:
    done = pcl_elicit(tmp_path, "grid", *IN_TURN, "--format", "json", "--log", "g.jsonl", lines="a\n" * 4)
    found = document(done)
    assert done.returncode == 0
    assert found.keys() >= {"configuration", "certificate", "queries", "weights", "log"}
    assert found["queries"] == 4
    assert found["certificate"]["confirmed"] == {f"block[{i},{j}]": 2 * i + j + 1 for i in (0, 1) for j in (0, 1)}
    assert found["certificate"]["unchanged_since"] == 0
    assert set(found["weights"]) == {feature.name for feature in load("grid").features}
    assert found["log"] == "g.jsonl"
    assert "query 4" in done.stderr
    weights, configuration = tmp_path / "w.json", tmp_path / "x.json"
    weights.write_text(json.dumps(found["weights"]))
    configuration.write_text(json.dumps(found["configuration"]))
    again = pcl_elicit(tmp_path, "grid", "--weights", str(weights), "--given", str(configuration), lines="q\n")
    assert again.returncode == 0


def test_a_hotel_session_is_resumed_to_the_same_state(tmp_path: Path) -> None:
    first = "single=0; double=1; 4=1; 5=1\ndone\n2 = 6\ncomplete\n"
    left = pcl_elicit(tmp_path, "hotel", "--log", "h.jsonl", "--time-limit", "5", lines=first)
    assert left.returncode == 0
    assert left.stdout.endswith("To go on:\n  pcl elicit hotel --resume h.jsonl --time-limit 5\n")
    assert "The draft was not told. To have it again, type: single beds = 0; double beds = 6" in " ".join(
        left.stdout.split()
    )
    documents = [
        document(pcl_elicit(tmp_path, "hotel", "--resume", "h.jsonl", "--format", "json", lines="")) for _ in range(2)
    ]
    assert documents[0] == documents[1]
    assert documents[0]["queries"] == 2
    assert documents[0]["configuration"]["sofas[r7]"] == 1
    assert documents[0]["finished"] is False
    assert documents[0]["certificate"] is None


def test_stop_and_take_the_end_back(tmp_path: Path) -> None:
    stopped = pcl_elicit(tmp_path, "training", *IN_TURN, "--log", "t.jsonl", lines="a\nstop\n")
    assert "There is no certificate, since you stopped: 1 of 7 are confirmed" in stopped.stdout
    ended = pcl_elicit(tmp_path, "training", "--resume", "t.jsonl", lines="a\n\n")
    assert ended.returncode == 0
    assert "This elicitation has ended." in ended.stdout
    assert "there is no question open" in ended.stdout
    assert "The result after 2 queries" in ended.stdout
    going_on = pcl_elicit(tmp_path, "training", "--resume", "t.jsonl", lines="undo\na\n")
    assert "tue is right as it is: 2 of 7 confirmed" in going_on.stdout


@pytest.mark.parametrize("stop", ["two-pass", "never"])
def test_other_stopping_rules(tmp_path: Path, stop: str) -> None:
    done = pcl_elicit(tmp_path, "grid", "--stop", stop, "--select", "in-order", "--mode", "paper", lines="a\n" * 8)
    assert ("In two passes over all of it nothing could be improved" in done.stdout) == (stop == "two-pass")


def test_the_default_log_is_named_after_problem_and_time(tmp_path: Path) -> None:
    text = json.loads(load("grid").to_json())
    problem = tmp_path / "p.json"
    problem.write_text(json.dumps(text | {"name": "../a b/ü"}))
    for _ in range(2):
        assert pcl_elicit(tmp_path, "p.json", lines="q\n").returncode == 0
    logs = sorted(path.name for path in tmp_path.glob("*.jsonl"))
    assert len(logs) == 2
    assert all(name.startswith("a-b-ü-20") for name in logs)


def test_strange_bytes_are_just_wrong_input(tmp_path: Path) -> None:
    done = pcl_elicit(tmp_path, "grid", *IN_TURN, lines=b"\xff\xfe\n\x00\n1 = \xff\n\r\n1 = yes\r\ndone\n")
    assert done.returncode == 0
    assert "is neither a command nor a change" in done.stdout
    assert "block 0,0 is as you want it" in done.stdout


def test_a_torn_last_line_is_reported(tmp_path: Path) -> None:
    pcl_elicit(tmp_path, "grid", "--log", "g.jsonl", lines="a\n")
    with (tmp_path / "g.jsonl").open("a") as file:
        file.write('{"event": "answ')
    done = pcl_elicit(tmp_path, "grid", "--resume", "g.jsonl", lines="")
    assert done.returncode == 0
    assert "the last line of g.jsonl was cut short" in done.stdout


def limit_files() -> None:
    """Files cannot grow beyond this: what a full disk does to a log."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))


def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    lines = "1 = yes\ndone\n" + "a\nskip\n" * 30
    arguments = ("grid", *IN_TURN, "--log", "g.jsonl", "--stop", "never")
    done = pcl_elicit(tmp_path, *arguments, lines=lines, preexec_fn=limit_files)
    assert done.returncode == 0
    assert "g.jsonl: cannot write the log: " in " ".join(done.stdout.split())
    resumed = pcl_elicit(tmp_path, "grid", "--resume", "g.jsonl", "--format", "json", lines="")
    assert resumed.returncode == 0
    assert document(resumed)["configuration"]["cell[0,0]"] is True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("x\n")
    (tmp_path / "full").symlink_to("/dev/full")
    (tmp_path / "config.json").write_text("{}")
    pcl_elicit(tmp_path, "grid", "--log", "grid.jsonl", lines="")
    first = (tmp_path / "grid.jsonl").read_text().splitlines()[0]
    (tmp_path / "newer.jsonl").write_text(json.dumps(json.loads(first) | {"version": 99}) + "\n")
    (tmp_path / "changed.jsonl").write_text(json.dumps(json.loads(first) | {"problem_hash": "0" * 64}) + "\n")
    (tmp_path / "empty.jsonl").write_text("")
    return tmp_path


WRONG = {
    "nosuch": "unknown-problem",
    "grid --resume nowhere.jsonl": "nowhere.jsonl: file-not-found: there is no log here",
    "training --resume grid.jsonl": "log-of-another-problem: the log is of the problem 'grid', and this is 'training'",
    "training --resume ./grid.jsonl": "(resume it with 'grid')",
    "grid --resume changed.jsonl": 'write "problem_hash":',
    "grid --resume newer.jsonl": "newer.jsonl:1:1: wrong-version",
    "grid --resume empty.jsonl": "log-broken",
    "grid --resume file": "log-broken",
    "grid --resume .": "cannot-write",
    "grid --resume full": "a log is a regular file",
    "grid --resume grid.jsonl --seed 3": "--seed is for a new elicitation",
    "grid --resume grid.jsonl --log x.jsonl": "--log is for a new elicitation",
    "grid --log grid.jsonl": "the log exists already",
    "grid --log file/x.jsonl": "file/x.jsonl: cannot-write: cannot write the log: Not a directory",
    "grid --log nowhere/x.jsonl": "No such file or directory",
    "grid --log /proc/x.jsonl": "cannot-write",
    "grid --log full": "a log is a regular file",
    "grid --log .": "this is a folder",
    "grid --log /": "this is a folder",
    f"grid --log {'x' * 300}": "File name too long",
    "grid --mode kep": "did you mean 'keep'?",
    "grid --stop newer": "did you mean 'never'?",
    "grid --select nosuch": "there is no selection 'nosuch'",
    "grid --order nosuch": "there is no order 'nosuch'",
    "grid --learner nosuch": "there is no learner 'nosuch'",
    "grid --start nosuch": "there is no start 'nosuch'",
    "grid --start random --given config.json": "two places to start from",
    "grid --given config.json": "16 variables have no value",
    "grid --weights file": "file:1:1: syntax",
    "grid --backend nosuch": "nosuch",
    "grid --backend table --time-limit 2": "unsupported",
    "grid --time-limit 0": "a time limit is a positive number",
}


def test_what_is_wrong_from_the_start_is_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in folder.iterdir())
    monkeypatch.chdir(folder)
    for arguments, sentence in WRONG.items():
        monkeypatch.setattr(sys, "argv", ["pcl", "elicit", *arguments.split()])
        monkeypatch.setattr(sys, "stdin", io.StringIO("a\n"))
        with pytest.raises(SystemExit) as stopped:
            run()
        captured = capsys.readouterr()
        assert stopped.value.code == 2, (arguments, captured.out)
        assert sentence in captured.err, arguments
        assert "Traceback" not in captured.err
        assert captured.out == ""
    assert sorted(path.name for path in folder.iterdir()) == before
    assert Path("/dev/full").is_char_device()
