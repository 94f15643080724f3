"""Expectation propagation for comparisons: a Gaussian N(μ, Σ) over weights, and a site for each comparison.

A comparison says that dᵀw is likely positive: its likelihood is Φ(dᵀw / s), with d scaled so that dᵀΣ₀d = 1. Its site is
what stands for that in the Gaussian, a precision τ and a shift ν along d:

    Σ⁻¹ = Σ₀⁻¹ + Σ_j τ_j d_j d_jᵀ,    Σ⁻¹μ = Σ₀⁻¹μ₀ + Σ_j ν_j d_j

Fitting a site changes what is believed along all others by a rank-one update. These are made in the smaller of two
spaces: that of the comparisons dᵀw, or that of the weights w.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.model.evaluation import Vector

Matrix: TypeAlias = npt.NDArray[np.float64]

STEP = 0.9
"""Damping: how far a site goes towards its new value."""
MAX_SWEEPS = 8
TOLERANCE = 1e-3
"""A site that would move dᵀμ by less than this, in standard deviations of the prior, is left as it is."""
FAR = 5.0
"""Beyond this many standard deviations N/Φ is computed by its continued fraction."""
ROOT_2, ROOT_2_PI = math.sqrt(2.0), math.sqrt(2.0 * math.pi)


@dataclass(frozen=True)
class Normal:
    """N(μ₀, Σ₀)"""

    mean: Vector
    covariance: Matrix


@dataclass(frozen=True)
class Sites:
    """Comparisons, in the order in which they were first told, and what stands for them."""

    directions: Matrix
    """d, a row each"""
    reaches: Matrix
    """Σ₀d, a row each"""
    noise: Vector
    """s"""
    precision: Vector
    """τ"""
    shift: Vector
    """ν"""

    @classmethod
    def none(cls, features: int) -> "Sites":
        return cls(np.zeros((0, features)), np.zeros((0, features)), np.zeros(0), np.zeros(0), np.zeros(0))

    def __len__(self) -> int:
        return len(self.noise)

    def and_also(self, direction: Vector, reach: Vector, noise: float) -> "Sites":
        """One more, of which nothing is known yet."""
        return Sites(
            np.vstack([self.directions, direction]),
            np.vstack([self.reaches, reach]),
            np.append(self.noise, noise),
            np.append(self.precision, 0.0),
            np.append(self.shift, 0.0),
        )


@dataclass(frozen=True)
class Posterior:
    """What the sites make of the prior."""

    prior: Normal
    sites: Sites

    @cached_property
    def _root(self) -> Matrix:
        """L⁻¹ T^½ D Σ₀, with L Lᵀ = I + T^½ D Σ₀ Dᵀ T^½: never ill-conditioned, as no τ is negative."""
        root = np.sqrt(self.sites.precision)[:, None]
        inner = np.eye(len(self.sites)) + root * (self.sites.directions @ self.sites.reaches.T) * root.T
        return np.asarray(np.linalg.solve(np.linalg.cholesky(inner), root * self.sites.reaches), dtype=np.float64)

    @property
    def covariance_of_sites(self) -> Matrix:
        """D Σ Dᵀ"""
        across = self._root @ self.sites.directions.T
        return self.sites.directions @ self.sites.reaches.T - across.T @ across

    @cached_property
    def covariance(self) -> Matrix:
        """Σ = Σ₀ − Σ₀DᵀT^½ (I + T^½DΣ₀DᵀT^½)⁻¹ T^½DΣ₀"""
        return self.prior.covariance - self._root.T @ self._root

    @cached_property
    def mean(self) -> Vector:
        """μ = μ₀ + Σ Dᵀ(ν − τ Dμ₀)"""
        sites = self.sites
        pull = sites.directions.T @ (sites.shift - sites.precision * (sites.directions @ self.prior.mean))
        return self.prior.mean + self.prior.covariance @ pull - self._root.T @ (self._root @ pull)


def fitted(posterior: Posterior) -> Posterior:
    """The Gaussian nearest to prior × likelihoods. Sites start from what they are; each is seen with those before it."""
    sites = posterior.sites
    in_weights = len(sites) > len(posterior.prior.mean)
    if in_weights:
        mean, covariance = posterior.mean.copy(), posterior.covariance.copy()
    else:
        mean, covariance = sites.directions @ posterior.mean, posterior.covariance_of_sites
    noise, precision, shift = sites.noise.tolist(), sites.precision.tolist(), sites.shift.tolist()
    for _ in range(MAX_SWEEPS):
        if in_weights:
            means = sites.directions @ mean
            variances = np.einsum("ij,ij->i", sites.directions @ covariance, sites.directions)
        else:
            means, variances = mean.copy(), covariance.diagonal().copy()
        moved = False
        for at, (m, v) in enumerate(zip(means.tolist(), variances.tolist(), strict=True)):
            extra, push = change(precision[at], shift[at], noise[at], m, v)
            if abs(push - extra * m) * v < TOLERANCE * (1.0 + extra * v):
                continue
            moved = True
            if in_weights:
                direction = sites.directions[at]
                reach = covariance @ direction
                m, v = float(direction @ mean), float(direction @ reach)
            else:
                reach = covariance[at].copy()
                m, v = float(mean[at]), float(reach[at])
            extra, push = change(precision[at], shift[at], noise[at], m, v)
            precision[at] += extra
            shift[at] += push
            room = 1.0 + extra * v
            mean += ((push - extra * m) / room) * reach
            covariance -= np.outer((extra / room) * reach, reach)
        if not moved:
            break
    return Posterior(posterior.prior, replace(sites, precision=np.array(precision), shift=np.array(shift)))


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
