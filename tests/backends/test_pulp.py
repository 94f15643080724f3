"""CBC is asked plainly first, which is fast on small models, and with all it can do where that is not enough."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.folders import in_a_folder_that_is_gone

import pcl_backends.pulp
from pcl_backends.cbc import CbcAnswer, run_cbc
from pcl_core import Problem, ProblemBuilder, all_different, load, total
from pcl_core.compile.pipeline import scope_of
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options, Request, Status
from pcl_core.solve.verdict import Said
from pcl_core.testing import random_problem

Run = Callable[[Any, list[str], float | None], CbcAnswer]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each call of CBC whether it was a plain one."""
    seen: list[bool] = []

    def watched(problem: Any, options: list[str], seconds: float | None) -> CbcAnswer:
        seen.append(is_plain(options))
        return run_cbc(problem, options, seconds)

    monkeypatch.setattr(pcl_backends.pulp, "run_cbc", watched)
    return seen


def is_plain(options: list[str]) -> bool:
    return any(option.startswith("maxNodes") for option in options)


def saying(said: Said, when: Callable[[list[str]], bool]) -> Run:
    """CBC, but with another answer to some questions."""

    def run(problem: Any, options: list[str], seconds: float | None) -> CbcAnswer:
        return CbcAnswer(said, {}) if when(options) else run_cbc(problem, options, seconds)

    return run


def answers(problem: Problem, backend: str) -> list[tuple[Status, int | None]]:
    """For some weights, with a floor and without."""
    oracle, found = Oracle.of(problem, backend), []
    for seed in range(3):
        weights = np.random.RandomState(seed).normal(size=len(problem.features))
        for floor in (None, 2.0):
            solution = oracle.solve(weights, floor=floor)
            found.append((solution.status, solution.objective))
    return found


def test_one_call_is_enough_for_a_part(calls: list[bool]) -> None:
    problem = load("grid")
    given = {variable.name: True for variable in problem.variables}
    weights = np.linspace(-1, 1, len(problem.features))
    Oracle.of(problem, "pulp").solve(weights, variables=problem.parts[0].variables, given=given)
    assert calls == [True]


def test_what_takes_too_many_nodes_gets_everything(monkeypatch: pytest.MonkeyPatch, calls: list[bool]) -> None:
    monkeypatch.setattr(pcl_backends.pulp, "PLAIN_NODES", 0)
    for problem in map(random_problem, range(8)):
        assert answers(problem, "pulp") == answers(problem, "table")
    assert False in calls


@pytest.mark.parametrize("said", [Said.NOTHING, Said.INFEASIBLE, Said.OPTIMAL], ids=str)
def test_what_the_plain_call_says_without_values_is_not_believed(monkeypatch: pytest.MonkeyPatch, said: Said) -> None:
    monkeypatch.setattr(pcl_backends.pulp, "run_cbc", saying(said, is_plain))
    for problem in map(random_problem, range(4)):
        assert answers(problem, "pulp") == answers(problem, "table")


@pytest.mark.parametrize("said", [Said.NOTHING, Said.OPTIMAL, Said.STOPPED], ids=str)
def test_nothing_is_unknown_without_a_limit(monkeypatch: pytest.MonkeyPatch, said: Said) -> None:
    """Whatever CBC says about a small scope, in the end it is enumerated."""
    monkeypatch.setattr(pcl_backends.pulp, "run_cbc", saying(said, lambda options: True))
    for problem in map(random_problem, range(4)):
        assert answers(problem, "pulp") == answers(problem, "table")


def test_a_crash_when_time_is_up_leaves_nothing_of_the_answer_before(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = pcl_backends.pulp.PulpBackend().compile_here(scope_of(load("grid")))
    request = Request((1,) * 24)
    assert prepared.solve(request, Options(time_limit=60.0)).status is Status.OPTIMAL
    monkeypatch.setattr(pcl_backends.pulp, "run_cbc", saying(Said.NOTHING, lambda options: True))
    assert prepared.solve(request, Options(time_limit=1e-9)).status is Status.UNKNOWN


@in_a_folder_that_is_gone
def test_cbc_works_where_the_current_folder_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = """
import os
os.rmdir(os.getcwd())
import numpy as np
from pcl_core import Oracle, load
from pcl_core.solve.protocol import Options
for limit in (None, 60.0):
    print(Oracle.of(load("grid"), "pulp", Options(time_limit=limit)).solve(np.ones(24)).status)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=gone)
    assert done.stdout == "optimal\noptimal\n", done.stderr


@pytest.mark.parametrize("values", [0, 1, 3])
def test_highs_without_values_is_no_exception(monkeypatch: pytest.MonkeyPatch, values: int) -> None:
    """PuLP's own reading raises IndexError where HiGHS stops before it has values."""
    import highspy

    found = highspy.Highs.getSolution

    def cut(self: Any) -> Any:
        solution = found(self)
        solution.col_value = list(solution.col_value)[:values]
        return solution

    monkeypatch.setattr(highspy.Highs, "getSolution", cut)
    for problem in map(random_problem, range(4)):
        assert answers(problem, "pulp:highs") == answers(problem, "table")


def test_infeasible_is_said_twice(calls: list[bool]) -> None:
    build = ProblemBuilder("pigeons")
    holes = [build.integer(f"hole{at}", 0, 2) for at in range(4)]
    build.constraint("apart", all_different(holes))
    build.feature("sum", total(holes))
    build.part("all", holes)
    found = Oracle.of(build.problem(), "pulp").solve([1.0])
    assert found.status is Status.INFEASIBLE
    assert calls == [True, False]
