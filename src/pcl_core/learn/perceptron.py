"""The paper's learner (Algorithm 2), and what its analysis needs to know of it."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from pydantic import PositiveFloat

from pcl_core.learn.contract import Belief, FeaturesUsed, Improvement, Learner, Lesson, Prior
from pcl_core.learn.plugins import Strategy
from pcl_core.model.evaluation import Vector

Update: TypeAlias = Literal["I", "J", "none"]
"""Q^t: which of a part's weights moved."""
ROUNDING = 1e-12
"""What floating-point sums of decimals lose, beside their terms. Whole numbers lose nothing."""


@dataclass(frozen=True)
class PerceptronState:
    """w^t, and the sum of the weights before each improvement so far."""

    kind: "Perceptron"
    prior: Prior
    current: Vector
    total: Vector
    count: int = 0
    update: Update = "none"
    """Which weights the last improvement moved."""
    infers_on: FeaturesUsed = "J"

    @cached_property
    def belief(self) -> Belief:
        mean = (self.total + self.current) / (self.count + 1) if self.kind.averaged else self.current
        return Belief(mean, self.infers_on)

    def after(self, lesson: Lesson) -> "PerceptronState":
        """Algorithm 2, the last three lines of the loop."""
        if not isinstance(lesson, Improvement):
            return self
        own, used = self.prior.own[lesson.part], self.belief.weights
        change = lesson.better - lesson.worse
        terms = used[own] * change[own]
        rounding = ROUNDING * float(np.abs(terms).sum())
        update: Update = "I" if float(terms.sum()) <= rounding else "J"
        positions = own if update == "I" else self.prior.shares[lesson.part]
        moved = self.current.copy()
        moved[positions] += self.kind.step_size(lesson.query) * change[positions]
        moved = self.kind.projected(moved)
        return replace(self, current=moved, total=self.total + self.current, count=self.count + 1, update=update)


def update_of(learner: Learner) -> Update:
    """Q^t of the last improvement. Only the perceptron has one: others do not divide what they learn by I and J."""
    return learner.update if isinstance(learner, PerceptronState) else "none"


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

    def start(self, prior: Prior) -> Learner:
        return PerceptronState(self, prior, self.projected(prior.weights.copy()), np.zeros_like(prior.weights))

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
