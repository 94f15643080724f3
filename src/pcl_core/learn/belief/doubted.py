"""What an earlier elicitation taught is doubted: tastes change, and it may be another's.

A belief that starts from it stands beside one that starts from nothing. Each gives the improvements that she makes a
probability before it learns from them, and what is believed is whichever gave more:

    log P(improvements | what was taught) − log P(improvements | nothing was) ≥ 0

Once the difference is large, the other one is let go.
"""

import math
from dataclasses import dataclass

from pcl_core.learn.contract import Acceptance, Belief, Learner, Lesson

SURE = 3.0
"""Twenty to one"""
LEAST_PROBABLE = 1e-3
"""No single answer speaks against a belief by more than this: a person may err."""


@dataclass(frozen=True)
class DoubtedStart:
    """Two learners with the same lessons."""

    remembering: Learner
    blank: Learner
    evidence: float = 0.0

    @property
    def belief(self) -> Belief:
        return (self.remembering if self.evidence >= 0.0 else self.blank).belief

    def after(self, lesson: Lesson) -> Learner:
        evidence = self.evidence + _foretold(self.remembering, lesson) - _foretold(self.blank, lesson)
        if abs(evidence) > SURE:
            return (self.remembering if evidence > 0.0 else self.blank).after(lesson)
        return DoubtedStart(self.remembering.after(lesson), self.blank.after(lesson), evidence)


def _foretold(learner: Learner, lesson: Lesson) -> float:
    """The logarithm of how probable it was that she says so; of what she accepts, beside what comes nearest to it."""
    if isinstance(lesson, Acceptance):
        compared = [(lesson.accepted, other) for other in lesson.alternatives if (other != lesson.accepted).any()]
    else:
        compared = [(lesson.better, lesson.worse)]
    probable = [learner.belief.probability(better, worse) or 0.0 for better, worse in compared]
    return math.log(max(LEAST_PROBABLE, min(probable, default=1.0)))
