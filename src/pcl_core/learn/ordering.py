"""Orders of the parts. An order decides which part accounts for a shared feature (J_k, Eq. 3).

A plug-in point: entry-point group `pcl.orderings`, each an `Ordering`.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

import numpy as np

from pcl_core import plugins
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model.problem import Problem
from pcl_core.plugins import Examined, Group, Plugin

Ordering: TypeAlias = Callable[[Problem, np.random.Generator], Sequence[int]]


def by_degree(problem: Problem, _: np.random.Generator) -> tuple[int, ...]:
    """Algorithm 1: ascending degree in the GAI network; parts of equal degree stay in declared order."""
    degrees = problem.structure.degrees
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


COMMA_OUTSIDE_BRACKETS = re.compile(r",\s*(?![^\[]*\])")


def order_parts(problem: Problem, order: str | Ordering, generator: np.random.Generator) -> tuple[int, ...]:
    """The positions of the parts in a named order, or in an explicit one: `thu,mon,...` lists all parts."""
    if not isinstance(order, str):
        return _complete(problem, order(problem, generator), "the order")
    text = order
    if text in ORDERINGS:
        return tuple(ORDERINGS[text](problem, generator))
    plugin = plugins.find(Group.ORDERINGS, text, ORDERINGS)
    if plugin is not None:
        return _by_plugin(problem, plugin, generator)
    names = COMMA_OUTSIDE_BRACKETS.split(text)
    if len(names) == 1 and len(problem.parts) > 1:
        message = f"there is no order '{text:.60}'; an order has a name, or lists all parts, separated by commas"
        raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(text, ordering_names())))
    return _complete(problem, tuple(problem.part_position(name.strip()) for name in names), "this order")


def ordering_names() -> tuple[str, ...]:
    return (*ORDERINGS, *plugins.names(Group.ORDERINGS, ORDERINGS))


def examine_orderings() -> tuple[Examined[Ordering], ...]:
    """What other packages add; what is broken has the reason."""
    return plugins.examine(Group.ORDERINGS, _loaded, ORDERINGS)


def _loaded(plugin: Plugin) -> Ordering:
    found = plugins.load(plugin)
    if not plugins.takes(found, 2):
        raise plugins.broken(plugin, "it cannot be called with a problem and a generator")
    return cast(Ordering, found)


def _by_plugin(problem: Problem, plugin: Plugin, generator: np.random.Generator) -> tuple[int, ...]:
    ordering = _loaded(plugin)
    return plugins.guarded(
        plugin, lambda: _complete(problem, ordering(problem, generator), f"the order '{plugin.name}'")
    )


def _complete(problem: Problem, found: Sequence[int], subject: str) -> tuple[int, ...]:
    order = tuple(int(position) for position in found)
    missing = [part.name for position, part in enumerate(problem.parts) if position not in order]
    if missing or len(order) != len(problem.parts):
        message = f"{subject} must list every part exactly once"
        hint = f"'{missing[0]}' is missing" if missing else "a part stands in it twice"
        raise RequestError(Issue(Code.BAD_VALUE, message, hint))
    return order
