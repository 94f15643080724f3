"""Strategies in a file, without a package: run wherever cells are run, known by what the file says, and never trusted by name."""

import io
import json
import pickle
import shutil
from pathlib import Path

import pytest
from tests.app.commands import Commands

from pcl_app.experiments.plan.files import read_plan
from pcl_app.experiments.plan.settings import RunSettings, read_settings
from pcl_app.experiments.record.ends import read_satisfied
from pcl_app.experiments.run.cells import Cell
from pcl_app.experiments.run.tasks import Task, cells_of, load_problems, run_task
from pcl_core.authoring import load
from pcl_core.elicitation import Elicitation, Settings
from pcl_core.errors import RequestError

MINE = """
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pcl_core.learn import Belief, Improvement, Strategy
from pcl_core.users import least_improvement


@dataclass(frozen=True)
class Sum:
    belief: Belief
    rate: float

    def after(self, lesson):
        if not isinstance(lesson, Improvement):
            return self
        return Sum(Belief(self.belief.weights + self.rate * (lesson.better - lesson.worse)), self.rate)


class Summing(Strategy):
    rate: float = 1.0

    def start(self, prior):
        return Sum(Belief(prior.weights), self.rate)


class InTurn(Strategy):
    def __call__(self, situation):
        return situation.order[sum(situation.asked) % len(situation.order)]


class Content(Strategy):
    informative: ClassVar[bool] = False
    truthful: ClassVar[bool] = False
    alpha: float = 0.1

    def improve(self, view, generator):
        return None if view.is_best or generator.random() < 0.1 else least_improvement(view, self.alpha)


class Divided(Sum):
    def after(self, lesson):
        return 1 / 0


class Dividing(Strategy):
    def start(self, prior):
        return Divided(Belief(prior.weights), 1.0)


def backwards(problem, generator):
    return tuple(reversed(range(len(problem.parts))))


def incomplete(problem, generator):
    return (0,)
"""
DIVIDES = MINE[: MINE.index("1 / 0")].count("\n") + 1
STARTS = "from pcl_core.learn import Strategy\nclass X(Strategy):\n    def start(self, prior):\n        "
OWN = ["--learner", "mine.py:Summing:rate=0.5", "--select", "mine.py:InTurn", "--user", "mine.py:Content"]
SIMULATE = ["simulate", "grid", "--users", "2", "--queries", "4"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_four_kinds_come_from_a_file_and_workers_load_it_too(pcl: Commands) -> None:
    pcl(*SIMULATE, *OWN, "--order", "mine.py:backwards", "--alpha", "0.3", "--jobs", "2", "--out", "run")
    run = json.loads(Path("run/run.json").read_text())
    (source,), (settings,) = run["sources"], run["settings"]
    assert source["file"] == "mine.py"
    assert source["text"] == MINE
    digest = source["sha256"][:12]
    assert settings["learner"] == f"mine.py:Summing@{digest}:rate=0.5"
    assert settings["order"] == f"mine.py:backwards@{digest}"
    assert (settings["user_model"], settings["alpha"]) == (f"mine.py:Content@{digest}", 0.3)
    Path("mine.py").unlink()
    assert len(read_satisfied(Path("run"))) == 1  # what was recorded is read without running the file


def cell_of(settings: RunSettings) -> Cell:
    return cells_of([(settings, [0])], load_problems([settings]))[0]


def test_a_worker_without_the_file_runs_what_it_said(folder: Path) -> None:
    settings = read_settings(
        {"problem": "grid", "queries": 3, "learner": "mine.py:Summing", "order": "mine.py:backwards"}
    )
    text = pickle.dumps(Task(load("grid").to_json(), cell_of(settings)))
    (folder / "mine.py").unlink()
    outcome = run_task(pickle.loads(text))
    assert outcome.error is None
    assert len(outcome.result["rows"]) == 3


def test_an_edited_file_is_not_taken_for_the_old_one_and_a_moved_one_is(pcl: Commands, folder: Path) -> None:
    once = [*SIMULATE, "--users", "1", "--jobs", "1", "--out", "run", "--format", "json"]
    kept: list[int] = []
    rows: list[str] = []
    (folder / "elsewhere").mkdir()
    shutil.copy("mine.py", "elsewhere/mine.py")
    for learner in ("mine.py:Summing", "elsewhere/mine.py:Summing", "mine.py:Summing"):
        pcl(*once, "--learner", learner)
        described = json.loads(pcl.out)
        assert described["command"].endswith(f"--learner {learner}")
        kept.append(described["cells"]["kept"])
        rows.append(described["rows"])
        Path("mine.py").write_text(MINE + ("\n# edited\n" if len(kept) == 2 else ""))
    assert kept == [0, 1, 0]
    assert rows[0] == rows[1] != rows[2]


def test_in_an_experiment_file_the_path_is_relative_to_it(folder: Path) -> None:
    study = folder / "studies"
    study.mkdir()
    shutil.move("mine.py", study / "mine.py")
    text = "pcl: 1\nexperiment: own\nruns:\n  - {problem: grid, learner: [perceptron, 'mine.py:Summing']}\n"
    (study / "study.yaml").write_text(text)
    named = [str(entry.settings.learner).partition("@")[0] for entry in read_plan(Path("studies/study.yaml")).entries]
    assert named == ["perceptron", "mine.py:Summing"]
    (study / "study.yaml").write_text(text.replace("Summing", "Suming"))
    with pytest.raises(
        RequestError, match=r"study.yaml:4:43: .*mine.py: there is no 'Suming'.*did you mean 'Summing' or"
    ):
        read_plan(Path("studies/study.yaml"))


def test_what_repeats_a_cell_names_the_file_and_refuses_it_edited(pcl: Commands) -> None:
    said = pcl(*SIMULATE, "--users", "1", "--jobs", "1", "--learner", "mine.py:Dividing", "--out", "run", code=2)
    assert said.startswith(f"cell-failed: mine.py:{DIVIDES}: plugin-broken: this fails: ZeroDivisionError")
    assert "Traceback" not in said
    again = said[said.index("pcl simulate") + len("pcl ") : said.rindex(")")].split()
    assert again[again.index("--learner") + 1].startswith("mine.py:Dividing@")
    Path("mine.py").write_text(MINE.replace("1 / 0", "1 / 1"))
    assert "this is another file than the one meant" in pcl(*again, code=2)


@pytest.mark.parametrize(
    ("code", "option", "said"),
    [
        ("def x(:", "--learner", "bad.py:1:7: plugin-broken: 'X' cannot be used: SyntaxError: invalid syntax"),
        ("a = 1\nb = c", "--select", "bad.py:2: plugin-broken: 'X' cannot be used: NameError: name 'c' is not defined"),
        ("import neighbour", "--user", "bad.py:1: plugin-broken: 'X' cannot be used: ModuleNotFoundError: No module"),
        ("import sys\n\nsys.exit(0)", "--order", "bad.py:3: plugin-broken: 'X' cannot be used: SystemExit: 0"),
        ("class X: pass", "--learner", "bad.py: plugin-broken: 'X' cannot be used: it is not a subclass of"),
        ("def X(): pass", "--order", "bad.py: plugin-broken: 'X' cannot be used: it cannot be called with a problem"),
        (
            STARTS + "return 1 / 0",
            "--learner",
            "bad.py:4: plugin-broken: 'X' cannot be used: ZeroDivisionError: division",
        ),
        (STARTS + "return None", "--learner", "bad.py: plugin-broken: 'X' cannot be used: 'start' must give something"),
        ("Y = 1", "--learner", "bad.py: unknown-name: there is no 'X' in this file"),
    ],
)
def test_what_is_wrong_in_a_file_is_a_sentence_with_its_line(code: str, option: str, said: str, pcl: Commands) -> None:
    Path("bad.py").write_text(code)
    Path("neighbour.py").write_text("")
    shown = pcl(*SIMULATE, option, "bad.py:X", "--out", "run", code=2)
    assert shown.startswith(said)
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("mine.py", "bad-value: 'mine.py' does not say what in the file is meant (write it as mine.py:Name"),
        ("nowhere.py:X", "nowhere.py: file-not-found"),
        ("mine.py:Summing:rat=1", "unknown-option: learner 'Summing' has no option 'rat' (did you mean 'rate'?)"),
        ("mine.py:Summing:rate=much", "bad-value: rate of learner 'Summing' is much"),
    ],
)
def test_what_is_wrong_with_a_reference_is_said(reference: str, said: str, pcl: Commands) -> None:
    assert said in pcl(*SIMULATE, "--learner", reference, "--out", "run", code=2)


def test_an_order_takes_no_options_and_lists_every_part(pcl: Commands) -> None:
    said = pcl(*SIMULATE, "--order", "mine.py:backwards:x=1", "--out", "run", code=2)
    assert "an order has no options" in said
    assert "must list every part" in pcl(*SIMULATE, "--order", "mine.py:incomplete", "--out", "run", code=2)


def test_a_person_goes_on_with_the_file_that_the_log_began_with(pcl: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    pcl("elicit", "grid", "--learner", "mine.py:Summing", "--log", "log.jsonl")
    again = pcl.out.splitlines()[-1].split()
    assert again[:5] == ["pcl", "elicit", "grid", "--resume", "log.jsonl"]
    pcl(*again[1:])
    said = pcl("elicit", "grid", "--resume", "log.jsonl", code=2)
    assert "is in a file, which a name alone does not run" in said
    assert "and the log has 'mine.py:Summing@" in pcl(*again[1:6], "mine.py:Summing:rate=2", code=2)


def test_a_name_runs_no_file(folder: Path) -> None:
    (folder / "evil.py").write_text("raise SystemExit('run')")
    for field in ("learner", "select", "order"):
        settings = Settings.model_validate({field: "evil.py:Evil"})
        with pytest.raises(RequestError, match="which a name alone does not run"):
            Elicitation(load("grid"), settings=settings)
