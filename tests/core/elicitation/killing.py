"""Kills elicitations at random moments and looks at their logs: `killing.py folder count`. Prints how many it killed.

The children are forks of one warm process; each acknowledges every event after the call that caused it returned.
"""

import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from tests.core.elicitation.logs import ORACLES, resumed
from tests.core.elicitation.sessions import TRIP, next_queries, seen, start

from pcl_core import PclError
from pcl_core.elicitation.codec import LOG_VERSION, to_text

ORACLE = ORACLES[TRIP.name]
LONGEST = 0.12
"""seconds"""


def elicit(log: Path, seed: int, acknowledge: int) -> None:
    """What a child does until it is killed."""
    random = Random(seed)
    live = start(log=log, oracle=ORACLE, seed=seed, stop="never")
    said = 0

    def say() -> None:
        nonlocal said
        for event in live._journal.events[said:]:
            os.write(acknowledge, to_text(event, LOG_VERSION).encode() + b"\n")
        said = len(live._journal.events)

    say()
    while True:
        query = live.ask()
        say()
        assert query is not None
        name = random.choice(list(query.proposal))
        value = random.choice(TRIP.symbols.variables[name].values())
        try:
            match random.randrange(6):
                case 0:
                    live.tell(query.accept())
                case 1:
                    live.tell(query.skip())
                case 2:
                    live.pin(name, value)
                case 3:
                    live.undo()
                case _:
                    live.tell(query.improve({name: value}))
        except PclError:
            continue
        say()


def kill_one(log: Path, seed: int) -> list[bytes]:
    """The events that a child acknowledged before it was killed."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        elicit(log, seed, writable)
        os._exit(1)
    os.close(writable)
    time.sleep(Random(seed).uniform(0.0, LONGEST))
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "the child ended by itself"
    with os.fdopen(readable, "rb") as file:
        return file.read().splitlines(keepends=True)


def inspect(log: Path, acknowledged: list[bytes]) -> None:
    if not acknowledged and (not log.exists() or not log.stat().st_size):
        start(log=log, oracle=ORACLE).close()
        return
    lines = log.read_bytes().splitlines(keepends=True)
    assert lines[: len(acknowledged)] == acknowledged, "an acknowledged event is lost"
    assert len(lines) <= len(acknowledged) + 1
    again = resumed(log)
    assert (again.report is not None) == (not lines[-1].endswith(b"\n"))
    again.close()
    for suffix, content in (("log", lines[: len(acknowledged)]), ("told", acknowledged)):
        log.with_suffix(f".{suffix}").write_bytes(b"".join(content))
    if acknowledged:
        first, second = resumed(log.with_suffix(".log")), resumed(log.with_suffix(".told"))
        assert seen(first) == seen(second)
        if len(lines) == len(acknowledged):
            assert seen(again) == seen(second)
        first.close()
        second.close()
    again = resumed(log)
    assert len(next_queries(again, 1)) == 1
    again.close()


def main(folder: Path, count: int) -> None:
    warm = start(oracle=ORACLE)
    for _ in range(8):
        next_queries(warm, 1)
    told = 0
    for seed in range(count):
        log = folder / f"{seed}.jsonl"
        acknowledged = kill_one(log, seed)
        inspect(log, acknowledged)
        told += len(acknowledged)
    sys.stdout.write(f"{count} killed, {told} events acknowledged\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
