"""Expectation propagation against what it approximates, and against itself in another order and another space."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from pcl_core.learn import Vector
from pcl_core.learn.belief.gaussian import Normal, Posterior, Sites
from pcl_core.learn.belief.propagation import MAX_SWEEPS, fitted, mills
from pcl_core.model.evaluation import Matrix

Comparison = tuple[tuple[float, ...], float]
"""A direction and its noise."""


def phi(z: Vector) -> Vector:
    return np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in z.ravel()]).reshape(z.shape)


def posterior(prior: Normal, comparisons: Sequence[Comparison]) -> Posterior:
    sites = Sites.none(len(prior.mean))
    for direction, noise in comparisons:
        d = np.array(direction)
        d = d / math.sqrt(d @ prior.covariance @ d)
        sites = sites.and_also(d, prior.covariance @ d, noise)
    return Posterior(prior, sites)


def settled(found: Posterior) -> Posterior:
    """Fitted until nothing moves: one fit has few sweeps."""
    for _ in range(5):
        found = fitted(found)
    return found


def integrated(prior: Normal, sites: Sites) -> tuple[Vector, Matrix]:
    """Mean and covariance of prior × likelihoods, by a sum over a fine grid of two weights."""
    axis = np.linspace(-7, 7, 1201)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    away = grid - prior.mean
    density = np.exp(-0.5 * np.einsum("ij,jk,ik->i", away, np.linalg.inv(prior.covariance), away))
    for direction, noise in zip(sites.directions, sites.noise, strict=True):
        density *= phi(grid @ direction / noise)
    density /= density.sum()
    mean = density @ grid
    return mean, (grid - mean).T @ ((grid - mean) * density[:, None])


def sampled(prior: Normal, sites: Sites, count: int = 400_000) -> tuple[Vector, Matrix]:
    """The same by importance sampling from the prior, for more than two weights."""
    drawn = np.random.default_rng(1).multivariate_normal(prior.mean, prior.covariance, count)
    share = np.ones(count)
    for direction, noise in zip(sites.directions, sites.noise, strict=True):
        share *= phi(drawn @ direction / noise)
    share /= share.sum()
    mean = share @ drawn
    return mean, (drawn - mean).T @ ((drawn - mean) * share[:, None])


STANDARD = Normal(np.zeros(2), np.eye(2))
ALIKE = Normal(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]))
ELSEWHERE = Normal(np.array([0.4, -0.3]), np.array([[1.0, 0.5], [0.5, 1.0]]))


@pytest.mark.parametrize("prior", [STANDARD, ALIKE, ELSEWHERE])
@pytest.mark.parametrize("noise", [0.05, 0.5])
def test_one_comparison_is_learned_exactly(prior: Normal, noise: float) -> None:
    found = settled(posterior(prior, [((1.0, -2.0), noise)]))
    mean, covariance = integrated(prior, found.sites)
    assert found.mean == pytest.approx(mean, abs=2e-3)
    assert found.covariance == pytest.approx(covariance, abs=2e-3)


@pytest.mark.parametrize("prior", [STANDARD, ALIKE, ELSEWHERE])
def test_several_comparisons_of_two_weights_are_near_the_integral(prior: Normal) -> None:
    told = [((1.0, 0.2), 0.05), ((1.0, -1.0), 0.05), ((-0.2, 1.0), 0.2)]
    found = settled(posterior(prior, told))
    mean, covariance = integrated(prior, found.sites)
    assert found.mean == pytest.approx(mean, abs=0.03)
    assert found.covariance == pytest.approx(covariance, abs=0.06), "three corners cut off cost a Gaussian that much"


def test_several_comparisons_of_three_weights_are_near_a_large_sample() -> None:
    prior = Normal(np.zeros(3), 0.5 * np.eye(3) + 0.5)
    told = [((1.0, 0.0, 0.0), 0.05), ((0.0, 1.0, -1.0), 0.05), ((1.0, -1.0, 0.5), 0.05), ((-1.0, 2.0, 0.0), 0.1)]
    found = settled(posterior(prior, told))
    mean, covariance = sampled(prior, found.sites)
    assert found.mean == pytest.approx(mean, abs=0.05)
    assert found.covariance == pytest.approx(covariance, abs=0.05)


def test_along_every_comparison_the_moments_match_those_with_its_likelihood() -> None:
    """What defines a fixed point: without its site and with its likelihood, dᵀw has the mean and variance it had."""
    found = settled(posterior(Normal(np.zeros(15), 0.7 * np.eye(15) + 0.3), random_comparisons(15, 25)))
    sites = found.sites
    for direction, noise, precision, shift in zip(
        sites.directions, sites.noise, sites.precision, sites.shift, strict=True
    ):
        m, v = float(direction @ found.mean), float(direction @ found.covariance @ direction)
        left = 1 / v - precision
        centre, width = (m / v - shift) / left, math.sqrt(1 / left)
        axis = np.linspace(centre - 9 * width, centre + 9 * width, 20_001)
        density = np.exp(-0.5 * ((axis - centre) / width) ** 2) * phi(axis / noise)
        density /= density.sum()
        mean = float(density @ axis)
        assert m == pytest.approx(mean, abs=3e-3)
        assert v == pytest.approx(float(density @ (axis - mean) ** 2), abs=3e-3)


def random_comparisons(weights: int, count: int, seed: int = 0) -> list[Comparison]:
    """What somebody with weights of her own says of random differences."""
    generator = np.random.default_rng(seed)
    liked = generator.normal(size=weights)
    found = []
    for _ in range(count):
        d = np.where(generator.random(weights) < 20 / weights, generator.integers(-3, 4, weights), 0).astype(float)
        d[generator.integers(weights)] += 1.0
        found.append((tuple((d * (1 if d @ liked > 0 else -1)).tolist()), 0.05))
    return found


def test_the_order_in_which_comparisons_are_told_does_not_matter() -> None:
    prior, told = Normal(np.zeros(12), np.eye(12)), random_comparisons(12, 10)
    forwards, backwards = (settled(posterior(prior, order)) for order in (told, told[::-1]))
    assert forwards.mean == pytest.approx(backwards.mean, abs=0.01)
    assert forwards.covariance == pytest.approx(backwards.covariance, abs=0.01)


def test_more_comparisons_than_weights_give_what_they_give_beside_idle_weights() -> None:
    """What is factored is the smaller: for three weights these, for ten the five comparisons."""
    told = random_comparisons(3, 5, seed=2)
    few = settled(posterior(Normal(np.zeros(3), np.eye(3)), told))
    idle = [((*direction, *(0.0,) * 7), noise) for direction, noise in told]
    many = settled(posterior(Normal(np.zeros(10), np.eye(10)), idle))
    assert many.mean[:3] == pytest.approx(few.mean, abs=5e-3)
    assert many.covariance[:3, :3] == pytest.approx(few.covariance, abs=5e-3)
    same = Posterior(
        Normal(np.zeros(3), np.eye(3)), replace(few.sites, shift=many.sites.shift, precision=many.sites.precision)
    )
    assert same.mean == pytest.approx(many.mean[:3], abs=1e-12)
    assert same.covariance == pytest.approx(many.covariance[:3, :3], abs=1e-12)
    assert not many.mean[3:].any()


def test_fitting_again_moves_nothing_that_is_fitted() -> None:
    found = settled(posterior(Normal(np.zeros(20), np.eye(20)), random_comparisons(20, 15)))
    again = fitted(found)
    assert again.mean.tolist() == found.mean.tolist()


def test_what_contradicts_itself_leaves_a_proper_gaussian() -> None:
    told: list[Comparison] = [((1.0, 0.5), 0.002), ((-1.0, -0.5), 0.002)] * 30
    found = settled(posterior(STANDARD, told))
    assert np.isfinite(found.mean).all()
    assert abs(float(found.sites.directions[0] @ found.mean)) < 0.01
    assert np.linalg.eigvalsh(found.covariance).min() > 0
    assert found.covariance[0, 0] < 1
    assert (found.sites.precision >= 0).all()


def test_a_hundred_wrong_answers_among_right_ones_leave_a_proper_gaussian() -> None:
    told = random_comparisons(30, 200, seed=5)
    flipped = [(tuple(-x for x in d), s / 25) if at % 2 else (d, s) for at, (d, s) in enumerate(told)]
    found = settled(posterior(Normal(np.zeros(30), np.eye(30)), flipped))
    assert np.isfinite(found.mean).all()
    assert np.linalg.eigvalsh(found.covariance).min() > 0


@pytest.mark.parametrize("z", [2.0, 0.0, -1.0, -4.999, -5.001, -12.0, -300.0])
def test_the_ratio_of_density_and_probability_keeps_its_digits(z: float) -> None:
    ratio, product = mills(z)
    t = np.linspace(0, 40 / max(1.0, -z), 400_001)
    inner = np.exp(z * t - 0.5 * t * t)  # Φ(z)/N(z) = ∫ exp(zt − t²/2)
    expected = 1 / (float(((inner[1:] + inner[:-1]) / 2).sum()) * float(t[1]))
    assert ratio == pytest.approx(expected, rel=1e-6)
    assert product == pytest.approx(expected * (z + expected), rel=1e-3, abs=1e-4)
    assert 0 < product < 1


def test_a_hundred_comparisons_of_three_hundred_features_are_fitted_in_eight_sweeps() -> None:
    found = fitted(posterior(Normal(np.zeros(300), np.eye(300)), random_comparisons(300, 100)))
    assert (found.sites.directions @ found.mean > 0).mean() > 0.95
    assert MAX_SWEEPS == 8
