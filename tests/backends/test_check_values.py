"""The published check values, full and part-wise, on every backend that can."""

import numpy as np
import pytest

from pcl_core import assess, load
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Status
from pcl_core.testing import random_configuration

PUBLISHED = {
    "grid": (17.969033, 17.207877, 16.389447),
    "training": (143.263254, 92.741526, 56.429613),
    "hotel": (48.587534, 36.521229, 51.459497),
    "hotel-published": (56.429583, 57.304344, 64.090941),
}
CASES = [
    (backend, name, seed)
    for backend in ("cpsat", "pulp", "pulp:highs", "cvxpy")
    for name in ("grid", "training")
    for seed in range(3)
]
CASES += [("auto", "hotel-published", seed) for seed in range(3)]
# The third hotel takes CP-SAT a quarter of a minute on a slow machine.
CASES += [("cpsat", "hotel", seed) for seed in range(2)]


@pytest.mark.parametrize(("backend", "name", "seed"), CASES)
def test_optimal_utility(backend: str, name: str, seed: int) -> None:
    problem = load(name)
    weights = np.random.RandomState(seed).normal(size=len(problem.features))
    found = Oracle.of(problem, backend).solve(weights)
    assert found.status is Status.OPTIMAL
    assert found.utility == pytest.approx(PUBLISHED[name][seed], abs=1e-6)
    assert found.configuration is not None
    assert assess(problem, found.configuration).feasible


@pytest.mark.parametrize("name", ["grid", "training", "hotel", "hotel-published"])
@pytest.mark.parametrize("backend", ["cpsat", "pulp", "cvxpy"])
def test_parts_agree_with_enumeration(name: str, backend: str) -> None:
    """Maximise, then minimise with a floor between the two, as a simulated user does."""
    from random import Random

    problem, random = load(name), Random(name)
    exact, other = Oracle.of(problem, "table"), Oracle.of(problem, backend)
    weights = np.random.RandomState(random.randint(0, 999)).normal(size=len(problem.features))
    start = np.zeros(len(problem.features))
    x = Oracle.of(problem, "auto").solve(start).configuration or random_configuration(problem, random)
    for position, part in list(enumerate(problem.parts))[:4]:
        features = problem.structure.feature_subsets[position]
        arguments = {"variables": part.variables, "given": x, "features": features}
        best = exact.solve(weights, **arguments)  # type: ignore[arg-type]
        worst = exact.solve(weights, sense="min", **arguments)  # type: ignore[arg-type]
        assert best.utility is not None
        assert worst.utility is not None
        floor = worst.utility + 0.3 * (best.utility - worst.utility)
        improved = exact.solve(weights, sense="min", floor=floor, **arguments)  # type: ignore[arg-type]
        for expected, again in (
            (best, other.solve(weights, **arguments)),  # type: ignore[arg-type]
            (improved, other.solve(weights, sense="min", floor=floor, **arguments)),  # type: ignore[arg-type]
        ):
            assert (again.status, again.objective) == (expected.status, expected.objective)
        assert best.configuration is not None
        x = best.configuration
