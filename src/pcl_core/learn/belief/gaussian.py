"""A Gaussian N(μ, Σ) over weights, made of a prior and a site for each comparison.

A comparison says that dᵀw is likely positive. Its site is what stands for that in the Gaussian, a precision τ and a shift ν
along d:

    Σ⁻¹ = Σ₀⁻¹ + Σ_j τ_j d_j d_jᵀ,    Σ⁻¹μ = Σ₀⁻¹μ₀ + Σ_j ν_j d_j

Mean and covariance of the weights follow from the sites.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pcl_core.model.evaluation import Matrix, Vector

JITTER = 1e-10
"""Added to variances, beside 1 in the prior, before a root is taken of what may be singular but for rounding."""


@dataclass(frozen=True)
class Normal:
    """N(μ₀, Σ₀)"""

    mean: Vector
    covariance: Matrix

    @cached_property
    def precision(self) -> Matrix:
        """Σ₀⁻¹"""
        return np.asarray(np.linalg.inv(self.covariance), dtype=np.float64)

    def reach(self, direction: Vector) -> Vector:
        """Σ₀d"""
        return np.asarray(self.covariance @ direction, dtype=np.float64)


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
    def directions(self) -> Matrix:
        """d, a row each"""
        return self._stacked(0)

    @cached_property
    def reaches(self) -> Matrix:
        """Σ₀d, a row each"""
        return self._stacked(1)

    def _stacked(self, which: int) -> Matrix:
        return np.array([row[which] for row in self.rows]).reshape(len(self), self.features)

    @cached_property
    def gram(self) -> Matrix:
        """DΣ₀Dᵀ"""
        return self.directions @ self.reaches.T

    def keys(self) -> list[bytes]:
        """Equal for directions that differ by rounding alone."""
        return keys_of(self.directions)

    def key(self, direction: Vector) -> bytes:
        return keys_of(direction[None, :])[0]

    def and_also(self, direction: Vector, reach: Vector, noise: float) -> "Sites":
        """One more, of which nothing is known yet."""
        return Sites(
            (*self.rows, np.stack([direction, reach])),
            self.features,
            np.append(self.noise, noise),
            np.append(self.precision, 0.0),
            np.append(self.shift, 0.0),
        )


OF_COMPARISONS = ("directions", "reaches", "gram")
"""What follows from comparisons alone, whatever stands for them."""


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
        inner = np.eye(len(self.sites)) + root * self.sites.gram * root.T
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

    def along(self) -> Vector:
        """Dμ"""
        return np.asarray(self.sites.directions @ self.mean, dtype=np.float64)

    def variances(self) -> Vector:
        """The diagonal of DΣDᵀ"""
        return np.asarray(np.einsum("ij,ij->i", self.reaches, self.sites.directions), dtype=np.float64)

    def among(self, which: list[int]) -> tuple[Vector, Matrix]:
        """Dμ and DΣDᵀ of some of the sites"""
        directions = self.sites.directions[which]
        return directions @ self.mean, self.reaches[which] @ directions.T

    def told(self, sites: Sites) -> "Posterior":
        """The same prior with other sites; what was worked out of the same comparisons stays."""
        if sites.rows is self.sites.rows:
            known = self.sites.__dict__
            sites.__dict__.update({name: known[name] for name in OF_COMPARISONS if name in known})
        return Posterior(self.prior, sites)

    @property
    def slim(self) -> "Posterior":
        """The same with nothing worked out but its mean: people are many, and of each some states are kept.

        Who needs more of what is kept works it out on such a copy, and lets it go.
        """
        found = Posterior(self.prior, replace(self.sites))
        found.__dict__["mean"] = self.mean
        return found

    def variance(self, direction: Vector) -> float:
        """dᵀΣd"""
        return float(direction @ self.covariance @ direction)

    def deviations(self) -> Vector:
        """√ of the diagonal of Σ"""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0.0)), dtype=np.float64)

    @cached_property
    def root(self) -> Matrix:
        """A with AAᵀ = Σ, but for rounding"""
        jitter = JITTER * np.eye(len(self.prior.mean))
        return np.asarray(np.linalg.cholesky(self.covariance + jitter), dtype=np.float64)

    def drawn(self, count: int, generator: np.random.Generator) -> Matrix:
        """g = μ + Ae, with e standard normal: a row each"""
        return self.mean + generator.standard_normal((count, len(self.prior.mean))) @ self.root.T


def keys_of(directions: Matrix) -> list[bytes]:
    """Equal for directions that differ by rounding alone."""
    whole, width = np.round(directions, 12).tobytes(), directions.shape[1] * directions.itemsize
    return [whole[at : at + width] for at in range(0, len(whole), max(1, width))]
