"""What two parts would gain only together, by lists: beside each kind of one part all that may stand in the other.

For weights w and two parts p, q of x, with x_p′ one of each kind of alternatives to p (those with equal features):

    gain(x_p′, x_q′) = wᵀ(φ(x_p′ ∘ x) − φ(x)) + wᵀ(φ(x_p′ ∘ x_q′ ∘ x) − φ(x_p′ ∘ x))

What counts is by how much the largest exceeds the best change of p or q alone. Where a constraint ties the two, a change of
p may be allowed only beside one of q, so where these are few both are listed beside the other. Listing does not depend on
w, so it is kept as long as the configuration stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.alternatives.listing import Alternatives
from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.state import State
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Matrix, Vector

MOST_KINDS = 64
"""Pairs in which both parts have more kinds of alternatives than this are solved for, and not listed."""
FEW_KINDS = 16
"""Up to so many kinds of the one with more of them are listed as well, where a constraint ties the two."""

Pair: TypeAlias = tuple[int, int]


class JointGains(NamedTuple):
    """For each of some weights, what changing two parts together gains."""

    gains: Vector
    """Beyond what changing one of the two would gain."""
    rows: Sequence[tuple[int, int]]
    """Where that is: a kind of the one part, and a row of the other."""


@dataclass(frozen=True)
class _Beside:
    """One kind of alternatives to a part, and all that may stand in another beside it."""

    changes: Configuration
    other: int
    moved: Vector
    """φ(x_p′ ∘ x) − φ(x)"""
    found: Alternatives
    differences: Matrix
    """φ_I of each kind of the other, less that of what stands there"""


@dataclass
class JointLists:
    """Pairs of parts of one configuration."""

    rules: PeopleRules
    state: State
    _listed: dict[Pair, list[_Beside] | None] = field(default_factory=dict)
    _moves: dict[int, list[tuple[Configuration, State]]] = field(default_factory=dict)

    def of(self, state: State) -> "JointLists":
        """Those for what stands now: these, if it is the same."""
        here, now = self.state, state
        same = (here.configuration, here.pins, here.own_rules) == (now.configuration, now.pins, now.own_rules)
        return self if same else JointLists(self.rules, state)

    def gains(self, pair: Pair, weights: Matrix) -> JointGains | None:
        """What weights, a row each, gain by two parts together; None where there is too much to list."""
        listed = self._beside(pair)
        if listed is None:
            return None
        alone = np.maximum(*(self._alone(part, weights) for part in pair))
        best, rows_at = alone.copy(), [(-1, -1)] * len(weights)
        for kind, beside in enumerate(listed):
            scores = beside.differences @ weights[:, self.rules.own[beside.other]].T
            rows = scores.argmax(axis=0)
            gains = weights @ beside.moved + scores[rows, np.arange(len(weights))]
            for at in np.flatnonzero(gains > best).tolist():
                best[at], rows_at[at] = gains[at], (kind, int(rows[at]))
        return JointGains(best - alone, rows_at)

    def changes(self, pair: Pair, place: tuple[int, int]) -> Configuration:
        """What changes at a place of what was found."""
        listed = self._beside(pair)
        assert listed is not None
        beside = listed[place[0]]
        values = beside.found.values(int(beside.found.kinds[0][place[1]]))
        changed = {name: value for name, value in values.items() if self.state.configuration[name] != value}
        return {**beside.changes, **changed}

    def _alone(self, part: int, weights: Matrix) -> Vector:
        found = self.rules.alternatives(self.state, part)
        assert found is not None
        return np.asarray((self._differences(part, found) @ weights[:, self.rules.own[part]].T).max(axis=0))

    def _beside(self, pair: Pair) -> list[_Beside] | None:
        if pair not in self._listed:
            self._listed[pair] = self._list_both(pair)
        return self._listed[pair]

    def are_tied(self, pair: Pair) -> bool:
        """Whether a constraint, or a rule of hers, is about both."""
        problem = self.rules.problem
        first, second = (problem.parts[part].variables for part in pair)
        return not set(problem.constraints_on(first)).isdisjoint(problem.constraints_on(second)) or any(
            group.touches(first) and group.touches(second) for rule in self.state.own_rules for group in rule.groups
        )

    def freedom(self, pair: Pair) -> int:
        """How much may be changed alone in the two: the fewer kinds, the more may be missing in lists."""
        return sum(self._kinds(part) or MOST_KINDS for part in pair)

    def _list_both(self, pair: Pair) -> list[_Beside] | None:
        """Each beside the other where a constraint ties them and they are few; None where there is too much of it."""
        first, second = self._order(pair)
        fewer, more = self._kinds(first), self._kinds(second)
        if fewer is None or more is None or fewer > MOST_KINDS:
            return None
        listed = self._list(first, second)
        if more <= FEW_KINDS and self.are_tied(pair):
            listed += self._list(second, first)
        return listed

    def _order(self, pair: Pair) -> Pair:
        """The part with fewer kinds first."""
        first, second = pair
        return (first, second) if (self._kinds(first) or 0) <= (self._kinds(second) or 0) else (second, first)

    def _kinds(self, part: int) -> int | None:
        found = self.rules.alternatives(self.state, part)
        return None if found is None else len(found.kinds[0])

    def _list(self, first: int, second: int) -> list[_Beside]:
        rules, listed = self.rules, list[_Beside]()
        here = rules.features.to_values(self.state.units)
        for changes, state in self._moved(first):
            other = rules.alternatives(state, second)
            assert other is not None
            moved = rules.features.to_values(state.units) - here
            listed.append(_Beside(changes, second, moved, other, self._differences(second, other)))
        return listed

    def _moved(self, part: int) -> list[tuple[Configuration, State]]:
        """One of each kind of alternatives to a part: what changes, and what stands then."""
        if part not in self._moves:
            rules, state = self.rules, self.state
            found = rules.alternatives(state, part)
            assert found is not None
            first, kind = found.kinds
            others = [found.values(row) for row in first.tolist() if row != first[kind[found.standing]]]
            changes = [
                {name: it for name, it in values.items() if state.configuration[name] != it} for values in others
            ]
            moved = [rules.with_changes(state, (part,), it, state.pins) for it in changes]
            states = [state._replace(configuration=configuration, units=units) for configuration, units in moved]
            self._moves[part] = list(zip(changes, states, strict=True))
        return self._moves[part]

    def _differences(self, part: int, found: Alternatives) -> npt.NDArray[np.float64]:
        units = found.units[found.kinds[0]] - found.units[found.standing]
        return np.asarray(units / 10.0 ** self.rules.features.places[self.rules.own[part]], dtype=np.float64)
