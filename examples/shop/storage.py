"""What the shop keeps, in one SQLite file: the events of each visit, the tastes of its customers, and their orders."""

import json
import sqlite3
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pcl_core as pcl
from pcl_core.elicitation import cannot_write, closed, moved_on

TABLES = """
create table if not exists visits (
  number integer primary key, customer text not null, ordered text
);
create table if not exists events (
  visit integer not null, number integer not null, event text not null, primary key (visit, number)
);
create table if not exists tastes (customer text primary key, taste text not null);
"""
COUNT = "select count(*) from events where visit = :visit"
WRITE = f"insert into events select :visit, :number, :event where ({COUNT}) = :number"
Row = tuple[object, ...]


class Database:
    """One connection, for any thread, one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn = threading.Lock()
        self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        self._connection.executescript(TABLES)

    def rows(self, query: str, values: Mapping[str, object]) -> list[Row]:
        with self._turn:
            return self._connection.execute(query, values).fetchall()

    def change(self, statement: str, values: Mapping[str, object]) -> int:
        """How many rows there are more, fewer or other than before."""
        with self._turn:
            return self._connection.execute(statement, values).rowcount

    def close(self) -> None:
        self._connection.close()


class VisitEvents:
    """The events of one visit, as an event store of pcl: what it must do is in `pcl_core.elicitation.EventStore`."""

    def __init__(self, path: Path, visit: int) -> None:
        self.place = f"{path}, visit {visit}"
        self._visit = visit
        self._database: Database | None = None
        with self._words():
            self._database = Database(path)

    def count(self) -> int:
        return len(self.read())

    def read(self, start: int = 0) -> list[str]:
        query = "select event from events where visit = :visit and number >= :start order by number"
        with self._words():
            return [str(event) for (event,) in self._open.rows(query, {"visit": self._visit, "start": start})]

    def append(self, event: str, expected: int) -> None:
        """One statement: of two who write at once, one is told that the other was first."""
        with self._words():
            written = self._open.change(WRITE, {"visit": self._visit, "number": expected, "event": event})
        if written == 0:
            raise moved_on(self.place, expected, self.count())

    def mend(self) -> None:
        """Nothing is ever half written: an event is one transaction."""

    def close(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            database.close()

    @property
    def _open(self) -> Database:
        if self._database is None:
            raise closed(self.place)
        return self._database

    @contextmanager
    def _words(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise cannot_write(self.place, str(error)) from None


class Storage:
    """Who came, what they want in general, and what they ordered."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = Database(path)

    def events(self, visit: int) -> VisitEvents:
        return VisitEvents(self._path, visit)

    def visit_of(self, customer: str) -> int:
        """The visit that a customer has not ended yet, or a new one."""
        known = {"customer": customer}
        statement = "insert into visits (customer) select :customer where not exists (%s)"
        unfinished = "select number from visits where customer = :customer and ordered is null"
        self._database.change(statement % unfinished, known)
        ((number,),) = self._database.rows(unfinished, known)
        assert isinstance(number, int)
        return number

    def taste_of(self, customer: str) -> pcl.Taste | None:
        found = self._database.rows("select taste from tastes where customer = :customer", {"customer": customer})
        return pcl.Taste.from_data(json.loads(str(found[0][0]))) if found else None

    def order(self, customer: str, visit: int, ordered: Mapping[str, pcl.Value], taste: pcl.Taste) -> None:
        """The visit ends with an order; her taste is kept for the next."""
        statement = "update visits set ordered = :ordered where number = :visit and ordered is null"
        self._database.change(statement, {"visit": visit, "ordered": json.dumps(dict(ordered))})
        statement = "insert or replace into tastes values (:customer, :taste)"
        self._database.change(statement, {"customer": customer, "taste": json.dumps(taste.data())})

    def orders(self) -> list[tuple[str, dict[str, pcl.Value]]]:
        """Who ordered what, first come first."""
        query = "select customer, ordered from visits where ordered is not null order by number"
        return [(str(customer), json.loads(str(ordered))) for customer, ordered in self._database.rows(query, {})]

    def close(self) -> None:
        self._database.close()
