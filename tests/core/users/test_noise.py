"""How often the noisy user's answers are worse or useless, counted."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.core.analysis.runs import catalogue_oracle, drawn_weights, simulate

from pcl_core import Configuration, Settings
from pcl_core.analysis.trace import Step
from pcl_core.users.simulated import USERS
from pcl_core.users.utility import PartView

GRID = catalogue_oracle("grid")


@pytest.mark.parametrize("share", [0.1, 0.4, 0.9])
def test_answers_are_worse_or_useless_as_often_as_asked_for(share: float) -> None:
    """Where there is something to improve: an α-informative answer then gains, a noisy one never does."""
    user, generator = USERS.make(f"noisy:p={share},alpha=0.2"), np.random.default_rng(1)
    count = gained = worse = 0
    for seed in range(1000):
        x: Configuration = {name: bool(generator.integers(2)) for name in GRID.problem.symbols.variables}
        view = PartView(GRID, drawn_weights(GRID.problem, seed), seed % 4, x, {})
        if view.is_best:
            continue
        answer = user.improve(view, np.random.default_rng((2, seed)))
        count += 1
        gained += answer is not None and view.gain_of(answer) > 0
        worse += answer is not None and view.gain_of(answer) < 0
        assert (
            answer is None or view.gain_of(answer) <= 0 or view.exact_gain(answer) >= Fraction(1, 5) * view.exact_regret
        )
    deviation = math.sqrt(share * (1 - share) / count)
    assert abs((count - gained) / count - share) < 4 * deviation
    assert worse > 0.5 * share * count, "most of them are worse, not just useless"


def worse(mode: str, user: str) -> list[Step]:
    settings = Settings(mode=mode, stop="never").model_dump()
    trace = simulate(GRID, drawn_weights(GRID.problem, 3), user, 60, **settings)
    return [step for step in trace.steps if step.worse]


@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_a_step_says_that_its_answer_was_worse(mode: str) -> None:
    assert worse(mode, "informative") == []
    found = worse(mode, "noisy:p=0.5")
    assert len(found) > 5
    for step in found:
        assert step.utility_improved < step.utility
        assert (step.satisfied, step.update != "none") == (False, True), "it is learned from all the same"
