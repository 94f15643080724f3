"""Several of what only one thread at a time may use, so that several threads need not wait for each other."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from pcl_core.solve.protocol import Options, Prepared, Reply, Request

T = TypeVar("T")


class Pool(Generic[T]):
    """Whoever needs one takes a free one or makes another; there are never more than the machine has cores."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._free: list[T] = []
        self._room = threading.BoundedSemaphore(len(os.sched_getaffinity(0)))
        self.made = 0

    @contextmanager
    def one(self) -> Iterator[T]:
        """One for this thread alone. The last that was used comes first: alone, a thread always has the same."""
        with self._room:
            try:
                found = self._free.pop()
            except IndexError:
                self.made += 1
                found = self._make()
            try:
                yield found
            finally:
                self._free.append(found)


class Copies(Pool[Prepared]):
    """A prepared scope for several threads, made of copies that are for one thread each."""

    def solve(self, request: Request, options: Options) -> Reply:
        with self.one() as prepared:
            return prepared.solve(request, options)
