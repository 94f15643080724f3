"""Learners: what improvements say about weights.

A learner never changes; each lesson gives a new one. So undoing is going back, and nothing is shared.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import PositiveFloat

from pcl_core.learn.plugins import Registry, Strategy
from pcl_core.model.evaluation import Vector

Update: TypeAlias = Literal["I", "J", "none"]
"""Q^t: which of a part's weights moved."""
ROUNDING = 1e-12
"""A gain this small beside its terms is none: decimals do not add up exactly. Whole numbers do."""
Positions: TypeAlias = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Lesson:
    """One answer about one part, as features of complete configurations that differ in that part only."""

    query: int
    """t, from 1"""
    part: int
    own: Positions
    """I^t: the features that depend on the part"""
    subset: Positions
    """J^t: those that its own inference maximises"""
    proposed: Vector
    """φ(x^t)"""
    improved: Vector
    """φ(x̂^t)"""
    satisfied: bool = False
    """Whether the person could improve nothing; then both are equal."""


class Learner(Protocol):
    """What is known after some lessons."""

    @property
    def weights(self) -> Vector:
        """w^t: proposals maximise these."""
        ...

    @property
    def infers_on(self) -> Literal["I", "J"]:
        """Over which features of a part proposals are best: all of them, or its share of the decomposition."""
        ...

    def after(self, lesson: Lesson) -> tuple["Learner", Update]:
        """The learner that has also seen this lesson."""
        ...


class LearnerKind(Protocol):
    """A plug-in point: entry-point group `pcl.learners`."""

    def start(self, weights: Vector) -> Learner:
        """A learner that knows nothing but where to start."""
        ...


@dataclass(frozen=True)
class PerceptronState:
    """w^t, and the sum of the weights before each improvement so far."""

    kind: "Perceptron"
    current: Vector
    total: Vector
    count: int = 0

    infers_on: Literal["I", "J"] = "J"

    @property
    def weights(self) -> Vector:
        if not self.kind.averaged:
            return self.current
        return (self.total + self.current) / (self.count + 1)

    def after(self, lesson: Lesson) -> tuple["PerceptronState", Update]:
        """Algorithm 2, the last three lines of the loop."""
        if lesson.satisfied:
            return self, "none"
        own, used = lesson.own, self.weights
        change = lesson.improved - lesson.proposed
        terms = used[own] * change[own]
        rounding = ROUNDING * float(np.abs(terms).sum())
        update: Update
        positions, update = (own, "I") if float(terms.sum()) <= rounding else (lesson.subset, "J")
        moved = self.current.copy()
        moved[positions] += self.kind.step_size(lesson.query) * change[positions]
        moved = self.kind.projected(moved)
        return replace(self, current=moved, total=self.total + self.current, count=self.count + 1), update


class Perceptron(Strategy):
    """the paper's: w_Q <- w_Q + φ_Q(x̂) − φ_Q(x), with Q = I where u[I](x̂) <= u[I](x), else Q = J

    `step` is 1 or 1/√t; `radius` projects the weights to a ball; `averaged` proposes by the mean of all weights
    so far instead of the latest. Each counts once, however many queries it lasted: the mean stays as it is while a
    person is satisfied, which Proposition 3 needs.
    """

    step: Literal["constant", "sqrt"] = "constant"
    radius: PositiveFloat | None = None
    averaged: bool = False

    @property
    def is_the_papers(self) -> bool:
        """Whether this is Algorithm 2 itself, for which the paper's bounds are proven."""
        return self.step == "constant" and self.radius is None and not self.averaged

    def start(self, weights: Vector) -> Learner:
        return PerceptronState(self, self.projected(weights.copy()), np.zeros_like(weights))

    def step_size(self, query: int) -> float:
        return 1.0 if self.step == "constant" else 1.0 / math.sqrt(query)

    def projected(self, weights: Vector) -> Vector:
        if self.radius is None:
            return weights
        length = float(np.linalg.norm(weights))
        return weights if length <= self.radius else weights * (self.radius / length)


class AveragedPerceptron(Perceptron):
    """the same, proposing by the mean of all weights so far"""

    averaged: bool = True


LEARNERS: Registry[LearnerKind] = Registry(
    "learner", "pcl.learners", {"perceptron": Perceptron, "averaged": AveragedPerceptron}, {"start": 1}
)
