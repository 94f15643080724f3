"""Our own stores do what the kit asks of every store; elicitations share them and do not get in each other's way."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.core.elicitation.logs import ORACLES, refused
from tests.core.elicitation.sessions import TRIP, next_queries, seen, session

from pcl_core import Code, Elicitation, Settings
from pcl_core.elicitation import EventStore, FileStore, MemoryStore, read_events
from pcl_core.testing.stores import StoreConformance, Trait

ORACLE = ORACLES[TRIP.name]


class TestFileStore(StoreConformance):
    lacks = frozenset({Trait.SHARED})

    def create(self, folder: Path) -> EventStore:
        return FileStore.create(folder / "log.jsonl")

    def reopen(self, folder: Path) -> EventStore:
        return FileStore.open(folder / "log.jsonl")

    def tear(self, folder: Path) -> None:
        with (folder / "log.jsonl").open("ab") as file:
            file.write(b'{"at":1')


class TestMemoryStore(StoreConformance):
    lacks = frozenset(Trait)

    def create(self, folder: Path) -> EventStore:
        return MemoryStore()


def begun(store: EventStore) -> Elicitation:
    return Elicitation(TRIP, oracle=ORACLE, log=store, settings=Settings(stop="never", seed=4), clock=lambda: 0.0)


def joined(store: EventStore) -> Elicitation:
    return Elicitation.resume(store, TRIP, oracle=ORACLE, clock=lambda: 0.0)


def test_who_comes_second_is_told_changes_nothing_and_goes_on_after_looking_again() -> None:
    store = MemoryStore()
    first = begun(store)
    first.ask()
    second = joined(store)
    query, same = first.ask(), second.ask()
    assert query is not None
    assert same is not None
    first.tell(query.improve({f"nights[{query.part}]": 2}))
    before, events = seen(second), store.read()
    for late in (lambda: second.tell(same.accept()), second.stop, lambda: second.pin(f"nights[{query.part}]", 0)):
        error = refused(late)
        assert error.code is Code.LOG_MOVED_ON
        assert error.issues[0].location.file == store.place
        assert (seen(second), store.read()) == (before, events)
    assert second.refresh() == 1
    assert seen(second) == seen(first)
    assert refused(lambda: second.tell(same.accept())).code is Code.STALE_ANSWER
    assert second.refresh() == 0
    next_queries(second, 2)
    first.refresh()
    assert seen(first) == seen(second)


@pytest.mark.parametrize("seed", range(4))
def test_two_who_take_turns_in_one_store_know_the_same(seed: int) -> None:
    store, random = MemoryStore(), Random(seed)
    both = [begun(store)]
    both.append(joined(store))
    for _ in range(30):
        active, other = random.sample(both, 2)
        active.refresh()
        session(active, random, 2)
        other.refresh()
        assert seen(active) == seen(other)


def test_an_undo_of_somebody_else_is_taken_in() -> None:
    store = MemoryStore()
    first = begun(store)
    next_queries(first, 2)
    before = seen(first)
    next_queries(first, 1)
    second = joined(store)
    first.undo()
    first.undo()
    assert second.refresh() == 2
    assert seen(second) == seen(first)
    assert seen(second) != before


def test_a_store_that_has_events_is_not_begun_again() -> None:
    store = MemoryStore()
    begun(store).ask()
    error = refused(lambda: begun(store))
    assert error.code is Code.LOG_MOVED_ON
    assert "exists already" in str(error)
    assert store.count() == 2


def test_a_store_in_which_nothing_was_begun_cannot_be_resumed() -> None:
    error = refused(lambda: joined(MemoryStore()))
    assert error.code is Code.LOG_BROKEN
    assert "no first event" in str(error)


@pytest.mark.parametrize("call", [begun, joined])
def test_a_store_that_was_given_stays_open_when_that_fails(call: Callable[[EventStore], Elicitation]) -> None:
    store = MemoryStore()
    store.append("{}", 0)
    refused(lambda: call(store))
    assert store.read() == ["{}"]


def test_a_path_is_short_for_a_file(log: Path, tmp_path: Path) -> None:
    logs: list[Path | FileStore] = [log, FileStore.create(tmp_path / "other")]
    for given in logs:
        live = Elicitation(TRIP, oracle=ORACLE, log=given, settings=Settings(seed=1), clock=lambda: 0.0)
        next_queries(live, 2)
        live.close()
    assert (tmp_path / "other").read_bytes() == log.read_bytes()
    assert read_events(FileStore.open(log)) == read_events(str(tmp_path / "other"))
    assert seen(joined(FileStore.open(tmp_path / "other"))) == seen(live)


def test_a_torn_line_of_a_store_that_was_given_is_reported(written: Path) -> None:
    with written.open("ab") as file:
        file.write(b'{"at')
    live = joined(FileStore.open(written))
    assert live.report is not None
    assert written.name in live.report


def test_a_file_store_that_is_never_written_gives_its_name_back(log: Path) -> None:
    store = FileStore.create(log)
    assert log.exists()
    assert refused(lambda: FileStore.create(log)).code is Code.LOG_IN_USE
    store.close()
    assert not log.exists()


class Flaky(MemoryStore):
    """Loses its connection at the worst moment: after the event was kept, or before."""

    def __init__(self, *, kept: bool) -> None:
        super().__init__()
        self.kept = kept
        self.fails = False

    def append(self, event: str, expected: int) -> None:
        if self.kept or not self.fails:
            super().append(event, expected)
        if self.fails:
            raise ConnectionResetError("lost")


@pytest.mark.parametrize("kept", [True, False])
def test_an_event_whose_writing_ended_in_doubt_is_looked_for(kept: bool) -> None:
    store = Flaky(kept=kept)
    live = begun(store)
    query = live.ask()
    assert query is not None
    store.fails = True
    with pytest.raises(ConnectionResetError):
        live.tell(query.accept())
    store.fails = False
    assert (query.part in live.confirmed) is kept
    next_queries(live, 2)
    assert seen(joined(store)) == seen(live)


def test_the_event_of_somebody_else_is_not_taken_for_ones_own() -> None:
    store = Flaky(kept=False)
    live = begun(store)
    query = live.ask()
    assert query is not None
    other = joined(store)
    store.fails = True
    with pytest.raises(ConnectionResetError):
        live.tell(query.accept())
    store.fails = False
    other.tell(query.skip())
    assert query.part not in live.confirmed
    assert live.refresh() == 1
    assert seen(live) == seen(other)
