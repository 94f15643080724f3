"""Regret on complete configurations: how far a configuration is from the best one, for a person's true weights."""

from dataclasses import dataclass
from fractions import Fraction

from pcl_core.errors import UndecidedError
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Utility, Vector, not_below
from pcl_core.model.problem import Problem
from pcl_core.solve.conflict import infeasible
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Status


@dataclass(frozen=True)
class Optimum:
    """max u*(x): a configuration, its utility, and a proven bound that equals it where the optimum is proven."""

    configuration: Configuration
    utility: float
    bound: float

    @property
    def proven(self) -> bool:
        return self.bound == self.utility


@dataclass(frozen=True)
class Regret:
    """REG(x) = max u* − u*(x), as an interval: from the best configuration found to the proven bound."""

    low: float
    high: float


def optimum(oracle: Oracle, weights: Vector) -> Optimum:
    """The best complete configuration for these weights; with its interval if a limit stopped the proof."""
    found = oracle.solve(weights)
    if found.configuration is None or found.utility is None:
        if found.status is Status.INFEASIBLE:
            raise infeasible(oracle, {}, f"problem '{oracle.problem.name}' has no feasible configuration")
        message = f"no configuration of '{oracle.problem.name}' was found: {found.status} ({found.reason})"
        raise UndecidedError(message)
    bound = _widest(oracle.problem, weights) if found.bound is None else found.bound
    return Optimum(found.configuration, found.utility, max(bound, found.utility))


def _widest(problem: Problem, weights: Vector) -> float:
    """A bound that holds without any solver: each feature at the better end of its interval."""
    facts = problem.feature_facts
    exact = Utility(weights, [each.places for each in facts])
    ends = zip(exact.coefficients, facts, strict=True)
    most = sum(max(weight * each.low, weight * each.high) for weight, each in ends)
    return not_below(Fraction(most, 10**exact.places))


def regret(best: Optimum, utility: float) -> Regret:
    """The regret of a configuration with this true utility. What is better than the best found moves the interval."""
    return Regret(max(0.0, best.utility - utility), max(0.0, best.bound - utility))
