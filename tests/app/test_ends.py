"""How the program ends when somebody ends it, or when there is nobody to read or to write."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.app.commands import PCL, interrupt, start, until

from pcl_app.experiments.run.executors import executor
from pcl_core.version import VERSION

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


@contextmanager
def somebody_reading(pipe: Path) -> Iterator[None]:
    """Wait until somebody reads from a named pipe, and let them wait for what never comes."""
    opened: list[int] = []

    def open_it() -> bool:
        try:
            opened.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        except OSError as error:
            if error.errno != errno.ENXIO:  # which says that nobody reads
                raise
        return bool(opened)

    until(open_it)
    time.sleep(0.5)  # from having opened it to waiting for data; a signal just between the two would not wake it
    try:
        yield
    finally:
        os.close(opened[0])


def test_the_version(tmp_path: Path) -> None:
    done = shell('"$PCL" --version', tmp_path)
    assert (done.returncode, done.stdout) == (0, f"pcl {VERSION}\n")


ENTRY = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from pcl_app.main import run
run()
"""


def test_ctrl_c_while_the_program_is_being_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", ENTRY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "pcl: interrupted\n")


def test_a_program_that_ignores_ctrl_c_is_loaded_all_the_same() -> None:
    line = ENTRY.replace(
        "import os, signal, sys", "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    )
    done = subprocess.run([sys.executable, "-c", line, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"pcl {VERSION}\n")


def test_an_exit_code_is_kept_where_nothing_can_be_said(tmp_path: Path) -> None:
    assert shell('"$PCL" show nosuch 2>/dev/full', tmp_path).returncode == 2


def test_ctrl_c_in_a_command_is_answered(tmp_path: Path) -> None:
    """A pipe that nobody writes to keeps the command where it is until it is interrupted."""
    pipe = tmp_path / "w.json"
    os.mkfifo(pipe)
    with start("solve", "grid", "--weights", pipe) as process, somebody_reading(pipe):
        assert interrupt(process) == (130, "", "pcl: interrupted\n")


@pytest.mark.parametrize(("executor", "after"), [("loky", 0.2), ("loky", 0.6), ("loky", 2.0), ("dask", 5.0)])
def test_workers_do_not_speak_when_they_are_interrupted(tmp_path: Path, executor: str, after: float) -> None:
    out = tmp_path / "out"
    arguments = ("simulate", "training", "--users", "300", "--jobs", "2", "--out", out, "--executor", executor)
    with start(*arguments) as process:
        until((out / "cells").is_dir)
        time.sleep(after)
        code, _, said = interrupt(process)
    assert code == 130
    assert "pcl: interrupted" in said.splitlines()
    assert "Traceback" not in said
    assert f"finished users are kept in {out}; the same command goes on from there" in said


def test_no_more_workers_than_tasks() -> None:
    with executor("loky", 8, None, 2) as run:
        assert len(set(run(_process, range(40)))) <= 2
    with executor("loky", 8, None, 1) as run:
        assert list(run(_process, [0])) == [os.getpid()]


def _process(_: int) -> int:
    time.sleep(0.05)  # so that every worker there is gets something to do
    return os.getpid()


@pytest.mark.parametrize("command", ["show hotel", "ground hotel", "show hotel --format json"])
def test_a_reader_who_goes_away_is_no_failure(command: str, tmp_path: Path) -> None:
    done = shell(f'"$PCL" {command} | head -c 1; exit "${{PIPESTATUS[0]}}"', tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout) == 1


NOBODY_READS = "(exec <&-; while kill -0 $$ 2>/dev/null && [ ! -e done ]; do sleep 0.05; done)"
HELP = [
    "--help",
    "--version",
    "--show-completion",
    *(f"{command} --help" for command in ("elicit", "problems", "serve")),
]
"""The help of all commands is written by one function: a few of them show how that ends."""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_nobody_reads_the_help(unbuffered: str, tmp_path: Path) -> None:
    """The reader is gone before the first word; with a buffer it shows at the end, without one at once."""
    for arguments in HELP:
        line = f'("$PCL" {arguments}; echo $? > code; touch done) | {NOBODY_READS}'
        done = shell(line, tmp_path, PYTHONUNBUFFERED=unbuffered)
        assert (tmp_path / "code").read_text() == "0\n", arguments
        assert done.stderr == "", arguments
        (tmp_path / "done").unlink()


def test_nobody_can_read_the_help(tmp_path: Path) -> None:
    for arguments in HELP:
        done = shell(f'"$PCL" {arguments} >&-', tmp_path)
        assert (done.returncode, done.stderr) == (2, "pcl: standard output is closed, so nothing can be shown\n")
        done = shell(f'"$PCL" {arguments} >/dev/full', tmp_path)
        assert (done.returncode, done.stderr) == (2, "pcl: cannot write the output: No space left on device\n")


def test_a_wrong_command_line_keeps_its_exit_code_where_nobody_reads(tmp_path: Path) -> None:
    for arguments in ("nosuch", "solve", "show grid --nosuch", "solve grid"):
        line = f'("$PCL" {arguments} 2>&1; echo $? > code; touch done) | {NOBODY_READS}'
        assert shell(line, tmp_path).stderr == ""
        assert (tmp_path / "code").read_text() == "2\n", arguments
        (tmp_path / "done").unlink()


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
