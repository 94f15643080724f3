"""What to guess where nobody has spoken: three ways, and the one that was right more often guesses next.

- the belief: the best by what is believed of her weights. It extrapolates, so it is bold where little is known;
- her habits: what she has elsewhere in like places. It knows nothing of features, as her wishes may;
- as it was at the start: what a plain form would show.

Each answer that says how a part is to be tells of every way how many values it would have got right. What is measured is
by how many it beats the start; a way that changed things and was no better than that does not guess.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
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


def like_elsewhere(rules: "PeopleRules", state: "State", found: Alternatives) -> Scores:
    """For each alternative to a part how often its values stand in like places that are as she wants them.

    Places are alike if they are of one array and have the same values; where there was no choice, nobody made one.
    """
    seen: dict[tuple[str, Sequence[Value]], Counter[Value]] = defaultdict(Counter)
    for name, value in _hers(rules, state).items():
        seen[_kind(rules, name)][value] += 1
    scores = np.zeros(len(found))
    for column, variable in enumerate(found.variables):
        often = seen.get(_kind(rules, variable.name))
        if often is not None:
            counts = np.array([often[value] for value in variable.values()], dtype=np.float64)
            scores += counts[found.places[:, column]]
    return scores


def _kind(rules: "PeopleRules", name: str) -> tuple[str, Sequence[Value]]:
    return split_name(name)[0], rules.problem.symbols.variables[name].values()


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
