"""What is made of a problem once, for all who work on it."""

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")


class Shared:
    """Things that were made of one problem, each for as long as somebody uses it. A copy of the problem starts anew."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held while something is made: what is derived from a problem keeps notes that two must not write at once."""
        self._made: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made under this key and is still in use, or what `make` makes now."""
        with self.lock:
            found: T | None = self._made.get(key)
            if found is None:
                found = self._made[key] = make()
            return found

    def __reduce__(self) -> tuple[type["Shared"], tuple[()]]:
        return Shared, ()
