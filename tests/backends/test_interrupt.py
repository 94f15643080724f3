"""A solver leaves ctrl-C to the program."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from tests.interrupting import interrupted

from pcl_core import Oracle, load

HARD = """
import os, random, signal, threading, time
from ortools.sat.python import cp_model
from pcl_backends.cpsat_run import Attempt, new_solver, run

draw, model = random.Random(1), cp_model.CpModel()
picked = [model.new_bool_var(str(i)) for i in range(200)]
for _ in range(60):
    sizes = [draw.randint(1, 1000) for _ in picked]
    model.add(sum(a * b for a, b in zip(sizes, picked)) <= sum(sizes) // 3)
model.maximize(sum(draw.randint(1, 1000) * each for each in picked))
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {work}
    print("nothing happened", flush=True)
except KeyboardInterrupt:
    print("noticed", flush=True)
os._exit(0)
"""
WORK = {
    "in a thread": """
    threading.Thread(target=lambda: run(new_solver(Attempt(1), 60.0, None), model.proto), daemon=True).start()
    time.sleep(20)""",
    "alone": "run(new_solver(Attempt(1), 60.0, None), model.proto)",
    "with several workers": "run(new_solver(Attempt(8), 60.0, None), model.proto)",
    "without a limit": "run(new_solver(Attempt(1), None, None), model.proto)",
    "briefly": "[run(new_solver(Attempt(1), 0.3, None), model.proto) for _ in range(200)]",
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK.keys())
def test_ctrl_c_reaches_the_program_while_cpsat_solves(work: str) -> None:
    program = HARD.replace("{work}", work.strip())
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "noticed\n"), done.stderr


def test_the_handler_of_ctrl_c_is_the_same_after_solving() -> None:
    assert threading.current_thread() is threading.main_thread()
    oracle = Oracle.of(load("grid"), "cpsat")
    called: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: called.append(number))
    try:
        oracle.solve(np.ones(len(oracle.problem.features)))
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert called == [signal.SIGINT]


def test_a_scope_can_be_solved_after_an_interrupt() -> None:
    """Whatever an interrupted request changed in a kept model, the next one does not see it."""
    problem = load("grid")
    part, context = problem.parts[1], problem.initial_configuration
    assert context is not None
    weights = np.random.default_rng(3).integers(-5, 6, size=len(problem.features)).astype(float)
    expected = Oracle.of(problem, "cpsat").solve(weights, variables=part.variables, given=context)
    for at in range(1, 10_000):
        oracle = Oracle.of(problem, "cpsat")
        oracle._scope(part.variables, None, None)

        def restricted(oracle: Oracle = oracle) -> object:
            fixed = {name: context[name] for name in part.variables}
            return oracle.solve(weights, variables=part.variables, given=context, fixed=fixed, floor=-1000)

        ended = not interrupted(restricted, at, ("pcl_backends/cpsat",))
        after = oracle.solve(weights, variables=part.variables, given=context)
        assert (after.status, after.objective) == (expected.status, expected.objective), at
        if ended:
            break
    assert at > 20
