"""Learners by name."""

from pcl_core.learn.contract import LearnerKind
from pcl_core.learn.perceptron import AveragedPerceptron, Perceptron
from pcl_core.learn.plugins import Registry

LEARNERS: Registry[LearnerKind] = Registry(
    "learner", "pcl.learners", {"perceptron": Perceptron, "averaged": AveragedPerceptron}, {"start": 1}
)
