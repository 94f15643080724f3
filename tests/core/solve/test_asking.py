"""What is asked wrongly is a sentence before a backend hears of it; what a backend raises is said to be its."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.core.solve.test_oracle import PROBLEM, TRUTH, WEIGHTS, Stub

from pcl_core import Code, Oracle, PclError, ProblemBuilder, RequestError
from pcl_core.compile.pipeline import Scope
from pcl_core.solve.protocol import BackendContractError, Options, Reply, Request, Status

WRONG: dict[str, tuple[dict[str, Any], Code]] = {
    "sense": ({"sense": "MAX"}, Code.UNKNOWN_OPTION),
    "unknown variable": ({"variables": ["q"]}, Code.UNKNOWN_NAME),
    "unknown feature": ({"features": [99]}, Code.BAD_VALUE),
    "feature by name": ({"features": ["fx"]}, Code.BAD_VALUE),
    "feature from the end": ({"features": [-1]}, Code.BAD_VALUE),
    "feature twice": ({"features": [0, 0]}, Code.BAD_VALUE),
    "unknown constraint": ({"constraints": [7]}, Code.BAD_VALUE),
    "fixed outside": ({"fixed": {"q": 1}}, Code.BAD_CONFIGURATION),
    "fixed beyond": ({"fixed": {"x": 99}}, Code.BAD_CONFIGURATION),
    "fixed fraction": ({"fixed": {"x": 2.5}}, Code.BAD_CONFIGURATION),
    "fixed nothing": ({"fixed": {"x": None}}, Code.BAD_CONFIGURATION),
    "incumbent beyond": ({"incumbent": {"x": 99, "y": 1}}, Code.BAD_CONFIGURATION),
    "incumbent label": ({"incumbent": {"x": "q", "y": 1}}, Code.BAD_CONFIGURATION),
    "context beyond": ({"variables": ["x"], "given": {"y": 99}}, Code.BAD_CONFIGURATION),
    "context label": ({"variables": ["x"], "given": {"y": "q"}}, Code.BAD_CONFIGURATION),
    "floor text": ({"floor": "3"}, Code.BAD_VALUE),
    "floor not a number": ({"floor": np.float32("nan")}, Code.NOT_FINITE),
    "floor infinite": ({"floor": float("inf")}, Code.NOT_FINITE),
    "floor decimal": ({"floor": Decimal("1.5")}, Code.BAD_VALUE),
}


@pytest.mark.parametrize(("asked", "code"), WRONG.values(), ids=list(WRONG))
@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp"])
def test_a_wrong_request_is_a_sentence(backend: str, asked: dict[str, Any], code: Code) -> None:
    with pytest.raises(RequestError) as caught:
        Oracle.of(PROBLEM, backend).solve(WEIGHTS, **asked)
    assert caught.value.code is code


@pytest.mark.parametrize("weights", [["a", 1], [[1], [1, 2]], [1j, 1], iter([1, 2]), [10**400, 1], [2**53 + 1, 1], 3])
def test_wrong_weights_are_a_sentence(weights: Any) -> None:
    with pytest.raises(RequestError) as caught:
        Oracle.of(PROBLEM, "table").solve(weights)
    assert caught.value.code in (Code.BAD_VALUE, Code.NUMBER_TOO_LARGE)


@pytest.mark.parametrize(
    "options",
    [{"time_limit": float("inf")}, {"time_limit": "1"}, {"time_limit": 1e300}, {"seed": 1.5}, {"threads": 1.5}],
)
def test_wrong_options_are_a_sentence(options: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as caught:
        Oracle.of(PROBLEM, "cpsat", Options(**options))
    assert caught.value.code is Code.BAD_VALUE


def test_whole_floors_of_any_size_are_exact() -> None:
    build = ProblemBuilder("large")
    x = build.integer("x", 0, 2**52)
    build.feature("f", x)
    build.feature("h", x)
    build.part("A", [x])
    oracle = Oracle.of(build.problem(), "cpsat")
    floors: tuple[Any, ...] = (2**53 + 1, Fraction(2**53 + 1), np.int64(2**53 + 1), 10**400)
    for floor in floors:
        assert oracle.solve([1, 1], floor=floor).status is Status.INFEASIBLE
    assert oracle.solve([1, 1], floor=2**53).utility == float(2**53)


def test_numbers_of_numpy_are_weights_and_floors() -> None:
    oracle = Oracle.of(PROBLEM, "table")
    lists: tuple[Any, ...] = (
        np.array([2, 1]),
        np.array([2.0, 1.0], dtype=np.float32),
        (2, 1),
        [np.int64(2), np.float32(1)],
    )
    for weights in lists:
        assert oracle.solve(weights, floor=np.float64(11)).utility == 11.0


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Odd(BaseException):
    """Neither an error nor ctrl-C."""


RAISED = (
    ValueError("no"),
    SystemExit(0),
    GeneratorExit(),
    BrokenPipeError(),
    Odd("odd"),
    UnprintableError(),
    MemoryError(),
)


@pytest.mark.parametrize("error", RAISED, ids=[type(error).__name__ for error in RAISED])
@pytest.mark.parametrize("at", ["accepts", "compile", "solve"])
def test_whatever_a_backend_raises_is_said_to_be_its(at: str, error: BaseException) -> None:
    class Failing(Stub):
        reach = 10**12

        def accepts(self, scope: Scope) -> None:
            if at == "accepts":
                raise error

        def compile(self, scope: Scope) -> "Failing":
            if at == "compile":
                raise error
            return self

        def solve(self, request: Request, options: Options) -> Reply:
            if at == "solve":
                raise error
            return TRUTH

    with pytest.raises(BackendContractError, match="backend 'stub' failed: " + type(error).__name__):
        Oracle(PROBLEM, Failing(TRUTH)).solve(WEIGHTS)


@pytest.mark.parametrize(
    ("accepts", "reach"), [("text", 10**12), (TRUTH, 10**12), (None, -1), (None, 0), (None, "q"), (None, None)]
)
def test_a_range_that_is_none_is_a_broken_contract(accepts: Any, reach: Any) -> None:
    stub: Any = Stub(TRUTH)
    stub.reach, stub.accepts = reach, lambda scope: accepts
    with pytest.raises(BackendContractError):
        Oracle(PROBLEM, stub).solve(WEIGHTS)


def odd(**fields: Any) -> Any:
    """An answer that no type checker would let pass."""
    return Reply(**{"status": Status.OPTIMAL, **fields})


@pytest.mark.parametrize("answer", [None, 5, odd(status="weird"), odd(reason="why"), odd(values=5)])
def test_an_answer_of_the_wrong_sort_is_a_broken_contract(answer: Any) -> None:
    with pytest.raises(PclError) as caught:
        Oracle(PROBLEM, Stub(lambda request: answer)).solve(WEIGHTS)
    assert caught.value.code is Code.BACKEND_CONTRACT
