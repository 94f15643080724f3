"""Learners by name."""

from pcl_core.learn.belief import BeliefLearner
from pcl_core.learn.contract import LearnerKind
from pcl_core.learn.nothing import LearnsNothing
from pcl_core.learn.perceptron import AveragedPerceptron, Perceptron
from pcl_core.learn.plugins import Registry
from pcl_core.plugins import Group

LEARNERS: Registry[LearnerKind] = Registry(
    "learner",
    Group.LEARNERS,
    {"perceptron": Perceptron, "averaged": AveragedPerceptron, "belief": BeliefLearner, "nothing": LearnsNothing},
    {"start": 1},
)
