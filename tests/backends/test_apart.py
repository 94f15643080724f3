"""A solver in a process of its own: what happens to it is a status, and it never outlives the program."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from pcl_core import Oracle, load
from pcl_core.solve.protocol import BackendContractError, Capability, Options, Status, StopReason
from pcl_core.solve.registry import get_backend

UNRULY = '''
"""A backend that enumerates, unless its solver's name says otherwise."""
import ctypes, os, pathlib, signal
from pcl_backends.table import TableBackend

class Unruly(TableBackend):
    name = "unruly"

    def __init__(self, solver=None):
        super().__init__()
        self.solver = solver

    def availability(self):
        from dataclasses import replace
        return replace(super().availability(), solvers=("dies", "dies-once", "hangs", "raises", "prints"))

    def compile(self, scope):
        return Prepared(super().compile(scope), self.solver)

class Prepared:
    def __init__(self, inner, solver):
        self.inner, self.solver = inner, solver

    def solve(self, request, options):
        once = pathlib.Path(__file__).with_name("died")
        if self.solver == "dies" or (self.solver == "dies-once" and not once.exists()):
            once.touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.solver == "hangs":
            pathlib.Path(__file__).with_name("pid").write_text(str(os.getpid()))
            ctypes.PyDLL(None).sleep(600)  # and keeps the interpreter to itself, as SCIP does
        if self.solver == "raises":
            raise IndexError("list index out of range")
        if self.solver == "prints":
            os.write(1, b"Running a solver" * 100)
            print("Copyright", flush=True)
        return self.inner.solve(request, options)
'''
GRID = load("grid")
WEIGHTS = np.linspace(-1, 1, len(GRID.features))


@pytest.fixture
def unruly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with a backend of somebody else."""
    (tmp_path / "unruly_backend.py").write_text(UNRULY, encoding="utf-8")
    metadata = tmp_path / "unruly-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: unruly\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[pcl.backends]\nunruly = unruly_backend:Unruly\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_death_is_a_status(unruly: Path) -> None:
    oracle = Oracle.of(GRID, "apart:unruly:dies")
    for _ in range(2):
        found = oracle.solve(WEIGHTS)
        assert (found.status, found.reason) == (Status.UNKNOWN, StopReason.DIED)


def test_after_a_death_the_next_request_is_answered(unruly: Path) -> None:
    oracle = Oracle.of(GRID, "apart:unruly:dies-once")
    assert oracle.solve(WEIGHTS).reason is StopReason.DIED
    again, expected = oracle.solve(WEIGHTS), Oracle.of(GRID, "table").solve(WEIGHTS)
    assert (again.status, again.objective) == (expected.status, expected.objective)


def test_a_limit_ends_what_does_not_look_at_the_clock(unruly: Path) -> None:
    oracle = Oracle.of(GRID, "apart:unruly:hangs", Options(time_limit=0.5))
    found = oracle.solve(WEIGHTS)
    assert (found.status, found.reason) == (Status.UNKNOWN, StopReason.TIME_LIMIT)


def test_a_foreign_exception_is_a_sentence(unruly: Path) -> None:
    with pytest.raises(BackendContractError, match="failed: IndexError: list index out of range"):
        Oracle.of(GRID, "apart:unruly:raises").solve(WEIGHTS)


def test_what_a_solver_prints_disturbs_nobody(unruly: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert Oracle.of(GRID, "apart:unruly:prints").solve(WEIGHTS).status is Status.OPTIMAL
    assert capfd.readouterr() == ("", "")


def test_every_backend_gets_a_time_limit() -> None:
    assert Capability.TIME_LIMIT not in get_backend("table").capabilities
    assert Oracle.of(GRID, "apart:table", Options(time_limit=60.0)).solve(WEIGHTS).status is Status.OPTIMAL


@pytest.mark.parametrize("name", ["pulp", "pulp:highs", "cvxpy", "cvxpy:scipy", "cvxpy:scip"])
def test_an_answer_with_a_limit_is_the_same(name: str) -> None:
    with_limit, expected = Oracle.of(GRID, name, Options(time_limit=60.0)), Oracle.of(GRID, "table")
    part, context = GRID.parts[1], GRID.initial_configuration
    assert context is not None
    for weights in (WEIGHTS, -WEIGHTS):
        for arguments in ({}, {"variables": part.variables, "given": context}):
            found, known = (oracle.solve(weights, **arguments) for oracle in (with_limit, expected))  # type: ignore[arg-type]
            assert (found.status, found.objective) == (known.status, known.objective)


WAITING = """
import os, signal, sys, threading
import numpy as np
from pcl_core import Oracle, load
from pcl_core.solve.protocol import Options
oracle = Oracle.of(load("grid"), "apart:unruly:hangs")
try:
    print("waiting", flush=True)
    oracle.solve(np.ones(24))
except KeyboardInterrupt:
    print("noticed", flush=True)
"""


def waiting_program(folder: Path) -> tuple["subprocess.Popen[str]", psutil.Process]:
    """A program that waits for a hanging solver, and the process in which that hangs."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    program = subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True, env=environment)
    while not (folder / "pid").exists() or not (folder / "pid").read_text():
        assert program.poll() is None
        time.sleep(0.05)
    return program, psutil.Process(int((folder / "pid").read_text()))


def test_ctrl_c_is_noticed_and_ends_the_solver(unruly: Path) -> None:
    program, solver = waiting_program(unruly)
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=60)
    assert out == "waiting\nnoticed\n"
    assert psutil.wait_procs([solver], timeout=60)[1] == []


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
def test_a_solver_ends_with_the_program(unruly: Path, signal_number: signal.Signals) -> None:
    program, solver = waiting_program(unruly)
    program.send_signal(signal_number)
    program.communicate(timeout=60)
    assert psutil.wait_procs([solver], timeout=60)[1] == []


def test_a_process_ends_with_its_backend() -> None:
    oracle = Oracle.of(GRID, "apart:table")
    before = set(psutil.Process().children())
    oracle.solve(WEIGHTS)
    (child,) = set(psutil.Process().children()) - before
    del oracle
    assert psutil.wait_procs([child], timeout=60)[1] == []
