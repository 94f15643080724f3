"""Simulated runs to look at."""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
from tests.core.elicitation.reference import Space, pick

from pcl_core import Elicitation, Oracle, Problem, Settings, Simulation, Trace, load, optimum, person
from pcl_core.users.simulated import USERS, UserModel
from pcl_core.users.utility import sample_weights


@cache
def catalogue_oracle(name: str) -> Oracle:
    return Oracle.of(load(name), "table" if name != "training" else "auto")


@cache
def space_oracle(space: Space) -> Oracle:
    return Oracle.of(space.problem, "table")


def simulate(
    oracle: Oracle,
    weights: np.ndarray,
    user: str | UserModel = "informative",
    queries: int = 40,
    start: Any = None,
    first_weights: Any = None,
    **settings: Any,
) -> Trace:
    chosen = Settings.model_validate(settings)
    elicitation = Elicitation(oracle.problem, oracle=oracle, settings=chosen, start=start, weights=first_weights)
    model = USERS.make(user) if isinstance(user, str) else user
    somebody = person(oracle, weights, model, (7, chosen.seed))
    return Simulation(elicitation, somebody, optimum(oracle, weights)).run(queries)


def drawn_weights(problem: Problem, seed: int) -> np.ndarray:
    return sample_weights(problem, "normal", np.random.default_rng(seed))


def whole_weights(space: Space, seed: int) -> list[Fraction]:
    random = Random(seed)
    return [Fraction(random.randint(-5, 5)) for _ in space.problem.features]


def small_run(space: Space, seed: int, **wanted: Any) -> tuple[Trace, list[Fraction]]:
    weights = whole_weights(space, seed)
    x = pick(space, Random(seed))
    found = simulate(space_oracle(space), np.array(weights, dtype=float), start=x, **{"seed": seed, **wanted})
    return found, weights
