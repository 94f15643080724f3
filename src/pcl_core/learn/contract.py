"""What a learner is: lessons go in, a belief comes out.

A learner never changes; each lesson gives a new one. So undoing is going back, and nothing is shared. Its belief is a
value of its own, apart from the learner that made it and from the selections and proposals that use it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.model.evaluation import Vector

Positions: TypeAlias = npt.NDArray[np.intp]
FeaturesUsed: TypeAlias = Literal["I", "J"]
"""Over which features of a part a proposal is best: all that depend on it, or its share of the decomposition."""


@dataclass(frozen=True)
class Improvement:
    """A person put something better into a part: two configurations that differ in that part only."""

    query: int
    """t, from 1"""
    part: int
    worse: Vector
    """φ(x^t): what was proposed"""
    better: Vector
    """φ(x̂^t): what she made of it"""
    final: bool = False
    """Whether nothing in this part is better still; then the acceptance of `better` is the next lesson."""

    @property
    def key(self) -> Hashable:
        """Equal for equal lessons."""
        return self.query, self.part, self.worse.tobytes(), self.better.tobytes(), self.final


@dataclass(frozen=True)
class Acceptance:
    """A person found nothing better for a part, wherever she looked."""

    query: int
    """When she said so: an earlier query, where more alternatives are told later."""
    part: int
    accepted: Vector
    """φ(x)"""
    alternatives: tuple[Vector, ...] = ()
    """φ(x′) of some that she could have had. They are recorded with the answer, since replay never solves."""

    @property
    def key(self) -> Hashable:
        """Equal for equal lessons."""
        return self.query, self.part, self.accepted.tobytes(), tuple(other.tobytes() for other in self.alternatives)


Lesson: TypeAlias = Improvement | Acceptance


@dataclass(frozen=True)
class Belief:
    """What is believed of a person's weights. This one is a point; derive from it to say more."""

    weights: Vector
    """The best guess, and what proposals maximise unless `proposing` says otherwise."""
    infers_on: FeaturesUsed = "I"

    def proposing(self, generator: np.random.Generator) -> Vector:
        """The weights that proposals of one query maximise. The generator is the query's: it gives the same again."""
        return self.weights

    def samples(self, count: int, generator: np.random.Generator) -> npt.NDArray[np.float64] | None:
        """Weights that she may have, a row each; None from a belief that knows no others than its own."""
        return None

    def probability(self, better: Vector, worse: Vector) -> float | None:
        """P(wᵀφ(better) > wᵀφ(worse)); None from a belief that does not say."""
        return None

    def deviations(self) -> Vector | None:
        """How far from `weights` each weight may be: a standard deviation; None from a belief that does not say."""
        return None


class Learner(Protocol):
    """What is known after some lessons."""

    @property
    def belief(self) -> Belief: ...

    def after(self, lesson: Lesson) -> "Learner":
        """The learner that has also had this lesson."""
        ...


@dataclass(frozen=True)
class Prior:
    """What is known before the first lesson."""

    weights: Vector
    """w^1"""
    own: tuple[Positions, ...] = ()
    """I_p: by part, the features that depend on it"""
    shares: tuple[Positions, ...] = ()
    """J_p: by part, the features that it accounts for"""
    deviations: Vector | None = None
    """How far from w^1 each weight may be, where that is known of an earlier elicitation: a standard deviation"""

    @property
    def spread(self) -> Vector:
        """For each feature, how much those of its family vary over what may stand in a part: features divided by it
        can be compared."""
        return np.ones(len(self.weights))

    @property
    def families(self) -> tuple[int, ...]:
        """For each feature a number, the same for features that say the same of different parts."""
        return tuple(range(len(self.weights)))


class LearnerKind(Protocol):
    """A plug-in point: entry-point group `pcl.learners`."""

    def start(self, prior: Prior) -> Learner:
        """A learner without lessons."""
        ...
