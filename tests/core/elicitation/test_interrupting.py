"""Ctrl-C at every line: going on with the same object is fine, and so is the log."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.elicitation.sessions import TRIP, next_queries, seen, start
from tests.interrupting import interrupted

from pcl_core import Elicitation
from pcl_core.solve.oracle import Oracle

ORACLE = Oracle.of(TRIP, "table")
MOST_LINES = 2_000
INSIDE = ("pcl_core/elicitation",)


def accept(live: Elicitation) -> None:
    query = live.ask()
    assert query is not None
    live.tell(query.accept())


def pin(live: Elicitation) -> None:
    live.pin("place[two]", "sea")


def undo(live: Elicitation) -> None:
    live.undo()


def stop(live: Elicitation) -> None:
    live.stop()


@pytest.mark.parametrize("act", [accept, pin, undo, stop])
def test_an_interrupted_call_happened_or_not(act: Callable[[Elicitation], None], tmp_path: Path) -> None:
    happened = set()
    for at in range(1, MOST_LINES):
        log = tmp_path / f"{at}.jsonl"
        live = start(log=log, oracle=ORACLE, stop="never")
        for part in ("one", "three"):
            query = live.ask(part)
            assert query is not None
            live.tell(query.improve({f"nights[{part}]": 2}))
        live.ask("two")
        before = seen(live)
        if not interrupted(lambda live=live: act(live), at, INSIDE):  # type: ignore[misc]
            break
        if at % 2:  # every other time the very next call is another one than looking
            live.undo()
        else:
            happened.add(seen(live) != before)
        next_queries(live, 2)
        after = seen(live)
        live.close()
        again = Elicitation.resume(log, TRIP, oracle=ORACLE, clock=lambda: 0.0)
        assert seen(again) == after, f"line {at}"
        again.close()
    else:
        pytest.fail("the call never ended")
    assert happened == {True, False}


def test_an_interrupted_start_can_be_started_again(tmp_path: Path) -> None:
    for at in range(1, MOST_LINES):
        log = tmp_path / f"{at}.jsonl"
        if not interrupted(lambda log=log: start(log=log, oracle=ORACLE), at, INSIDE):  # type: ignore[misc]
            break
        try:
            start(log=log, oracle=ORACLE).close()
        except Exception:
            Elicitation.resume(log, TRIP, oracle=ORACLE).close()  # it was complete already
    else:
        pytest.fail("the call never ended")
    assert at > 10
