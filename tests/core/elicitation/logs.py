"""What tests of logs have in common."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.elicitation.sessions import GRID, TRIP

from pcl_core import Elicitation, Problem, RequestError
from pcl_core.solve.oracle import Oracle

ORACLES = {problem.name: Oracle.of(problem, "table") for problem in (TRIP, GRID)}


def resumed(log: Path, problem: Problem = TRIP) -> Elicitation:
    return Elicitation.resume(log, problem, oracle=ORACLES[problem.name], clock=lambda: 0.0)


def refused(call: Callable[[], object]) -> RequestError:
    with pytest.raises(RequestError) as caught:
        call()
    return caught.value
