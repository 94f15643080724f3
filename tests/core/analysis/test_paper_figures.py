"""The paper's synthetic setting: a 4×4 grid, α = 0.1, twenty users, parts at random."""

from functools import cache

import numpy as np
import pytest
from tests.core.analysis.runs import catalogue_oracle, drawn_weights, simulate

USERS = 20


@cache
def mean_regret(mode: str, queries: int) -> tuple[float, ...]:
    """Regret on complete configurations, averaged over users; who is done keeps the last one."""
    oracle = catalogue_oracle("grid")
    curves = []
    for user in range(USERS):
        trace = simulate(
            oracle, drawn_weights(oracle.problem, 100 + user), "informative:alpha=0.1", queries, mode=mode, seed=user
        )
        found = [step.regret for step in trace.steps]
        curves.append(found + [found[-1]] * (queries - len(found)))
    return tuple(np.mean(curves, axis=0).tolist())


@pytest.mark.parametrize(("query", "low", "high"), [(1, 14, 19), (50, 3.5, 9), (100, 0.5, 5)])
def test_the_papers_algorithm_lowers_the_regret_as_in_the_paper(query: int, low: float, high: float) -> None:
    assert low <= mean_regret("paper", 100)[query - 1] <= high


def test_keeping_improvements_lowers_it_faster() -> None:
    assert mean_regret("keep", 50)[49] < 1.6
