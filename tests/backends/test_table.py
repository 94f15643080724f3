"""Enumeration says the same whether tables fit or not, in one piece or in many, kept or made anew."""

from random import Random

import pytest

from pcl_backends.table import listing, tabulate
from pcl_core import Oracle
from pcl_core.testing import random_configuration, random_problem
from pcl_core.testing.enumeration import best_by_enumeration, objective_of, whole_weights

LIMITS = {
    "tables in one piece": {},
    "point by point": {"MAX_TABLE": 0},
    "in many pieces": {"CHUNK": 4},
    "made anew": {"CHUNK": 4, "MAX_KEPT": 0},
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS.keys())
def test_parts_of_random_problems_in_random_contexts(limits: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(tabulate if name == "MAX_TABLE" else listing, name, value)
    found = []
    for seed in range(30):
        problem, random = random_problem(seed, max_configurations=100), Random(seed)
        oracle, weights = Oracle.of(problem, "table"), whole_weights(problem, random)
        for part in problem.parts:
            for _ in range(2):
                context = random_configuration(problem, random)
                best = best_by_enumeration(problem, weights, "max", context, set(part.variables))
                assert objective_of(oracle.solve(weights, variables=part.variables, given=context)) == best
                found.append(best)
    assert None in found
    assert len(set(found)) > len(found) / 3
