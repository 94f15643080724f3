"""The store contract of the core on a database: the events of one elicitation among those of many."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, Integer, String, Text, func, insert, literal, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from pcl_app.studio.storage.database import shown_address
from pcl_app.studio.storage.tables import ELICITATIONS, EVENTS
from pcl_core.elicitation import cannot_write, closed, moved_on


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
        self._end = (
            select(func.coalesce(func.max(EVENTS.c.sequence) + 1, 0))
            .where(EVENTS.c.elicitation == elicitation)
            .scalar_subquery()
        )

    def count(self) -> int:
        with self._connected() as connection:
            return int(connection.execute(select(self._end)).scalar_one())

    def read(self, start: int = 0) -> list[str]:
        wanted = (
            select(EVENTS.c.event)
            .where(EVENTS.c.elicitation == self._elicitation, EVENTS.c.sequence >= start)
            .order_by(EVENTS.c.sequence)
        )
        with self._connected() as connection:
            return list(connection.execute(wanted).scalars())

    def append(self, event: str, expected: int) -> None:
        row = (
            literal(self._elicitation, String),
            literal(expected, Integer),
            literal(event, Text),
            literal(self.said, String),
        )
        try:
            with self._connected() as connection, connection.begin():
                if expected == 0 and self._beginning is not None:
                    connection.execute(insert(ELICITATIONS), self._beginning)
                new = insert(EVENTS).from_select(list(EVENTS.c), select(*row).where(self._end == expected))
                written = connection.execute(new.execution_options(preserve_rowcount=True))
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
