"""What is believed, as a Gaussian over the weights of scaled features."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcl_core.learn.belief.propagation import Posterior
from pcl_core.learn.contract import Belief
from pcl_core.model.evaluation import Matrix, Vector

DIGITS = 9
"""Weights to propose by have so many digits: more than is known, and few enough for solvers to see them exactly."""
JITTER = 1e-10
"""Added to variances, beside 1 in the prior, before a root is taken of what may be singular but for rounding."""


@dataclass(frozen=True, kw_only=True)
class GaussianBelief(Belief):
    """w = g / scale with g ~ N(μ, Σ), where `scale` is the spread of the features; `weights` are its mean, rounded."""

    posterior: Posterior
    scale: Vector

    @classmethod
    def of(cls, posterior: Posterior, scale: Vector) -> "GaussianBelief":
        return cls(rounded(posterior.mean / scale), posterior=posterior, scale=scale)

    @cached_property
    def _root(self) -> Matrix:
        covariance = self.posterior.covariance + JITTER * np.eye(len(self.scale))
        return np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)

    def samples(self, count: int, generator: np.random.Generator) -> Matrix:
        drawn = generator.standard_normal((count, len(self.scale)))
        return (self.posterior.mean + drawn @ self._root.T) / self.scale

    def probability(self, better: Vector, worse: Vector) -> float:
        """Φ(dᵀμ / √(dᵀΣd)), with d the difference of the scaled features; zero where there is none."""
        difference = (better - worse) / self.scale
        variance = float(difference @ self.posterior.covariance @ difference)
        if not variance > 0.0:
            return 0.0
        return 0.5 * math.erfc(-float(difference @ self.posterior.mean) / math.sqrt(2.0 * variance))

    def deviations(self) -> Vector:
        variances = np.maximum(np.diag(self.posterior.covariance), 0.0)
        return np.asarray(np.sqrt(variances) / self.scale, dtype=np.float64)


def rounded(weights: Vector) -> Vector:
    largest = float(np.abs(weights).max(initial=0.0))
    if not 0.0 < largest < math.inf:
        return weights
    return np.asarray(np.round(weights, DIGITS - 1 - math.floor(math.log10(largest))), dtype=np.float64)
