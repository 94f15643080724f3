"""Several who write to one store, and one who is killed while writing."""

import json
import os
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from random import Random

from pcl_core.elicitation import EventStore
from pcl_core.errors import Code, RequestError

WRITERS = 3
TURNS = 25


def event(number: int, size: int | None = None) -> str:
    """Any event, of some size; a store does not look into it."""
    return json.dumps({"number": number, "filler": "x" * (number * 37 % 5000 if size is None else size)})


def wrote(store: EventStore, writer: int, turn: int) -> bool:
    """Whether this was written now; else somebody else was first."""
    number = store.count()
    try:
        store.append(f'{{"writer": {writer}, "turn": {turn}, "number": {number}}}', number)
    except RequestError as error:
        if error.code is not Code.LOG_MOVED_ON:
            raise
        return False
    return True


def check_turns(texts: list[str]) -> None:
    """Every turn of every writer is there once, where it was expected."""
    found = [json.loads(text) for text in texts]
    assert [item["number"] for item in found] == list(range(WRITERS * TURNS))
    for writer in range(WRITERS):
        assert [item["turn"] for item in found if item["writer"] == writer] == list(range(TURNS))


def forked(work: Callable[[int], None], argument: int) -> int:
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


def killed(reopen: Callable[[], EventStore], random: Random) -> int:
    """Have a process write after the first event, and kill it; returns how many events were acknowledged."""
    readable, writable = os.pipe()

    def write(acknowledge: int) -> None:
        store = reopen()
        number = 0
        while True:
            os.write(acknowledge, b"!\n")
            number += 1
            store.append(event(number), number)

    child = forked(write, writable)
    os.close(writable)
    with os.fdopen(readable, "rb") as file:
        lines = [file.readline()]
        start = time.perf_counter()
        lines += [file.readline() for _ in range(random.randrange(1, 8))]
        time.sleep(random.uniform(0.0, 2 * (time.perf_counter() - start) / len(lines)))  # about as long as an event
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "the writer ended by itself"
        lines += file.readlines()
    return len(lines)
