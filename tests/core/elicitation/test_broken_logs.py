"""Logs that are torn, broken or of something else: each is refused with a sentence."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.core.elicitation.logs import ORACLES, refused, resumed
from tests.core.elicitation.reference import TINY
from tests.core.elicitation.sessions import next_queries, seen, session, start

from pcl_core import Code, PclError, RequestError
from pcl_core.elicitation import read_events
from pcl_core.elicitation.codec import LOG_VERSION

MUTATIONS = 20_000 if os.environ.get("PCL_CAMPAIGN") else 600
JUNK: dict[str, bytes] = {
    "empty": b"",
    "no newline": b"{",
    "blank line": b"\n",
    "binary": bytes(range(256)) * 10 + b"\n",
    "nested": b"[" * 100_000 + b"\n",
    "another file": b'{"pcl": 1, "name": "week"}\n',
    "a list": b"[1, 2, 3]\n",
    "an event of another sort": b'{"event": "asked", "query": 1, "part": "one", "changes": {}, "proven": true}\n',
}


def broken(written: Path, change: Callable[[list[bytes]], None]) -> RequestError:
    lines = written.read_bytes().splitlines(keepends=True)
    change(lines)
    written.write_bytes(b"".join(lines))
    return refused(lambda: resumed(written))


def play(log: Path) -> list[bytes]:
    live = start(log=log, oracle=ORACLES["trip"], seed=8, stop="never")
    for turn in range(6):
        query = live.ask()
        assert query is not None
        value = not query.proposal[f"guide[{query.part}]"]
        live.tell(query.improve({f"guide[{query.part}]": True}) if turn % 2 and value else query.accept())
    live.stop()
    live.close()
    return log.read_bytes().splitlines(keepends=True)


def edited(lines: list[bytes], position: int, **fields: object) -> None:
    lines[position] = json.dumps({**json.loads(lines[position]), **fields}).encode() + b"\n"


def mutated(lines: list[bytes], random: Random) -> bytes:
    """A log with one thing wrong."""
    at = random.randrange(len(lines))
    line = bytearray(lines[at])
    match random.randrange(6):
        case 0:
            line[random.randrange(len(line))] = random.randrange(256)
        case 1:
            del line[random.randrange(len(line))]
        case 2:
            line.insert(random.randrange(len(line)), random.choice(b'0123456789-"{}[],:etfn\n'))
        case 3:
            return b"".join(random.sample(lines, len(lines)))
        case 4:
            return b"".join([*lines[:at], random.choice(lines), *lines[at:]])
        case _:
            return b"".join([*lines[:at], *lines[at + 1 :]])
    return b"".join([*lines[:at], bytes(line), *lines[at + 1 :]])


def test_a_torn_last_line_is_dropped_and_reported_wherever_it_was_torn(written: Path, tmp_path: Path) -> None:
    whole = written.read_bytes()
    begin = whole[:-1].rindex(b"\n") + 1
    torn, shorter = tmp_path / "torn.jsonl", tmp_path / "shorter.jsonl"
    shorter.write_bytes(whole[:begin])
    expected = resumed(shorter)
    for cut in range(begin + 1, len(whole)):
        torn.write_bytes(whole[:cut])
        again = resumed(torn)
        assert again.report is not None
        assert "torn.jsonl" in again.report
        assert torn.read_bytes() == whole[:begin]
        assert seen(again) == seen(expected)
        again.close()
    assert expected.report is None


def test_a_session_goes_on_after_a_torn_line(written: Path) -> None:
    with written.open("ab") as file:
        file.write(b'{"at": 0.0, "event": "ans')
    again = resumed(written)
    session(again, Random(1), 10)
    again.close()
    final = resumed(written)
    assert final.report is None
    assert seen(final) == seen(again)


def test_reading_events_leaves_a_torn_line_alone(written: Path) -> None:
    count = len(written.read_bytes().splitlines())
    with written.open("ab") as file:
        file.write(b'{"at')
    assert len(read_events(written)) == count
    assert written.read_bytes().endswith(b'{"at')


def test_a_corrupt_line_in_the_middle_is_named(written: Path) -> None:
    def corrupt(lines: list[bytes]) -> None:
        lines[4] = lines[4][:10] + b"\n"

    error = broken(written, corrupt)
    assert (error.code, error.issues[0].location.line) == (Code.LOG_BROKEN, 5)
    assert error.issues[0].location.file == str(written)


@pytest.mark.parametrize("position", range(14))
def test_a_line_twice_is_found(log: Path, position: int) -> None:
    lines = play(log)
    assert len(lines) == 14
    log.write_bytes(b"".join([*lines[: position + 1], lines[position], *lines[position + 1 :]]))
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN


@pytest.mark.parametrize("position", range(13))
def test_lines_out_of_order_are_found(log: Path, position: int) -> None:
    lines = play(log)
    lines[position], lines[position + 1] = lines[position + 1], lines[position]
    log.write_bytes(b"".join(lines))
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN


@pytest.mark.parametrize("position", range(1, 12))
def test_a_missing_line_is_found(log: Path, position: int) -> None:
    lines = play(log)
    log.write_bytes(b"".join(lines[:position] + lines[position + 1 :]))
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN


@pytest.mark.parametrize(
    "weights", [[], [0.0] * 10, [0.0] * 12], ids=["no weights", "one weight too few", "one weight too many"]
)
def test_a_start_with_other_weights_is_found(written: Path, weights: list[float]) -> None:
    assert broken(written, lambda lines: edited(lines, 0, weights=weights)).code is Code.LOG_BROKEN


def test_a_start_that_is_not_allowed_is_found(written: Path) -> None:
    def change(lines: list[bytes]) -> None:
        x = json.loads(lines[0])["configuration"]
        edited(lines, 0, configuration={**x, "place[one]": "hills", "place[two]": "hills"})
        del lines[1:]

    error = broken(written, change)
    assert error.code is Code.LOG_BROKEN
    assert "hills[one]" in str(error)


def test_a_pin_to_another_value_than_its_proposal_is_found(log: Path) -> None:
    live = start(log=log)
    query = live.ask("one")
    assert query is not None
    live.pin("nights[one]", 2)
    live.close()
    assert broken(log, lambda lines: edited(lines, 2, value=3)).code is Code.LOG_BROKEN


def test_a_log_of_another_problem_is_refused(log: Path) -> None:
    start(TINY, log).close()
    error = refused(lambda: resumed(log))
    assert error.code is Code.LOG_OF_ANOTHER_PROBLEM
    assert "'tiny'" in str(error)


@pytest.mark.parametrize("fields", [{}, {"colour": "red"}, {"settings": {"mood": 3}}])
def test_a_log_of_a_newer_version_is_refused_as_such(written: Path, fields: dict[str, object]) -> None:
    error = broken(written, lambda lines: edited(lines, 0, version=LOG_VERSION + 1, **fields))
    assert error.code is Code.WRONG_VERSION


def test_an_unknown_field_of_this_version_is_broken(written: Path) -> None:
    assert broken(written, lambda lines: edited(lines, 0, colour="red")).code is Code.LOG_BROKEN


def test_an_unknown_strategy_in_a_log_is_refused(written: Path) -> None:
    error = broken(written, lambda lines: edited(lines, 0, settings={"select": "best-first"}))
    assert error.code is Code.UNKNOWN_OPTION


@pytest.mark.parametrize("name", JUNK)
def test_what_is_no_log_is_refused(name: str, log: Path) -> None:
    log.write_bytes(JUNK[name])
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN
    assert refused(lambda: read_events(log)).code is Code.LOG_BROKEN
    assert log.read_bytes() == JUNK[name]


def test_a_line_beyond_the_limit_is_no_event(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log.write_bytes(b"x" * 5000)
    monkeypatch.setattr("pcl_core.elicitation.log_lines.MAX_LINE", 1000)
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN
    assert log.stat().st_size == 5000


def test_whatever_is_wrong_with_a_log_is_said_in_a_sentence(written: Path, tmp_path: Path) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    random, path, outcomes, said = Random(0), tmp_path / "wrong.jsonl", list[Code](), list[str]()
    for _ in range(MUTATIONS):
        path.write_bytes(mutated(lines, random))
        try:
            again = resumed(path)
        except PclError as error:
            outcomes.append(error.code)
            said.append(str(error))
            continue
        assert len(next_queries(again, 2)) <= 2
        again.close()
    assert outcomes.count(Code.LOG_BROKEN) > MUTATIONS // 4
    one_line = re.compile(re.escape(str(path)) + r":[0-9]+:1: [^\n]*")
    assert [sentence for sentence in said if not one_line.fullmatch(sentence)] == []


DAMAGED_SETTINGS = [
    {"learner": "perceptrn"},
    {"learner": "\x1b[31mred"},
    {"select": "random:seed=1"},
    {"order": "x" * 5000},
    {"mode": "both"},
    {"stop": 3},
    {"seed": -1},
    {"seed": None, "mode": 1, "extra": 2},
    [],
]


@pytest.mark.parametrize("settings", DAMAGED_SETTINGS, ids=range(len(DAMAGED_SETTINGS)))
def test_damaged_settings_name_the_file_in_one_line(settings: object, tmp_path: Path) -> None:
    lines = play(tmp_path / "trip.jsonl")
    changed = {**json.loads(lines[0])["settings"], **settings} if isinstance(settings, dict) else settings
    edited(lines, 0, settings=changed)
    assert_one_line(tmp_path / "damaged.jsonl", b"".join(lines), 1)


DAMAGED_EVENTS: list[tuple[int, dict[str, object]]] = [
    (0, {"configuration": {}}),
    (0, {"configuration": {f"plan[{number}]": [] for number in range(1000)}}),
    (0, {"weights": []}),
    (0, {"weights": ["x"] * 1000}),
    (0, {"weights": [1e308] * 6}),
    (0, {f"field {number}": 1 for number in range(1000)}),
    (1, {"query": 7}),
    (1, {"part": "\x1b]0;title\x07"}),
    (1, {"changes": {"nowhere": 1}}),
    (1, {"changes": {f"x{number}": None for number in range(1000)}}),
    (2, {"answer": "perhaps"}),
    (2, {"query": "a" * 10_000}),
    (3, {"event": "undone"}),
    (4, {"event": "unpinned", "variable": "nobody"}),
]


@pytest.mark.parametrize("line", DAMAGED_EVENTS, ids=range(len(DAMAGED_EVENTS)))
def test_a_damaged_event_is_told_in_one_line_with_its_number(
    line: tuple[int, dict[str, object]], tmp_path: Path
) -> None:
    position, fields = line
    lines = play(tmp_path / "trip.jsonl")
    edited(lines, position, **fields)
    assert_one_line(tmp_path / "damaged.jsonl", b"".join(lines), position + 1)


def test_an_undo_of_nothing_is_told_with_its_line(tmp_path: Path) -> None:
    lines = play(tmp_path / "trip.jsonl")
    lines[1:] = [b'{"event": "undone"}\n']
    assert_one_line(tmp_path / "damaged.jsonl", b"".join(lines), 2)


def assert_one_line(log: Path, content: bytes, number: int) -> None:
    log.write_bytes(content)
    said = str(refused(lambda: resumed(log)))
    assert said.startswith(f"{log}:{number}:1: ")
    assert len(said.splitlines()) == 1
    assert len(said) < len(str(log)) + 500
    assert "\x1b" not in said


@pytest.mark.parametrize(("content", "phrase"), [(b"garbage", "left as it is"), (b"", "nothing is in it")])
def test_only_an_empty_log_is_called_empty(tmp_path: Path, content: bytes, phrase: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    with pytest.raises(RequestError, match=phrase):
        read_events(path)
    assert path.read_bytes() == content
