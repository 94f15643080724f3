"""What is imported before anything is done: help and the completion of a command's name need next to nothing."""

import os
import subprocess
import sys

import pytest

from pcl_app.application import COMMANDS, loaded
from pcl_app.threads import VARIABLES

HEAVY = {"numpy", "pydantic", "rich", "ruamel.yaml", "networkx"}
SOLVERS = {
    "ortools",
    "cvxpy",
    "pulp",
    "highspy",
    "pyscipopt",
    "scipy",
    "matplotlib",
    "pyarrow",
    "joblib",
    "distributed",
}
PROGRAM = """
import sys
sys.argv[0] = "pcl"
from pcl_app.main import run
try:
    run()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imported(*arguments: str, **variables: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **variables},
    )
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_neither_numbers_nor_solvers(option: str) -> None:
    assert not imported(option) & (HEAVY | SOLVERS)


@pytest.mark.parametrize(("given", "heard"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_numpy_is_told_to_compute_with_one_thread_before_it_is_imported(given: dict[str, str], heard: str) -> None:
    telling = PROGRAM.replace(
        "*sys.modules", "__import__('os').environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules"
    )
    alone = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", telling, "--version"], capture_output=True, text=True, check=True, env=alone | given
    )
    assert done.stderr.split() == [heard, "False"]


def test_neither_does_the_completion_of_a_command() -> None:
    asked = {"_PCL_COMPLETE": "complete_bash", "COMP_WORDS": "pcl s", "COMP_CWORD": "1"}
    # Typer itself checks values with Pydantic and renders help with Rich.
    found = imported(**asked)
    assert not found & (HEAVY | SOLVERS) - {"pydantic", "rich"}
    assert not {name for name in found if name.startswith(("pcl_core.model", "pcl_app.commands."))}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_imports_no_solver(command: str) -> None:
    assert not imported(command, "--help") & (SOLVERS | {"networkx", "pytest"})


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(command: str) -> None:
    assert (loaded(command).help or "").partition("\n")[0] == COMMANDS[command][1]
