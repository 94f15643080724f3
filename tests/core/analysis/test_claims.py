"""What two passes claim, and that nothing is held against them where they claim nothing."""

from dataclasses import replace

import numpy as np
import pytest
from tests.core.analysis.runs import small_run, space_oracle
from tests.core.analysis.test_certificate import HARD, SOFT
from tests.core.analysis.test_theory import failures
from tests.core.elicitation.reference import spaces
from tests.core.learn.test_plugins import OnEverything

from pcl_core import (
    Elicitation,
    Oracle,
    Problem,
    Settings,
    Simulation,
    Strategies,
    Trace,
    check_trace,
    optimum,
    person,
    verify,
)
from pcl_core.analysis import Statement
from pcl_core.learn import LearnerKind
from pcl_core.users.simulated import USERS

CLAIMED, UNCLAIMED = "the certified configuration is a local optimum", "two passes claim no local optimum here"


def climbed(problem: Problem, weights: list[float], learner: LearnerKind | None = None) -> tuple[Oracle, Trace]:
    oracle, likes = Oracle.of(problem, "table"), np.array(weights)
    settings = Settings(stop="two-pass", mode="paper", order="declared", select="in-order")
    live = Elicitation(
        problem,
        oracle=oracle,
        settings=settings,
        strategies=Strategies(learner=learner),
        start={"a": 0, "b": 0},
        weights=weights,
    )
    trace = Simulation(live, person(oracle, likes, USERS.make("best"), (1,)), optimum(oracle, likes)).run(20)
    assert trace.certificate is not None
    assert not trace.certificate.by_lemma
    return oracle, trace


def last(oracle: Oracle, trace: Trace) -> Statement:
    return check_trace(oracle, trace, alpha=1.0, perceptron=False).checks[-1]


def test_nothing_is_claimed_where_constraints_tie_parts() -> None:
    oracle, trace = climbed(HARD, [1.0, 1.0])
    assert trace.certificate is not None
    assert not verify(trace.certificate, oracle, trace.weights).holds
    assert last(oracle, trace) == Statement(UNCLAIMED, True, "constraint 'one step' ties parts together")


def test_nothing_is_claimed_for_proposals_on_all_features() -> None:
    oracle, trace = climbed(SOFT, [1.0, 1.0, 100.0], OnEverything())
    assert not trace.settles
    found = last(oracle, trace)
    assert (found.name, found.holds) == (UNCLAIMED, True)
    assert last(oracle, replace(trace, settles=True)).holds is False, "which it would not be"


def test_nothing_is_claimed_for_proposals_that_are_not_proven() -> None:
    oracle, trace = climbed(SOFT, [1.0, 1.0, 100.0], OnEverything())
    found = last(oracle, replace(trace, settles=True, proven=False))
    assert (found.name, found.holds) == (UNCLAIMED, True)


@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_with_constraints_two_passes_contradict_nothing(mode: str) -> None:
    names = set()
    for seed, space in enumerate(spaces(25, tied=True)):
        trace, _ = small_run(space, seed, user="best", mode=mode, stop="two-pass", select="in-order", queries=60)
        oracle = space_oracle(space)
        assert failures(oracle, trace, "best") == []
        if trace.certificate is not None:
            names.add(check_trace(oracle, trace, alpha=1.0).checks[-1].name)
    assert CLAIMED in names, "Lemma 1 claims it all the same"
