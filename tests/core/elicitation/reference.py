"""Algorithm 2 and its vocabulary in plain Python: enumeration and fractions, nothing of the code under test."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from pcl_core import Configuration, Problem, assess, parse_authored
from pcl_core.testing import all_configurations, random_problem

TINY = parse_authored("""
pcl: 1
name: tiny
variables: {a: {domain: bool}, b: {domain: bool}}
features: [{name: f0, value: a}, {name: f1, value: b}, {name: f2, value: a == b}]
parts: [{name: A, variables: [a]}, {name: B, variables: [b]}]
initial: [{set: a, to: false}, {set: b, to: true}]
""")

Weights = list[Fraction]


class Space:
    """All feasible configurations of a small problem with their exact features."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.names = [variable.name for variable in problem.variables]
        self.features: dict[tuple[object, ...], tuple[Fraction, ...]] = {}
        for x in all_configurations(problem):
            found = assess(problem, x)
            if found.feasible:
                self.features[self.key(x)] = tuple(Fraction(value) for value in found.features)
        mentioned = [problem.symbols.free_variables(feature.value) for feature in problem.features]
        self.own = [[i for i, names in enumerate(mentioned) if names & set(part.variables)] for part in problem.parts]

    def key(self, x: Configuration) -> tuple[object, ...]:
        return tuple(x[name] for name in self.names)

    def allowed(self, x: Configuration) -> bool:
        return self.key(x) in self.features

    def phi(self, x: Configuration) -> tuple[Fraction, ...]:
        return self.features[self.key(x)]

    def all(self) -> Iterator[Configuration]:
        for key in self.features:
            yield dict(zip(self.names, key, strict=True))  # type: ignore[arg-type]

    def options(self, x: Configuration, part: int, fixed: Configuration | None = None) -> list[Configuration]:
        """X_p in the context of x: every feasible x_p ∘ x_p̄."""
        names = self.problem.parts[part].variables
        domains = [
            (fixed[name],) if fixed and name in fixed else self.problem.symbols.variables[name].values()
            for name in names
        ]
        found = ({**x, **dict(zip(names, values, strict=True))} for values in product(*domains))
        return [option for option in found if self.allowed(option)]

    def utility(self, weights: Sequence[Fraction], x: Configuration, features: Sequence[int] | None = None) -> Fraction:
        phi = self.phi(x)
        return sum((weights[i] * phi[i] for i in (range(len(phi)) if features is None else features)), Fraction(0))

    def best(self, weights: Sequence[Fraction], x: Configuration, part: int) -> Fraction:
        """max u[I_p] in the context of x"""
        return max(self.utility(weights, option, self.own[part]) for option in self.options(x, part))

    def regret(self, weights: Sequence[Fraction], x: Configuration, part: int) -> Fraction:
        """CREG"""
        return self.best(weights, x, part) - self.utility(weights, x, self.own[part])

    def is_local_optimum(self, weights: Sequence[Fraction], x: Configuration) -> bool:
        return all(self.regret(weights, x, part) == 0 for part in range(len(self.problem.parts)))

    def decomposition(self, order: Sequence[int]) -> list[list[int]]:
        """J_k, by part."""
        found: list[list[int]] = [[] for _ in order]
        for rank, part in enumerate(order):
            later = {i for after in order[rank + 1 :] for i in self.own[after]}
            found[part] = [i for i in self.own[part] if i not in later]
        return found


@dataclass
class Reference:
    """Algorithm 2, with x and w as they are after each line of it."""

    space: Space
    order: Sequence[int]
    weights: Weights
    x: Configuration
    keeps: bool

    def proposals(self, part: int) -> list[Configuration]:
        """The argmax set over J in the context of x."""
        subset = self.space.decomposition(self.order)[part]
        options = self.space.options(self.x, part)
        best = max(self.space.utility(self.weights, option, subset) for option in options)
        return [option for option in options if self.space.utility(self.weights, option, subset) == best]

    def improve(self, part: int, improved: Configuration) -> str:
        """The last lines of the loop; x is the proposal already. Says which branch was taken."""
        if improved == self.x:
            return "none"
        own, subset = self.space.own[part], self.space.decomposition(self.order)[part]
        gain = self.space.utility(self.weights, improved, own) - self.space.utility(self.weights, self.x, own)
        before, after = self.space.phi(self.x), self.space.phi(improved)
        for i in own if gain <= 0 else subset:
            self.weights[i] += after[i] - before[i]
        if self.keeps:
            self.x = improved
        return "I" if gain <= 0 else "J"


@cache
def small_space(seed: int, decimals: bool = False) -> Space:
    return Space(random_problem(seed, max_configurations=200, decimals=decimals))


def spaces(count: int, *, tied: bool | None = None, first: int = 0) -> list[Space]:
    """Small random problems with several parts and something feasible; tied: with constraints across parts, or without."""
    found: list[Space] = []
    seed = first
    while len(found) < count:
        space = small_space(seed)
        seed += 1
        problem = space.problem
        where = problem.structure.part_of_variable
        across = any(
            len({where[name] for name in problem.symbols.free_variables(c.require)}) > 1 for c in problem.constraints
        )
        if len(problem.parts) > 1 and space.features and tied in (None, across):
            found.append(space)
    return found


def pick(space: Space, random: Random) -> Configuration:
    """Any feasible configuration."""
    return random.choice(list(space.all()))
