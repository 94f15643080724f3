"""What to guess where nobody has spoken: three ways, and the one that was right more often guesses next.

- the belief: the best by what is believed of her weights. It extrapolates, so it is bold where little is known;
- her habits: what she has elsewhere in like places. It knows nothing of features, as her wishes may;
- as it was at the start: what a plain form would show.

Each answer that says how a part is to be tells of every way how many values it would have got right. What is measured is
by how many it beats the start; a way that changed things and was no better than that does not guess.

Habits take the alternative whose values she has most often: in all of an array, or where the indices are the same but for
those of the part, each as far as it would have told her values beforehand.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from pcl_core.alternatives.listing import Alternatives
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.names import split_name

if TYPE_CHECKING:
    from pcl_core.elicitation.people import PeopleRules
    from pcl_core.elicitation.state import State

Way: TypeAlias = Literal["belief", "habits", "start"]
WAYS: tuple[Way, ...] = get_args(Way)
"""In the order in which they are tried."""
Scores: TypeAlias = npt.NDArray[np.float64]
Like: TypeAlias = tuple[str, Sequence[Value]]
"""Places are alike if they are of one array and have the same values."""

EVEN, SAME_INDEX = 8.0, 2.0
"""So many values speak for habits as much as all values alike do, and for the same indices as much as all of an array does."""
MOST_EVIDENCE = 30.0
MOVE = 1e-3
"""What a change must promise at the least."""


class Tally(NamedTuple):
    """How a way of guessing did so far."""

    gain: int = 0
    """how many values more than the start it got right"""
    tried: int = 0
    """how many values it guessed otherwise than the start has them"""


NOTHING = Tally()


def leading(record: Mapping[str, Tally]) -> Way:
    """The way that got most right; of equal ones one that has not been tried, and else the start."""

    def merit(way: Way) -> tuple[int, bool]:
        tally = record.get(way, NOTHING)
        return tally.gain, way != "start" and not tally.tried

    best = max(WAYS, key=merit)
    return best if merit(best) > (0, False) else "start"


def refuse_strange(guesses: Mapping[str, Mapping[str, Value]], variables: Collection[str]) -> None:
    """Guesses are about variables of the part in question, all of them ones that the start has; else a ValueError."""
    first = guesses.get("start", {})
    for name in (name for values in guesses.values() for name in values):
        if name not in variables or name not in first:
            raise ValueError(f"'{name:.80}' cannot be guessed here")


def measured(
    record: Mapping[str, Tally], guesses: Mapping[str, Mapping[str, Value]], wanted: Mapping[str, Value]
) -> dict[str, Tally]:
    """The record with one more part of which she said how it is to be."""
    first = guesses.get("start", {})
    found = dict(record)
    for way, values in guesses.items():
        changed = [name for name, value in values.items() if first[name] != value]
        gain = sum((values[name] == wanted[name]) - (first[name] == wanted[name]) for name in changed)
        before = record.get(way, NOTHING)
        found[way] = Tally(before.gain + gain, before.tried + len(changed))
    return found


class Habits:
    """What she has in which places."""

    def __init__(self, rules: "PeopleRules", state: "State") -> None:
        self.rules, self.first = rules, state.first
        self.seen: defaultdict[Like, Counter[Value]] = defaultdict(Counter)
        self.seen_there: defaultdict[tuple[Like, tuple[str, ...]], Counter[Value]] = defaultdict(Counter)
        for name, value in _hers(rules, state).items():
            self.seen[self._kind(name)][value] += 1
            self.seen_there[self._kind(name), rules.places[name]][value] += 1

    def right(self, found: Alternatives) -> Scores:
        """How many values of each alternative are expected to be right."""
        scores = np.zeros(len(found))
        for column, variable in enumerate(found.variables):
            scores += self._probable(variable.name)[found.places[:, column]]
        return scores - MOVE * found.changes(self.first)

    def _probable(self, name: str) -> Scores:
        """How probable each value of a variable is."""
        kind = self._kind(name)
        everywhere, there, values = self.seen[kind], self.seen_there[kind, self.rules.places[name]], kind[1]
        like = _shares(everywhere, values, np.full(len(values), 1 / len(values)), EVEN)
        return like + self.index_tells * (_shares(there, values, like, SAME_INDEX) - like)

    @cached_property
    def index_tells(self) -> float:
        """How probable it is that the same indices tell more than the whole array: by each of her values from the others."""
        evidence = 0.0
        for (kind, _), there in self.seen_there.items():
            everywhere, size = self.seen[kind], len(kind[1])
            for value, count in there.items():
                coarse = (everywhere[value] - 1 + EVEN / size) / (everywhere.total() - 1 + EVEN)
                fine = (count - 1 + SAME_INDEX * coarse) / (there.total() - 1 + SAME_INDEX)
                evidence += count * math.log(fine / coarse)
        return 1.0 / (1.0 + math.exp(-max(-MOST_EVIDENCE, min(MOST_EVIDENCE, evidence))))

    def _kind(self, name: str) -> Like:
        return split_name(name)[0], self.rules.problem.symbols.variables[name].values()


def _shares(seen: Counter[Value], values: Sequence[Value], expected: Scores, weight: float) -> Scores:
    counts = np.array([seen[value] for value in values], dtype=np.float64)
    return np.asarray((counts + weight * expected) / (counts.sum() + weight))


def _hers(rules: "PeopleRules", state: "State") -> Configuration:
    """What stands as she typed it, and what she confirmed where there was a choice."""
    standing = state.configuration
    hers = {name: value for name, value in state.typed.items() if standing[name] == value}
    for part in range(len(rules.problem.parts)):
        if not rules.is_as_confirmed(state, part):
            continue
        found = rules.alternatives(state, part)
        if found is not None and len(found):
            chosen = (found.places != found.places[0]).any(axis=0).tolist()
            own = [variable.name for variable, free in zip(found.variables, chosen, strict=True) if free]
            hers |= {name: standing[name] for name in own}
    return hers
