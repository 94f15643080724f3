"""Regret, as a point where the optimum is proven and as an interval where it is not."""

import numpy as np
import pytest
from tests.core.analysis.runs import space_oracle, whole_weights
from tests.core.elicitation.reference import TINY, spaces
from tests.core.users.test_simulated import FINE, Slow

from pcl_core import Code, Optimum, Oracle, Regret, RequestError, optimum, parse_authored, regret
from pcl_core.errors import UndecidedError
from pcl_core.solve.protocol import Reply, Status, StopReason

WEIGHTS = np.array([1.0, 1.0])


def slow(answer: Reply) -> Oracle:
    return Oracle(FINE, Slow(answer))  # type: ignore[arg-type]


def test_the_optimum_is_that_of_enumeration() -> None:
    for seed, space in enumerate(spaces(20)):
        weights = whole_weights(space, seed)
        best = optimum(space_oracle(space), np.array(weights, dtype=float))
        assert best.proven
        assert best.utility == max(space.utility(weights, x) for x in space.all())
        assert space.utility(weights, best.configuration) == best.utility


def test_a_proven_optimum_gives_a_point() -> None:
    best = optimum(Oracle.of(TINY, "table"), np.array([1.0, 2.0, 0.5]))
    assert regret(best, 1.25) == Regret(2.25, 2.25)
    assert regret(best, best.utility) == Regret(0.0, 0.0)


def test_an_optimum_that_is_not_proven_gives_an_interval() -> None:
    best = optimum(slow(Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 100, "y": 2}, 102, 203)), WEIGHTS)
    assert not best.proven
    found = regret(best, 50.0)
    assert found.low == 52.0
    assert 153.0 <= found.high < 153.01


def test_without_a_bound_the_interval_ends_where_every_feature_is_at_its_best() -> None:
    best = optimum(slow(Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 100, "y": 2}, 102, None)), WEIGHTS)
    highest = sum(float(facts.bounds[1]) for facts in FINE.feature_facts)
    assert regret(best, 50.0) == Regret(52.0, highest - 50.0)


def test_what_is_better_than_the_best_found_has_no_negative_regret() -> None:
    best = Optimum({"x": 100, "y": 2}, 102.0, 203.0)
    assert regret(best, 150.0) == Regret(0.0, 53.0)
    assert regret(best, 203.0) == Regret(0.0, 0.0)


def test_an_optimum_that_was_not_found_in_time_is_said_so() -> None:
    with pytest.raises(UndecidedError) as caught:
        optimum(slow(Reply(Status.UNKNOWN, StopReason.TIME_LIMIT)), WEIGHTS)
    assert (caught.value.code, caught.value.exit_code) == (Code.LIMIT_REACHED, 4)


def test_a_problem_without_any_configuration_has_no_optimum() -> None:
    never = parse_authored("""
pcl: 1
name: never
variables: {x: {domain: 0..3}}
constraints: [{name: low, require: x <= 1}, {name: high, require: x >= 2}]
features: [{name: f, value: x}]
parts: [{name: all, variables: [x]}]
""")
    with pytest.raises(RequestError, match="'never' has no feasible configuration") as caught:
        optimum(Oracle.of(never, "table"), np.array([1.0]))
    assert caught.value.code is Code.INFEASIBLE
