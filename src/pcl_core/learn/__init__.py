"""Learning weights over features from what people say of parts. What authors of plug-ins need is here."""

from pcl_core.learn.contract import Acceptance, Belief, Improvement, Learner, LearnerKind, Lesson, Positions, Prior
from pcl_core.learn.learners import LEARNERS
from pcl_core.learn.perceptron import AveragedPerceptron, Perceptron
from pcl_core.learn.plugins import Registry, Strategy
from pcl_core.learn.selection import (
    ORDERINGS,
    SELECTIONS,
    Ordering,
    Selection,
    Situation,
    examine_orderings,
    order_parts,
    ordering_names,
)
from pcl_core.learn.stopping import STOPS, Standing, Stop
from pcl_core.model.evaluation import Vector

__all__ = [
    "LEARNERS",
    "ORDERINGS",
    "SELECTIONS",
    "STOPS",
    "Acceptance",
    "AveragedPerceptron",
    "Belief",
    "Improvement",
    "Learner",
    "LearnerKind",
    "Lesson",
    "Ordering",
    "Perceptron",
    "Positions",
    "Prior",
    "Registry",
    "Selection",
    "Situation",
    "Standing",
    "Stop",
    "Strategy",
    "Vector",
    "examine_orderings",
    "order_parts",
    "ordering_names",
]
