"""When to stop: what was confirmed since when, and what follows from it.

Lemma 1: a configuration is a local optimum if and only if every part of it is conditionally optimal. So if a
person was satisfied with every part since the configuration last changed, it is one (`certificate`).

Proposition 3: it is also enough that all parts were confirmed in order, twice, while nothing could be improved
(`two-pass`). Its proof needs that a part's allowed values do not depend on other parts; where hard constraints
tie parts together, the certificate says whether Lemma 1 holds as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

Stop: TypeAlias = Literal["two-pass", "certificate", "never"]
STOPS: tuple[Stop, ...] = get_args(Stop)
How: TypeAlias = Literal["word", "look"]
"""She confirmed a part by word, or in a look at several that facts had closed or the belief had settled."""
Standing: TypeAlias = Literal["new", "open", "closed"]
"""Of a part: never confirmed; confirmed before, but not as it stands; confirmed as it stands."""


@dataclass(frozen=True)
class Confirmation:
    """The person was satisfied with this part at this query."""

    part: int
    query: int


class Progress(NamedTuple):
    """What has been confirmed so far."""

    order: tuple[int, ...]
    changed_at: int = 0
    """The query at which x last changed; 0 is the start."""
    confirmed: Mapping[int, int] = MappingProxyType({})
    """For each part confirmed since then, the query."""
    passes: tuple[Confirmation, ...] = ()
    """The parts confirmed in order, τ_1 < τ_2 < …, since something was last improved."""
    how: Mapping[int, How] = MappingProxyType({})
    """For each part in `confirmed`."""
    ever: frozenset[int] = frozenset()
    """The parts confirmed at any time."""
    pairs: Mapping[tuple[int, int], int] = MappingProxyType({})
    """For each two parts in which nothing is better together, since x last changed, the query."""

    def changed(self, query: int) -> "Progress":
        """x changed: by a proposal, which breaks no pass, or by an improvement that is kept."""
        return self._replace(changed_at=query, confirmed={}, how={}, pairs={})

    def satisfied(self, part: int, query: int, how: How = "word") -> "Progress":
        """The person cannot improve this part of x."""
        passes, count = self.passes, len(self.order)
        if len(passes) < 2 * count and self.order[len(passes) % count] == part:
            passes = (*passes, Confirmation(part, query))
        confirmed, hows = {**self.confirmed, part: query}, {**self.how, part: how}
        ever = self.ever if part in self.ever else self.ever | {part}
        return Progress(self.order, self.changed_at, confirmed, passes, hows, ever, self.pairs)

    def doubted(self, part: int) -> "Progress":
        """The part was improved, or what may stand in it changed: it has to be confirmed anew, and so do passes."""
        return self._replace(
            confirmed={k: v for k, v in self.confirmed.items() if k != part},
            how={k: v for k, v in self.how.items() if k != part},
            pairs={k: v for k, v in self.pairs.items() if part not in k},
            passes=(),
        )

    def satisfied_together(self, first: int, second: int, query: int) -> "Progress":
        """The person cannot improve these two parts of x, not even by changing both."""
        return self._replace(pairs={**self.pairs, (first, second): query})

    @property
    def all_confirmed(self) -> bool:
        """Lemma 1."""
        return len(self.confirmed) == len(self.order)

    def finished(self, rule: Stop) -> bool:
        if rule == "certificate":
            return self.all_confirmed
        return rule == "two-pass" and len(self.passes) == 2 * len(self.order)
