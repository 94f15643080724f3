"""Whole elicitations on every backend: weights start at zero, and each part is solved again and again."""

import numpy as np
import pytest
from tests.backends.campaign import BACKENDS

from pcl_core import Elicitation, Optimum, Oracle, Settings, Simulation, check_trace, load, optimum, person
from pcl_core.users.simulated import Informative
from pcl_core.users.utility import sample_weights

GRID = load("grid")
WEIGHTS = sample_weights(GRID, "normal", np.random.default_rng(3))


@pytest.fixture(scope="module")
def best() -> Optimum:
    return optimum(Oracle.of(GRID, "auto"), WEIGHTS)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", ["paper", "keep"])
def test_a_simulated_person(backend: str, mode: str, best: Optimum) -> None:
    oracle = Oracle.of(GRID, backend)
    settings = Settings.model_validate({"select": "round-robin", "mode": mode, "stop": "never"})
    live = Elicitation(GRID, oracle=oracle, settings=settings)
    trace = Simulation(live, person(oracle, WEIGHTS, Informative(alpha=0.3), (1,)), best).run(14)
    assert len(trace.steps) == 14
    report = check_trace(oracle, trace, alpha=0.3)
    assert report.holds, report
