"""The database: SQLite unless an address says otherwise, brought to the newest layout when it is opened."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from pcl_core.errors import Code, Issue, MissingDependencyError, RequestError

BUSY_SECONDS = 30
NEWEST = "0002"
"""The last of the migrations."""
LOCK = 5_077_269
"""A number by which servers that start at once on one PostgreSQL take turns in bringing it up to date."""


def default_address() -> str:
    """Where a person's elicitations are if she says nothing: in her own data folder."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return f"sqlite:///{Path(home).expanduser() / 'pcl' / 'studio.db'}"


def opened(address: str) -> Engine:
    """An engine for this process. Nothing is connected yet."""
    url = _read(address)
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        return create_engine(url, pool_pre_ping=True, pool_size=4, connect_args={"connect_timeout": 10})
    except ModuleNotFoundError as error:
        issue = Issue(
            Code.MISSING_DEPENDENCY, f"this needs {error.name}", "pip install 'pcl-elicit[studio,postgresql]'"
        )
        raise MissingDependencyError(issue) from None


def bring_up_to_date(address: str) -> None:
    """Create what is not there, and change what an earlier version left; several servers may start at once."""
    url = _read(address)
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        _make_place(Path(url.database))
    engine = opened(address).execution_options(immediate=True)
    if _is_up_to_date(engine):
        engine.dispose()
        return
    from alembic import command  # which a restart does not need
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    try:
        with in_words(url), engine.begin() as connection:
            if url.get_backend_name() == "postgresql":
                connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        engine.dispose()


def _is_up_to_date(engine: Engine) -> bool:
    """Whether Alembic would find nothing to do."""
    with suppress(DBAPIError), engine.connect() as connection:
        return connection.execute(text("select version_num from alembic_version")).scalars().all() == [NEWEST]
    return False


@contextmanager
def in_words(url: URL) -> Iterator[None]:
    """What a driver says about a database that cannot be used, as a sentence without its password."""
    try:
        yield
    except DBAPIError as error:
        said = str(error.orig).strip().partition("\n")[0]
        message = f"the database {shown_address(url)} cannot be used: {said}"
        raise RequestError(Issue(Code.CANNOT_WRITE, message, "is the address right, and is it running?")) from None


def shown_address(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _read(address: str) -> URL:
    """An address; one without a driver means the driver that the extra brings."""
    try:
        url = make_url(address)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        hint = "like sqlite:///studio.db or postgresql://name:password@host/database"
        raise RequestError(Issue(Code.BAD_VALUE, "this is no address of a database", hint)) from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        message = f"the studio keeps its data in SQLite or PostgreSQL, not in {url.get_backend_name():.40}"
        raise RequestError(Issue(Code.UNSUPPORTED, message))
    return url


def _make_place(path: Path) -> None:
    """The file of a new database, which nobody else on this machine may read: it holds what people said."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, stat.S_IRUSR | stat.S_IWUSR))
    except OSError as error:
        message = f"the database {path} cannot be made: {error.strerror}"
        raise RequestError(Issue(Code.CANNOT_WRITE, message, "choose another place with --db")) from None


def _prepare_sqlite(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin where SQLAlchemy says, and not where the driver guesses
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    """Who reads before writing says so: it could not become a writer once somebody else had written."""
    immediate = connection.get_execution_options().get("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
