"""Expectation propagation for comparisons: a Gaussian N(μ, Σ) over weights, and a site for each comparison.

A comparison says that dᵀw is likely positive: its likelihood is Φ(dᵀw / s), with d scaled so that dᵀΣ₀d = 1. Its site is
what stands for that in the Gaussian, a precision τ and a shift ν along d:

    Σ⁻¹ = Σ₀⁻¹ + Σ_j τ_j d_j d_jᵀ,    Σ⁻¹μ = Σ₀⁻¹μ₀ + Σ_j ν_j d_j

Fitting a site changes what is believed along all others by a rank-one update, which is made among the comparisons dᵀw
that move; mean and covariance of the weights follow from the sites.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pcl_core.model.evaluation import Matrix, Vector

STEP = 0.9
"""Damping: how far a site goes towards its new value."""
MAX_SWEEPS, ROUNDS = 8, 4
"""How often sites that move are visited, and how often it is looked which those are."""
TOLERANCE = 1e-3
"""A site that would move mean and variance of dᵀw by less than this is left as it is; in the prior the variance is 1."""
FAR = 5.0
"""Beyond this many standard deviations N/Φ is computed by its continued fraction."""
ROOT_2, ROOT_2_PI = math.sqrt(2.0), math.sqrt(2.0 * math.pi)


@dataclass(frozen=True)
class Normal:
    """N(μ₀, Σ₀)"""

    mean: Vector
    covariance: Matrix

    @cached_property
    def precision(self) -> Matrix:
        """Σ₀⁻¹"""
        return np.asarray(np.linalg.inv(self.covariance), dtype=np.float64)


@dataclass(frozen=True)
class Sites:
    """Comparisons, in the order in which they were first told, and what stands for them."""

    rows: tuple[Matrix, ...]
    """d and Σ₀d of each: whoever has more comparisons has the same ones before them, and they are kept once"""
    features: int
    noise: Vector
    """s"""
    precision: Vector
    """τ"""
    shift: Vector
    """ν"""

    @classmethod
    def none(cls, features: int) -> "Sites":
        return cls((), features, np.zeros(0), np.zeros(0), np.zeros(0))

    def __len__(self) -> int:
        return len(self.noise)

    @cached_property
    def _stacked(self) -> Matrix:
        return np.array(self.rows).reshape(len(self), 2, self.features)

    @cached_property
    def directions(self) -> Matrix:
        """d, a row each"""
        return np.ascontiguousarray(self._stacked[:, 0])

    @cached_property
    def reaches(self) -> Matrix:
        """Σ₀d, a row each"""
        return np.ascontiguousarray(self._stacked[:, 1])

    def and_also(self, direction: Vector, reach: Vector, noise: float) -> "Sites":
        """One more, of which nothing is known yet."""
        return Sites(
            (*self.rows, np.stack([direction, reach])),
            self.features,
            np.append(self.noise, noise),
            np.append(self.precision, 0.0),
            np.append(self.shift, 0.0),
        )


@dataclass(frozen=True)
class Posterior:
    """What the sites make of the prior."""

    prior: Normal
    sites: Sites

    @property
    def _many(self) -> bool:
        """Whether there are more comparisons than weights: what is smaller is factored."""
        return len(self.sites) > len(self.prior.mean)

    @cached_property
    def _root(self) -> Matrix:
        """L⁻¹ T^½ D Σ₀, with L Lᵀ = I + T^½ D Σ₀ Dᵀ T^½: never ill-conditioned, as no τ is negative."""
        root = np.sqrt(self.sites.precision)[:, None]
        inner = np.eye(len(self.sites)) + root * (self.sites.directions @ self.sites.reaches.T) * root.T
        return np.asarray(np.linalg.solve(np.linalg.cholesky(inner), root * self.sites.reaches), dtype=np.float64)

    @cached_property
    def covariance(self) -> Matrix:
        """Σ = (Σ₀⁻¹ + DᵀTD)⁻¹ = Σ₀ − Σ₀DᵀT^½ (I + T^½DΣ₀DᵀT^½)⁻¹ T^½DΣ₀"""
        if not self._many:
            return self.prior.covariance - self._root.T @ self._root
        added = (self.sites.directions.T * self.sites.precision) @ self.sites.directions
        found = np.linalg.inv(self.prior.precision + added)
        return np.asarray((found + found.T) / 2, dtype=np.float64)

    @cached_property
    def mean(self) -> Vector:
        """μ = μ₀ + Σ Dᵀ(ν − τ Dμ₀)"""
        sites = self.sites
        pull = sites.directions.T @ (sites.shift - sites.precision * (sites.directions @ self.prior.mean))
        if self._many:
            return self.prior.mean + self.covariance @ pull
        return self.prior.mean + self.prior.covariance @ pull - self._root.T @ (self._root @ pull)

    @cached_property
    def reaches(self) -> Matrix:
        """DΣ, a row for each site"""
        if self._many:
            return self.sites.directions @ self.covariance
        return self.sites.reaches - (self._root @ self.sites.directions.T).T @ self._root

    @property
    def slim(self) -> "Posterior":
        """The same with nothing worked out but its mean: people are many, and of each some states are kept.

        Who needs more of what is kept works it out on such a copy, and lets it go.
        """
        found = Posterior(self.prior, replace(self.sites))
        found.__dict__["mean"] = self.mean
        return found


def fitted(posterior: Posterior) -> Posterior:
    """The Gaussian nearest to prior × likelihoods. Sites start from what they are, and only those that move are visited."""
    for _ in range(ROUNDS):
        moving = _moving(posterior)
        if not moving:
            break
        posterior = _swept(posterior, moving)
    return posterior


def _moving(posterior: Posterior) -> list[int]:
    """The sites that would move, in their order; if there are more than weights, those that would move most."""
    sites = posterior.sites
    means, variances = sites.directions @ posterior.mean, np.einsum("ij,ij->i", posterior.reaches, sites.directions)
    known = (sites.precision.tolist(), sites.shift.tolist(), sites.noise.tolist(), means.tolist(), variances.tolist())
    moves = [_move(m, v, *change(tau, nu, s, m, v)) for tau, nu, s, m, v in zip(*known, strict=True)]
    found = [at for at, move in enumerate(moves) if move >= TOLERANCE]
    return sorted(sorted(found, key=lambda at: -moves[at])[: len(posterior.prior.mean)])


def _move(m: float, v: float, extra: float, push: float) -> float:
    """By how much the mean or the variance of dᵀw moves with its site."""
    return max(abs(push - extra * m) * v, abs(extra) * v * v) / (1.0 + extra * v)


def _swept(posterior: Posterior, which: list[int]) -> Posterior:
    """Sweeps over some sites, each with a rank-one update of what is believed along the others."""
    sites = posterior.sites
    directions = sites.directions[which]
    mean, covariance = directions @ posterior.mean, posterior.reaches[which] @ directions.T
    precision, shift = sites.precision.copy(), sites.shift.copy()
    for _ in range(MAX_SWEEPS):
        moved = False
        for row, at in enumerate(which):
            m, v = float(mean[row]), float(covariance[row, row])
            extra, push = change(float(precision[at]), float(shift[at]), float(sites.noise[at]), m, v)
            if _move(m, v, extra, push) < TOLERANCE:
                continue
            moved = True
            precision[at] += extra
            shift[at] += push
            reach, room = covariance[row].copy(), 1.0 + extra * v
            mean += ((push - extra * m) / room) * reach
            covariance -= np.outer((extra / room) * reach, reach)
        if not moved:
            break
    return Posterior(posterior.prior, replace(sites, precision=precision, shift=shift))


def change(precision: float, shift: float, noise: float, m: float, v: float) -> tuple[float, float]:
    """By how much τ and ν of a site move, where dᵀw ~ N(m, v) with the site in it.

        v₋ = 1/(1/v − τ),  m₋ = v₋(m/v − ν)            without the site
        q = s² + v₋,  z = m₋/√q,  r = N(z)/Φ(z)
        v̂ = v₋ − v₋² r(z + r)/q,  m̂ = m₋ + v₋ r/√q      with the likelihood in its place
        τ ← 1/v̂ − 1/v₋,  ν ← m̂/v̂ − m₋/v₋                damped

    With c = r(z + r)/q this is τ ← c/(1 − v₋c) and ν ← m₋τ + r/√q/(1 − v₋c), in which nothing cancels.
    """
    left = 1.0 - v * precision
    if not left > 0.0 or not v > 0.0:  # rounding alone; the other sites move first
        return 0.0, 0.0
    v_without = v / left
    m_without = (m - v * shift) / left
    q = noise * noise + v_without
    ratio, product = mills(m_without / math.sqrt(q))
    curvature = product / q
    rest = 1.0 - v_without * curvature
    wanted = curvature / rest
    push = m_without * wanted + ratio / math.sqrt(q) / rest
    return STEP * (wanted - precision), STEP * (push - shift)


def mills(z: float) -> tuple[float, float]:
    """r = N(z)/Φ(z) and r(z + r), which is from 0 to 1, without losing digits where Φ is small."""
    if z > -FAR:
        ratio = math.exp(-0.5 * z * z) / ROOT_2_PI / (0.5 * math.erfc(-z / ROOT_2))
        return ratio, ratio * (z + ratio)
    far = below = -z
    for term in range(24, 1, -1):
        below = far + term / below
    excess = 1.0 / below  # r = far + 1/(far + 2/(far + 3/(…)))
    return far + excess, (far + excess) * excess
