"""Wishes of people who want something definite. They are about values, not about the features that an author wrote.

A wish is broken by so many steps, 0 where it is fulfilled; a person takes the alternative that breaks her wishes least.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pcl_core.alternatives.listing import Alternatives
from pcl_core.ir.domains import Value
from pcl_core.ir.make import compare, conjunction, count
from pcl_core.ir.nodes import Node, Var
from pcl_core.ir.vector import Integers
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Constraint
from pcl_core.model.own_rules import has_one_of
from pcl_core.model.problem import Problem


class Wish(Protocol):
    """Something that a person wants of a configuration."""

    @property
    def variables(self) -> Collection[str]:
        """What it is about."""
        ...

    def broken(self, configuration: Mapping[str, Value]) -> int:
        """By how much a complete configuration fails it."""
        ...

    def broken_by(self, alternatives: Alternatives, configuration: Mapping[str, Value]) -> Integers:
        """By how much each alternative for a part of the configuration would."""
        ...

    def required(self, problem: Problem) -> Node:
        """The wish as a constraint of a problem."""
        ...


@dataclass(frozen=True)
class CountWish:
    """Between `least` and `most` of the variables have one of the values listed for them."""

    wanted: Mapping[str, frozenset[Value]]
    least: int
    most: int

    @property
    def variables(self) -> Collection[str]:
        return self.wanted.keys()

    def broken(self, configuration: Mapping[str, Value]) -> int:
        found = sum(configuration[name] in values for name, values in self.wanted.items())
        return max(0, self.least - found, found - self.most)

    def broken_by(self, alternatives: Alternatives, configuration: Mapping[str, Value]) -> Integers:
        own = {variable.name for variable in alternatives.variables}
        elsewhere = sum(configuration[name] in values for name, values in self.wanted.items() if name not in own)
        found = np.full(len(alternatives), elsewhere, dtype=np.int64)
        for at, variable in enumerate(alternatives.variables):
            if variable.name in self.wanted:
                fits = np.array([value in self.wanted[variable.name] for value in variable.values()])
                found += fits[alternatives.positions[:, at]]
        return np.maximum(0, np.maximum(self.least - found, found - self.most))

    def required(self, problem: Problem) -> Node:
        held = count([has_one_of(problem, name, _listed(problem, name, it)) for name, it in self.wanted.items()])
        return conjunction([compare(held, ">=", self.least), compare(held, "<=", self.most)])


@dataclass(frozen=True)
class PairWish:
    """Two variables have the same value, or have not."""

    first: str
    second: str
    same: bool

    @property
    def variables(self) -> Collection[str]:
        return (self.first, self.second)

    def broken(self, configuration: Mapping[str, Value]) -> int:
        return int((configuration[self.first] == configuration[self.second]) is not self.same)

    def broken_by(self, alternatives: Alternatives, configuration: Mapping[str, Value]) -> Integers:
        first, second = (_values(name, alternatives, configuration) for name in self.variables)
        return np.asarray((first == second) != self.same, dtype=np.int64)

    def required(self, problem: Problem) -> Node:
        return compare(Var(name=self.first), "==" if self.same else "!=", Var(name=self.second))


def exactly(values: Mapping[str, Value]) -> CountWish:
    """These values and no others."""
    return CountWish({name: frozenset((value,)) for name, value in values.items()}, len(values), len(values))


def never(variables: Iterable[str], *values: Value) -> CountWish:
    return at_most(0, variables, *values)


def always(variables: Iterable[str], *values: Value) -> CountWish:
    names = list(variables)
    return at_least(len(names), names, *values)


def at_most(most: int, variables: Iterable[str], *values: Value) -> CountWish:
    return CountWish({name: frozenset(values) for name in variables}, 0, most)


def at_least(least: int, variables: Iterable[str], *values: Value) -> CountWish:
    names = list(variables)
    return CountWish({name: frozenset(values) for name in names}, least, len(names))


def all_fulfilled(wishes: Iterable[Wish], configuration: Configuration) -> bool:
    return not any(wish.broken(configuration) for wish in wishes)


def as_wished(problem: Problem, wishes: Iterable[Wish]) -> Problem:
    """The problem with all wishes among its constraints."""
    further = [Constraint(name=f"wish {at}", require=wish.required(problem)) for at, wish in enumerate(wishes)]
    return problem.replace(constraints=(*problem.constraints, *further), initial=None)


def _listed(problem: Problem, name: str, values: Collection[Value]) -> list[Value]:
    return [value for value in problem.symbols.variables[name].values() if value in values]


def _values(
    name: str, alternatives: Alternatives, configuration: Mapping[str, Value]
) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    for at, variable in enumerate(alternatives.variables):
        if variable.name == name:
            domain = np.array(variable.values(), dtype=np.object_)
            return np.asarray(domain[alternatives.positions[:, at]], dtype=np.object_)
    return np.full(len(alternatives), configuration[name], dtype=np.object_)
