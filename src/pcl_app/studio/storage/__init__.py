"""What the studio keeps, in SQLite or PostgreSQL: people, elicitations, their events, uploaded problems."""

from pcl_app.studio.storage.database import bring_up_to_date, default_address, opened
from pcl_app.studio.storage.events import SqlStore
from pcl_app.studio.storage.records import Kept, Records, Uploaded, new_id

__all__ = ["Kept", "Records", "SqlStore", "Uploaded", "bring_up_to_date", "default_address", "new_id", "opened"]
