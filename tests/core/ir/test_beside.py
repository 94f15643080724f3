"""Bounds beside given values: they hold whatever the other variables are, and are no wider than without these values."""

from random import Random

import pytest

from pcl_core.ir import long_sums
from pcl_core.ir.domains import Facts, Kind
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.nodes import Node
from pcl_core.ir.numbers import to_exact
from pcl_core.model.problem import Problem
from pcl_core.testing import random_configuration, random_problem


def bounds(facts: Facts) -> tuple[object, object]:
    return tuple(map(to_exact, facts.bounds))  # type: ignore[return-value]


def expressions(problem: Problem) -> list[Node]:
    return [*(it.require for it in problem.constraints), *(it.value for it in problem.features)]


@pytest.mark.parametrize("long", [3, long_sums.LONG])
@pytest.mark.parametrize("seed", range(60))
def test_bounds_beside_values_hold_and_are_no_wider(seed: int, long: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_sums, "LONG", long)
    problem, random = random_problem(seed), Random(seed)
    x = random_configuration(problem, random)
    given = {name: x[name] for name in random.sample(sorted(x), random.randint(1, len(x)))}
    inference = problem.inference_beside(given)
    others = [random_configuration(problem, random) | given for _ in range(10)]
    for node in expressions(problem):
        before, after = problem.inference.facts(node), inference.facts(node)
        assert after.kind is before.kind
        if after.kind is Kind.LABEL:
            assert after.labels <= before.labels
            continue
        (low, high), (least, most) = bounds(before), bounds(after)
        assert low <= least <= most <= high  # type: ignore[operator]
        for it in others:
            value = Evaluation(problem.symbols, it).value(node)
            assert least <= value <= most  # type: ignore[operator]
