"""Drafts: a person's values for the part in question before she tells them, what they would do, and pins."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple, overload

from pcl_core.elicitation.changes import Change, find_changes
from pcl_core.elicitation.events import (
    Pinned,
    Unpinned,
)
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.query import Query
from pcl_core.elicitation.session import Conversation
from pcl_core.elicitation.state import OpenQuery, State
from pcl_core.elicitation.surroundings import Figure, Surroundings
from pcl_core.errors import Code, Issue, RequestError, UndecidedError, suggest
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.assignment import of_type
from pcl_core.model.configuration import Configuration, FrozenConfiguration
from pcl_core.solve.seen import seen_by


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
        """Where nothing in this part alone completes the given values: the part as near to the draft as can be.

        If all of them can stay with room made elsewhere they do; else fewest of them change, then fewest values at all.
        None where a completion keeps them, where a limit left it open, and where nothing helps.
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
    labels = proposer.oracle.problem.constraint_labels
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
    """The part as near to a draft as is allowed around the pins; what moves elsewhere for it is no part of it."""
    pins = proposer.pinned(state, *opened.parts)
    wanted = {**draft, **pins}
    elsewhere = proposer.may_move(state, opened)
    changes: Configuration | None = None
    if elsewhere and not proposer.moved_pins(state, draft):
        inside = [name for name in draft if name not in pins and name not in given]
        whole = {**state.configuration, **wanted}
        changes = fewest_changes(proposer.oracle, whole, [*inside, *elsewhere], inside)
    if changes is None:
        seen = seen_by(proposer.oracle, draft)
        around = seen.around(state.configuration, wanted)
        changes = fewest_changes(seen.oracle, around, [name for name in draft if name not in pins], given)
    return None if changes is None else {name: changes.get(name, wanted[name]) for name in draft}


class Drafts(Conversation):
    """Values of the part in question that are not told: looked at, or held while the rest is completed around them."""

    def complete(self, values: Mapping[str, object]) -> Configuration:
        """The part in question as the solver would complete it around these values and the pins. Nothing changes."""
        return self._proposer.around(self._state, self._open(), values)

    def preview(self, values: Mapping[str, object], completed: Mapping[str, object] | None = None) -> Preview:
        """What a draft of the part in question would do. Nothing changes, and whatever is not allowed is said in it.

        `values` are the person's; beside them may stand those that a completion put there and may change again.
        """
        return preview_of(self._proposer, self._surroundings, self._state, self._open(), values, completed or {})

    def possible(self, variable: str, values: Mapping[str, object] | None = None) -> Sequence[Value]:
        """The values of a variable of the part in question that some completion allows.

        That is around the pins and, where given, the values of a draft.
        """
        state, opened, proposer = self._state, self._open(), self._proposer
        of_type(variable, str, "the name of a variable")
        if variable not in proposer.variables(*opened.parts):
            proposer.own_values(opened, {variable: None})  # says what is wrong with the name
        drafted = proposer.own_values(opened, values or {})
        fixed = {**proposer.pinned(state, *opened.parts), **drafted}
        return proposer.possible(state, opened.parts, fixed, drafted)[variable]

    @overload
    def pin(self, variable: str, value: object) -> Query: ...

    @overload
    def pin(self, variable: Mapping[str, object]) -> Query: ...

    def pin(self, variable: str | Mapping[str, object], value: object = None) -> Query:
        """Hold a value of the part in question from now on, or several: all of them, or an error and none.

        The solver completes the rest around all pins.
        """
        opened = self._open()
        if not isinstance(variable, Mapping):
            variable = {of_type(variable, str, "the name of a variable"): value}
        values = self._proposer.own_values(opened, variable)
        if not values:
            raise RequestError(Issue(Code.BAD_VALUE, "there is nothing to pin", "give at least one value"))
        part, *others = {self.problem.structure.part_of_variable[name] for name in values}
        if others:
            raise RequestError(Issue(Code.OUTSIDE_PART, "these values are in several parts", "pin them part by part"))
        pins = {**self._proposer.pinned(self._state, part), **values}
        found = self._proposer.propose(self._state, part, pins)
        if found is None:
            message = "nothing can be completed around these pins"
            raise self._proposer.cannot_complete(self._state, [part], pins, message)
        changes, proven = found.changes, found.proven
        self._journal.add(Pinned(at=self._now(), query=opened.query, values=values, changes=changes, proven=proven))
        self._seconds = found.seconds
        return self._query()

    def unpin(self, variable: str) -> None:
        """Let the solver change a variable again."""
        self._refuse_after_stop()
        if of_type(variable, str, "the name of a variable") not in self._state.pins:
            hint = suggest(str(variable), self._state.pins) or "nothing is pinned"
            raise RequestError(Issue(Code.UNKNOWN_NAME, f"'{variable!s:.80}' is not pinned", hint))
        self._journal.add(Unpinned(at=self._now(), variable=variable))
