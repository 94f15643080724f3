"""CBC is asked plainly first, which is fast on small models, and with all it can do where that is not enough."""

from typing import Any

import numpy as np
import pulp
import pytest

import pcl_backends.pulp
from pcl_core import Problem, load
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options, Status
from pcl_core.testing import random_problem


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each call of CBC whether it was a plain one."""
    seen: list[bool] = []
    solve = pulp.LpProblem.solve

    def watched(self: Any, command: Any) -> Any:
        seen.append(is_plain(command))
        return solve(self, command)

    monkeypatch.setattr(pulp.LpProblem, "solve", watched)
    return seen


def is_plain(command: Any) -> bool:
    return command.optionsDict.get("maxNodes") is not None


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


def test_a_crash_of_the_plain_call_is_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = pulp.LpProblem.solve

    def crashing(self: Any, command: Any) -> Any:
        if is_plain(command):
            raise pulp.PulpSolverError("Pulp: Error while trying to execute")
        return solve(self, command)

    monkeypatch.setattr(pulp.LpProblem, "solve", crashing)
    for problem in map(random_problem, range(4)):
        assert answers(problem, "pulp") == answers(problem, "table")


def test_a_crash_when_time_is_up_leaves_nothing_of_the_answer_before(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle.of(load("grid"), "pulp", Options(time_limit=60.0))
    weights = np.ones(len(oracle.problem.features))
    assert oracle.solve(weights).status is Status.OPTIMAL

    def crashing(self: Any, command: Any) -> Any:
        raise pulp.PulpSolverError("Pulp: Error while trying to execute")

    monkeypatch.setattr(pulp.LpProblem, "solve", crashing)
    oracle.options = Options(time_limit=1e-9)
    assert oracle.solve(weights).status is Status.UNKNOWN


def test_infeasible_is_said_twice(calls: list[bool]) -> None:
    problem = load("grid")
    found = Oracle.of(problem, "pulp").solve(np.ones(len(problem.features)), floor=1e6)
    assert found.status is Status.INFEASIBLE
    assert calls == [True, False]
