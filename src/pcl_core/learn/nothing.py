"""The control: a learner that learns nothing. Whatever it is better than, or as good as, owes nothing to learning."""

from dataclasses import dataclass

from pcl_core.learn.contract import Belief, Learner, Lesson, Prior
from pcl_core.learn.plugins import Strategy


@dataclass(frozen=True)
class Unmoved:
    """What is believed is what was believed at the start."""

    belief: Belief

    def after(self, lesson: Lesson) -> "Unmoved":
        return self


class LearnsNothing(Strategy):
    """nothing: the weights stay as they are, so with weights of zero no proposal changes anything"""

    def start(self, prior: Prior) -> Learner:
        return Unmoved(Belief(prior.weights))
