"""Logs that somebody edited: what contradicts itself is refused with a sentence, wherever it stands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.core.elicitation.logs import ORACLES, refused, resumed
from tests.core.elicitation.sessions import TRIP, seen, start

from pcl_core import Code

Line = dict[str, Any]


@pytest.fixture(params=["keep", "paper"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A pin, an improvement beside it, and a query about another part."""
    path = tmp_path / "trip.jsonl"
    live = start(log=path, oracle=ORACLES[TRIP.name], stop="never", mode=request.param)
    live.ask("one")
    live.tell(live.pin("place[one]", "sea").improve({"nights[one]": 2}))
    for nights in (0, 1):
        query = live.ask("two")
        assert query is not None
        live.tell(query.improve({"nights[two]": nights}))
    live.close()
    return path


def edited(log: Path, edit: Callable[[list[Line]], None]) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    edit(lines)
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_truth_values_may_be_written_as_numbers(log: Path) -> None:
    expected = seen(resumed(log))

    def as_numbers(lines: list[Line]) -> None:
        values = lines[0]["configuration"]
        values.update({name: int(value) for name, value in values.items() if isinstance(value, bool)})

    edited(log, as_numbers)
    assert seen(resumed(log)) == expected


def move_the_pin_in_an_answer(lines: list[Line]) -> None:
    lines[3]["changes"]["place[one]"] = "town"


def move_the_pin_by_asking(lines: list[Line]) -> None:
    lines[4].update(part="one", changes={"place[one]": "town"})
    lines[5]["changes"] = {"nights[one]": 0}
    lines[6].update(part="one", changes={})
    lines[7]["changes"] = {"nights[one]": 1}


def break_a_constraint_and_mend_it(lines: list[Line]) -> None:
    lines[5]["changes"] = {"place[two]": "hills"}
    lines[6]["changes"] = {"place[two]": "town"}


def propose_what_is_not_allowed(lines: list[Line]) -> None:
    lines[4]["changes"] = {"place[two]": "hills"}
    lines[5]["changes"] = {"place[two]": "town"}
    lines[6]["changes"] = {"place[two]": "town"}


def suggest_what_there_is_not(lines: list[Line]) -> None:
    lines[4]["suggestion"] = {"place[nowhere]": "sea"}


def suggest_elsewhere(lines: list[Line]) -> None:
    lines[4]["suggestion"] = {"place[one]": "sea"}


def suggest_a_strange_value(lines: list[Line]) -> None:
    lines[4]["suggestion"] = {"place[two]": "moon"}


def accept_beside(cuts: dict[str, list[Line]]) -> Callable[[list[Line]], None]:
    """The last answer is that all is right, beside some alternatives."""

    def edit(lines: list[Line]) -> None:
        lines[-1].update(answer="accepted", changes={}, cuts=cuts)

    return edit


def say_something_without_an_opinion(lines: list[Line]) -> None:
    lines[-1]["answer"] = "skipped"


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (accept_beside({"two": [{"place[two]": "moon"}]}), "'place[two]' = moon is no alternative in part 'two'"),
        (accept_beside({"two": [{"nights[two]": 10**20}]}), "no alternative in part 'two'"),
        (accept_beside({"two": [{"place[one]": "sea"}]}), "'place[one]' = sea is no alternative in part 'two'"),
        (accept_beside({"two": [{"place[nowhere]": "sea"}]}), "'place[nowhere]' = sea is no alternative in part 'two'"),
        (accept_beside({"one": [{"place[one]": "sea"}]}), "part 'one' was not in question"),
        (say_something_without_an_opinion, "no opinion on query 3 changes nothing and says nothing"),
        (suggest_what_there_is_not, "'place[nowhere]' = sea cannot be suggested here"),
        (suggest_elsewhere, "'place[one]' = sea cannot be suggested here"),
        (suggest_a_strange_value, "'place[two]' = moon cannot be suggested here"),
        (move_the_pin_in_an_answer, "'place[one]' is pinned to 'sea' and cannot become 'town'"),
        (move_the_pin_by_asking, "'place[one]' is pinned to 'sea' and cannot become 'town'"),
        (break_a_constraint_and_mend_it, "a configuration violates hills[two]"),
        (propose_what_is_not_allowed, "a configuration violates hills[two]"),
    ],
)
def test_events_that_contradict_each_other(log: Path, edit: Callable[[list[Line]], None], said: str) -> None:
    edited(log, edit)
    before = log.read_bytes()
    error = refused(lambda: resumed(log))
    assert error.code is Code.LOG_BROKEN
    assert said in str(error)
    assert log.read_bytes() == before


def test_settings_that_there_are_not(log: Path) -> None:
    edited(log, lambda lines: lines[0]["settings"].update(mode="kep"))
    error = refused(lambda: resumed(log))
    assert error.code is Code.LOG_BROKEN
    assert "did you mean 'keep'?" in str(error)
    assert error.issues[0].location.line == 1
