"""The paper's synthetic setting: a 4×4 grid, α = 0.1, parts at random.

The paper has twenty users. Their mean has a standard error of 1.6 at the first query and 1 at the last, that of a
hundred 0.6 and 0.4. Over many hundreds of users the means are 16.6, 5.9 and 3.0; the windows are two standard errors.
"""

from functools import cache

import numpy as np
import pytest
from tests.core.analysis.runs import catalogue_oracle, drawn_weights, simulate

USERS = 100


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


@pytest.mark.parametrize(("query", "low", "high"), [(1, 15.4, 17.8), (50, 4.9, 6.9), (100, 2.2, 3.8)])
def test_the_papers_algorithm_lowers_the_regret_as_in_the_paper(query: int, low: float, high: float) -> None:
    assert low <= mean_regret("paper", 100)[query - 1] <= high


def test_keeping_improvements_lowers_it_faster() -> None:
    assert mean_regret("keep", 50)[49] < 1
