"""Which part to ask about next (SelectPart of Algorithm 2), and in which order parts account for features.

Each strategy is a pure function of what is known. An order decides which part accounts for a shared feature (J_k, Eq. 3).
Both are plug-in points: entry-point groups `pcl.selections`, each a `Selection`, and `pcl.orderings`, each an `Ordering`.
"""

import math
import re
from collections.abc import Callable, Sequence
from heapq import nsmallest
from typing import NamedTuple, Protocol, TypeAlias, cast

import numpy as np
from pydantic import NonNegativeFloat

from pcl_core import plugins
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.learn.contract import Belief
from pcl_core.learn.plugins import Registry, Strategy, refuse_own_file
from pcl_core.learn.stopping import Standing
from pcl_core.model.problem import Problem
from pcl_core.plugins import Examined, Group, OwnFile, Plugin


class Situation(NamedTuple):
    """What a selection may look at; lists have an entry for each part, by position."""

    candidates: tuple[int, ...]
    """The positions of the parts that may be asked, ascending; lists below have an entry for every part."""
    order: tuple[int, ...]
    """The candidates in the order that J_k follows."""
    own: tuple[int, ...]
    """|I_k|"""
    ignored: tuple[int, ...]
    """|I_k \\ J_k|: the features of a part that its own inference ignores."""
    shared: tuple[int, ...]
    """How many features of a part depend on other parts as well."""
    asked: tuple[int, ...]
    """How often each part was asked about."""
    gained: tuple[float, ...]
    """Σ |φ_I(x̂) − φ_I(x)| over the answers of each part. Times |w*| it bounds the gain in utility."""
    largest: float
    """The largest single term of those sums."""
    generator: np.random.Generator
    """The query's own."""
    standing: tuple[Standing, ...]
    belief: Belief
    """What is believed of the person's weights."""
    expected: Callable[[int], float]
    """By how much a part's best is expected to beat its proposal: E max wᵀφ(x′) − wᵀφ(x). Each call solves; a belief
    without samples expects nothing."""


class Selection(Protocol):
    """A plug-in point: entry-point group `pcl.selections`."""

    def __call__(self, situation: Situation) -> int:
        """The position of the part to ask about."""
        ...


LOOKED_AT = 48
"""Of more parts than this not every one is looked at before each query: a person would wait for what she cannot see."""
SCATTER = 2654435761
"""A multiplier that is prime and near the golden section of 2^32, so that neighbours come far apart."""


def looked_at(parts: Sequence[int], most: int = LOOKED_AT) -> list[int]:
    """Of very many parts some, scattered over all; they stay the same for as long as they are among the parts."""
    if len(parts) <= most:
        return list(parts)
    chosen = frozenset(nsmallest(most, parts, key=lambda part: part * SCATTER % 2**32))
    return [part for part in parts if part in chosen]


def _least_asked(situation: Situation, key: Callable[[int], float]) -> int:
    """Passes over all parts; within a pass by ascending key, then in the order of the parts."""
    return min(situation.order, key=lambda part: (situation.asked[part], key(part)))


class AtRandom(Strategy):
    """any part, each with the same probability"""

    def __call__(self, situation: Situation) -> int:
        return situation.candidates[int(situation.generator.integers(len(situation.candidates)))]


class RoundRobin(Strategy):
    """all parts in turn, as the problem lists them"""

    def __call__(self, situation: Situation) -> int:
        return _least_asked(situation, float)


class InOrder(Strategy):
    """all parts in turn, in the order that the decomposition follows"""

    def __call__(self, situation: Situation) -> int:
        return _least_asked(situation, lambda part: 0.0)


class SmallestFirst(Strategy):
    """all parts in turn, the most independent first: fewest features shared with other parts, then fewest features"""

    def __call__(self, situation: Situation) -> int:
        return _least_asked(situation, lambda part: situation.shared[part] + situation.own[part] / 1e9)


class LargestOverlap(Strategy):
    """all parts in turn, those that ignore most features (|I_k \\ J_k|) first"""

    def __call__(self, situation: Situation) -> int:
        return _least_asked(situation, lambda part: -situation.ignored[part])


class Ucb1(Strategy):
    """a bandit: parts whose answers changed the features most, plus a bonus for those rarely asked"""

    exploration: NonNegativeFloat = math.sqrt(2.0)

    def __call__(self, situation: Situation) -> int:
        untried = [part for part in situation.order if situation.asked[part] == 0]
        if untried:
            return untried[0]
        total = math.log(sum(situation.asked))
        scale = situation.largest or 1.0  # UCB1 wants rewards from 0 to 1

        def index(part: int) -> float:
            times = situation.asked[part]
            return situation.gained[part] / (times * scale) + self.exploration * math.sqrt(total / times)

        return max(situation.order, key=index)


class Expected(Strategy):
    """parts that are not confirmed as they stand, new ones first; of these the one with the largest expected improvement

    With `first_round` the parts come as the problem lists them, for as long as she says of each at once how she wants it:
    her wishes may depend on what is before. Who improves step by step is asked where most can be gained.
    """

    first_round: bool = False

    def __call__(self, situation: Situation) -> int:
        fresh = [part for part in situation.candidates if not situation.asked[part]]
        left = any(asked and found == "new" for asked, found in zip(situation.asked, situation.standing, strict=True))
        if self.first_round and fresh and not left:
            return fresh[0]
        for standing in ("new", "open"):
            parts = [part for part in situation.order if situation.standing[part] == standing]
            if parts:
                return parts[0] if len(parts) == 1 else max(looked_at(parts), key=situation.expected)
        return _least_asked(situation, lambda part: 0.0)


SELECTIONS: Registry[Selection] = Registry(
    "selection",
    Group.SELECTIONS,
    {
        "random": AtRandom,
        "round-robin": RoundRobin,
        "in-order": InOrder,
        "smallest": SmallestFirst,
        "overlap": LargestOverlap,
        "ucb1": Ucb1,
        "expected": Expected,
    },
    {"__call__": 1},
)


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


def order_parts(problem: Problem, order: str | OwnFile | Ordering, generator: np.random.Generator) -> tuple[int, ...]:
    """The positions of the parts in a named order, or in an explicit one: `thu,mon,...` lists all parts."""
    if isinstance(order, OwnFile):
        if order.options:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, f"an order has no options, and '{order}' gives some"))
        return _by_plugin(problem, Plugin.in_file(Group.ORDERINGS, order), generator)
    if not isinstance(order, str):
        return _complete(problem, order(problem, generator), "the order")
    text = order
    if text in ORDERINGS:
        return tuple(ORDERINGS[text](problem, generator))
    refuse_own_file("order", text)
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
