"""Completion as shells ask for it, and the help that shells and people read."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.app.commands import PATIENCE, PCL
from tests.packages import install_package

from pcl_app import application
from pcl_core.learn.selection import SELECTIONS

COMMANDS = sorted(application.COMMANDS)
NAMES = ["flat", "grid", "hotel", "hotel-published", "meals", "pc", "training", "trip"]


def pcl(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PCL, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
    )


def in_bash(*words: str) -> list[str]:
    """What bash offers for the last word, by the script that `--show-completion` gives."""
    quoted = " ".join(f"'{word}'" for word in words)
    script = f"""
        eval "$(SHELL=/bin/bash pcl --show-completion bash)"
        COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}
        _pcl_completion pcl
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = os.pathsep.join([str(PCL.parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, "PATH": path}
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def in_zsh(line: str) -> list[str]:
    """What the protocol answers for zsh: the words, or nothing where zsh is to offer files."""
    done = pcl(_PCL_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS=line)
    assert (done.returncode, done.stderr) == (0, "")
    if done.stdout == "_files\n":
        return []
    assert done.stdout.startswith("_arguments '*: :((")
    return re.findall(r'^(?:_arguments .*\(\()?"([^"]*)"', done.stdout, re.MULTILINE)


def test_bash_completes_commands_options_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trip.yaml").touch()
    (tmp_path / "notes.txt").touch()
    assert in_bash("pcl", "so") == ["solve"]
    assert in_bash("pcl", "solve", "--we") == ["--weights"]
    assert in_bash("pcl", "show", "") == [*NAMES, "trip.yaml"]
    assert in_bash("pcl", "show", "t") == ["training", "trip", "trip.yaml"]
    assert in_bash("pcl", "show", "no") == []  # where nothing is offered, bash offers files
    assert in_bash("pcl", "solve", "grid", "--backend", "c") == ["cpsat", "cvxpy"]
    assert in_bash("pcl", "simulate", "grid", "--select", "r") == ["random", "round-robin"]
    assert in_bash("pcl", "elicit", "grid", "--learner", "") == ["perceptron", "averaged", "belief", "nothing"]
    assert in_bash("pcl", "simulate", "grid", "--user", "sm") == ["smallest-edit"]
    assert in_bash("pcl", "show", "grid", "--order", "de") == ["degree", "declared"]
    assert in_bash("pcl", "show", "grid", "--format", "") == ["text", "json"]


def test_zsh_completes_commands_options_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert in_zsh("pcl so") == ["solve"]
    assert sorted(in_zsh("pcl ")) == COMMANDS
    assert in_zsh("pcl solve --we") == ["--weights"]
    assert in_zsh("pcl show ") == NAMES
    assert in_zsh("pcl solve grid --backend p") == ["pulp"]
    assert in_zsh("pcl solve grid --weights ") == []


def test_names_of_other_packages_are_offered_and_nothing_of_them_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {"pcl.selections": ["mine = other_module:Mine"], "pcl.backends": ["mine = other_module:Mine"]}
    install_package(tmp_path, monkeypatch, entries, "raise SystemExit('it was run')")
    monkeypatch.chdir(tmp_path)
    assert in_bash("pcl", "simulate", "grid", "--select", "m") == ["mine"]
    assert in_bash("pcl", "solve", "grid", "--backend", "m") == ["mine"]
    assert "mine" in SELECTIONS.names()


def test_no_solver_is_imported_to_complete_a_word() -> None:
    program = """
import sys
from pcl_app.main import run
try:
    run()
finally:
    heavy = {"ortools", "cvxpy", "pulp", "highspy", "scipy", "matplotlib", "networkx", "pyarrow", "joblib"}
    print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""
    asked = {"_PCL_COMPLETE": "complete_bash", "COMP_WORDS": "pcl solve grid --backend c", "COMP_CWORD": "4"}
    program = "import sys; sys.argv[0] = 'pcl'\n" + program
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env={**os.environ, **asked}
    )
    assert (done.stdout.split(), done.stderr) == (["cpsat", "cvxpy"], "[]\n")


@pytest.mark.parametrize(("shell", "file"), [("bash", ".bash_completions/pcl.sh"), ("zsh", ".zfunc/_pcl")])
def test_it_installs_itself_in_the_home_folder(shell: str, file: str, tmp_path: Path) -> None:
    # Typer looks at the programs that started this one; where there is no shell among them, it is told.
    done = pcl("--install-completion", shell, HOME=str(tmp_path), _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 0, done.stderr
    assert "_PCL_COMPLETE=complete_" + shell in (tmp_path / file).read_text()


def test_a_home_folder_that_cannot_be_written(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.touch()
    done = pcl("--install-completion", "bash", HOME=str(home), _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 2
    assert done.stderr.startswith("pcl: cannot write the output: ")
    assert "Traceback" not in done.stderr


def test_nonsense_in_the_protocol_is_no_crash() -> None:
    for instruction in ("nonsense", "complete_nosuch", "complete_bash", "source_bash"):
        done = pcl(_PCL_COMPLETE=instruction)
        assert "Traceback" not in done.stderr
        assert "bug" not in done.stderr


def test_summaries_fit_in_a_line() -> None:
    lines = pcl("--help", COLUMNS="80").stdout.partition("Commands:\n")[2].splitlines()
    assert sorted(line.split()[0] for line in lines) == COMMANDS
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_begins_with_its_summary_and_has_an_example(command: str) -> None:
    text = pcl(command, "--help", COLUMNS="80").stdout
    summary = text.splitlines()[2].strip()
    assert summary.endswith(".")
    assert text.splitlines()[3] == ""
    assert f"Example: pcl {command}" in text
