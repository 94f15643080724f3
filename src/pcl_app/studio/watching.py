"""Who watches an elicitation is told when it changes, whichever server changed it."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import suppress

from sqlalchemy.exc import DBAPIError

from pcl_app.studio.storage import Records

POLL_SECONDS = 1.0
"""How late one may learn of what another server wrote; what this one wrote is told at once."""

logger = logging.getLogger(__name__)


class Watch:
    """Looks at the database for all who watch, and only while somebody does."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._bells: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._lengths: dict[str, int] = {}
        self._now = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None

    def changed(self, id: str) -> None:
        """It may have: look at once."""
        if id in self._bells:
            self._now.set()

    async def lengths(self, id: str, every: float) -> AsyncIterator[int | None]:
        """How many events there are, whenever that changes; None after `every` seconds in which nothing did."""
        bell = asyncio.Event()
        self._bells[id].add(bell)
        if id in self._lengths:
            bell.set()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        self._now.set()
        told = -1
        try:
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(bell.wait(), every)
                bell.clear()
                length = self._lengths.get(id, told)
                yield length if length != told else None
                told = length
        finally:
            self._bells[id].discard(bell)
            if not self._bells[id]:
                del self._bells[id]
                self._lengths.pop(id, None)

    def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        while self._bells:
            try:
                found = await asyncio.to_thread(self._records.lengths, list(self._bells))
            except DBAPIError:
                logger.warning("the database did not answer; it is asked again")
                found = {}
            for id, length in found.items():
                if self._lengths.get(id) != length and id in self._bells:
                    self._lengths[id] = length
                    for bell in self._bells[id]:
                        bell.set()
            self._now.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._now.wait(), POLL_SECONDS)
