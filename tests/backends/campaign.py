"""Random requests, and what is false about an answer to one of them; the judge is the reference evaluator, in fractions."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from pcl_core import Configuration, Oracle, PclError, Problem, Solution, assess
from pcl_core.ir.domains import Value
from pcl_core.solve.protocol import Backend, BackendContractError, Sense, Status
from pcl_core.solve.registry import get_backend
from pcl_core.testing import NUMBERS, Numbers, random_configuration, random_problem

BACKENDS = ("table", "cpsat", "auto", "pulp", "pulp:highs", "cvxpy", "cvxpy:scip", "cvxpy:scipy")
MAX_CONFIGURATIONS = 300


@dataclass(frozen=True)
class Asked:
    """A request, and the exact utility of everything that is allowed without its floor."""

    problem: Problem
    numbers: Numbers
    weights: tuple[float, ...]
    variables: tuple[str, ...]
    given: Configuration
    sense: Sense
    floor: float | None
    fixed: dict[str, Value]
    incumbent: Configuration | None
    allowed: tuple[Fraction, ...]

    def utility(self, configuration: Configuration) -> Fraction:
        return _utility(self.problem, self.weights, configuration)


@cache
def backend_named(name: str) -> Backend:
    """Kept for all problems: some of them start a process."""
    return get_backend(name)


def draw(seed: int) -> Asked:
    """The request with this number: whole problem or part, both senses, floors, incumbents, fixed variables."""
    random = Random(seed)
    numbers = NUMBERS[seed % len(NUMBERS)]
    problem = random_problem(seed, max_configurations=MAX_CONFIGURATIONS, numbers=numbers)
    weights = tuple(_weights(random, len(problem.features)))
    given = random_configuration(problem, random)
    part = random.choice((None, *problem.parts))
    variables = tuple(problem.symbols.variables) if part is None else part.variables
    pinned = random.sample(variables, 1) if random.random() < 0.3 else []
    fixed = {name: random.choice(problem.symbols.variables[name].values()) for name in pinned}
    allowed = _allowed(problem, variables, given, fixed)
    utilities = tuple(_utility(problem, weights, configuration) for configuration in allowed)
    incumbent = random.choice(allowed) if allowed and random.random() < 0.5 else None
    floor = _floor(random, utilities) if random.random() < 0.6 else None
    sense: Sense = random.choice(("max", "min"))
    return Asked(problem, numbers, weights, variables, given, sense, floor, fixed, incumbent, utilities)


def _weights(random: Random, count: int) -> list[float]:
    sorts: dict[str, Callable[[], float]] = {
        "whole": lambda: float(random.randint(-9, 9)),
        "large": lambda: float(random.randint(-1, 1) * 10 ** random.randint(0, 9) + random.randint(-2, 2)),
        "decimal": lambda: random.randint(-50, 50) / 10 ** random.randint(0, 6),
        "normal": lambda: random.gauss(0, 1),
    }
    sort = random.choice((*sorts, "all"))
    chosen = [sort] * count if sort in sorts else [random.choice(list(sorts)) for _ in range(count)]
    return [sorts[each]() for each in chosen]


def _floor(random: Random, utilities: tuple[Fraction, ...]) -> float:
    """Often one that is just attained, or just missed."""
    if not utilities or random.random() < 0.2:
        return float(random.randint(-20, 20))
    near = random.choice((random.choice(utilities), max(utilities)))
    return float(near + random.choice((0, 0, 1, -1, Fraction(1, 1000))))


def _allowed(
    problem: Problem, variables: tuple[str, ...], given: Configuration, fixed: dict[str, Value]
) -> list[Configuration]:
    touching = {problem.constraints[index].name for index in problem.constraints_on(set(variables))}
    domains = [
        (fixed[v.name],) if v.name in fixed else v.values() if v.name in variables else (given[v.name],)
        for v in problem.variables
    ]
    names = [variable.name for variable in problem.variables]
    everything = (dict(zip(names, values, strict=True)) for values in product(*domains))
    return [x for x in everything if not touching.intersection(assess(problem, x).violated)]


def exact(number: float) -> Fraction:
    """A float means its shortest decimal text."""
    return Fraction(repr(number))


def _utility(problem: Problem, weights: tuple[float, ...], configuration: Configuration) -> Fraction:
    values = assess(problem, configuration).features
    return sum((exact(w) * Fraction(value) for w, value in zip(weights, values, strict=True)), Fraction(0))


def ask(asked: Asked, backend: str) -> Solution | PclError:
    oracle = Oracle(asked.problem, backend_named(backend))
    try:
        return oracle.solve(
            asked.weights,
            variables=asked.variables,
            given=asked.given,
            sense=asked.sense,
            floor=asked.floor,
            fixed=asked.fixed,
            incumbent=asked.incumbent,
        )
    except PclError as error:
        return error


def false_statement(asked: Asked, found: Solution | PclError) -> str | None:
    """What is not true about an answer. A refusal is no statement about the problem."""
    if isinstance(found, BackendContractError):
        return f"breaks its contract: {found}"
    if isinstance(found, PclError):
        return None
    sign = 1 if asked.sense == "max" else -1
    rounding = Fraction(getattr(found, "rounding", 0.0))
    # Floors and bounds are floats; where weights are not whole, utilities next to them fall to either side.
    whole = all(weight == int(weight) for weight in asked.weights)
    slack = rounding if whole else rounding + Fraction(1, 10**12) * max(map(abs, asked.allowed), default=Fraction(0))
    floor = None if asked.floor is None else exact(asked.floor)
    surely = [u for u in asked.allowed if floor is None or u >= floor + slack]
    perhaps = [u for u in asked.allowed if floor is None or u >= floor - slack]
    if found.status is Status.INFEASIBLE:
        return f"infeasible, but {len(surely)} are allowed" if surely else None
    if found.status is not Status.OPTIMAL or found.configuration is None:
        return f"{found.status} ({found.reason}) without a limit"
    utility = asked.utility(found.configuration)
    if utility not in perhaps:
        return f"a configuration with {float(utility)} is not among what is allowed"
    best = max((sign * u for u in surely), default=sign * utility)
    if sign * utility < best - slack:
        return f"optimal at {float(utility)}, but there is {float(sign * best)}"
    if found.bound is None or sign * Fraction(found.bound) < best - slack - abs(best) * Fraction(1, 2**52):
        return f"the bound is {found.bound}, but there is {float(sign * best)}"
    return None
