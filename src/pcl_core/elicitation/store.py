"""Where the events of an elicitation are kept. A store holds texts in order, and knows nothing of what they say."""

import threading
from typing import Protocol, runtime_checkable

from pcl_core.errors import Code, Issue, Location, RequestError


@runtime_checkable
class EventStore(Protocol):
    """The events of one elicitation: texts without line breaks, each a JSON object, in the order they were written.

    A store may be used by several threads. Either several may have the same place open, and each goes by what the others
    wrote, or opening it is refused with the code `LOG_IN_USE` while somebody has it. What a store cannot do it says with a
    `RequestError`, also after `close`. `pcl_core.testing.stores` holds a store to all of this.
    """

    @property
    def place(self) -> str:
        """Where it is, for messages: a path, an address. Events are told by their number after it, from 1."""

    def count(self) -> int:
        """How many events there are now, whoever wrote them."""

    def read(self, start: int = 0) -> list[str]:
        """The events there are now, without the first `start`."""

    def append(self, event: str, expected: int) -> None:
        """Write one event after exactly `expected` others; it is safe from crashes when this returns.

        Raises `moved_on(...)` if there are more or fewer: somebody else was first. After any `RequestError` the event
        is not there. After any other exception (an interrupt, a connection that was lost) it may be, and is looked for.
        """

    def mend(self) -> str | None:
        """Remove what a crash left half written, if anything is; then returns a sentence for people.

        Called when the events were read and found to make sense, so that a file which is no log stays as it is.
        """

    def close(self) -> None:
        """Let others have the place. Closing twice is once."""


class MemoryStore:
    """Events that last as long as the object."""

    place = "the log in memory"

    def __init__(self) -> None:
        self._events: list[str] = []
        self._closed = False
        self._turn = threading.RLock()

    def count(self) -> int:
        return len(self.read())

    def read(self, start: int = 0) -> list[str]:
        self._refuse_if_closed()
        return self._events[start:]

    def append(self, event: str, expected: int) -> None:
        with self._turn:
            self._refuse_if_closed()
            if expected != len(self._events):
                raise moved_on(self.place, expected, len(self._events))
            self._events.append(event)

    def mend(self) -> None:
        return None

    def close(self) -> None:
        self._closed = True

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise closed(self.place)


def moved_on(place: str, expected: int, found: int) -> RequestError:
    """What `append` raises when the number of events is not as expected."""
    if expected == 0:
        message, hint = "the log exists already", "resume it, or choose another place"
    else:
        message = f"another program wrote to the log: it has {found:,} events and not {expected:,}"
        hint = "nothing was changed; refresh, look at what is asked now, and answer that"
    return RequestError(Issue(Code.LOG_MOVED_ON, message, hint, Location(place)))


def closed(place: str) -> RequestError:
    """What reading and writing raise after `close`."""
    return RequestError(Issue(Code.CANNOT_WRITE, "the log is closed", "resume it", Location(place)))


def cannot_write(place: str, why: str) -> RequestError:
    """What `append` raises when the disk is full, a permission is missing, the database does not answer."""
    hint = "what was acknowledged before is safe; make room or permission, and resume"
    return RequestError(Issue(Code.CANNOT_WRITE, f"cannot write the log: {why}", hint, Location(place)))
