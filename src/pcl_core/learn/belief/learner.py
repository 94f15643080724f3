"""The learner that keeps a belief: every comparison is a site of a Gaussian."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, NamedTuple, TypeAlias, TypeVar

import numpy as np
from pydantic import Field

from pcl_core.learn.belief.alone import one_thread
from pcl_core.learn.belief.doubted import DoubtedStart
from pcl_core.learn.belief.gaussian import Normal, Posterior, Sites
from pcl_core.learn.belief.propagation import SomePosterior, fitted
from pcl_core.learn.belief.wide import FamilyNormal, WidePosterior, WideSites
from pcl_core.learn.contract import Acceptance, Belief, Learner, Lesson, Prior
from pcl_core.learn.plugins import Strategy
from pcl_core.model.evaluation import Matrix, Vector
from pcl_core.model.lately import Lately

DIGITS = 9
"""Weights to propose by have so many digits: more than is known, and few enough for solvers to see them exactly."""
MOST_PLACES = 16
"""Nor have they more places: what is so small counts for a number with very many values, and no solver can compare the
products exactly."""
MANY = 500
"""With more weights than this, no covariance of all of them is made."""

AnyPosterior: TypeAlias = Posterior | WidePosterior
SomeSites = TypeVar("SomeSites", Sites, WideSites)


LAST_FITTED: Lately[AnyPosterior] = Lately(4)
"""With all that was worked out to fit them. A belief keeps only its `slim` one: states of many people are kept."""


@dataclass(frozen=True, kw_only=True)
class GaussianBelief(Belief):
    """w = g / scale with g ~ N(μ, Σ), where `scale` is the spread of the features; `weights` are its mean, rounded."""

    posterior: AnyPosterior
    scale: Vector

    @classmethod
    def of(cls, posterior: AnyPosterior, scale: Vector) -> "GaussianBelief":
        return cls(rounded(posterior.mean / scale), posterior=posterior, scale=scale)

    @one_thread()
    def samples(self, count: int, generator: np.random.Generator) -> Matrix:
        return np.asarray(self._worked_out.drawn(count, generator) / self.scale, dtype=np.float64)

    @one_thread()
    def probability(self, better: Vector, worse: Vector) -> float:
        """Φ(dᵀμ / √(dᵀΣd)), with d the difference of the scaled features; zero where there is none."""
        difference = (better - worse) / self.scale
        variance = self._worked_out.variance(difference)
        if not variance > 0.0:
            return 0.0
        return 0.5 * math.erfc(-float(difference @ self.posterior.mean) / math.sqrt(2.0 * variance))

    @one_thread()
    def deviations(self) -> Vector:
        return np.asarray(self._worked_out.deviations() / self.scale, dtype=np.float64)

    @property
    def _worked_out(self) -> AnyPosterior:
        slim = self.posterior
        return LAST_FITTED.get(None, lambda: slim.slim, slim)


def rounded(weights: Vector) -> Vector:
    largest = float(np.abs(weights).max(initial=0.0))
    if not 0.0 < largest < math.inf:
        return weights
    places = min(MOST_PLACES, DIGITS - 1 - math.floor(math.log10(largest)))
    return np.asarray(np.round(weights, places), dtype=np.float64)


LEAST_NOISE = 0.002
"""A comparison is never taken to be surer than this."""
VIOLATED = 0.002
"""An acceptance that the mean contradicts by more than this is taken more seriously."""
HARDENINGS = 2
"""How often that may happen after one lesson."""
FORGOTTEN = 0.8
"""How much of the prior's variance an earlier elicitation leaves at least: tastes change, and may be another's."""


class BeliefLearner(Strategy):
    """a Gaussian belief: what one part teaches about others, and every comparison by expectation propagation

    The prior is N(w¹, (1 − ρ)I + ρ·[same family]) over weights of features divided by their spread. `rho` is how much like
    parts are taken to be alike; `noise` is s, how unsure a comparison is of what hardly matters.
    """

    rho: Annotated[float, Field(ge=0, lt=1)] = 0.25
    noise: Annotated[float, Field(ge=LEAST_NOISE, le=10)] = 0.05
    scaled: bool = True

    def start(self, prior: Prior) -> Learner:
        if prior.deviations is None:
            return self._from(prior)
        blank = replace(prior, weights=np.zeros(len(prior.weights)), deviations=None)
        return DoubtedStart(self._from(prior), self._from(blank))

    def _from(self, prior: Prior) -> "BeliefState":
        families = np.array(prior.families, dtype=np.intp)
        scale = prior.spread if self.scaled else np.ones(len(prior.weights))
        known = None
        if prior.deviations is not None:
            known = np.sqrt(FORGOTTEN + (1.0 - FORGOTTEN) * np.minimum(1.0, prior.deviations * scale) ** 2)
        if len(scale) > MANY:
            deviations = np.ones(len(scale)) if known is None else known
            wide = FamilyNormal(prior.weights * scale, deviations, families, self.rho)
            return BeliefState(scale, self.noise, _Fitted(WidePosterior(wide, WideSites(()))))
        covariance = _alike(tuple(prior.families), self.rho)
        if known is not None:
            covariance = covariance * np.outer(known, known)
        first = Normal(prior.weights * scale, covariance)
        return BeliefState(scale, self.noise, _Fitted(Posterior(first, Sites.none(len(scale)))))


@lru_cache(maxsize=8)
def _alike(families: tuple[int, ...], rho: float) -> Matrix:
    """(1 − ρ)I + ρ·[same family], the same for all who work on a problem; nobody writes to it."""
    of = np.array(families)
    found = np.asarray((1.0 - rho) * np.eye(len(of)) + rho * (of[:, None] == of[None, :]), dtype=np.float64)
    found.flags.writeable = False
    return found


class BeliefState:
    """The Gaussian, made of a site for each comparison. It is fitted when somebody looks at it, and not before."""

    def __init__(self, scale: Vector, noise: float, known: "_Fitted | _Told") -> None:
        self.scale = scale
        self.noise = noise
        self._known = known

    @property
    def posterior(self) -> AnyPosterior:
        return self._fitted.posterior

    @cached_property
    def belief(self) -> GaussianBelief:
        return GaussianBelief.of(self.posterior, self.scale)

    def after(self, lesson: Lesson) -> "BeliefState":
        """An improvement is one comparison, an acceptance one with each of its alternatives."""
        accepted = isinstance(lesson, Acceptance)
        if isinstance(lesson, Acceptance):
            differences = [lesson.accepted - other for other in lesson.alternatives]
        else:
            differences = [lesson.better - lesson.worse]
        some = [difference for difference in differences if difference.any()]
        return BeliefState(self.scale, self.noise, _Told(self, some, accepted)) if some else self

    @property
    def _fitted(self) -> "_Fitted":
        """One lesson after the other, from the last state that was fitted; what led here is then let go."""
        waiting, at = list[BeliefState](), self
        while isinstance(told := at._known, _Told):
            waiting.append(at)
            at = told.before
        known: _Fitted = told
        for state in reversed(waiting):
            told = state._known
            known = known.after(told, self.scale, self.noise) if isinstance(told, _Told) else told
            state._known = known
        return known


class _Told(NamedTuple):
    """A lesson that is not yet learned."""

    before: BeliefState
    differences: list[Vector]
    accepted: bool


@dataclass(frozen=True)
class _Fitted:
    """A Gaussian that agrees with what was told."""

    posterior: AnyPosterior
    accepted: frozenset[int] = frozenset()
    """Which of the sites come from acceptances."""

    def after(self, told: _Told, scale: Vector, noise: float) -> "_Fitted":
        if isinstance(self.posterior, WidePosterior):
            return _after(self.posterior, self, told, scale, noise)
        return _after(self.posterior, self, told, scale, noise)


@one_thread()
def _after(posterior: SomePosterior, before: _Fitted, told: _Told, scale: Vector, noise: float) -> _Fitted:
    sites, cuts, again = posterior.slim.sites, set(before.accepted), set[int]()
    known = {key: at for at, key in enumerate(sites.keys())}
    for difference in told.differences:
        scaled = difference / scale
        reach = posterior.prior.reach(scaled)
        length = np.sqrt(scaled @ reach)
        if not length > 0.0:  # the features do not differ
            continue
        at = known.setdefault(sites.key(scaled / length), len(sites))
        if at < len(sites):
            again.add(at)
            continue
        sites = sites.and_also(scaled / length, reach / length, noise)
        if told.accepted:
            cuts.add(at)
    if len(sites) == len(posterior.sites) and not again:
        return before
    found = _agreeing(posterior.told(hardened(sites, again)), frozenset(cuts))
    slim = found.slim
    LAST_FITTED.get(None, lambda: found, slim)  # whoever learned this is likely to draw from it next
    return _Fitted(slim, frozenset(cuts))


def hardened(sites: SomeSites, which: Iterable[int]) -> SomeSites:
    """The same comparisons, some of them taken to be twice as sure."""
    noise = sites.noise.copy()
    for at in which:
        noise[at] = max(LEAST_NOISE, noise[at] / 2)
    return replace(sites, noise=noise)


def _agreeing(told: SomePosterior, accepted: frozenset[int]) -> SomePosterior:
    """Fitted to what was told; acceptances that it still contradicts are taken more seriously, and it is fitted again."""
    found = fitted(told)
    for _ in range(HARDENINGS):
        against = found.along() < -VIOLATED
        wrong = [at for at in sorted(accepted) if against[at] and found.sites.noise[at] > LEAST_NOISE]
        if not wrong:
            break
        found = fitted(found.told(hardened(found.sites, wrong)))
    return found
