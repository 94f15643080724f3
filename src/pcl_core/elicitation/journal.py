"""The journal of an elicitation: its events, in a store and in memory, and the state that follows from them."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pcl_core.elicitation.codec import from_texts, to_text
from pcl_core.elicitation.events import Event, MisplacedError, Started, Undone, effective
from pcl_core.elicitation.file_store import FileStore, Log
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.setup import Strategies, make_rules, start_weights
from pcl_core.elicitation.state import State
from pcl_core.elicitation.store import EventStore, closed
from pcl_core.errors import Code, Issue, Location, RequestError
from pcl_core.model.configuration import Configuration, read_configuration
from pcl_core.model.own_rules import broken_rules
from pcl_core.solve.oracle import Oracle

MAX_LISTED = 3
STATES_KEPT = 8
"""A state with a belief takes a hundred kilobytes, so old ones are worked out again if somebody goes back that far."""


class _Known(NamedTuple):
    """The first events and the states they lead to. One value, so that an interrupt cannot leave half of it."""

    events: list[Event]
    number: int
    """how many of the list count"""
    states: tuple[State, ...]
    """after the last events that were not taken back: taking one back is going back"""


class _Attempt(NamedTuple):
    """An event that was to be written, and what is known if it was."""

    event: Event
    text: str
    states: tuple[State, ...]


class Journal:
    """What happened so far. An event is in the store, then it counts."""

    def __init__(self, rules: Rules, events: list[Event], states: Sequence[State], store: EventStore | None) -> None:
        """A journal of what is in the store, with the states after its last events that still count.

        Without a store nothing is written, and so no text is made.
        """
        self.rules = rules
        self.report: str | None = None
        """A sentence for people, if something had to be dropped."""
        self._store = store
        self._known = _Known(events, len(events), tuple(states))
        self._attempt: _Attempt | None = None
        self._closed = False

    @classmethod
    def begin(cls, rules: Rules, started: Started, log: Log | None) -> "Journal":
        """A new journal, in memory if no log is given. What is opened here is closed if it cannot be written."""
        state = rules.start(started)
        if log is None:
            return cls(rules, [started], [state], None)
        text = to_text(started, started.version)
        if isinstance(log, EventStore):
            log.append(text, 0)
            return cls(rules, [started], [state], log)
        store = FileStore.create(log)
        try:
            store.append(text, 0)
            return cls(rules, [started], [state], store)
        except BaseException:
            store.close()
            raise

    @classmethod
    def resume(cls, log: Log, oracle: Oracle, strategies: Strategies | None) -> "Journal":
        """Go on from a log. What is opened here is closed if it cannot be resumed."""
        if isinstance(log, EventStore):
            return _replayed(log, oracle, strategies)
        store = FileStore.open(log)
        try:
            return _replayed(store, oracle, strategies)
        except BaseException:
            store.close()
            raise

    @property
    def events(self) -> list[Event]:
        self._settle()
        return self._known.events[: self._known.number]

    @property
    def state(self) -> State:
        """What is known."""
        if self._attempt is not None:
            self._settle()
        return self._known.states[-1]

    def add(self, event: Event) -> State:
        """One more event, and what is known with it. If it cannot be written, it did not happen."""
        state = self.rules.apply(self.state, event)
        self._write(event, (*self._known.states[1 - STATES_KEPT :], state))
        return state

    def undo(self, undone: Undone) -> None:
        """Take back the last that a person caused; raises ValueError if there is nothing."""
        events = self.events
        left = effective([*events, undone])
        taken = len(effective(events)) - len(left)
        self._write(undone, self._known.states[:-taken] or tuple(deque(self.rules.states(left), STATES_KEPT)))

    def refresh(self) -> int:
        """Take in what others wrote to the store meanwhile; returns how many events that is."""
        if self._store is None:
            return 0
        events = self.events
        found = from_texts(self._store.read(len(events)), self._store.place, events)
        if found:
            events += found
            self._known = _Known(events, len(events), _states(self._store.place, self.rules, events))
        return len(found)

    def close(self) -> None:
        self._closed = True
        if self._store is not None:
            self._store.close()

    def _settle(self) -> None:
        """An interrupt (ctrl-C) may have come after an event was in the store, and before it counted."""
        if self._attempt is not None and self._store is not None:
            if self._store.read(self._known.number)[:1] == [self._attempt.text]:
                self._remember(self._attempt.event, self._attempt.states)
            self._attempt = None

    def _write(self, event: Event, states: tuple[State, ...]) -> None:
        if self._store is None:
            if self._closed:
                raise closed("the log in memory")
            self._remember(event, states)
            return
        known = self._known
        started = known.events[0]
        assert isinstance(started, Started)
        attempt = self._attempt = _Attempt(event, to_text(event, started.version), states)
        try:
            self._store.append(attempt.text, known.number)
        except RequestError:
            self._attempt = None
            raise
        self._remember(event, states)
        self._attempt = None

    def _remember(self, event: Event, states: tuple[State, ...]) -> None:
        events, number, _ = self._known
        events[number:] = [event]
        self._known = _Known(events, number + 1, states)


def _replayed(store: EventStore, oracle: Oracle, strategies: Strategies | None) -> Journal:
    """The journal of a store, once everything it says is possible."""
    events = from_texts(store.read(), store.place)
    problem, started = oracle.problem, events[0]
    assert isinstance(started, Started)
    if not problem.goes_by(started.problem_hash):
        message = f"the log was written for another version of the problem '{started.problem:.60}'"
        hint = (
            "resume it with the problem as it was; or, if only labels, units or descriptions changed (pcl 0.1 counted "
            f'them), write "problem_hash":"{problem.content_hash}" in its first line'
        )
        if started.problem != problem.name:
            message = f"the log is of the problem '{started.problem:.60}', and this is '{problem.name:.60}'"
            hint = f"resume it with '{started.problem:.60}'"
        raise RequestError(Issue(Code.LOG_OF_ANOTHER_PROBLEM, message, hint, Location(store.place, 1, 1)))
    try:
        rules = make_rules(oracle, started.settings, strategies)
    except RequestError as error:
        where = Location(store.place, 1, 1, "settings of the log")
        raise RequestError([replace(issue, location=where) for issue in error.issues]) from None
    try:
        start_weights(problem, started.weights)
        first = read_configuration(problem, started.configuration)
    except RequestError as error:
        raise _broken(store.place, error.issues[0].message, 0) from None
    events[0] = started.model_copy(update={"configuration": first})
    journal = Journal(rules, events, _states(store.place, rules, events), store)
    journal.report = store.mend()
    return journal


def _states(place: str, rules: Rules, events: list[Event]) -> tuple[State, ...]:
    """The states after each of the events that still count; the first that cannot be is told with its line."""
    position = {id(event): number for number, event in enumerate(events)}
    states: list[State] = []
    kept: list[Event] = []
    try:
        kept = effective(events)
        for state in rules.states(kept):
            states.append(state)
    except MisplacedError as error:
        raise _broken(place, str(error), error.position) from None
    except (ValueError, RequestError) as error:
        said = error.issues[0].message if isinstance(error, RequestError) else str(error)
        raise _broken(place, said, position[id(kept[len(states)])]) from None
    for event, state in zip(kept, states, strict=True):
        if not state.own_rules:
            continue
        if broken := [rule for it in _configurations([state]) for rule in broken_rules(state.own_rules, it)]:
            raise _broken(place, f"a configuration breaks the rule '{broken[0].words:.80}'", position[id(event)])
    if rules.features.violated_by_some(_configurations(states)):
        for event, state in zip(kept, states, strict=True):
            if violated := rules.features.violated_by_some(_configurations([state])):
                said = f"a configuration violates {', '.join(violated[:MAX_LISTED])}"
                raise _broken(place, said, position[id(event)])
    return tuple(states[-STATES_KEPT:])


def _broken(place: str, said: str, position: int) -> RequestError:
    message = f"the events of the log do not follow from each other: {said}"
    return RequestError(Issue(Code.LOG_BROKEN, message, None, Location(place, position + 1, 1)))


def _configurations(states: Sequence[State]) -> list[Configuration]:
    """Everything that was proposed or told; states between which nothing changed share it."""
    found = [state.configuration for state in states]
    found += [state.learned.improvement for state in states if state.learned is not None]
    return list({id(configuration): configuration for configuration in found}.values())
