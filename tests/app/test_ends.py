"""How the program ends when somebody ends it, or when there is nobody to read or to write."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.app.commands import until

from pcl_app.experiments.executors import executor

PCL = Path(sys.executable).parent / "pcl"
SECONDS = 60


def shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which $PCL is the program."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=folder,
        env={**os.environ, "PCL": str(PCL), **variables},
        stdin=subprocess.DEVNULL,
    )


def interrupted_after(
    seconds: float, folder: Path, *arguments: str, begun: Callable[[], bool] = lambda: True
) -> tuple[int, str]:
    """The exit code and stderr of a command that gets ctrl-C once it has begun, as does everything that it started."""
    with subprocess.Popen(
        [PCL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True
    ) as process:
        until(begun)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
    return process.returncode, said


def test_the_version(tmp_path: Path) -> None:
    done = shell('"$PCL" --version', tmp_path)
    assert (done.returncode, done.stdout) == (0, f"pcl {version('pcl')}\n")


ENTRY = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from pcl_app.main import run
run()
"""


def test_ctrl_c_while_the_program_is_being_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", ENTRY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "pcl: interrupted\n")


def test_ctrl_c_in_a_command_is_answered(tmp_path: Path) -> None:
    """A pipe that nobody writes to keeps the command where it is until it is interrupted."""
    os.mkfifo(tmp_path / "w.json")
    code, said = interrupted_after(4, tmp_path, "solve", "grid", "--weights", "w.json")
    assert (code, said) == (130, "pcl: interrupted\n")


@pytest.mark.parametrize(("executor", "after"), [("loky", 0.2), ("loky", 0.6), ("loky", 2.0), ("dask", 5.0)])
def test_workers_do_not_speak_when_they_are_interrupted(tmp_path: Path, executor: str, after: float) -> None:
    arguments = ("simulate", "training", "--users", "300", "--jobs", "2", "--out", "out", "--executor", executor)
    code, said = interrupted_after(after, tmp_path, *arguments, begun=(tmp_path / "out" / "cells").is_dir)
    assert code == 130
    assert said.split("\n")[-2] == "pcl: interrupted"
    assert "Traceback" not in said
    assert "finished users are kept in out; the same command goes on from there" in said


def test_no_more_workers_than_tasks() -> None:
    with executor("loky", 500, None, 3) as run:
        assert len(set(run(_process, [0, 1, 2]))) <= 3
    with executor("loky", 500, None, 1) as run:
        assert list(run(_process, [0])) == [os.getpid()]


def _process(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("command", ["show hotel", "ground hotel", "show hotel --format json"])
def test_a_reader_who_goes_away_is_no_failure(command: str, tmp_path: Path) -> None:
    done = shell(f'"$PCL" {command} | head -c 1; exit "${{PIPESTATUS[0]}}"', tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout) == 1


NAMES = "pcl: 1\nname: häuser\nvariables: {n: {domain: 0..3}}\nfeatures: [{name: größe, value: n}]\nparts: [{name: ψ, variables: n}]\n"


def test_an_output_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(NAMES, encoding="utf-8")
    done = shell('"$PCL" show x.yaml', tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "h?user" in done.stdout
    for command in ("show x.yaml --format json", "ground x.yaml"):
        done = shell(f'"$PCL" {command}', tmp_path, PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stderr) == (0, "")
        assert r'"h\u00e4user"' in done.stdout


def test_closed_streams(tmp_path: Path) -> None:
    done = shell('"$PCL" show grid >&-', tmp_path)
    assert (done.returncode, done.stderr) == (2, "pcl: standard output is closed, so nothing can be shown\n")
    done = shell('"$PCL" elicit grid <&-', tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("bad-value: standard input is closed")
    done = shell('"$PCL" show nosuch 2>&-', tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
