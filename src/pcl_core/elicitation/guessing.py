"""What to guess where nobody has spoken: four pictures of a person, each believed as far as it foretold what she said.

- `belief`: she wants what is best for her weights. A value is as probable as it is in the best of weights that she may have;
- `habits`: she wants what she has elsewhere in like places. It knows nothing of features, as her wishes may;
- `start`: she wants most of what was there at first, which is what a plain form would show;
- `content`: she has something against a few values, and what she has nothing against may stay.

Each says how probable a value is: P_m(v). Where she says how a part is to be, what each of them foretold is the sum of
log P_m over its values, or for `content` of whether what she was shown could stay. It is added up, and counts by half,
since the values of a part are not independent of each other: π_m ∝ exp(½ Σ log P_m). What is guessed next has the
most values that are expected to stay: argmax Σ_m π_m Σ_i P_m(x_i).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from pcl_core.alternatives.listing import Alternatives
from pcl_core.ir.coding import value_at
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.names import split_name

if TYPE_CHECKING:
    from pcl_core.elicitation.people import PeopleRules
    from pcl_core.elicitation.state import State

PictureName: TypeAlias = Literal["belief", "habits", "start", "content"]
PICTURES: tuple[PictureName, ...] = get_args(PictureName)
Scores: TypeAlias = npt.NDArray[np.float64]
Like: TypeAlias = tuple[str, Sequence[Value]]
"""Places are alike if they are of one array and have the same values."""

TOGETHER = 0.5
"""How much each of several values counts that were said together."""
UNFORESEEN = 0.2
"""How probable it is that she wants what is best for no weights: any value then."""
LIKES_FIRST, FIRST_COUNTS = 0.25, 3.0
"""How much likelier than by chance a value of the start is what she wants, before that is known; as much as so many values."""
FIRST_LEFT, FIRST_CHANGED, OTHER_LEFT, OTHER_CHANGED = 2.0, 1.0, 3.0, 1.0
"""As if she had left and changed so many before of values that she was shown, those of the start and others: who comes here
has something against the start."""
EVEN, SAME_INDEX = 8.0, 2.0
"""So many values speak for habits as much as all values alike do, and for the same indices as much as all of an array does."""
MOST_EVIDENCE = 30.0
LEAST_FORETOLD = -1e9
"""No part has so many values, and none is so improbable, that less could be foretold of one."""
MOVE = 1e-3
"""What a change must promise at the least."""


class Record(NamedTuple):
    """What is known of how she takes guesses."""

    foretold: Mapping[str, float] = MappingProxyType({})
    """For each picture the logarithm of how probable it made all that she said."""
    first: tuple[int, int] = (0, 0)
    """Values of the start that she was shown: how many she left and changed."""
    other: tuple[int, int] = (0, 0)
    """The same of other values."""

    def after(self, foretold: Mapping[str, float], first: Mapping[str, Value], said: Iterable["Reaction"]) -> "Record":
        """The record with one more part of which she said how it is to be."""
        told = {picture: self.foretold.get(picture, 0.0) + more for picture, more in foretold.items()}
        seen = Counter((first[name] == shown, shown == wanted) for name, shown, wanted in said)
        return Record(
            told,
            (self.first[0] + seen[True, True], self.first[1] + seen[True, False]),
            (self.other[0] + seen[False, True], self.other[1] + seen[False, False]),
        )


class Reaction(NamedTuple):
    """A value that she was shown where there was a choice, and what she has there now."""

    name: str
    shown: Value
    wanted: Value


def reactions(found: Alternatives, shown: Mapping[str, Value], wanted: Mapping[str, Value]) -> list[Reaction]:
    return [Reaction(name, shown[name], wanted[name]) for name in with_a_choice(found)]


def with_a_choice(found: Alternatives) -> list[str]:
    """The variables that have different values in some alternatives."""
    chosen = (found.positions != found.positions[:1]).any(axis=0).tolist()
    return [variable.name for variable, free in zip(found.variables, chosen, strict=True) if free]


def refuse_strange(guesses: Mapping[str, Mapping[str, Value]], variables: Collection[str]) -> None:
    """Guesses are about variables of the part in question; else a ValueError."""
    for name in (name for values in guesses.values() for name in values):
        if name not in variables:
            raise ValueError(f"'{name:.80}' cannot be guessed here")


def refuse_unknown(foretold: Mapping[str, float]) -> None:
    """All pictures foretell an answer, and what they foretell are logarithms of probabilities; else a ValueError."""
    if set(foretold) != set(PICTURES) or not all(LEAST_FORETOLD < told <= 0.0 for told in foretold.values()):
        raise ValueError("nobody can have foretold that")


class Choices(NamedTuple):
    """A variable of a part that has a choice there."""

    values: Sequence[Value]
    """Those that some alternative has."""
    which: npt.NDArray[np.intp]
    """For each alternative which of them it has."""
    probable: Mapping[PictureName, Scores]
    """P_m of each of them."""

    def of(self, picture: PictureName, value: Value) -> float:
        """P_m of a value; room that was made elsewhere may have allowed one that no alternative has."""
        if value not in self.values:
            return UNFORESEEN / len(self.values)
        return float(self.probable[picture][self.values.index(value)])


class Pictures:
    """How probable all that may stand in a part is, by each picture of her."""

    def __init__(
        self, found: Alternatives, first: Mapping[str, Value], habits: "Habits", best: Scores, record: Record
    ) -> None:
        """`best` is for each alternative how probable it is that none is better for her weights."""
        self._found, self._first, self._record = found, first, record
        free = with_a_choice(found)
        self._columns = {
            variable.name: self._column(at, variable, habits, best)
            for at, variable in enumerate(found.variables)
            if variable.name in free
        }

    def staying(self) -> Scores:
        """Σ_m π_m Σ_i P_m(x_i): how many values of each alternative are expected to stay."""
        scores = -MOVE * self._found.changes(self._first)
        believed = _believed(self._record.foretold)
        for column in self._columns.values():
            scores = scores + (believed @ np.stack([column.probable[picture] for picture in PICTURES]))[column.which]
        return np.asarray(scores)

    def foretold(self, said: Iterable[Reaction]) -> dict[str, float]:
        """For each picture, the logarithm of how probable it made what she wants of what she was shown."""
        told: dict[str, float] = dict.fromkeys(PICTURES, 0.0)
        for name, shown, wanted in said:
            column = self._columns[name]
            for picture in PICTURES[:-1]:
                told[picture] += math.log(column.of(picture, wanted))
            stays = column.of("content", shown)
            told["content"] += math.log(stays if shown == wanted else (1.0 - stays) / (len(column.values) - 1))
        return told

    def _column(self, at: int, variable: AnyVariable, habits: "Habits", best: Scores) -> Choices:
        positions, which = np.unique(self._found.positions[:, at], return_inverse=True)
        values = [value_at(variable, place) for place in positions.tolist()]
        is_first = np.array([value == self._first[variable.name] for value in values])
        drawn = np.bincount(which, weights=best, minlength=len(values))
        stays = habits.stays(len(values))
        (left, changed), (other_left, other_changed) = self._record.first, self._record.other
        probable: dict[PictureName, Scores] = {
            "belief": np.asarray((1.0 - UNFORESEEN) * drawn + UNFORESEEN / len(values), dtype=np.float64),
            "habits": habits.probable(variable.name, values),
            "start": np.where(is_first, stays, (1.0 - stays) / (len(values) - 1)),
            "content": np.where(
                is_first,
                (left + FIRST_LEFT) / (left + changed + FIRST_LEFT + FIRST_CHANGED),
                (other_left + OTHER_LEFT) / (other_left + other_changed + OTHER_LEFT + OTHER_CHANGED),
            ),
        }
        return Choices(values, which, probable)


def probably_best(found: Alternatives, scores: Scores, hopeful: npt.NDArray[np.bool_]) -> Scores:
    """For which share of some weights an alternative is the best; those with the same features share that.

    `scores` has a row for each kind of alternatives, a column for each weights.
    """
    first, which = found.kinds
    if hopeful[first].any():
        scores = np.where(hopeful[first][:, None], scores, -np.inf)
    wins = np.bincount(scores.argmax(axis=0), minlength=len(first)) / scores.shape[1]
    return np.asarray((wins / np.bincount(which))[which], dtype=np.float64)


def _believed(foretold: Mapping[str, float]) -> Scores:
    """π_m: how far each picture is believed."""
    logarithms = np.array([TOGETHER * foretold.get(picture, 0.0) for picture in PICTURES])
    weights = np.exp(logarithms - logarithms.max())
    return np.asarray(weights / weights.sum())


class Habits:
    """What she has in which places.

    A value is as probable as she has it in all of an array, or where the indices are the same but for those of the part,
    each as far as it would have told her values beforehand.
    """

    def __init__(self, rules: "PeopleRules", state: "State") -> None:
        self.rules = rules
        self.seen: defaultdict[Like, Counter[Value]] = defaultdict(Counter)
        self.seen_there: defaultdict[tuple[Like, tuple[str, ...]], Counter[Value]] = defaultdict(Counter)
        hers = _hers(rules, state)
        for name, value in hers.items():
            self.seen[self._kind(name)][value] += 1
            self.seen_there[self._kind(name), rules.likeness[name]][value] += 1
        self.hers = len(hers)
        self.first = sum(state.first[name] == value for name, value in hers.items())

    def stays(self, values: int) -> float:
        """How probable it is that a value of the start is what she wants, where there are so many."""
        before = 1 / values + (1 - 1 / values) * LIKES_FIRST
        return (self.first + before * FIRST_COUNTS) / (self.hers + FIRST_COUNTS)

    def probable(self, name: str, values: Sequence[Value]) -> Scores:
        """How probable each of some values of a variable is."""
        kind = self._kind(name)
        everywhere, there = self.seen[kind], self.seen_there[kind, self.rules.likeness[name]]
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
        found = rules.alternatives(state, part) if rules.is_as_confirmed(state, part) else None
        if found is not None:
            hers |= {name: standing[name] for name in with_a_choice(found)}
    return hers
