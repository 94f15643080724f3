"""Elicitations that are being worked on. Whatever is here can be lost: it is built again from what the database has."""

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from pcl_app.studio.errors import not_found
from pcl_app.studio.storage import Kept, Records, SqlStore, new_id
from pcl_app.studio.work.shelf import Shelf
from pcl_core.elicitation import Elicitation, MemoryStore, Settings, Taste

MOST_LIVE, MOST_FINISHED = 32, 2
"""In one worker. Each takes one or two megabytes; what is finished is seldom looked at again."""


@dataclass(frozen=True)
class Live:
    """An elicitation, where it is kept, and whose it is."""

    kept: Kept
    store: SqlStore
    elicitation: Elicitation


class Lives:
    """The elicitations that were used last, each as it is in the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._records = Records(engine)
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self.shelf = Shelf(self._records)

    def of(self, id: str, person: str) -> Live:
        """A person's elicitation, with everything that anybody wrote to it."""
        found = self._lives.get(id)
        if found is None:
            kept = self._records.elicitation(id)
            if kept is None or kept.owner != person:
                raise not_found()
            oracle, store = self.shelf.of(kept), SqlStore(self._engine, id)
            return self._keep(Live(kept, store, Elicitation.resume(store, oracle.problem, oracle=oracle)))
        if found.kept.owner != person:
            raise not_found()
        found.elicitation.refresh()
        self._lives.move_to_end(id)
        return found

    def begin(self, kept: Kept, settings: Settings, taste: Taste | None) -> Live:
        """A new elicitation. It is there once its first event is."""
        oracle, store = self.shelf.of(kept), self._new(kept, settings)
        return self._keep(
            Live(kept, store, Elicitation(oracle.problem, oracle=oracle, settings=settings, taste=taste, log=store))
        )

    def take_over(self, kept: Kept, events: Sequence[str]) -> Live:
        """An elicitation from elsewhere, by its events, once all they say is found to be possible."""
        oracle, memory = self.shelf.of(kept), MemoryStore()
        for number, event in enumerate(events):
            memory.append(event, number)
        settings = Elicitation.resume(memory, oracle.problem, oracle=oracle).settings
        self._new(kept, settings).fill(events)
        return self.of(kept.id, kept.owner)

    def tidy(self) -> None:
        """Let go of what was finished before the last ones."""
        finished = [id for id, live in self._lives.items() if live.elicitation.finished]
        for id in finished[:-MOST_FINISHED]:
            del self._lives[id]

    def forget(self, id: str) -> None:
        """What went wrong with it in memory must not stay."""
        self._lives.pop(id, None)

    def _new(self, kept: Kept, settings: Settings) -> SqlStore:
        return SqlStore(self._engine, kept.id, {**kept._asdict(), "settings": settings.model_dump_json()})

    def _keep(self, live: Live) -> Live:
        self._lives[live.kept.id] = live
        if len(self._lives) > MOST_LIVE:
            self._lives.popitem(last=False)
        return live


def new_row(owner: str, problem: str, uploaded: str | None, title: str, id: str | None) -> Kept:
    return Kept(id or new_id(), owner, problem, uploaded, title, time.time())
