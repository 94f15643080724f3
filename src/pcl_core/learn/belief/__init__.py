"""A learner that keeps a Gaussian belief about a person's weights, by expectation propagation."""

from pcl_core.learn.belief.learner import BeliefLearner, GaussianBelief

__all__ = ["BeliefLearner", "GaussianBelief"]
