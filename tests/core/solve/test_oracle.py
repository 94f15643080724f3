"""The oracle believes no backend: a stub lies in every way, and is caught every time."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pcl_core import Code, PclError, Problem, load, parse_authored
from pcl_core.compile.pipeline import Scope
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import (
    Availability,
    BackendContractError,
    Capability,
    Options,
    Reply,
    Request,
    Status,
    StopReason,
)
from pcl_core.solve.registry import get_backend

PROBLEM = parse_authored("""
pcl: 1
name: small
variables: {x: {domain: 0..5}, y: {domain: 0..5}}
constraints: [{name: few, require: x + y <= 6}]
features: [{name: fx, value: x}, {name: fy, value: y}]
parts: [{name: all, variables: [x, y]}]
""")
WEIGHTS = np.array([2.0, 1.0])
TRUTH = Reply(Status.OPTIMAL, StopReason.PROVED, {"x": 5, "y": 1}, 11, 11)


class Stub:
    """Says whatever it is told to say."""

    name = "stub"
    capabilities: frozenset[Capability] = frozenset(Capability)

    def __init__(self, says: Reply | Callable[[Request], Reply]) -> None:
        self.says = says
        self.asked: list[Request] = []

    def availability(self) -> Availability:
        return Availability(True, "1")

    def compile(self, scope: Scope) -> "Stub":
        return self

    def solve(self, request: Request, options: Options) -> Reply:
        self.asked.append(request)
        return self.says if isinstance(self.says, Reply) else self.says(request)


def test_the_truth_is_believed() -> None:
    found = Oracle(PROBLEM, Stub(TRUTH)).solve(WEIGHTS)
    assert (found.status, found.utility, found.bound, found.configuration) == (
        Status.OPTIMAL,
        11.0,
        11.0,
        {"x": 5, "y": 1},
    )


LIES = {
    "infeasible point": replace(TRUTH, values={"x": 5, "y": 5}, objective=15, bound=15),
    "wrong objective": replace(TRUTH, objective=12, bound=12),
    "no objective": replace(TRUTH, objective=None),
    "optimal after a limit": replace(TRUTH, reason=StopReason.TIME_LIMIT),
    "optimal with another bound": replace(TRUTH, bound=14),
    "missing variable": replace(TRUTH, values={"x": 5}),
    "NaN": replace(TRUTH, values={"x": 5, "y": math.nan}),  # type: ignore[dict-item]
    "fraction": replace(TRUTH, values={"x": 5, "y": 1.0}),  # type: ignore[dict-item]
    "label": replace(TRUTH, values={"x": 5, "y": "one"}),
    "truth value": replace(TRUTH, values={"x": 5, "y": True}),
    "outside the domain": replace(TRUTH, values={"x": 7, "y": -1}, objective=13, bound=13),
    "optimal without values": replace(TRUTH, values=None),
    "feasible without values": Reply(Status.FEASIBLE, StopReason.TIME_LIMIT),
    "infeasible with values": replace(TRUTH, status=Status.INFEASIBLE),
    "unknown with values": replace(TRUTH, status=Status.UNKNOWN),
    "infeasible after a limit": Reply(Status.INFEASIBLE, StopReason.TIME_LIMIT),
    "bound below its own values": Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 5, "y": 1}, 11, 10),
    "bound that is no number": Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 5, "y": 1}, 11, math.nan),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=list(LIES))
def test_lies_are_caught(lie: Reply) -> None:
    with pytest.raises(BackendContractError) as caught:
        Oracle(PROBLEM, Stub(lie)).solve(WEIGHTS)
    assert caught.value.code is Code.BACKEND_CONTRACT
    assert caught.value.exit_code == 1


def test_an_optimum_below_the_current_configuration_is_caught() -> None:
    lie = Reply(Status.OPTIMAL, StopReason.PROVED, {"x": 0, "y": 0}, 0, 0)
    with pytest.raises(BackendContractError, match="current configuration is better"):
        Oracle(PROBLEM, Stub(lie)).solve(WEIGHTS, incumbent={"x": 5, "y": 1})


@pytest.mark.parametrize("request_for", [{}, {"floor": 8}, {"fixed": {"x": 3}}, {"sense": "min", "floor": 9.0}])
def test_an_infeasible_request_that_the_current_configuration_satisfies_is_caught(request_for: dict[str, Any]) -> None:
    with pytest.raises(BackendContractError, match="the current configuration satisfies everything"):
        Oracle(PROBLEM, Stub(Reply(Status.INFEASIBLE))).solve(WEIGHTS, incumbent={"x": 3, "y": 3}, **request_for)


@pytest.mark.parametrize(
    ("incumbent", "request_for"),
    [
        ({"x": 5, "y": 5}, {}),
        ({"x": 3, "y": 3}, {"floor": 9.5}),
        ({"x": 3, "y": 3}, {"fixed": {"x": 2}}),
        ({"x": 3}, {}),
    ],
)
def test_an_incumbent_that_does_not_satisfy_the_request_says_nothing(
    incumbent: dict[str, Any], request_for: dict[str, Any]
) -> None:
    found = Oracle(PROBLEM, Stub(Reply(Status.INFEASIBLE))).solve(WEIGHTS, incumbent=incumbent, **request_for)
    assert found.status is Status.INFEASIBLE


def test_a_bound_that_the_current_configuration_beats_is_caught() -> None:
    lie = Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 0, "y": 0}, 0, 5)
    with pytest.raises(BackendContractError, match="gives the bound 5, but 9 is better"):
        Oracle(PROBLEM, Stub(lie)).solve(WEIGHTS, incumbent={"x": 3, "y": 3})


def test_values_below_the_floor_and_changed_fixed_variables_are_caught() -> None:
    low = Reply(Status.OPTIMAL, StopReason.PROVED, {"x": 0, "y": 0}, 0, 0)
    with pytest.raises(BackendContractError, match="below the floor"):
        Oracle(PROBLEM, Stub(low)).solve(WEIGHTS, floor=3)
    with pytest.raises(BackendContractError, match="changes the fixed"):
        Oracle(PROBLEM, Stub(TRUTH)).solve(WEIGHTS, fixed={"x": 2})


def test_the_incumbent_is_kept_on_ties_and_replaced_by_better_ones() -> None:
    flat = np.zeros(2)
    tie = Reply(Status.OPTIMAL, StopReason.PROVED, {"x": 0, "y": 0}, 0, 0)
    kept = Oracle(PROBLEM, Stub(tie)).solve(flat, incumbent={"x": 3, "y": 3})
    assert (kept.kept, kept.configuration) == (True, {"x": 3, "y": 3})
    infeasible = Oracle(PROBLEM, Stub(tie)).solve(flat, incumbent={"x": 5, "y": 5})
    assert (infeasible.kept, infeasible.configuration) == (False, {"x": 0, "y": 0})
    better = Oracle(PROBLEM, Stub(TRUTH)).solve(WEIGHTS, incumbent={"x": 3, "y": 3})
    assert (better.kept, better.configuration) == (False, {"x": 5, "y": 1})


def test_a_feasible_answer_keeps_its_bound_and_reason() -> None:
    stub = Stub(Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 4, "y": 1}, 9, 13))
    found = Oracle(PROBLEM, stub).solve(WEIGHTS)
    assert (found.status, found.reason, found.utility, found.bound) == (
        Status.FEASIBLE,
        StopReason.TIME_LIMIT,
        9.0,
        13.0,
    )


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        (np.array([1.0]), Code.BAD_VALUE),
        (np.array([1.0, math.nan]), Code.NOT_FINITE),
        (np.array([1.0, math.inf]), Code.NOT_FINITE),
        (np.array([1e308, 1e308]), Code.NUMBER_TOO_LARGE),
    ],
)
def test_wrong_weights_are_refused(weights: np.ndarray, code: Code) -> None:
    with pytest.raises(PclError) as caught:
        Oracle(PROBLEM, Stub(TRUTH)).solve(weights)
    assert caught.value.code is code


def test_an_incomplete_context_is_refused() -> None:
    week = load("training")
    with pytest.raises(PclError) as caught:
        Oracle.of(week, "table").solve(np.zeros(82), variables=week.parts[0].variables, given={})
    assert caught.value.code is Code.BAD_CONFIGURATION


def test_options_a_backend_cannot_honour_are_refused() -> None:
    with pytest.raises(PclError) as caught:
        Oracle.of(PROBLEM, "table", Options(time_limit=1.0))
    assert caught.value.code is Code.UNSUPPORTED
    with pytest.raises(PclError) as caught:
        Oracle.of(PROBLEM, "cpsat", Options(time_limit=-1.0))
    assert caught.value.code is Code.BAD_VALUE
    for threads in (0, -1, 10**11):
        with pytest.raises(PclError, match="threads is from 1 to 1,000") as caught:
            Oracle.of(PROBLEM, "cpsat", Options(threads=threads))
        assert caught.value.code is Code.BAD_VALUE


@pytest.mark.parametrize(
    ("name", "hint"), [("cpsta", "cpsat"), ("pulp:hihgs", "highs"), ("cvxpy:scp", "scip"), ("table:x", None)]
)
def test_unknown_backends_and_solvers_are_refused_with_a_suggestion(name: str, hint: str | None) -> None:
    with pytest.raises(PclError) as caught:
        get_backend(name)
    assert caught.value.code is Code.UNKNOWN_OPTION
    assert hint is None or hint in str(caught.value)


def test_scopes_beyond_the_stated_size_are_refused_by_table() -> None:
    with pytest.raises(PclError) as caught:
        Oracle.of(load("training"), "table").solve(np.zeros(82))
    assert caught.value.code is Code.SCOPE_TOO_LARGE


def test_scopes_are_compiled_once() -> None:
    grid: Problem = load("grid")
    oracle = Oracle.of(grid, "table")
    x = {variable.name: False for variable in grid.variables}
    for seed in range(5):
        weights = np.random.default_rng(seed).normal(size=24)
        for part in grid.parts:
            oracle.solve(weights, variables=part.variables, given=x)
    assert oracle.compiled.compilations == len(grid.parts)
