"""The same belief about very many weights, of which the comparisons mention few.

A covariance of all weights would take a gigabyte for 12,000. The prior needs none: with K the deviations, and Z saying which
feature is of which family,

    Σ₀ = K ((1 − ρ)I + ρZZᵀ) K

is applied in one pass. All that propagation asks for lies between comparisons, G = DΣ₀Dᵀ, so what is factored has a row for
each of them, however many weights there are:

    DΣDᵀ = G − RᵀR,    R = L⁻¹T^½G,    LLᵀ = I + T^½GT^½,    μ = μ₀ + Σ₀Dᵀα,    α = (I − T^½(LLᵀ)⁻¹T^½G)(ν − τDμ₀)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pcl_core.learn.belief.gaussian import keys_of
from pcl_core.learn.belief.triangular import backwards, forwards
from pcl_core.learn.contract import Positions
from pcl_core.model.evaluation import Matrix, Vector


@dataclass(frozen=True)
class FamilyNormal:
    """N(μ₀, Σ₀), where weights go together within families alone."""

    mean: Vector
    deviations: Vector
    """K: the root of each weight's variance"""
    families: Positions
    rho: float

    def reach(self, direction: Vector) -> Vector:
        """Σ₀d"""
        return np.asarray(self.reaches(direction[None, :])[0], dtype=np.float64)

    def reaches(self, directions: Matrix) -> Matrix:
        """The same for each of some directions (rows)."""
        known = directions * self.deviations
        return self.deviations * ((1.0 - self.rho) * known + self.rho * self.within(known)[:, self.families])

    def within(self, rows: Matrix) -> Matrix:
        """The sums over families."""
        count = int(self.families.max(initial=-1)) + 1
        return np.array([np.bincount(self.families, row, count) for row in rows]).reshape(len(rows), count)

    def drawn(self, count: int, generator: np.random.Generator) -> Matrix:
        """How far from its mean something drawn from the prior is, a row each."""
        alone = generator.standard_normal((count, len(self.mean)))
        alike = generator.standard_normal((count, int(self.families.max(initial=-1)) + 1))
        found = np.sqrt(1.0 - self.rho) * alone + np.sqrt(self.rho) * alike[:, self.families]
        return np.asarray(self.deviations * found, dtype=np.float64)


@dataclass(frozen=True)
class WideSites:
    """Comparisons in the order in which they were first told, each by the weights that it mentions, and what stands for them."""

    rows: tuple[tuple[Positions, Vector], ...]
    noise: Vector = field(default_factory=lambda: np.zeros(0))
    precision: Vector = field(default_factory=lambda: np.zeros(0))
    shift: Vector = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.noise)

    def keys(self) -> list[bytes]:
        return [at.tobytes() + keys_of(values[None, :])[0] for at, values in self.rows]

    def key(self, direction: Vector) -> bytes:
        at = np.flatnonzero(direction)
        return at.tobytes() + keys_of(direction[at][None, :])[0]

    def and_also(self, direction: Vector, reach: Vector, noise: float) -> "WideSites":
        """One more, of which nothing is known yet."""
        at = np.flatnonzero(direction)
        rows = (*self.rows, (at, direction[at]))
        return WideSites(rows, np.append(self.noise, noise), np.append(self.precision, 0.0), np.append(self.shift, 0.0))


class Mentioned:
    """The weights that some comparisons mention, and how these go together before anything is learned."""

    def __init__(self, prior: FamilyNormal, rows: Sequence[tuple[Positions, Vector]]) -> None:
        every = [at for at, _ in rows]
        self.columns = np.unique(np.concatenate(every)) if rows else np.zeros(0, dtype=np.intp)
        self.directions = np.zeros((len(rows), len(self.columns)))
        """D, without the weights that nobody mentions"""
        for row, (at, values) in enumerate(rows):
            self.directions[row, np.searchsorted(self.columns, at)] = values
        known = prior.deviations[self.columns]
        self.families = np.unique(prior.families[self.columns], return_inverse=True)[1].reshape(-1)
        """Of each mentioned weight, counting only families that are mentioned"""
        here = FamilyNormal(prior.mean[self.columns], known, self.families, prior.rho)
        self.within = here.within(self.directions * known)
        """DKZ"""
        self.expected = self.directions @ here.mean
        """Dμ₀"""
        self.gram = here.reaches(self.directions) @ self.directions.T
        """G"""

    def along(self, rows: Matrix) -> Matrix:
        """Dg for each of some vectors (rows) of all weights: a column each."""
        return np.asarray(self.directions @ rows[:, self.columns].T, dtype=np.float64)

    def back(self, columns: Matrix, weights: int) -> Matrix:
        """Dᵀa for each of some columns, over all weights: a row each."""
        found = np.zeros((columns.shape[1], weights))
        found[:, self.columns] = columns.T @ self.directions
        return found


@dataclass(frozen=True)
class WidePosterior:
    """What the sites make of the prior."""

    prior: FamilyNormal
    sites: WideSites

    @cached_property
    def mentioned(self) -> Mentioned:
        return Mentioned(self.prior, self.sites.rows)

    @cached_property
    def _root(self) -> Matrix:
        """T^½"""
        return np.asarray(np.sqrt(self.sites.precision)[:, None], dtype=np.float64)

    @cached_property
    def _lower(self) -> Matrix:
        """L: never ill-conditioned, as no τ is negative."""
        inner = np.eye(len(self.sites)) + self._root * self.mentioned.gram * self._root.T
        return np.asarray(np.linalg.cholesky(inner), dtype=np.float64)

    @cached_property
    def _learned(self) -> Matrix:
        """R"""
        return forwards(self._lower, self._root * self.mentioned.gram)

    def _solved(self, columns: Matrix) -> Matrix:
        """T^½(LLᵀ)⁻¹ of some columns"""
        found = backwards(self._lower, forwards(self._lower, columns))
        return np.asarray(self._root * found, dtype=np.float64)

    @cached_property
    def _pull(self) -> Vector:
        """α"""
        pull = self.sites.shift - self.sites.precision * self.mentioned.expected
        return np.asarray(pull - self._solved(self._root * (self.mentioned.gram @ pull)[:, None])[:, 0])

    @cached_property
    def mean(self) -> Vector:
        """μ"""
        if not len(self.sites):
            return self.prior.mean
        moved = self.prior.reaches(self.mentioned.back(self._pull[:, None], len(self.prior.mean)))[0]
        return np.asarray(self.prior.mean + moved, dtype=np.float64)

    def along(self) -> Vector:
        """Dμ"""
        return np.asarray(self.mentioned.expected + self.mentioned.gram @ self._pull, dtype=np.float64)

    def variances(self) -> Vector:
        """The diagonal of DΣDᵀ"""
        return np.asarray(np.diag(self.mentioned.gram) - np.square(self._learned).sum(axis=0), dtype=np.float64)

    def among(self, which: list[int]) -> tuple[Vector, Matrix]:
        """Dμ and DΣDᵀ of some of the sites"""
        learned = self._learned[:, which]
        return self.along()[which], self.mentioned.gram[np.ix_(which, which)] - learned.T @ learned

    def told(self, sites: WideSites) -> "WidePosterior":
        """The same prior with other sites; what they mention stays worked out as long as they are the same comparisons."""
        found = WidePosterior(self.prior, sites)
        if sites.rows is self.sites.rows:
            found.__dict__["mentioned"] = self.mentioned
        return found

    @property
    def slim(self) -> "WidePosterior":
        """The same with nothing worked out but its mean."""
        found = WidePosterior(self.prior, self.sites)
        found.__dict__["mean"] = self.mean
        return found

    def variance(self, direction: Vector) -> float:
        """dᵀΣd"""
        reach = self.prior.reaches(direction[None, :])
        learned = forwards(self._lower, self._root * self.mentioned.along(reach))
        return float(direction @ reach[0] - np.square(learned).sum())

    def deviations(self) -> Vector:
        """√ of the diagonal of Σ. What is learned of a weight that nobody mentions is learned of its family."""
        prior, seen, found = self.prior, self.mentioned, self.prior.deviations**2
        if len(self.sites):
            own, alike = prior.deviations, np.zeros(int(prior.families.max()) + 1)
            known = np.unique(prior.families[seen.columns])
            alike[known] = self._known(seen.within)
            found -= np.square(prior.rho * own) * alike[prior.families]
            columns = seen.columns
            mentions = (1.0 - prior.rho) * own[columns] * seen.directions + prior.rho * seen.within[:, seen.families]
            found[columns] = np.square(own[columns]) * (1.0 - self._known(mentions))
        return np.asarray(np.sqrt(np.maximum(found, 0.0)), dtype=np.float64)

    def _known(self, columns: Matrix) -> Vector:
        """|L⁻¹T^½c|² for some columns"""
        return np.asarray(np.square(forwards(self._lower, self._root * columns)).sum(axis=0))

    def drawn(self, count: int, generator: np.random.Generator) -> Matrix:
        """g = μ + g₀ − Σ₀DᵀT^½(LLᵀ)⁻¹(T^½Dg₀ + e), with g₀ from the prior less its mean and e standard normal."""
        found = self.prior.drawn(count, generator)
        if len(self.sites):
            noise = generator.standard_normal((len(self.sites), count))
            learned = self._solved(self._root * self.mentioned.along(found) + noise)
            found -= self.prior.reaches(self.mentioned.back(learned, len(self.prior.mean)))
        return self.mean + found
