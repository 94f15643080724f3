"""What was found lately, for those who ask the same again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lately(Generic[T]):
    """The last few results of something that gives the same for the same. Any number of threads may use it."""

    def __init__(self, most: int, weigh: Callable[[T], int] = lambda _: 1) -> None:
        self.most = most
        """What all results that are kept may weigh together; the last one is kept whatever it weighs."""
        self._weigh, self._weight = weigh, 0
        self._found: OrderedDict[Hashable, tuple[tuple[object, ...], T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T], *same: object) -> T:
        """What was found for this key, or what `make` finds now: two threads may both find it.

        The result is for these very objects as well, which never change. They are held, so that none takes the place of another.
        """
        whole = (key, *map(id, same))
        with self._lock:
            if whole in self._found:
                self._found.move_to_end(whole)
                return self._found[whole][1]
        found = make()
        with self._lock:
            replaced = self._found.pop(whole, None)
            self._weight += self._weigh(found) - (0 if replaced is None else self._weigh(replaced[1]))
            self._found[whole] = (same, found)
            while self._weight > self.most and len(self._found) > 1:
                _, (_, gone) = self._found.popitem(last=False)
                self._weight -= self._weigh(gone)
        return found
