"""`pcl` for tests: in this process or as its own, and what experiments leave behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from pcl_app.main import run

PCL = Path(sys.executable).parent / "pcl"
SECONDS = ("seconds_infer", "seconds_update")
PATIENCE = 120.0

STUBBORN = '''\
import os
import time
from pathlib import Path
from typing import ClassVar

from pcl_core.users.simulated import Informative


class Grumpy(Informative):
    """refuses to answer where her first weight is positive"""

    def improve(self, view, generator):
        if view.weights[0] > 0:
            raise ValueError("I will not answer")
        return super().improve(view, generator)


class Waiting(Informative):
    """answers as others do, but not while there is a certain file and her first weight is positive"""

    def improve(self, view, generator):
        while view.weights[0] > 0 and Path(os.environ["PCL_TEST_WAIT"]).exists():
            time.sleep(0.01)
        return super().improve(view, generator)


class Dying(Informative):
    """takes her process with her where her first weight is positive"""

    def improve(self, view, generator):
        if view.weights[0] > 0:
            os.kill(os.getpid(), 9)
        return super().improve(view, generator)
'''


def install_stubborn_users(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another package with users of its own, for this process and those it starts; returns the file they wait for."""
    package = folder / "package"
    metadata = package / "stubborn-1.dist-info"
    metadata.mkdir(parents=True)
    (package / "stubborn.py").write_text(STUBBORN)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stubborn\nVersion: 1\n")
    names = ("Grumpy", "Waiting", "Dying")
    lines = [f"{name.lower()} = stubborn:{name}" for name in names]
    (metadata / "entry_points.txt").write_text("\n".join(["[pcl.users]", *lines, ""]))
    monkeypatch.syspath_prepend(str(package))
    paths = [str(package), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("PCL_TEST_WAIT", str(folder / "wait"))
    return folder / "wait"


class Commands:
    """`pcl` in this process: exit code, stdout, stderr."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capfd = monkeypatch, capfd
        self.out = self.err = ""

    def __call__(self, *arguments: str | Path, code: int = 0) -> str:
        """Run it, expect an exit code, and return what it says on stderr."""
        self._monkeypatch.setattr(sys, "argv", ["pcl", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            run()
        self.out, self.err = self._capfd.readouterr()
        assert (stopped.value.code or 0) == code, self.err
        assert "Traceback" not in self.err
        return self.err


def finish(*arguments: str | Path, code: int = 0) -> str:
    """`pcl` as a process of its own: expect an exit code, and return what it says on stderr."""
    with start(*arguments) as process:
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, said
    assert "Traceback" not in said
    return said


@contextmanager
def start(*arguments: str | Path, program: str | Path = PCL) -> Iterator[subprocess.Popen[str]]:
    """`pcl` as a process with a group of its own, as a shell starts it; nothing of it outlives the test."""
    process = subprocess.Popen(
        [str(program), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        with process:
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    finally:
        process.wait()


def interrupt(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Ctrl-C for a command and everything that it started, as in a terminal: exit code, stdout, stderr."""
    os.killpg(process.pid, signal.SIGINT)
    out, said = process.communicate(timeout=PATIENCE)
    return process.returncode, out, said


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens for certain; only a broken program takes as long as the limit."""
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, "it never happened"
        time.sleep(0.02)


def traces(out: Path) -> list[dict[str, Any]]:
    """The recorded rows without how long things took."""
    table = parquet.ParquetFile(out / "traces.parquet").read()
    found: list[dict[str, Any]] = table.drop_columns(list(SECONDS)).to_pylist()
    return found


def kept(out: Path) -> dict[str, int]:
    """The kept results and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "cells").glob("*.cell")}
