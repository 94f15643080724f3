"""What an elicitation is set up with: an oracle, strategies, weights to start from, and where it starts: x^1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pcl_core.alternatives.listing import Listing
from pcl_core.alternatives.residual import Residuals
from pcl_core.elicitation.codec import LOG_VERSION
from pcl_core.elicitation.completing import Completions, is_wide
from pcl_core.elicitation.events import Started
from pcl_core.elicitation.listed import PeopleProposer
from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.settings import FOR_THE_ORDER, FOR_THE_START, Settings, generator_for
from pcl_core.elicitation.taste import Taste
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.ir.domains import Value
from pcl_core.learn import LEARNERS, SELECTIONS, LearnerKind, Ordering, Selection, order_parts
from pcl_core.model.assignment import of_type
from pcl_core.model.configuration import Configuration, read_configuration
from pcl_core.model.evaluation import Vector, assess
from pcl_core.model.problem import Problem
from pcl_core.solve.asking import quantise
from pcl_core.solve.conflict import infeasible, refusal
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options


@dataclass(frozen=True)
class Strategies:
    """Strategies given as objects instead of by name; a log does not hold them, so resuming needs them again."""

    learner: LearnerKind | None = None
    select: Selection | None = None
    order: Ordering | None = None


def oracle_for(problem: Problem, backend: str, options: Options | None, given: Oracle | None) -> Oracle:
    """The oracle that is given, if it is one for this problem, or one of the backend."""
    of_type(problem, Problem, "a problem", "read one with load(), or make one with ProblemBuilder")
    if options is not None:
        of_type(options, Options, "options of a backend")
    if given is None:
        return Oracle.of(problem, backend, options)
    known = of_type(given, Oracle, "an oracle").problem
    if known is not problem and (known.content_hash, known.presentation_hash) != (
        problem.content_hash,
        problem.presentation_hash,
    ):
        message = f"the oracle is for another problem, '{given.problem.name}', than '{problem.name}'"
        raise RequestError(Issue(Code.BAD_VALUE, message))
    return given


def make_rules(oracle: Oracle, settings: Settings, strategies: Strategies | None = None) -> Rules:
    given = Strategies() if strategies is None else of_type(strategies, Strategies, "strategies")
    problem = oracle.problem
    order = order_parts(problem, given.order or settings.order, generator_for(settings.seed, FOR_THE_ORDER))
    learner = given.learner or LEARNERS.make(settings.learner)
    select = given.select or SELECTIONS.make(settings.select)
    if settings.mode != "people":
        return Rules(problem, settings, order, oracle.features, learner, select)
    listing, residuals = Listing.shared(problem), Residuals.shared(problem)
    oracle.compiled.kept = (listing, residuals)  # so that the next person does not wait until parts are listed again
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


STARTS = ("declared", "random", "solver")
Start: TypeAlias = str | Mapping[str, Value]
"""`declared` in the problem, `random` feasible, the `solver`'s first, or a configuration."""

MAX_DRAWS = 200
"""Random configurations to try before one is built value by value."""


def initial_configuration(oracle: Oracle, start: Start | None, generator: np.random.Generator) -> Configuration:
    """A complete, feasible configuration. By default the declared one, or the solver's where none is declared."""
    problem = oracle.problem
    if start is None:
        start = "solver" if problem.initial_configuration is None else "declared"
    if not isinstance(start, str):
        return _checked(oracle, read_configuration(problem, start))
    check_start(problem, start)
    if start == "declared" and problem.initial_configuration is not None:
        return problem.initial_configuration
    return random_configuration(oracle, generator) if start == "random" else _completed(Completions(oracle))


def first_event(
    oracle: Oracle,
    settings: Settings,
    start: Start | None,
    weights: Vector | Sequence[float] | None,
    taste: Taste | None,
    at: float,
) -> Started:
    """What a log begins with: x^1 and w^1, by the taste where these are not given."""
    problem = oracle.problem
    if taste is not None:
        of_type(taste, Taste, "a taste", "what was kept as JSON is read with Taste.from_data").check()
    configuration = initial_configuration(oracle, start, generator_for(settings.seed, FOR_THE_START))
    remembered: Configuration = {}
    if taste is not None and start is None:
        configuration, remembered = taste.start_for(oracle, configuration)
    if taste is not None and weights is None:
        weights = taste.weights_for(problem)
    return Started(
        at=at,
        version=LOG_VERSION,
        problem=problem.name,
        problem_hash=problem.content_hash,
        settings=settings,
        configuration=configuration,
        weights=start_weights(problem, weights),
        deviations=[] if taste is None else taste.deviations_for(problem),
        remembered=remembered,
    )


def check_start(problem: Problem, start: str) -> None:
    """Refuse a start that there is not, or that this problem does not have; nothing is solved."""
    if start not in STARTS:
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"there is no start '{start:.60}'", suggest(start, STARTS)))
    if start == "declared" and problem.initial_configuration is None:
        hint = "declare one in the problem file (initial:), or start from 'random' or 'solver'"
        raise RequestError(Issue(Code.BAD_VALUE, f"problem '{problem.name}' declares no start", hint))


def random_configuration(oracle: Oracle, generator: np.random.Generator) -> Configuration:
    """A random feasible configuration, the same on every backend.

    Whole configurations are drawn first. If none of them is feasible, variables are fixed one by one in random
    order, each to the first of its values in random order that can still be completed: a fact, not a solver's
    choice. Of a whole number with many values one is drawn, and the nearest that can be completed is taken.
    """
    problem = oracle.problem
    for _ in range(MAX_DRAWS):
        drawn: Configuration = {}
        for variable in problem.variables:
            drawn[variable.name] = variable.values()[int(generator.integers(variable.size))]
        if not problem.constraints or assess(problem, drawn).feasible:
            return drawn
    fixed: Configuration = {}
    completions = Completions(oracle)
    completion = _completed(completions)
    names = [problem.variables[i].name for i in generator.permutation(len(problem.variables)).tolist()]
    for name in names:
        variable = problem.symbols.variables[name]
        if is_wide(variable):
            target = int(variable.values()[int(generator.integers(variable.size))])
            completion = completions.nearest(name, target, fixed, completion)
            fixed[name] = completion[name]
            continue
        values = variable.values()
        for position in generator.permutation(len(values)).tolist():
            value = values[position]
            if completion[name] != value:
                found = completions.complete({**fixed, name: value})
                if found is None:
                    continue
                completion = found
            fixed[name] = value
            break
    return {variable.name: fixed[variable.name] for variable in problem.variables}


def _completed(completions: Completions) -> Configuration:
    found = completions.complete({})
    if found is None:
        problem = completions.oracle.problem
        raise infeasible(completions.oracle, {}, f"problem '{problem.name}' has no feasible configuration")
    return found


def _checked(oracle: Oracle, configuration: Configuration) -> Configuration:
    broken = assess(oracle.problem, configuration).violated
    if broken:
        raise refusal(oracle, broken, "the configuration to start from is not allowed")
    return configuration
