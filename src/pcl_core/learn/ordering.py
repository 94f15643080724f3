"""Orders of the parts. An order decides which part accounts for a shared feature (J_k, Eq. 3)."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model.gai import part_degrees
from pcl_core.model.problem import Problem

Ordering: TypeAlias = Callable[[Problem, np.random.Generator], tuple[int, ...]]


def by_degree(problem: Problem, _: np.random.Generator) -> tuple[int, ...]:
    """Algorithm 1: ascending degree in the GAI network; parts of equal degree stay in declared order."""
    degrees = part_degrees(problem)
    return tuple(sorted(range(len(problem.parts)), key=degrees.__getitem__))


def declared(problem: Problem, _: np.random.Generator) -> tuple[int, ...]:
    """The order in which the problem lists its parts."""
    return tuple(range(len(problem.parts)))


def reverse_declared(problem: Problem, _: np.random.Generator) -> tuple[int, ...]:
    """The declared order from the end."""
    return tuple(reversed(range(len(problem.parts))))


def at_random(problem: Problem, generator: np.random.Generator) -> tuple[int, ...]:
    """A random order."""
    return tuple(int(part) for part in generator.permutation(len(problem.parts)))


ORDERINGS: dict[str, Ordering] = {
    "degree": by_degree,
    "declared": declared,
    "reversed": reverse_declared,
    "random": at_random,
}


def order_parts(problem: Problem, name: str, generator: np.random.Generator) -> tuple[int, ...]:
    """The positions of the parts in the named order."""
    if name not in ORDERINGS:
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"there is no order '{name:.60}'", suggest(name, ORDERINGS)))
    return ORDERINGS[name](problem, generator)
