"""SelectPart of Algorithm 2: which part to ask about next. Each strategy is a pure function of what is known."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from pydantic import NonNegativeFloat

from pcl_core.learn.contract import Belief
from pcl_core.learn.plugins import Registry, Strategy
from pcl_core.learn.stopping import Standing
from pcl_core.plugins import Group


@dataclass(frozen=True)
class Situation:
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
                return parts[0] if len(parts) == 1 else max(parts, key=situation.expected)
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
