"""The conformance kit for stores: what every `EventStore` must do, whoever wrote it.

A third party subclasses `StoreConformance`, and says how a store is created and opened again, and in `lacks` what does not
apply to it:

    class TestMine(StoreConformance):
        lacks = frozenset({Trait.TEARS})

        def create(self, folder: Path) -> EventStore:
            return MyStore(folder / "events.db")

        reopen = create

What a store lacks is skipped and reported. Who may have a place open is tried either way: several at once, or, of a store
that lacks `Trait.SHARED`, one. Other processes are forks, which open the store for themselves.
"""

import json
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from random import Random

import pytest

from pcl_core.elicitation import EventStore, read_events
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.settings import Settings
from pcl_core.errors import Code, PclError, RequestError
from pcl_core.testing.cases import CASES
from pcl_core.testing.writers import TURNS, WRITERS, check_turns, event, forked, killed, wrote

ROOM = 60_000
"""Bytes that a file may have on a full disk."""


class Trait(StrEnum):
    """What not all stores are."""

    REOPENS = "what was written can be opened again, also by another process"
    FILLS = "it can run out of room; the kit limits the size of files, and others override `full`"
    TEARS = "a crash can leave a part of an event behind, as `tear` does"
    SHARED = "several can have it open at once; where it is lacking, whoever comes second is refused with `log-in-use`"


def refused(call: Callable[[], object], code: Code) -> None:
    """It is a sentence, with a place, and not a stack trace of somebody's driver."""
    with pytest.raises(RequestError) as caught:
        call()
    assert caught.value.code is code
    assert all(issue.message for issue in caught.value.issues)


class StoreConformance:
    """Subclass me."""

    lacks: frozenset[Trait] = frozenset()
    kills = 20
    """How often a writer is killed."""

    def create(self, folder: Path) -> EventStore:
        """A new store; the folder is empty and its name is different each time."""
        raise NotImplementedError("override `create`")

    def reopen(self, folder: Path) -> EventStore:
        """The store that was created for this folder; what is not `SHARED` was closed before, or its process ended."""
        raise NotImplementedError("override `reopen`, or say that the store lacks Trait.REOPENS")

    def tear(self, folder: Path) -> None:
        """Leave behind what a crash in the middle of writing leaves; nobody has the store open."""
        raise NotImplementedError("override `tear`, or say that the store lacks Trait.TEARS")

    @contextmanager
    def full(self, folder: Path) -> Iterator[None]:
        """There is little room while this lasts."""
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)

    def need(self, trait: Trait) -> None:
        if trait in self.lacks:
            pytest.skip(f"the store lacks this: {trait}")

    def waited_for(self, folder: Path) -> EventStore:
        """The store, as soon as nobody else has it; most stores take several writers at once."""
        while True:
            try:
                return self.reopen(folder)
            except PclError as error:
                if error.code is not Code.LOG_IN_USE:
                    raise
                time.sleep(0.0005)

    def check_again(self, folder: Path, expected: list[str]) -> None:
        """What is there is there for whoever comes later."""
        if Trait.REOPENS not in self.lacks:
            store = self.reopen(folder)
            assert store.read() == expected
            assert store.count() == len(expected)
            store.close()

    def test_events_come_back_in_order(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        assert (store.count(), store.read()) == (0, [])
        events = [event(number) for number in range(12)]
        for number, text in enumerate(events):
            store.append(text, number)
            assert store.count() == number + 1
        assert [store.read(start) for start in range(14)] == [events[start:] for start in range(14)]
        store.close()
        self.check_again(tmp_path, events)

    def test_what_was_read_is_the_readers_own(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        store.append(event(0), 0)
        store.read().clear()
        assert store.read() == [event(0)]
        store.close()

    def test_its_place_can_be_told_in_a_message(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        assert store.place.strip()
        assert store.place.isprintable()
        store.close()

    def test_an_event_that_comes_too_late_or_too_early_changes_nothing(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        refused(lambda: store.append(event(1), 1), Code.LOG_MOVED_ON)
        assert store.read() == []
        for number in range(3):
            store.append(event(number), number)
        for expected in (0, 2, 4, 100):
            refused(lambda expected=expected: store.append("{}", expected), Code.LOG_MOVED_ON)  # type: ignore[misc]
        store.append(event(3), 3)
        expected_events = [event(number) for number in range(4)]
        assert store.read() == expected_events
        store.close()
        self.check_again(tmp_path, expected_events)

    def test_any_text_comes_back_as_it_was(self, tmp_path: Path) -> None:
        texts = [
            '{"a":"ünï☃ 𝄞 \\u0000 \\\\ \' ;-- %s ? :x"}',
            json.dumps({"\u2028\u0085": "\x1b\t"}, ensure_ascii=False),
        ]
        texts += ["{}", ' {"padded": 1} ', event(1, 3_000_000), json.dumps({"Ü": "ß" * 100_000}, ensure_ascii=False)]
        store = self.create(tmp_path)
        for number, text in enumerate(texts):
            store.append(text, number)
        assert store.read() == texts
        store.close()
        self.check_again(tmp_path, texts)

    def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        store.append(event(0), 0)
        store.close()
        store.close()
        for call in (lambda: store.append(event(1), 1), store.read, store.count):
            refused(call, Code.CANNOT_WRITE)
        self.check_again(tmp_path, [event(0)])

    def test_a_whole_store_has_nothing_to_mend(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        store.append(event(0), 0)
        assert store.mend() is None
        assert store.read() == [event(0)]
        store.close()

    def test_threads_that_write_at_once_each_write_once(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)

        def work(writer: int) -> None:
            turn = 0
            while turn < TURNS:
                turn += wrote(store, writer, turn)

        threads = [threading.Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check_turns(store.read())
        store.close()

    def test_each_of_two_who_have_it_open_goes_by_what_the_other_wrote(self, tmp_path: Path) -> None:
        self.need(Trait.REOPENS)
        self.need(Trait.SHARED)
        events = [event(number) for number in range(6)]
        first = self._begun(tmp_path)
        second = self.reopen(tmp_path)
        assert (second.count(), second.read()) == (1, events[:1])
        first.append(events[1], 1)
        refused(lambda: second.append("{}", 1), Code.LOG_MOVED_ON)
        assert (second.count(), second.read()) == (2, events[:2])
        second.append(events[2], 2)
        refused(lambda: first.append("{}", 2), Code.LOG_MOVED_ON)
        assert (first.count(), first.read()) == (3, events[:3])
        first.append(events[3], 3)
        assert second.count() == 4, "who was not refused does not look again"
        assert second.read(2) == events[2:4]
        second.append(events[4], 4)
        first.close()
        second.append(events[5], 5)
        assert second.read() == events
        second.close()
        self.check_again(tmp_path, events)

    def test_whoever_comes_second_to_what_one_may_have_is_refused_until_the_first_has_closed(
        self, tmp_path: Path
    ) -> None:
        self.need(Trait.REOPENS)
        if Trait.SHARED not in self.lacks:
            pytest.skip(f"the store has this: {Trait.SHARED}")
        events = [event(number) for number in range(4)]
        store = self._begun(tmp_path)
        for number in (1, 2):
            refused(lambda: self.reopen(tmp_path), Code.LOG_IN_USE)
            store.append(events[number], number)
            store.close()
            store = self.reopen(tmp_path)
        assert (store.count(), store.read()) == (3, events[:3])
        store.append(events[3], 3)
        store.close()
        self.check_again(tmp_path, events)

    def test_processes_that_write_in_turns_each_write_once(self, tmp_path: Path) -> None:
        self.need(Trait.REOPENS)
        store = self.create(tmp_path)
        assert wrote(store, 0, 0)
        store.close()

        def work(writer: int) -> None:
            turn = 0 if writer else 1
            while turn < TURNS:
                store = self.waited_for(tmp_path)
                turn += wrote(store, writer, turn)
                store.close()

        children = [forked(work, writer) for writer in range(WRITERS)]
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * WRITERS
        store = self.reopen(tmp_path)
        check_turns(store.read())
        store.close()

    def test_a_writer_that_is_killed_loses_nothing_it_acknowledged(self, tmp_path: Path) -> None:
        self.need(Trait.REOPENS)
        random = Random(0)
        for kill in range(self.kills):
            folder = tmp_path / str(kill)
            folder.mkdir()
            self._begun(folder).close()
            acknowledged = killed(partial(self.reopen, folder), random)
            store = self.reopen(folder)
            found = store.read()
            assert found == [event(number) for number in range(len(found))]
            assert len(found) >= acknowledged, "an acknowledged event is lost"
            assert len(found) <= acknowledged + 1
            store.mend()
            store.append('{"event": "after"}', len(found))
            store.close()
            self.check_again(folder, [*found, '{"event": "after"}'])

    @pytest.mark.parametrize("mended", [True, False])
    def test_half_an_event_is_left_out_and_told_and_does_no_harm_to_the_next(
        self, tmp_path: Path, mended: bool
    ) -> None:
        self.need(Trait.TEARS)
        self._begun(tmp_path).close()
        self.tear(tmp_path)
        store = self.reopen(tmp_path)
        assert store.read() == [event(0)]
        if mended:
            said = store.mend()
            assert said
            assert said.isprintable()
            assert store.mend() is None
        store.append(event(1), 1)
        assert store.read() == [event(0), event(1)]
        store.close()
        self.check_again(tmp_path, [event(0), event(1)])

    def test_a_full_disk_refuses_an_event_and_takes_it_when_there_is_room(self, tmp_path: Path) -> None:
        self.need(Trait.FILLS)
        store = self.create(tmp_path)
        events = []
        with self.full(tmp_path):
            for number in range(100):
                text = event(number, 1777)
                try:
                    store.append(text, number)
                except RequestError:
                    break
                events.append(text)
            assert len(events) < 100, "there was room for everything"
            refused(lambda: store.append(text, number), Code.CANNOT_WRITE)
            assert (store.count(), store.read()) == (len(events), events)
        store.append(text, number)
        assert store.read() == [*events, text]
        store.close()
        self.check_again(tmp_path, [*events, text])

    def test_an_elicitation_lives_in_it(self, tmp_path: Path) -> None:
        problem, store = CASES[0].problem, self.create(tmp_path)
        live = Elicitation(problem, backend="table", log=store, settings=Settings(stop="never"))
        for _ in range(3):
            query = live.ask()
            assert query is not None
            live.tell(query.accept())
        live.undo()
        kinds = ["started", *["asked", "answered"] * 3, "undone"]
        assert [found.event for found in read_events(store)] == kinds
        live.close()
        if Trait.REOPENS not in self.lacks:
            again = Elicitation.resume(self.reopen(tmp_path), problem, backend="table")
            assert (again.queries, again.configuration) == (live.queries, live.configuration)
            again.stop()
            again.close()

    def _begun(self, folder: Path) -> EventStore:
        store = self.create(folder)
        store.append(event(0), 0)
        return store
