"""Elicitation: ask and tell, with an event log that everything else is derived from.

What is exported here is what the author of a store needs, and what reads logs.
"""

from pcl_core.elicitation.codec import read_events
from pcl_core.elicitation.events import Event
from pcl_core.elicitation.file_store import FileStore, Log
from pcl_core.elicitation.store import EventStore, MemoryStore, cannot_write, closed, moved_on

__all__ = [
    "Event",
    "EventStore",
    "FileStore",
    "Log",
    "MemoryStore",
    "cannot_write",
    "closed",
    "moved_on",
    "read_events",
]
