"""Small problems with all their configurations, judged by the reference evaluator in exact arithmetic."""

import itertools
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from pcl_core import Configuration, Problem, Value, assess
from pcl_core.ir.numbers import to_exact
from pcl_core.testing import all_configurations, random_problem


class Space:
    """A random problem, and a person who likes its features with whole weights."""

    def __init__(self, seed: int) -> None:
        self.problem: Problem = random_problem(seed)
        self.allowed: list[Configuration] = []
        self._features: dict[tuple[Value, ...], tuple[Fraction, ...]] = {}
        for x in all_configurations(self.problem):
            found = assess(self.problem, x)
            if found.feasible:
                self.allowed.append(x)
                self._features[tuple(x.values())] = tuple(Fraction(to_exact(value)) for value in found.features)

    def features(self, x: Mapping[str, Value]) -> tuple[Fraction, ...]:
        """φ(x) of a feasible configuration"""
        return self._features[tuple(x[variable.name] for variable in self.problem.variables)]

    def beside(self, part: int, x: Configuration, fixed: Mapping[str, Value]) -> list[Configuration]:
        """All feasible configurations that differ from x in one part alone and keep what is fixed there."""
        own = self.problem.parts[part].variables
        return [
            y
            for y in self.allowed
            if all(y[name] == value for name, value in x.items() if name not in own or name in fixed)
        ]


@cache
def spaces(count: int) -> tuple[tuple[int, Space], ...]:
    """Random problems, with their seeds, in which at least two configurations are feasible."""
    found: list[tuple[int, Space]] = []
    for seed in itertools.count():
        space = Space(seed)
        if len(space.allowed) > 1:
            found.append((seed, space))
        if len(found) == count:
            return tuple(found)
    raise AssertionError("there are always more")
