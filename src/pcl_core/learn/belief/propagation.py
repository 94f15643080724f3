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
    moves = [_move(m, v, *change(tau, nu, s, m, v)) for tau, nu, s, m, v in zip(*known, strict=True)]
    found = [at for at, move in enumerate(moves) if move >= TOLERANCE]
    return sorted(sorted(found, key=lambda at: -moves[at])[: len(posterior.prior.mean)])


def _move(m: float, v: float, extra: float, push: float) -> float:
    """By how much the mean or the variance of dᵀw moves with its site."""
    return max(abs(push - extra * m) * v, abs(extra) * v * v) / (1.0 + extra * v)


def _swept(posterior: SomePosterior, which: list[int]) -> SomePosterior:
    """Sweeps over some sites, each with a rank-one update of what is believed along the others."""
    sites = posterior.sites
    mean, covariance = posterior.among(which)
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
    return posterior.told(replace(sites, precision=precision, shift=shift))


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
