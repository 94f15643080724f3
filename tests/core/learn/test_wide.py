"""A belief about very many weights is the one that a covariance of all of them would give."""

import numpy as np
import pytest

from pcl_core.learn import Acceptance, Improvement, Learner, Lesson, Prior
from pcl_core.learn.belief import BeliefLearner, GaussianBelief, learner
from pcl_core.learn.belief.wide import WidePosterior

WEIGHTS, MENTIONED = 30, 18


class Random(Prior):
    """Weights in five families, of which some are mentioned by no comparison."""

    spread = np.linspace(0.5, 3.0, WEIGHTS)
    families = (*(at % 5 for at in range(WEIGHTS - 4)), 5, 6, 6, 7)


def lessons(count: int, generator: np.random.Generator) -> list[Lesson]:
    found = list[Lesson]()
    for query in range(1, count + 1):
        vectors = np.zeros((4, WEIGHTS))
        vectors[:, :MENTIONED] = generator.integers(-2, 3, size=(4, MENTIONED)) * (generator.random((4, 18)) < 0.3)
        if query % 3:
            found.append(Improvement(query, 0, vectors[0], vectors[1]))
        else:
            found.append(Acceptance(query, 0, vectors[0], tuple(vectors[1:])))
    return found


def both(monkeypatch: pytest.MonkeyPatch, told: list[Lesson], prior: Prior, rho: float) -> list[GaussianBelief]:
    beliefs = []
    for many in (WEIGHTS, 0):
        monkeypatch.setattr(learner, "MANY", many)
        found: Learner = BeliefLearner(rho=rho).start(prior)
        for lesson in told:
            found = found.after(lesson)
        assert isinstance(found.belief, GaussianBelief)
        assert isinstance(found.belief.posterior, WidePosterior) == (many == 0)
        beliefs.append(found.belief)
    return beliefs


@pytest.mark.parametrize("count", [0, 1, 7, 25])
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_believes_what_the_dense_one_believes(
    monkeypatch: pytest.MonkeyPatch, count: int, rho: float, seed: int
) -> None:
    generator = np.random.default_rng(seed)
    deviations = None if seed == 1 else generator.uniform(0.0, 2.0, WEIGHTS)
    prior = Random(generator.normal(size=WEIGHTS) * (seed - 1), deviations=deviations)
    dense, wide = both(monkeypatch, lessons(count, generator), prior, rho)
    assert wide.weights == pytest.approx(dense.weights, abs=1e-6)
    assert wide.deviations() == pytest.approx(dense.deviations(), abs=1e-6)
    for _ in range(5):
        one, other = generator.normal(size=(2, WEIGHTS))
        assert wide.probability(one, other) == pytest.approx(dense.probability(one, other), abs=1e-6)
    assert wide.probability(one, one) == 0.0


def test_its_samples_have_the_mean_and_the_covariance_of_the_dense_one(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    dense, wide = both(monkeypatch, lessons(9, generator), Random(generator.normal(size=WEIGHTS)), 0.5)
    expected, found = (belief.samples(200_000, np.random.default_rng(5)) for belief in (dense, wide))
    assert found.mean(axis=0) == pytest.approx(expected.mean(axis=0), abs=0.03)
    assert np.cov(found.T) == pytest.approx(np.cov(expected.T), abs=0.06)


def test_what_is_told_again_is_one_comparison_that_is_surer(monkeypatch: pytest.MonkeyPatch) -> None:
    told = lessons(1, np.random.default_rng(1))
    for belief in both(monkeypatch, [*told, *told], Random(np.zeros(WEIGHTS)), 0.5):
        assert len(belief.posterior.sites) == 1
        assert belief.posterior.sites.noise.tolist() == [0.025]
