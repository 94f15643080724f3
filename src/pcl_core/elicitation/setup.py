"""What an elicitation is set up with: strategies, and weights to start from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcl_core.alternatives.listing import Listing
from pcl_core.alternatives.residual import Residuals
from pcl_core.elicitation.events import Settings
from pcl_core.elicitation.listed import PeopleProposer
from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.randomness import FOR_THE_ORDER, generator_for
from pcl_core.elicitation.rules import Rules
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.learn import LEARNERS, SELECTIONS, LearnerKind, Ordering, Selection, order_parts
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.weights import quantise


@dataclass(frozen=True)
class Strategies:
    """Strategies given as objects instead of by name; a log does not hold them, so resuming needs them again."""

    learner: LearnerKind | None = None
    select: Selection | None = None
    order: Ordering | None = None


def make_rules(oracle: Oracle, settings: Settings, strategies: Strategies | None = None) -> Rules:
    given, problem = strategies or Strategies(), oracle.problem
    order = order_parts(problem, given.order or settings.order, generator_for(settings.seed, FOR_THE_ORDER))
    learner = given.learner or LEARNERS.make(settings.learner)
    select = given.select or SELECTIONS.make(settings.select)
    listing, residuals = Listing.shared(problem), Residuals.shared(problem)
    oracle.compiled.kept = (listing, residuals)  # so that the next person does not wait until parts are listed again
    if settings.mode != "people":
        return Rules(problem, settings, order, oracle.features, learner, select)
    return PeopleRules(problem, settings, order, oracle.features, learner, select, listing, residuals)


def make_proposer(oracle: Oracle, rules: Rules) -> Proposer:
    return PeopleProposer(oracle, rules) if isinstance(rules, PeopleRules) else Proposer(oracle, rules)


def start_weights(problem: Problem, weights: Vector | Sequence[float] | None) -> list[float]:
    if weights is None:
        return [0.0] * len(problem.features)
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        given = np.empty(0)
    if given.shape != (len(problem.features),) or not np.isfinite(given).all():
        message = f"expected {len(problem.features)} finite weights, one for each feature"
        raise RequestError(Issue(Code.BAD_VALUE, message))
    quantise(given, problem.feature_facts)  # what is too large to solve with must not be written to a log
    return [float(weight) for weight in given]
