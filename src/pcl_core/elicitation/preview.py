"""What a draft would do: a person's values for the part in question, before she tells them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

from pcl_core.elicitation.changes import Change, find_changes
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.state import OpenQuery, State
from pcl_core.elicitation.surroundings import Figure, Surroundings
from pcl_core.errors import RequestError, UndecidedError
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.configuration import Configuration, FrozenConfiguration


class BrokenConstraint(NamedTuple):
    """A constraint that a draft breaks, as it stands."""

    name: str
    label: str

    def __str__(self) -> str:
        return f"{self.name} ({self.label})" if self.label else self.name


@dataclass(frozen=True)
class Preview(JsonForm):
    """A draft, and what would come of it. Nothing is told, and nothing that is told later changes it."""

    FORM: ClassVar[tuple[str, ...]] = (
        *("given", "values", "changes", "summary", "notable", "broken", "moved_pins", "moved", "in_the_way"),
        *("completable", "completion", "nearest"),
    )
    given: FrozenConfiguration
    """The values that the person chose."""
    values: FrozenConfiguration
    """The part with the draft in it."""
    changes: tuple[Change, ...]
    """What the draft changes in the proposal."""
    summary: tuple[Figure, ...]
    """The figures as they would be."""
    broken: tuple[BrokenConstraint, ...]
    """The constraints that do not hold as the draft stands; with none of them it can be told."""
    moved_pins: tuple[str, ...]
    """Pinned variables that the draft gives another value; they have to be unpinned first."""
    _complete: Callable[[], Configuration | None] = field(repr=False, compare=False)
    _come_near: Callable[[], Configuration | None] = field(repr=False, compare=False)
    _make_room: Callable[[], Configuration | None] = field(repr=False, compare=False)
    _notable: Callable[[Mapping[str, Value]], tuple[Figure, ...]] = field(repr=False, compare=False)

    @cached_property
    def notable(self) -> tuple[Figure, ...]:
        """The figures that it would move, with room made elsewhere if need be, and those that would be near their limits."""
        return self._notable(self.moved or {})

    @property
    def tellable(self) -> bool:
        """Whether it can be told as it stands, if need be with room made elsewhere."""
        return not self.moved_pins and self.moved is not None

    @property
    def moved(self) -> FrozenConfiguration | None:
        """What would change in other parts to make room; None if no room can be made, or a limit left that open."""
        return FrozenConfiguration() if not self.broken else self._room[0]

    @property
    def in_the_way(self) -> str:
        """Values of the person's own that leave no room, in words."""
        return "" if not self.broken else self._room[1]

    @cached_property
    def _room(self) -> tuple[FrozenConfiguration | None, str]:
        try:
            found = self._make_room()
        except UndecidedError:
            return None, ""
        except RequestError as error:
            return None, error.issues[0].message
        return None if found is None else FrozenConfiguration(found), ""

    @property
    def completable(self) -> bool | None:
        """Whether the rest of the part can be completed around the given values; None if a limit left it open."""
        if self.moved_pins:
            return False
        return True if not self.broken else self._outcome[0]

    @property
    def completion(self) -> FrozenConfiguration | None:
        """The part as the solver would complete it around the given values and the pins, if it can be."""
        return None if self.moved_pins else self._outcome[1]

    @cached_property
    def nearest(self) -> FrozenConfiguration | None:
        """Where no completion keeps all given values: the part that changes fewest of them, then fewest values at all.

        None where one does, where a limit left it open, and where nothing in this part alone helps.
        """
        if not self.moved_pins and self.completable is not False:
            return None
        try:
            found = self._come_near()
        except UndecidedError:
            return None
        return None if found is None else FrozenConfiguration(found)

    @cached_property
    def _outcome(self) -> tuple[bool | None, FrozenConfiguration | None]:
        try:
            found = self._complete()
        except UndecidedError:
            return None, None
        return (False, None) if found is None else (True, FrozenConfiguration(found))


def preview_of(
    proposer: Proposer,
    around: Surroundings,
    state: State,
    opened: OpenQuery,
    values: Mapping[str, object],
    completed: Mapping[str, object],
) -> Preview:
    """What values for the part in question would do, beside `completed` ones that the solver may change again."""
    problem = proposer.rules.problem
    given = proposer.own_values(opened, values)
    draft = {**proposer.own_values(opened, completed), **given}
    own = (name for part in opened.parts for name in problem.parts[part].variables)
    proposal = {name: state.configuration[name] for name in own}
    drafted = {**state.configuration, **draft}
    broken = proposer.broken(state, opened.parts, drafted)
    labels = {constraint.name: constraint.label for constraint in proposer.oracle.problem.constraints} if broken else {}
    return Preview(
        FrozenConfiguration(given),
        FrozenConfiguration({**proposal, **draft}),
        find_changes(problem, proposal, {name: drafted[name] for name in proposal}),
        around.summary(opened.part, drafted),
        tuple(BrokenConstraint(name, labels[name]) for name in broken),
        proposer.moved_pins(state, draft),
        lambda: proposer.completion(state, opened.parts, given),
        lambda: _nearest(proposer, state, opened, {**proposal, **draft}, given),
        lambda: proposer.room(state, opened, drafted, broken),
        lambda moved: around.notable(opened.part, state.configuration, {**drafted, **moved}),
    )


def _nearest(
    proposer: Proposer, state: State, opened: OpenQuery, draft: Configuration, given: Collection[str]
) -> Configuration | None:
    """The part as near to a draft as is allowed around the pins."""
    pins = proposer.pinned(state, *opened.parts)
    wanted = {**state.configuration, **draft, **pins}
    changes = fewest_changes(proposer.oracle, wanted, [name for name in draft if name not in pins], given)
    return None if changes is None else {name: changes.get(name, wanted[name]) for name in draft}
