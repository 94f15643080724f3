"""What may be made again is kept while there is room: what was asked for longest ago goes first."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from pcl_core.compile.pipeline import Scope

AskedFor = TypeVar("AskedFor")
Held = TypeVar("Held")

ROOM = 400_000
"""The size of all compiled scopes that are kept, in registers. With what a solver keeps, one takes two to six kilobytes."""


def size_of(scope: Scope) -> int:
    """In registers."""
    return len(scope.registers.registers.items)


class RecentItems(Generic[AskedFor, Held]):
    """Items of different sizes, together no larger than the room for them. The last one stays, whatever its size."""

    def __init__(self) -> None:
        self._items: OrderedDict[AskedFor, tuple[Held, int]] = OrderedDict()
        self._size, self._lock = 0, threading.Lock()

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: AskedFor) -> Held | None:
        with self._lock:
            found = self._items.get(key)
            if found is None:
                return None
            self._items.move_to_end(key)
            return found[0]

    def put(self, key: AskedFor, item: Held, size: int) -> None:
        with self._lock:
            self._size += size - self._items.pop(key, (item, 0))[1]
            self._items[key] = (item, size)
            while self._size > ROOM and len(self._items) > 1:
                _, (_, gone) = self._items.popitem(last=False)
                self._size -= gone
