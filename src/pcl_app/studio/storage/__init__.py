"""What the studio keeps, in SQLite or PostgreSQL: people, elicitations, their events, uploaded problems."""

from typing import TYPE_CHECKING

from pcl_app.studio.storage.database import bring_up_to_date, default_address, opened
from pcl_app.studio.storage.records import Kept, Records, Uploaded, new_id

if TYPE_CHECKING:
    from pcl_app.studio.storage.events import SqlStore as SqlStore

__all__ = ["Kept", "Records", "SqlStore", "Uploaded", "bring_up_to_date", "default_address", "new_id", "opened"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Workers read and write events. The server does not, and need not import all of elicitation for it."""
        if name != "SqlStore":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from pcl_app.studio.storage.events import SqlStore

        return SqlStore
