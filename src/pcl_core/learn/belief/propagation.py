"""Expectation propagation for comparisons: the sites of a Gaussian over weights are fitted to their likelihoods.

The likelihood of a comparison is Φ(dᵀw / s), with d scaled so that dᵀΣ₀d = 1. Fitting its site, τ and ν, changes what is
believed along all others by a rank-one update, which is made among the comparisons dᵀw that move.
"""

import math
from dataclasses import replace
from typing import TypeVar

import numpy as np

from pcl_core.learn.belief.gaussian import Posterior
from pcl_core.learn.belief.wide import WidePosterior

STEP = 0.9
"""Damping: how far a site goes towards its new value."""
MAX_SWEEPS, ROUNDS = 8, 4
"""How often sites that move are visited, and how often it is looked which those are."""
TOLERANCE = 1e-3
"""A site that would move mean and variance of dᵀw by less than this is left as it is; in the prior the variance is 1."""
FAR = 5.0
"""Beyond this many standard deviations N/Φ is computed by its continued fraction."""
ROOT_2, ROOT_2_PI = math.sqrt(2.0), math.sqrt(2.0 * math.pi)

SomePosterior = TypeVar("SomePosterior", Posterior, WidePosterior)


def fitted(posterior: SomePosterior) -> SomePosterior:
    """The Gaussian nearest to prior × likelihoods. Sites start from what they are, and only those that move are visited."""
    for _ in range(ROUNDS):
        moving = _moving(posterior)
        if not moving:
            break
        posterior = _swept(posterior, moving)
    return posterior


def _moving(posterior: SomePosterior) -> list[int]:
    """The sites that would move, in their order; if there are more than weights, those that would move most."""
    sites = posterior.sites
    means, variances = posterior.along().tolist(), posterior.variances().tolist()
    known = (sites.precision.tolist(), sites.shift.tolist(), sites.noise.tolist(), means, variances)
    moves = [change(*site)[2] for site in zip(*known, strict=True)]
    found = [at for at, move in enumerate(moves) if move >= TOLERANCE]
    return sorted(sorted(found, key=lambda at: -moves[at])[: len(posterior.prior.mean)])


def _swept(posterior: SomePosterior, which: list[int]) -> SomePosterior:
    """Sweeps over some sites, each with a rank-one update of what is believed along the others."""
    sites = posterior.sites
    mean, covariance = posterior.among(which)
    precision, shift, noise = sites.precision.tolist(), sites.shift.tolist(), sites.noise.tolist()
    update = np.empty_like(covariance)
    for _ in range(MAX_SWEEPS):
        moved = False
        for row, at in enumerate(which):
            m, v = mean.item(row), covariance.item(row, row)
            extra, push, move = change(precision[at], shift[at], noise[at], m, v)
            if move < TOLERANCE:
                continue
            moved = True
            precision[at] += extra
            shift[at] += push
            reach, room = covariance[row], 1.0 + extra * v
            mean += ((push - extra * m) / room) * reach
            np.multiply(((extra / room) * reach)[:, None], reach, out=update)
            covariance -= update
        if not moved:
            break
    return posterior.told(replace(sites, precision=np.array(precision), shift=np.array(shift)))


def change(precision: float, shift: float, noise: float, m: float, v: float) -> tuple[float, float, float]:
    """By how much τ and ν of a site move, where dᵀw ~ N(m, v) with the site in it; and mean or variance of dᵀw with them.

        v₋ = 1/(1/v − τ),  m₋ = v₋(m/v − ν)            without the site
        q = s² + v₋,  z = m₋/√q,  r = N(z)/Φ(z)
        v̂ = v₋ − v₋² r(z + r)/q,  m̂ = m₋ + v₋ r/√q      with the likelihood in its place
        τ ← 1/v̂ − 1/v₋,  ν ← m̂/v̂ − m₋/v₋                damped

    With c = r(z + r)/q this is τ ← c/(1 − v₋c) and ν ← m₋τ + r/√q/(1 − v₋c), in which nothing cancels.
    """
    left = 1.0 - v * precision
    if not left > 0.0 or not v > 0.0:  # rounding alone; the other sites move first
        return 0.0, 0.0, 0.0
    v_without = v / left
    m_without = (m - v * shift) / left
    q = noise * noise + v_without
    root = math.sqrt(q)
    ratio, product = mills(m_without / root)
    curvature = product / q
    rest = 1.0 - v_without * curvature
    wanted = curvature / rest
    push = STEP * (m_without * wanted + ratio / root / rest - shift)
    extra = STEP * (wanted - precision)
    of_mean, of_variance = abs(push - extra * m) * v, abs(extra) * v * v
    return extra, push, (of_variance if of_variance > of_mean else of_mean) / (1.0 + extra * v)


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
