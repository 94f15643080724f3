"""The database of the studio holds to the contract for stores, as the file log does: on SQLite and on PostgreSQL."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.app.studio.databases import StoreAlone, begun, engine_at, new_database, postgresql

from pcl_app.studio.storage import Records, bring_up_to_date
from pcl_app.studio.storage.database import NEWEST
from pcl_app.studio.storage.tables import METADATA
from pcl_core.elicitation import EventStore
from pcl_core.errors import RequestError
from pcl_core.testing.stores import StoreConformance, Trait


class TestOnSqlite(StoreConformance):
    lacks = frozenset({Trait.TEARS})

    def create(self, folder: Path) -> EventStore:
        address = f"sqlite:///{folder}/studio.db"
        bring_up_to_date(address)
        return begun(address, "anna")

    def reopen(self, folder: Path) -> EventStore:
        return StoreAlone(f"sqlite:///{folder}/studio.db", "anna")


class TestOnPostgresql(StoreConformance):
    lacks = frozenset({Trait.TEARS, Trait.FILLS})
    kills = 8

    @pytest.fixture(autouse=True)
    def _database(self, postgres: str) -> None:
        self.address = postgres

    def create(self, folder: Path) -> EventStore:
        return begun(self.address, name_of(folder))

    def reopen(self, folder: Path) -> EventStore:
        return StoreAlone(self.address, name_of(folder))


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgresql(tmp_path_factory.mktemp("postgres")) as server:
        address = new_database(server, "studio")
        bring_up_to_date(address)
        yield address


def name_of(folder: Path) -> str:
    """An elicitation for each folder of the kit."""
    return hashlib.sha256(str(folder).encode()).hexdigest()[:32]


@pytest.mark.parametrize("times", [1, 3])
def test_a_database_is_brought_up_to_date_once_however_many_servers_start(tmp_path: Path, times: int) -> None:
    address = f"sqlite:///{tmp_path}/new/studio.db"
    threads = [threading.Thread(target=bring_up_to_date, args=(address,)) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bring_up_to_date(address)
    store = begun(address, "anna")
    store.append("{}", 0)
    assert store.read() == ["{}"]
    store.close()
    assert (tmp_path / "new" / "studio.db").stat().st_mode & 0o077 == 0, "what people said is not for others"


def test_the_tables_are_those_that_the_migrations_make(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/studio.db"
    bring_up_to_date(address)
    with engine_at(address) as engine, engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert MigrationContext.configure(connection).get_current_heads() == (NEWEST,)


def test_sqlite_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/studio.db"
    bring_up_to_date(address)
    with engine_at(address) as engine, engine.connect() as connection:
        settings = [connection.exec_driver_sql(f"pragma {name}").scalar() for name in ("journal_mode", "synchronous")]
    assert settings == ["wal", 2]


def test_an_elicitation_whose_first_event_is_not_written_is_not_there(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/studio.db"
    bring_up_to_date(address)
    store = begun(address, "anna")
    with pytest.raises(RequestError):
        store.append("{}", 1)
    store.close()
    with engine_at(address) as engine:
        assert Records(engine).elicitation("anna") is None


def test_a_database_of_before_keeps_its_problems_which_then_have_no_description(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/studio.db"
    bring_up_to_date(address)
    with engine_at(address) as engine:
        Records(engine).know("anna")
        facts = {"name": "two", "label": "Two", "description": "new", "parts": 2, "variables": 2, "features": 2}
        kept = Records(engine).keep_problem("anna", "{}", **facts)
        with engine.begin() as connection:
            connection.exec_driver_sql("alter table problems drop column description")
            connection.exec_driver_sql("update alembic_version set version_num = '0001'")
    bring_up_to_date(address)
    with engine_at(address) as engine:
        assert Records(engine).problems_of("anna") == [kept._replace(description="")]
        assert Records(engine).ground(kept.id, "anna") == "{}"
