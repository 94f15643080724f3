"""The database of the studio holds to the contract for stores, as the file log does: on SQLite and on PostgreSQL."""

from pathlib import Path

from tests.app.studio.databases import begun

from pcl_app.studio.storage import SqlStore, bring_up_to_date, opened
from pcl_core.elicitation import EventStore
from pcl_core.testing.stores import StoreConformance, Trait


class TestOnSqlite(StoreConformance):
    lacks = frozenset({Trait.TEARS})

    def create(self, folder: Path) -> EventStore:
        address = f"sqlite:///{folder}/studio.db"
        bring_up_to_date(address)
        return begun(address, "anna")

    def reopen(self, folder: Path) -> EventStore:
        return SqlStore(opened(f"sqlite:///{folder}/studio.db"), "anna")
