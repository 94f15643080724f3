"""The kit for stores can tell: each of these stores has one fault, and a test of the kit finds it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from pcl_core.elicitation import EventStore, FileStore, MemoryStore, moved_on
from pcl_core.testing.stores import StoreConformance, Trait


class TakesAnything(MemoryStore):
    """does not look at the number that was expected"""

    def append(self, event: str, expected: int) -> None:
        super().append(event, self.count())


class LooksTooEarly(MemoryStore):
    """lets somebody in between looking and writing"""

    def append(self, event: str, expected: int) -> None:
        found = self.count()
        time.sleep(0.0001)
        super().append(event, self.count() if found == expected else expected)


class GivesItsOwnList(MemoryStore):
    """what is read can be changed by who reads it"""

    def read(self, start: int = 0) -> list[str]:
        return self._events if start == 0 else self._events[start:]


class Strips(MemoryStore):
    """tidies up what it is given"""

    def append(self, event: str, expected: int) -> None:
        super().append(event.strip(), expected)


class NeverCloses(MemoryStore):
    """goes on after it was closed"""

    def close(self) -> None:
        return None


class PromisesTooEarly(FileStore):
    """acknowledges an event, and writes it before the next one"""

    _waiting: tuple[str, int] | None = None

    def append(self, event: str, expected: int) -> None:
        if expected == 0 or self._waiting == (event, expected):
            return super().append(event, expected)
        if self._waiting is not None:
            super().append(*self._waiting)
        self._waiting = (event, expected)
        return None


class LeavesRemains(FileStore):
    """does not cut off what could not be written"""

    def _cut_back(self) -> bool:
        return False


class SaysNothing(FileStore):
    """drops half an event without a word"""

    def mend(self) -> None:
        super().mend()


class LetsTwoIn(FileStore):
    """locks nothing"""

    def _lock(self) -> None:
        return None


class Shared(MemoryStore):
    """Has no fault: all who open a place in this process have the same events."""

    _places: ClassVar[dict[Path, list[str]]] = {}

    def __init__(self, place: Path) -> None:
        super().__init__()
        self._events = self._places.setdefault(place, [])


class CountsOnce(Shared):
    """counts when it is opened, and from then on only what it writes itself"""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self._counted = len(self._events)

    def count(self) -> int:
        return self._counted

    def append(self, event: str, expected: int) -> None:
        if expected != self._counted:
            raise moved_on(self.place, expected, self._counted)
        self._events.append(event)
        self._counted += 1


class ReadsOnce(Shared):
    """shows what was there when it was opened and what it wrote itself, although it writes only where it may"""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self._found = self._events.copy()

    def read(self, start: int = 0) -> list[str]:
        return self._found[start:]

    def append(self, event: str, expected: int) -> None:
        super().append(event, expected)
        self._found.append(event)


class LooksAgainWhenRefused(ReadsOnce):
    """shows what others wrote only to whom it has refused something"""

    def append(self, event: str, expected: int) -> None:
        try:
            super().append(event, expected)
        finally:
            self._found = self._events.copy()


Store = type[MemoryStore] | type[FileStore]


def kit(store: Store) -> StoreConformance:
    class Conformance(StoreConformance):
        lacks = frozenset({Trait.SHARED}) if issubclass(store, FileStore) else frozenset()
        kills = 5

        def create(self, folder: Path) -> EventStore:
            if issubclass(store, FileStore):
                return store.create(folder / "log")
            return store(folder) if issubclass(store, Shared) else store()

        def reopen(self, folder: Path) -> EventStore:
            if issubclass(store, FileStore):
                return store.open(folder / "log")
            assert issubclass(store, Shared), "what is in memory is gone"
            return store(folder)

        def tear(self, folder: Path) -> None:
            with (folder / "log").open("ab") as file:
                file.write(b"{")

    return Conformance()


Found = Callable[[StoreConformance, Path], None]


def half_an_event(*, mended: bool) -> Found:
    def found(kit: StoreConformance, folder: Path) -> None:
        kit.test_half_an_event_is_left_out_and_told_and_does_no_harm_to_the_next(folder, mended)

    return found


TWO_AT_ONCE = StoreConformance.test_each_of_two_who_have_it_open_goes_by_what_the_other_wrote
ONE_AT_A_TIME = StoreConformance.test_whoever_comes_second_to_what_one_may_have_is_refused_until_the_first_has_closed

FAULTS: list[tuple[Store, Found]] = [
    (TakesAnything, StoreConformance.test_an_event_that_comes_too_late_or_too_early_changes_nothing),
    (LooksTooEarly, StoreConformance.test_threads_that_write_at_once_each_write_once),
    (GivesItsOwnList, StoreConformance.test_what_was_read_is_the_readers_own),
    (Strips, StoreConformance.test_any_text_comes_back_as_it_was),
    (NeverCloses, StoreConformance.test_a_closed_store_says_so),
    (MemoryStore, StoreConformance.test_events_come_back_in_order),
    (PromisesTooEarly, StoreConformance.test_a_writer_that_is_killed_loses_nothing_it_acknowledged),
    (LeavesRemains, half_an_event(mended=False)),
    (LeavesRemains, StoreConformance.test_a_full_disk_refuses_an_event_and_takes_it_when_there_is_room),
    (SaysNothing, half_an_event(mended=True)),
    (LetsTwoIn, ONE_AT_A_TIME),
    (CountsOnce, TWO_AT_ONCE),
    (ReadsOnce, TWO_AT_ONCE),
    (LooksAgainWhenRefused, TWO_AT_ONCE),
]


@pytest.mark.parametrize(("store", "found"), FAULTS, ids=lambda item: item.__name__)
def test_a_fault_is_found(store: Store, found: Found, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        found(kit(store), tmp_path)


@pytest.mark.parametrize(("store", "passed"), [(Shared, TWO_AT_ONCE), (FileStore, ONE_AT_A_TIME)])
def test_it_is_the_fault_that_is_found(store: Store, passed: Found, tmp_path: Path) -> None:
    passed(kit(store), tmp_path)
