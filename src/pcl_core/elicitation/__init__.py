"""Elicitation: ask and tell, with an event log that everything else is derived from.

What is exported here is what programs need that elicit, what the author of a store needs, and what reads logs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pcl_core.elicitation.changes import Change
from pcl_core.elicitation.codec import read_events
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.elsewhere import Elsewhere, Place
from pcl_core.elicitation.events import Event, Started
from pcl_core.elicitation.file_store import FileStore, Log
from pcl_core.elicitation.history import Told
from pcl_core.elicitation.log_lines import read_lines
from pcl_core.elicitation.overview import PartNow
from pcl_core.elicitation.own_rules import Ruling
from pcl_core.elicitation.possible import PossibleData, possible_data
from pcl_core.elicitation.preview import BrokenConstraint, Preview
from pcl_core.elicitation.query import Answer, Query
from pcl_core.elicitation.reasons import Reason
from pcl_core.elicitation.schema import data_schema
from pcl_core.elicitation.settings import RECIPES, Mode, Settings, expanded
from pcl_core.elicitation.setup import STARTS, Start, Strategies, check_start
from pcl_core.elicitation.state import Learned
from pcl_core.elicitation.store import EventStore, MemoryStore, cannot_write, closed, moved_on
from pcl_core.elicitation.surroundings import Figure, Surroundings
from pcl_core.elicitation.taste import Taste

if TYPE_CHECKING:
    from pcl_core.elicitation.simulate import UNKNOWN, Person, Simulation, as_one_part, matched_person, person
else:

    def __getattr__(name: str) -> object:
        """Simulating is imported when it is used: with it come simulated people and what is measured of them."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return getattr(import_module("pcl_core.elicitation.simulate"), name)


__all__ = [
    "RECIPES", "STARTS", "UNKNOWN", "Answer", "BrokenConstraint", "Change",
    "Elicitation", "Elsewhere", "Event", "EventStore", "Figure",
    "FileStore", "Learned", "Log", "MemoryStore", "Mode", "PartNow", "Person", "Place", "PossibleData",
    "Preview", "Query", "Reason", "Ruling",
    "Settings", "Simulation", "Start", "Started", "Strategies", "Surroundings",
    "Taste", "Told", "as_one_part", "cannot_write", "check_start",
    "closed", "data_schema", "expanded", "matched_person", "moved_on", "person", "possible_data", "read_events", "read_lines",
]  # fmt: skip
