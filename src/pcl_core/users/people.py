"""Simulated people who answer for themselves: what they type, whether that is final, and whether they are satisfied.

A person sees one part of a complete configuration and the rest of it. She knows nothing of learners and proposals, so the
same person can fill in a form, answer queries, or look at the finished product.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol, TypeAlias

import numpy as np

from pcl_core.alternatives.listing import Alternatives, Listing
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Utility, Vector
from pcl_core.solve.oracle import Oracle
from pcl_core.users.simulated import UserModel
from pcl_core.users.utility import PartView
from pcl_core.users.wishes import Wish, all_fulfilled

ReplyKind: TypeAlias = Literal["improved", "accepted", "skipped"]


@dataclass(frozen=True)
class Reply:
    """What a person says to one part."""

    kind: ReplyKind
    values: Configuration = field(default_factory=dict)
    """What she types: only what differs from what she was shown."""
    final: bool = False
    """Whether nothing in this part is better than what then stands there; said truthfully."""


ACCEPTED = Reply("accepted", final=True)


@dataclass(frozen=True)
class Shown:
    """One part of a complete and feasible configuration, as a person is asked about it."""

    part: int
    configuration: Configuration
    fixed: Mapping[str, Value] = field(default_factory=dict)
    """Values of the part that must stay as they are."""
    query: int = 1
    """Which question this is; a person's chance depends on nothing else."""
    beside: int | None = None
    """Another part that may change together with it: she is asked about both as if they were one."""


class SimulatedPerson(Protocol):
    """Somebody who can be asked."""

    def reply(self, shown: Shown) -> Reply: ...

    def satisfied_with(self, shown: Shown) -> bool:
        """Whether she would change nothing in this part."""
        ...

    def satisfied(self, configuration: Configuration) -> bool:
        """Whether this is, as a whole, what she wants."""
        ...


@dataclass(frozen=True)
class Wishing:
    """Somebody with definite wishes. She types the fewest values that leave her wishes broken the least."""

    listing: Listing
    wishes: Sequence[Wish]

    def reply(self, shown: Shown) -> Reply:
        if shown.beside is not None:
            raise ValueError("somebody who looks at all alternatives is asked about one part at a time")
        found, broken = self._judged(shown)
        if found.standing is not None and broken[found.standing] == broken.min():
            return ACCEPTED
        best = np.flatnonzero(broken == broken.min())
        values = found.values(int(best[np.argmin(found.changes(shown.configuration)[best])]))
        typed = {name: value for name, value in values.items() if shown.configuration[name] != value}
        return Reply("improved", typed, final=True)

    def satisfied_with(self, shown: Shown) -> bool:
        return self.reply(shown).kind == "accepted"

    def satisfied(self, configuration: Configuration) -> bool:
        return all_fulfilled(self.wishes, configuration)

    def _judged(self, shown: Shown) -> tuple[Alternatives, Integers]:
        found = self.listing.of(shown.part, shown.configuration, shown.fixed)
        if found is None:
            raise ValueError("the part has too many alternatives for somebody who looks at all of them")
        own = {variable.name for variable in found.variables}
        broken = np.zeros(len(found), dtype=np.int64)
        for wish in self.wishes:
            if not own.isdisjoint(wish.variables):
                broken += wish.broken_by(found, shown.configuration)
        return found, broken


@dataclass(frozen=True)
class Liking:
    """Somebody with a linear utility, who improves as a user model says; final where nothing better is left.

    Her chance at each query depends on the seed and the query alone.
    """

    oracle: Oracle
    weights: Vector
    """w*"""
    model: UserModel
    seed: tuple[int, ...] = (0,)

    def reply(self, shown: Shown) -> Reply:
        said = self.answer(self.seen(shown), shown.query)
        if said.kind == "accepted":
            return replace(said, final=self.satisfied_with(shown))
        return replace(said, final=self.has_nothing_better(shown, said.values)) if said.values else said

    def answer(self, view: PartView, query: int) -> Reply:
        """What she says to what she sees, without whether it is final: that takes another look."""
        improved = self.improve(view, query)
        if improved is None:
            return Reply("accepted")
        typed = {name: improved[name] for name in view.variables if improved[name] != view.configuration[name]}
        return Reply("improved", typed) if typed else Reply("skipped")

    def improve(self, view: PartView, query: int) -> Configuration | None:
        """The improvement of a part at a query; None: satisfied; the configuration itself: nothing to say."""
        return self.model.improve(view, np.random.default_rng((*self.seed, query)))

    def has_nothing_better(self, shown: Shown, values: Configuration) -> bool:
        """Whether these values in the part would be the best there."""
        return self.satisfied_with(replace(shown, configuration={**shown.configuration, **values}))

    def satisfied_with(self, shown: Shown) -> bool:
        return self.seen(shown).is_best

    def satisfied(self, configuration: Configuration) -> bool:
        """No single part can be improved: a local optimum."""
        parts = range(len(self.oracle.problem.parts))
        return all(self.satisfied_with(Shown(part, configuration)) for part in parts)

    def seen(self, shown: Shown) -> PartView:
        return PartView(self.oracle, self.weights, shown.part, shown.configuration, shown.fixed, shown.beside)

    @cached_property
    def exact(self) -> Utility:
        """u*, exactly, from features in whole units"""
        return Utility(self.weights, self.oracle.features.places)
