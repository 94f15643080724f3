"""The journal of an elicitation: its events, on disk and in memory, and the state that follows from them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pcl_core.elicitation.events import Event, MisplacedError, Started, Undone, effective
from pcl_core.elicitation.log import EventLog
from pcl_core.elicitation.setup import Strategies, make_rules, start_weights
from pcl_core.elicitation.state import Rules, State
from pcl_core.errors import Code, Issue, Location, RequestError
from pcl_core.model.configuration import Configuration, read_configuration
from pcl_core.model.evaluation import violated_by_some
from pcl_core.solve.oracle import Oracle

MAX_LISTED = 3


class _Known(NamedTuple):
    """A state and how many events led to it. One value, so that an interrupt cannot leave half of it."""

    state: State
    events: int


class Journal:
    """What happened so far. An event is on disk, then it counts."""

    def __init__(self, rules: Rules, events: list[Event], state: State, log: EventLog | None) -> None:
        self.rules = rules
        self.events = events
        self._log = log
        self._known = _Known(state, len(events))
        self._written: tuple[Event, State] | None = None

    @classmethod
    def begin(cls, rules: Rules, started: Started, path: Path | None) -> "Journal":
        state = rules.start(started)
        return cls(rules, [started], state, None if path is None else EventLog.create(path, started))

    @classmethod
    def resume(cls, path: Path, oracle: Oracle, strategies: Strategies | None) -> tuple["Journal", str | None]:
        """Go on from a log; returns a sentence for people if a torn last line had to be dropped."""
        log, events = EventLog.resume(path)
        try:
            return _replayed(log, events, oracle, strategies), log.drop_torn_line()
        except BaseException:
            log.close()
            raise

    @property
    def state(self) -> State:
        """What is known."""
        self._settle()
        return self._known.state

    def add(self, event: Event) -> None:
        """One more event. If it cannot be written, it did not happen."""
        self._write(event, self.rules.apply(self.state, event))

    def undo(self, undone: Undone) -> None:
        """Take back the last that a person caused; raises ValueError if there is nothing."""
        self._settle()
        self._write(undone, self.rules.replay(effective([*self.events, undone])))

    def close(self) -> None:
        if self._log is not None:
            self._log.close()

    def _settle(self) -> None:
        """An interrupt (ctrl-C) may have come after an event was on disk, and before it counted."""
        if self._written is not None:
            if self._log is not None and self._log.count > self._known.events:
                self._remember(*self._written)
            self._written = None

    def _write(self, event: Event, state: State) -> None:
        self._written = (event, state)
        if self._log is not None:
            self._log.append(event)
        self._remember(event, state)

    def _remember(self, event: Event, state: State) -> None:
        del self.events[self._known.events :]
        self.events.append(event)
        self._known = _Known(state, len(self.events))


def _replayed(log: EventLog, events: list[Event], oracle: Oracle, strategies: Strategies | None) -> Journal:
    """The journal of a log, once everything it says is possible."""
    problem, started = oracle.problem, events[0]
    assert isinstance(started, Started)
    if not problem.goes_by(started.problem_hash):
        message = f"the log was written for another problem, or another version of it: '{started.problem:.60}'"
        hint = (
            "resume it with the problem as it was; or, if only labels, units or descriptions changed (pcl 0.1 counted "
            f'them), write "problem_hash":"{problem.content_hash}" in its first line'
        )
        raise RequestError(Issue(Code.LOG_OF_ANOTHER_PROBLEM, message, hint, Location(str(log.path), 1, 1)))
    try:
        rules = make_rules(oracle, started.settings, strategies)
    except RequestError as error:
        where = Location(str(log.path), 1, 1, "settings of the log")
        raise RequestError([replace(issue, location=where) for issue in error.issues]) from None
    try:
        start_weights(problem, started.weights)
        first = read_configuration(problem, started.configuration)
    except RequestError as error:
        raise _broken(log, error.issues[0].message, 0) from None
    events = [started.model_copy(update={"configuration": first}), *events[1:]]
    return Journal(rules, events, _last_state(log, rules, events), log)


def _last_state(log: EventLog, rules: Rules, events: list[Event]) -> State:
    """The state that the events lead to; the first that cannot be is told with its line."""
    position = {id(event): number for number, event in enumerate(events)}
    states: list[State] = []
    kept: list[Event] = []
    try:
        kept = effective(events)
        for state in rules.states(kept):
            states.append(state)
    except MisplacedError as error:
        raise _broken(log, str(error), error.position) from None
    except (ValueError, RequestError) as error:
        said = error.issues[0].message if isinstance(error, RequestError) else str(error)
        raise _broken(log, said, position[id(kept[len(states)])]) from None
    if violated_by_some(rules.problem, _configurations(states)):
        for event, state in zip(kept, states, strict=True):
            if violated := violated_by_some(rules.problem, _configurations([state])):
                said = f"a configuration violates {', '.join(violated[:MAX_LISTED])}"
                raise _broken(log, said, position[id(event)])
    return states[-1]


def _broken(log: EventLog, said: str, position: int) -> RequestError:
    message = f"the events of the log do not follow from each other: {said}"
    return RequestError(Issue(Code.LOG_BROKEN, message, None, Location(str(log.path), position + 1, 1)))


def _configurations(states: Sequence[State]) -> list[Configuration]:
    """Everything that was proposed or told; states between which nothing changed share it."""
    found = [state.configuration for state in states]
    found += [state.learned.improvement for state in states if state.learned is not None]
    return list({id(configuration): configuration for configuration in found}.values())
