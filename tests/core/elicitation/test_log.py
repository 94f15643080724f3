"""The log: what was told is on disk, and everything that is known follows from it."""

import errno
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.core.elicitation.child import run_python
from tests.core.elicitation.reference import TINY
from tests.core.elicitation.sessions import ACTIONS, GRID, TRIP, attempt, next_queries, seen, session, start

from pcl_core import Code, Elicitation, PclError, Problem, RequestError, Strategies
from pcl_core.compile.pipeline import Scope
from pcl_core.elicitation.events import Event, effective
from pcl_core.elicitation.journal import Journal
from pcl_core.elicitation.log import EventLog, read_events
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Answer, Availability, Capability, Options, Request

SESSIONS = 60 if os.environ.get("PCL_CAMPAIGN") else 5
MUTATIONS = 20_000 if os.environ.get("PCL_CAMPAIGN") else 600
ORACLES = {problem.name: Oracle.of(problem, "table") for problem in (TRIP, GRID)}
SETTINGS: list[dict[str, object]] = [
    {"seed": 1},
    {"seed": 2, "mode": "paper", "stop": "two-pass"},
    {"seed": 3, "select": "ucb1", "learner": "averaged", "order": "random"},
    {"seed": 4, "select": "in-order", "learner": "perceptron:step=sqrt,radius=3", "stop": "never"},
]


def resumed(log: Path, problem: Problem = TRIP) -> Elicitation:
    return Elicitation.resume(log, problem, oracle=ORACLES[problem.name], clock=lambda: 0.0)


def refused(call: Callable[[], object]) -> RequestError:
    with pytest.raises(RequestError) as caught:
        call()
    return caught.value


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "week.jsonl"


@pytest.fixture
def written(log: Path) -> Path:
    """A log with a bit of everything."""
    elicitation = start(log=log, oracle=ORACLES["trip"], seed=5)
    session(elicitation, Random(5), 30)
    elicitation.close()
    return log


class Refuses:
    """A backend that compiles, but solves nothing."""

    name = "refuses"
    capabilities: frozenset[Capability] = frozenset()

    def availability(self) -> Availability:
        return Availability(True)

    def compile(self, scope: Scope) -> "Refuses":
        return self

    def solve(self, request: Request, options: Options) -> Answer:
        raise AssertionError("nothing is to be solved")


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("problem", [TRIP, GRID], ids=["trip", "grid"])
def test_resuming_after_any_event_gives_the_same_state(
    settings: dict[str, object], problem: Problem, tmp_path: Path
) -> None:
    for number in range(SESSIONS if problem is TRIP else 2):
        random = Random(number)
        log = tmp_path / f"{number}.jsonl"
        live = start(problem, log, ORACLES[problem.name], **settings)
        for turn in range(40):
            attempt(live, random, random.choice(ACTIONS))
            copy = tmp_path / f"{number}-{turn}.jsonl"
            copy.write_bytes(log.read_bytes())
            again = resumed(copy, problem)
            assert seen(again) == seen(live)
            if turn % 8 == 0:
                other = tmp_path / f"{number}-{turn}-live.jsonl"
                other.write_bytes(log.read_bytes())
                assert next_queries(again, 5) == next_queries(resumed(other, problem), 5)
            again.close()
        copy.write_bytes(log.read_bytes())
        assert next_queries(resumed(copy, problem), 5) == next_queries(live, 5)


def test_an_elicitation_without_a_log_behaves_the_same(log: Path) -> None:
    states = []
    for path in (log, None):
        elicitation = start(log=path, oracle=ORACLES["trip"], seed=9)
        session(elicitation, Random(9), 60)
        states.append(seen(elicitation))
    assert states[0] == states[1]


def test_resuming_solves_nothing(written: Path) -> None:
    expected = resumed(written)
    expected.close()
    again = Elicitation.resume(written, TRIP, oracle=Oracle(TRIP, Refuses()))
    assert seen(again) == seen(expected)


def test_an_open_query_is_open_again_without_solving(log: Path) -> None:
    live = start(log=log)
    query = live.ask()
    live.close()
    again = Elicitation.resume(log, TRIP, oracle=Oracle(TRIP, Refuses())).ask()
    assert query is not None
    assert again is not None
    assert (again.number, again.part, again.proposal, again.proven) == (query.number, query.part, query.proposal, True)


def test_every_event_is_a_line_of_json(written: Path) -> None:
    kinds = [json.loads(line)["event"] for line in written.read_text().splitlines()]
    assert kinds[0] == "started"
    assert {"asked", "answered", "pinned", "undone"} <= set(kinds)


@pytest.mark.parametrize("seed", range(6))
def test_taking_back_inverts_every_step(seed: int) -> None:
    random = Random(seed)
    live = start(oracle=ORACLES["trip"], seed=seed)
    live.ask()
    for _ in range(40):
        live.ask()
        before = seen(live)
        action = random.choice(("improve", "accept", "skip", "pin", "unpin"))
        count = len(live._journal.events)
        if attempt(live, random, action) and len(live._journal.events) > count:
            live.ask()
            live.undo()
            assert seen(live) == before
        attempt(live, random, action)


def test_taking_back_everything_leads_to_the_start() -> None:
    live = start(oracle=ORACLES["trip"], seed=3)
    first = seen(live)
    session(live, Random(3), 40)
    count = len(effective(live._journal.events))
    for _ in range(count):
        with suppress(RequestError):
            live.undo()
    assert refused(live.undo).code is Code.NOTHING_TO_UNDO
    started: list[Event] = [event for event in live._journal.events if event.event == "started"]
    live._journal = Journal(live._rules, started, None)
    assert seen(live) == first


def test_there_is_nothing_to_take_back_at_first(log: Path) -> None:
    live = start(log=log)
    live.ask()
    before = log.read_bytes()
    assert refused(live.undo).code is Code.NOTHING_TO_UNDO
    assert log.read_bytes() == before


def test_a_stop_can_be_taken_back() -> None:
    live = start()
    live.stop()
    assert live.finished
    assert live.ask() is None
    live.undo()
    assert not live.finished
    assert live.ask() is not None


def test_after_stopping_there_are_no_more_queries_although_one_is_open() -> None:
    live = start()
    live.ask()
    live.stop()
    assert live.ask() is None


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


def broken(written: Path, change: Callable[[list[bytes]], None]) -> RequestError:
    lines = written.read_bytes().splitlines(keepends=True)
    change(lines)
    written.write_bytes(b"".join(lines))
    return refused(lambda: resumed(written))


def test_a_corrupt_line_in_the_middle_is_named(written: Path) -> None:
    def corrupt(lines: list[bytes]) -> None:
        lines[4] = lines[4][:10] + b"\n"

    error = broken(written, corrupt)
    assert (error.code, error.issues[0].location.line) == (Code.LOG_BROKEN, 5)
    assert error.issues[0].location.file == str(written)


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


def edited(lines: list[bytes], position: int, **fields: object) -> None:
    lines[position] = json.dumps({**json.loads(lines[position]), **fields}).encode() + b"\n"


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
    error = broken(written, lambda lines: edited(lines, 0, version=2, **fields))
    assert error.code is Code.WRONG_VERSION


def test_an_unknown_field_of_this_version_is_broken(written: Path) -> None:
    assert broken(written, lambda lines: edited(lines, 0, colour="red")).code is Code.LOG_BROKEN


def test_an_unknown_strategy_in_a_log_is_refused(written: Path) -> None:
    error = broken(written, lambda lines: edited(lines, 0, settings={"select": "best-first"}))
    assert error.code is Code.UNKNOWN_OPTION


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


@pytest.mark.parametrize("name", JUNK)
def test_what_is_no_log_is_refused(name: str, log: Path) -> None:
    log.write_bytes(JUNK[name])
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN
    assert refused(lambda: read_events(log)).code is Code.LOG_BROKEN
    assert log.read_bytes() == JUNK[name]


def test_a_line_beyond_the_limit_is_no_event(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log.write_bytes(b"x" * 5000)
    monkeypatch.setattr("pcl_core.elicitation.log.MAX_LINE", 1000)
    assert refused(lambda: resumed(log)).code is Code.LOG_BROKEN
    assert log.stat().st_size == 5000


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    assert refused(lambda: resumed(tmp_path)).code is Code.CANNOT_WRITE
    assert refused(lambda: start(log=tmp_path)).code is Code.CANNOT_WRITE
    assert refused(lambda: read_events(tmp_path)).code is Code.FILE_UNREADABLE


def test_a_missing_log_is_said_to_be_missing(log: Path) -> None:
    assert refused(lambda: resumed(log)).code is Code.FILE_NOT_FOUND
    assert refused(lambda: read_events(log)).code is Code.FILE_NOT_FOUND


def test_a_log_in_a_missing_folder_cannot_be_created(tmp_path: Path) -> None:
    assert refused(lambda: start(log=tmp_path / "nowhere" / "week.jsonl")).code is Code.CANNOT_WRITE


def test_what_is_no_regular_file_is_neither_replaced_nor_read(log: Path) -> None:
    os.mkfifo(log)
    for call in (lambda: start(log=log), lambda: resumed(log), lambda: read_events(log)):
        assert refused(call).code in (Code.CANNOT_WRITE, Code.FILE_UNREADABLE)
    assert log.is_fifo()
    assert list(log.parent.iterdir()) == [log]


def test_a_log_without_permission_cannot_be_resumed(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def no(path: object, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, flags, mode)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", no)
    error = refused(lambda: resumed(written))
    assert error.code is Code.CANNOT_WRITE
    assert "Permission denied" in str(error)


def test_an_existing_log_is_not_overwritten(written: Path) -> None:
    before = written.read_bytes()
    assert refused(lambda: start(log=written)).code is Code.CANNOT_WRITE
    assert written.read_bytes() == before
    assert [path.name for path in written.parent.iterdir()] == ["week.jsonl"]


def test_an_empty_file_can_become_a_log(log: Path) -> None:
    log.touch()
    live = start(log=log)
    live.ask()
    live.close()
    assert seen(resumed(log)) == seen(live)


def test_a_log_that_could_not_be_created_leaves_nothing_behind(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    error = refused(lambda: start(log=log))
    assert error.code is Code.CANNOT_WRITE
    assert "No space left" in str(error)
    assert list(log.parent.iterdir()) == []


def test_a_name_that_leaves_no_room_for_a_first_draft_leaves_nothing_behind(tmp_path: Path) -> None:
    assert refused(lambda: start(log=tmp_path / ("x" * 253))).code is Code.CANNOT_WRITE
    assert list(tmp_path.iterdir()) == []


def fail_on_write(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    write, sync, cut = os.write, os.fsync, os.ftruncate

    def no_space(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    if how in ("partly", "partly and for good"):
        monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[: len(data) // 2]))
    monkeypatch.setattr(os, *(("fsync", no_space) if how == "sync" else ("fsync", sync)))
    if how == "nothing":
        monkeypatch.setattr(os, "write", no_space)
    monkeypatch.setattr(os, "ftruncate", no_space if how == "partly and for good" else cut)


@pytest.mark.parametrize("how", ["nothing", "partly", "sync", "partly and for good"])
def test_a_full_disk_changes_nothing_and_the_session_can_go_on(
    how: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = start(log=log, oracle=ORACLES["trip"])
    query = live.ask()
    assert query is not None
    before, lines = seen(live), log.read_bytes()
    with monkeypatch.context() as patched:
        fail_on_write(patched, how)
        for call in (
            lambda: live.tell(query.accept()),
            lambda: live.pin(*next(iter(query.proposal.items()))),
            live.stop,
        ):
            assert refused(call).code is Code.CANNOT_WRITE
            assert seen(live) == before
    if how != "partly and for good":
        assert log.read_bytes() == lines
    live.tell(query.accept())
    live.close()
    again = resumed(log)
    assert again.report is None
    assert seen(again) == seen(live)


def test_a_really_full_disk(tmp_path: Path) -> None:
    """A child may write files of 3,000 bytes only; the system then writes what fits and refuses the rest."""
    log = tmp_path / "week.jsonl"
    child = f"""
import resource, signal
from pathlib import Path
from random import Random
from pcl_core import PclError
from tests.core.elicitation.sessions import seen, start
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
live = start(log=Path({str(log)!r}), stop="never")
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
while True:
    before = str(seen(live))
    try:
        query = live.ask()
        before = str(seen(live))
        live.tell(query.accept())
    except PclError as error:
        assert error.code == "cannot-write", error
        assert str(seen(live)) == before
        print(live.queries, live.confirmed)
        break
"""
    printed = run_python("-c", child)
    assert printed.returncode == 0, printed.stderr
    again = resumed(log)
    assert again.report is None
    assert printed.stdout.strip() == f"{again.queries} {again.confirmed}"
    assert 2000 < log.stat().st_size <= 3000


def test_only_one_writes_to_a_log(log: Path) -> None:
    first = start(log=log)
    assert refused(lambda: resumed(log)).code is Code.LOG_IN_USE
    first.close()
    second = resumed(log)
    assert refused(lambda: resumed(log)).code is Code.LOG_IN_USE
    second.close()
    resumed(log).close()


def test_another_process_cannot_write_to_a_log_in_use(log: Path) -> None:
    first = start(log=log)
    child = f"""
from pathlib import Path
from tests.core.elicitation.sessions import TRIP
from pcl_core import Elicitation
Elicitation.resume(Path({str(log)!r}), TRIP, backend="table")
"""
    done = run_python("-c", child)
    assert done.returncode == 1
    assert "log-in-use" in done.stderr
    first.ask()


def test_two_that_start_the_same_log_at_once_do_not_lose_answers(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second comes while the first is about to put its log in place."""
    attempts: list[RequestError] = []
    replace = os.replace

    def interrupted(source: Path, target: Path) -> None:
        if not attempts:
            attempts.append(refused(lambda: start(log=log)))
        replace(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    live = start(log=log)
    live.ask()
    live.close()
    assert attempts[0].code in (Code.LOG_IN_USE, Code.CANNOT_WRITE)
    assert seen(resumed(log)) == seen(live)


def test_one_that_checked_too_early_does_not_replace_the_log_of_another(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program starts the log after this one found none."""
    others: list[Elicitation] = []
    opened = os.open

    def late(path: object, flags: int, mode: int = 0o777) -> int:
        if not others:
            others.append(start(log=None))
            monkeypatch.setattr(os, "open", opened)
            others[0] = start(log=log)
            others[0].ask()
        return opened(path, flags, mode)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", late)
    assert refused(lambda: start(log=log)).code in (Code.LOG_IN_USE, Code.CANNOT_WRITE)
    others[0].close()
    assert seen(resumed(log)) == seen(others[0])


def test_nothing_is_taken_after_closing(log: Path) -> None:
    live = start(log=log)
    query = live.ask()
    assert query is not None
    live.close()
    before, lines = seen(live), log.read_bytes()
    assert refused(lambda: live.tell(query.accept())).code is Code.CANNOT_WRITE
    assert (seen(live), log.read_bytes()) == (before, lines)
    live.close()


def test_strategies_given_as_objects_are_needed_again(log: Path) -> None:
    given = Strategies(select=lambda situation: 2)
    live = Elicitation(TRIP, backend="table", log=log, strategies=given)
    query = live.ask()
    assert query is not None
    live.tell(query.accept())
    live.close()
    again = Elicitation.resume(log, TRIP, backend="table", strategies=given).ask()
    assert again is not None
    assert again.part == query.part == "three"


def test_weights_survive_a_log_exactly(log: Path) -> None:
    weights = [0.1, 1 / 3, -1e-300, 1e300, 5e-324, -0.0, 2**0.5, 1e22, -7.0, 123456789.123456789, 0.3]
    live = Elicitation(TRIP, backend="table", log=log, weights=weights)
    live.close()
    assert resumed(log).weights.tolist() == weights


def test_labels_of_all_sorts_survive_a_log(log: Path) -> None:
    label = 'a "quoted", comma\\ ünï☃ '
    problem = TINY.replace(name=label[:10])
    assert problem.name.startswith("a ")
    started = start(problem, log)
    started.close()
    assert seen(Elicitation.resume(log, problem, backend="table")) == seen(started)


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


def test_whatever_is_wrong_with_a_log_is_said_in_a_sentence(written: Path, tmp_path: Path) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    random, path, outcomes = Random(0), tmp_path / "wrong.jsonl", []
    for _ in range(MUTATIONS):
        path.write_bytes(mutated(lines, random))
        try:
            again = resumed(path)
        except PclError as error:
            outcomes.append(error.code)
            continue
        assert len(next_queries(again, 2)) <= 2
        again.close()
    assert outcomes.count(Code.LOG_BROKEN) > MUTATIONS // 4


def test_a_log_is_closed_when_it_cannot_be_resumed(written: Path) -> None:
    refused(lambda: Elicitation.resume(written, TINY, backend="table"))
    opened, events = EventLog.resume(written)
    assert len(events) > 1
    opened.close()
