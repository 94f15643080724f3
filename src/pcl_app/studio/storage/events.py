"""The store contract of the core on a database: the events of one elicitation among those of many."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, Integer, String, Text, bindparam, func, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from pcl_app.studio.storage.database import shown_address
from pcl_app.studio.storage.tables import ELICITATIONS, EVENTS
from pcl_core.elicitation import cannot_write, closed, moved_on

ELICITATION = bindparam("elicitation", type_=String)
OF_ONE = EVENTS.c.elicitation == ELICITATION
END = select(func.coalesce(func.max(EVENTS.c.sequence) + 1, 0)).where(OF_ONE).scalar_subquery()
COUNTED = select(END)
READ = select(EVENTS.c.event).where(OF_ONE, EVENTS.c.sequence >= bindparam("start")).order_by(EVENTS.c.sequence)
SEQUENCE = bindparam("sequence", type_=Integer)
ROW = select(ELICITATION, SEQUENCE, bindparam("event", type_=Text), bindparam("said", type_=String))
APPENDED = (
    insert(EVENTS).from_select(list(EVENTS.c), ROW.where(SEQUENCE == END)).execution_options(preserve_rowcount=True)
)
"""What every answer says to the database is put together once."""


class SqlStore:
    """An `EventStore`. Of two who write at once one comes first, and the other is told so."""

    def __init__(self, engine: Engine, elicitation: str, beginning: Mapping[str, object] | None = None) -> None:
        """`beginning`: the row of a new elicitation, which is written together with its first event."""
        self.place = f"{shown_address(engine.url)}, elicitation {elicitation}"
        self.said: str | None = None
        """By which request the next event comes, if that should be known later."""
        self._engine = engine
        self._elicitation = elicitation
        self._beginning = beginning
        self._closed = False

    def count(self) -> int:
        with self._connected() as connection:
            return int(connection.execute(COUNTED, {"elicitation": self._elicitation}).scalar_one())

    def read(self, start: int = 0) -> list[str]:
        with self._connected() as connection:
            return list(connection.execute(READ, {"elicitation": self._elicitation, "start": start}).scalars())

    def append(self, event: str, expected: int) -> None:
        row = {"elicitation": self._elicitation, "sequence": expected, "event": event, "said": self.said}
        try:
            with self._connected() as connection, connection.begin():
                if expected == 0 and self._beginning is not None:
                    connection.execute(insert(ELICITATIONS), self._beginning)
                written = connection.execute(APPENDED, row)
        except IntegrityError:  # the other's transaction was not yet to be seen when ours looked
            raise moved_on(self.place, expected, self.count()) from None
        if written.rowcount == 0:
            raise moved_on(self.place, expected, self.count())

    def fill(self, events: Sequence[str]) -> None:
        """All events of an elicitation that comes from elsewhere, in one transaction."""
        rows = [
            {"elicitation": self._elicitation, "sequence": at, "event": text, "said": None}
            for at, text in enumerate(events)
        ]
        with self._connected() as connection, connection.begin():
            connection.execute(insert(ELICITATIONS), self._beginning)
            connection.execute(insert(EVENTS), rows)

    def request_of(self, sequence: int) -> str | None:
        """By which request an event came."""
        wanted = select(EVENTS.c.said).where(EVENTS.c.elicitation == self._elicitation, EVENTS.c.sequence == sequence)
        with self._connected() as connection:
            return connection.execute(wanted).scalar_one_or_none()

    def mend(self) -> None:
        """Nothing is ever half written: an event is one transaction."""

    def close(self) -> None:
        self._closed = True

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """A connection. A lost one is told as it is: whether what was written is there is not known then."""
        if self._closed:
            raise closed(self.place)
        try:
            with self._engine.connect() as connection:
                yield connection
        except IntegrityError:
            raise
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
            raise cannot_write(self.place, str(error.orig).strip().partition("\n")[0]) from None
