"""Certificates of simulated elicitations on random problems, each checked by trying everything in exact arithmetic.

Problems, weights and answers have numbers of all sizes. 200 elicitations in `make test`, 2,000 with `make campaign`; half
as many more where what people say stays.
"""

import os
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from pcl_core import Configuration, Elicitation, Oracle, PclError, Problem, Settings, Simulation, check_trace, verify
from pcl_core.analysis.certificate import Certificate
from pcl_core.analysis.regret import optimum
from pcl_core.elicitation.simulate import person
from pcl_core.errors import Code
from pcl_core.model.evaluation import assess
from pcl_core.testing import random_problem
from pcl_core.testing.generate import NUMBERS
from pcl_core.users.simulated import USERS

ELICITATIONS = 2000 if os.environ.get("PCL_CAMPAIGN") else 200
BATCH = 20
SELECTIONS = ("random", "round-robin", "in-order", "smallest", "overlap", "ucb1")
LEARNERS = ("perceptron", "averaged", "perceptron:step=sqrt", "perceptron:radius=3")
USERS_WHO_TELL_THE_TRUTH = (
    "informative:alpha=0.1",
    "informative:alpha=0.7",
    "best",
    "smallest-edit:alpha=0.3",
    "expected",
)
BACKENDS = ("table", "table", "auto", "auto", "cpsat", "pulp")
LEARNERS_FOR_PEOPLE = ("belief", "belief:rho=0", "nothing", "perceptron")


def drawn_weight(random: Random) -> float:
    match random.randrange(6):
        case 0:
            return float(random.randint(-9, 9))
        case 1:
            return round(random.gauss(0, 1), 6)
        case 2:
            return random.gauss(0, 1)
        case 3:
            return random.choice((-1, 1)) * random.choice((1e9, 1e-9, 1e15, 1e-12, 123456789.123456))
        case 4:
            return random.randint(-9, 9) / 10
        case _:
            return random.gauss(0, 1) * 10.0 ** random.randint(-12, 12)


def allowed(problem: Problem, x: Configuration, part: int, pins: Configuration) -> list[Configuration]:
    own = problem.parts[part].variables
    domains = [[pins[name]] if name in pins else list(problem.symbols.variables[name].values()) for name in own]
    found = [{**x, **dict(zip(own, values, strict=True))} for values in product(*domains)]
    return [y for y in found if assess(problem, y).feasible]


def improvable(problem: Problem, certificate: Certificate, weights: list[float]) -> list[str]:
    """The parts of the certified configuration that something better could replace, by the reference evaluator."""
    exact = [Fraction(repr(weight)) for weight in weights]

    def utility(x: Configuration) -> Fraction:
        pairs = zip(exact, assess(problem, x).features, strict=True)
        return sum((weight * Fraction(value) for weight, value in pairs), Fraction(0))

    x = dict(certificate.configuration)
    here, pins = utility(x), dict(certificate.pins)
    return [
        part.name
        for position, part in enumerate(problem.parts)
        if any(utility(y) > here for y in allowed(problem, x, position, pins))
    ]


def of_the_paper(random: Random) -> Settings:
    return Settings(
        order=random.choice(("degree", "declared", "random")),
        select=random.choice(SELECTIONS),
        learner=random.choice(LEARNERS),
        mode=random.choice(("keep", "paper")),
        stop=random.choice(("certificate", "two-pass")),
    )


def for_people(random: Random) -> Settings:
    select, order = random.choice((*SELECTIONS, "expected", "expected")), random.choice(("declared", "random"))
    return Settings.of("people", learner=random.choice(LEARNERS_FOR_PEOPLE), select=select, order=order)


def false_statements(seed: int, draw: Callable[[Random], Settings] = of_the_paper) -> list[str]:
    """What is wrong with one elicitation: a false certificate, a verification that is wrong, a theory that does not hold."""
    random = Random(seed)
    problem = random_problem(seed, max_configurations=200, numbers=NUMBERS[seed % len(NUMBERS)])
    weights = [drawn_weight(random) for _ in problem.features]
    settings = draw(random).model_copy(update={"seed": seed})
    oracle = Oracle.of(problem, random.choice(BACKENDS))
    model = USERS.make(random.choice(USERS_WHO_TELL_THE_TRUTH))
    try:
        live = Elicitation(problem, oracle=oracle, settings=settings)
        somebody = person(oracle, np.array(weights), model, (1, seed))
        trace = Simulation(live, somebody, optimum(oracle, np.array(weights))).run(30)
    except PclError as error:  # nothing is possible, or a solver says that the numbers are not for it
        return [] if error.code in (Code.INFEASIBLE, Code.NUMBERS_OUT_OF_RANGE) else [f"seed {seed}: {error}"]
    wrong = [
        f"seed {seed}: {check.name} ({check.detail})"
        for check in check_trace(
            oracle,
            trace,
            alpha=model.alpha,
            informative=model.informative,
            truthful=model.truthful,
            perceptron=settings.mode != "people",
        ).failures
    ]
    if trace.certificate is not None:
        truth = improvable(problem, trace.certificate, weights)
        if truth and trace.certificate.by_lemma:
            wrong.append(f"seed {seed}: certified, but {truth} can be improved")
        said = verify(trace.certificate, oracle, np.array(weights))
        if sorted(said.improvable) != sorted(truth):
            wrong.append(f"seed {seed}: verify says {sorted(said.improvable)}, the truth is {sorted(truth)}")
    return wrong


@pytest.mark.parametrize("batch", range(ELICITATIONS // BATCH))
def test_no_certificate_is_false(batch: int) -> None:
    found = [line for seed in range(batch * BATCH, (batch + 1) * BATCH) for line in false_statements(seed)]
    assert found == []


@pytest.mark.parametrize("batch", range(ELICITATIONS // BATCH // 2))
def test_no_certificate_is_false_where_what_people_say_stays(batch: int) -> None:
    seeds = range(batch * BATCH, (batch + 1) * BATCH)
    assert [line for seed in seeds for line in false_statements(seed, for_people)] == []


@pytest.mark.parametrize("recipe", ["keep", "people", "form"])
def test_the_campaign_certifies_something(recipe: str) -> None:
    """Most elicitations end with a certificate; otherwise the campaign would show nothing."""
    certified = 0
    for seed in range(40):
        problem = random_problem(seed, max_configurations=200)
        oracle = Oracle.of(problem, "table")
        weights = np.array([drawn_weight(Random(seed)) for _ in problem.features])
        try:
            live = Elicitation(problem, oracle=oracle, settings=Settings.of(recipe, seed=seed))
        except PclError:
            continue
        trace = Simulation(live, person(oracle, weights, USERS.make("best"), (1, seed)), optimum(oracle, weights)).run(
            30
        )
        certified += trace.certificate is not None
    assert certified >= 20
