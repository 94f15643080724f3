"""The conformance kit for stores: what every `EventStore` must do, whoever wrote it.

A third party subclasses `StoreConformance`, and says how a store is created and opened again, and in `lacks` what does not
apply to it:

    class TestMine(StoreConformance):
        lacks = frozenset({Trait.TEARS})

        def create(self, folder: Path) -> EventStore:
            return MyStore(folder / "events.db")

        reopen = create

What a store lacks is skipped and reported. Other processes are forks, which open the store for themselves.
"""

import json
import os
import resource
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from random import Random

import pytest

from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.events import Settings
from pcl_core.elicitation.store import EventStore
from pcl_core.errors import Code, PclError, RequestError
from pcl_core.testing.cases import CASES

WRITERS = 3
TURNS = 25
ROOM = 60_000
"""Bytes that a file may have on a full disk."""


class Trait(StrEnum):
    """What not all stores are."""

    REOPENS = "what was written can be opened again, also by another process"
    FILLS = "it can run out of room; the kit limits the size of files, and others override `full`"
    TEARS = "a crash can leave a part of an event behind, as `tear` does"


def event(number: int, size: int = 0) -> str:
    """Any event; a store does not look into it."""
    return json.dumps({"event": "tried", "number": number, "filler": "x" * size})


def _numbered(count: int) -> list[str]:
    """Events of different sizes."""
    return [event(number, number * 37 % 5000) for number in range(count)]


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
        """The store that was created for this folder, and closed, or whose process ended."""
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
                turn += _wrote(store, writer, turn)

        threads = [threading.Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        _check_turns(store.read())
        store.close()

    def test_processes_that_write_in_turns_each_write_once(self, tmp_path: Path) -> None:
        self.need(Trait.REOPENS)
        begun = self.create(tmp_path)
        assert _wrote(begun, 0, 0)
        begun.close()

        def work(writer: int) -> None:
            turn = 0 if writer else 1
            while turn < TURNS:
                store = self.waited_for(tmp_path)
                turn += _wrote(store, writer, turn)
                store.close()

        children = [_forked(work, writer) for writer in range(WRITERS)]
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * WRITERS
        store = self.reopen(tmp_path)
        _check_turns(store.read())
        store.close()

    def test_a_writer_that_is_killed_loses_nothing_it_acknowledged(self, tmp_path: Path) -> None:
        self.need(Trait.REOPENS)
        random = Random(0)
        for kill in range(self.kills):
            folder = tmp_path / str(kill)
            folder.mkdir()
            acknowledged = self._killed(folder, random)
            store = self.reopen(folder)
            found = store.read()
            assert found[: len(acknowledged)] == acknowledged, "an acknowledged event is lost"
            assert found == _numbered(len(found))
            assert len(found) <= len(acknowledged) + 1
            store.mend()
            store.append('{"event": "after"}', len(found))
            store.close()
            self.check_again(folder, [*found, '{"event": "after"}'])

    def test_half_an_event_is_left_out_mended_and_told(self, tmp_path: Path) -> None:
        self.need(Trait.TEARS)
        self._begun(tmp_path)
        self.tear(tmp_path)
        store = self.reopen(tmp_path)
        assert store.read() == [event(0)]
        said = store.mend()
        assert said
        assert "\n" not in said
        assert store.mend() is None
        store.append(event(1), 1)
        store.close()
        self.check_again(tmp_path, [event(0), event(1)])

    def test_half_an_event_does_no_harm_to_the_next(self, tmp_path: Path) -> None:
        self.need(Trait.TEARS)
        self._begun(tmp_path)
        self.tear(tmp_path)
        store = self.reopen(tmp_path)
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
        problem = CASES[0].problem
        live = Elicitation(problem, backend="table", log=self.create(tmp_path), settings=Settings(stop="never"))
        _answer(live)
        live.undo()
        if Trait.REOPENS in self.lacks:
            return
        live.close()
        again = Elicitation.resume(self.reopen(tmp_path), problem, backend="table")
        assert (again.queries, again.configuration) == (live.queries, live.configuration)
        _answer(again)
        assert again.queries > live.queries
        again.close()

    def _begun(self, folder: Path) -> None:
        store = self.create(folder)
        store.append(event(0), 0)
        store.close()

    def _killed(self, folder: Path, random: Random) -> list[str]:
        """Start a writer and kill it; returns what it acknowledged."""
        self._begun(folder)
        readable, writable = os.pipe()

        def write(acknowledge: int) -> None:
            store = self.reopen(folder)
            number = 0
            while True:
                os.write(acknowledge, b"%d\n" % number)
                number += 1
                store.append(_numbered(number + 1)[-1], number)

        child = _forked(write, writable)
        os.close(writable)
        with os.fdopen(readable, "rb") as file:
            lines = [file.readline()]
            start = time.perf_counter()
            lines += [file.readline() for _ in range(random.randrange(1, 8))]
            time.sleep(random.uniform(0.0, 2 * (time.perf_counter() - start) / len(lines)))  # about as long as an event
            os.kill(child, signal.SIGKILL)
            assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "the writer ended by itself"
            lines += file.readlines()
        return _numbered(len(lines))


def _forked(work: Callable[[int], None], argument: int) -> int:
    """A process that does this, and no more."""
    with warnings.catch_warnings():  # of threads in the parent; the child uses none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            work(argument)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return child


def _wrote(store: EventStore, writer: int, turn: int) -> bool:
    """Whether this was written now; else somebody else was first."""
    number = store.count()
    try:
        store.append(f'{{"writer": {writer}, "turn": {turn}, "number": {number}}}', number)
    except RequestError as error:
        if error.code is not Code.LOG_MOVED_ON:
            raise
        return False
    return True


def _check_turns(texts: list[str]) -> None:
    """Every turn of every writer is there once, where it was expected."""
    found = [json.loads(text) for text in texts]
    assert [item["number"] for item in found] == list(range(WRITERS * TURNS))
    for writer in range(WRITERS):
        assert [item["turn"] for item in found if item["writer"] == writer] == list(range(TURNS))


def _answer(live: Elicitation) -> None:
    for _ in range(3):
        query = live.ask()
        assert query is not None
        live.tell(query.accept())
