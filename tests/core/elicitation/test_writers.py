"""Several programs and one log; files that come and go beside it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.elicitation.child import run_python
from tests.core.elicitation.logs import ORACLES, refused, resumed
from tests.core.elicitation.sessions import TRIP, seen, start

from pcl_core import Code, Elicitation, RequestError
from pcl_core.elicitation import FileStore, read_events

ORACLE = ORACLES[TRIP.name]


def skip_queries(log: Path, count: int) -> None:
    live = resumed(log)
    for _ in range(count):
        query = live.ask()
        assert query is not None
        live.tell(query.skip())
    live.close()


def test_what_was_appended_before_the_lock_is_not_cut(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening and locking, another program answers and closes."""
    start(log=log, oracle=ORACLE, stop="never").close()
    lock = FileStore._lock

    def late(self: FileStore) -> None:
        monkeypatch.setattr(FileStore, "_lock", lock)
        skip_queries(log, 2)
        lock(self)

    monkeypatch.setattr(FileStore, "_lock", late)
    live = resumed(log)
    query = live.ask()
    assert query is not None
    assert query.number == 3
    live.close()
    assert resumed(log).queries == 3


def test_a_log_that_was_replaced_before_the_lock_is_not_written(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log.touch()
    lock = FileStore._lock

    def late(self: FileStore) -> None:
        monkeypatch.setattr(FileStore, "_lock", lock)
        start(log=log, oracle=ORACLE).close()
        lock(self)

    monkeypatch.setattr(FileStore, "_lock", late)
    assert refused(lambda: resumed(log)).code is Code.LOG_IN_USE
    assert len(read_events(log)) == 1


@pytest.mark.parametrize("name", ["week.jsonl.new", "week.jsonl.tmp", "week.new"])
def test_files_beside_a_new_log_stay(log: Path, name: str) -> None:
    beside = log.with_name(name)
    beside.write_text("a thesis")
    start(log=log, oracle=ORACLE).close()
    assert beside.read_text() == "a thesis"
    assert sorted(path.name for path in log.parent.iterdir()) == sorted([log.name, name])


def test_a_log_called_new_goes_on_while_another_starts(log: Path) -> None:
    other = start(log=log.with_name("week.jsonl.new"), oracle=ORACLE)
    start(log=log, oracle=ORACLE).close()
    query = other.ask()
    assert query is not None
    other.tell(query.accept())
    assert len(read_events(log.with_name("week.jsonl.new"))) == 3
    other.close()


def test_a_link_to_a_new_log_stays_a_link(log: Path) -> None:
    link = log.with_name("link")
    link.symlink_to(log)
    start(log=link, oracle=ORACLE).close()
    assert link.is_symlink()
    assert len(read_events(log)) == 1


def test_a_new_log_has_the_usual_permissions(log: Path) -> None:
    start(log=log, oracle=ORACLE).close()
    plain = log.with_name("plain")
    plain.touch()
    assert stat.S_IMODE(log.stat().st_mode) == 0o644 & stat.S_IMODE(plain.stat().st_mode)


def remove(log: Path) -> None:
    log.unlink()


def replace(log: Path) -> None:
    other = log.with_name("other")
    other.write_bytes(log.read_bytes())
    other.replace(log)


def cut_short(log: Path) -> None:
    os.truncate(log, log.stat().st_size - 5)


@pytest.mark.parametrize("meddle", [remove, replace, cut_short])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(log: Path, meddle: Callable[[Path], None]) -> None:
    live = start(log=log, oracle=ORACLE)
    query = live.ask()
    assert query is not None
    meddle(log)
    before = seen(live)
    assert refused(lambda: live.tell(query.accept())).code is Code.CANNOT_WRITE
    assert seen(live) == before
    live.close()


def test_a_log_that_nobody_holds_is_not_locked(log: Path) -> None:
    live = start(log=log, oracle=ORACLE)
    live.ask()
    del live
    assert resumed(log).queries == 1


def test_a_torn_line_is_still_reported_after_a_refusal(log: Path) -> None:
    live = start(log=log, oracle=ORACLE)
    live.ask()
    live.close()
    with log.open("ab") as file:
        file.write(b'{"at":1')
    torn = log.read_bytes()
    other = TRIP.replace(constraints=TRIP.constraints[1:])
    assert refused(lambda: Elicitation.resume(log, other)).code is Code.LOG_OF_ANOTHER_PROBLEM
    assert log.read_bytes() == torn
    again = resumed(log)
    assert again.report is not None
    assert log.read_bytes() == torn.removesuffix(b'{"at":1')
    again.close()
    assert resumed(log).report is None


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    for call in (lambda: start(log=tmp_path / name), lambda: resumed(tmp_path / name)):
        assert refused(call).code is Code.CANNOT_WRITE


@pytest.mark.parametrize(
    ("version", "hint"),
    [(3, "use a newer pcl"), (0, "is it a log of pcl?"), (-1, "is it a log of pcl?"), (None, "is it a log of pcl?")],
)
def test_other_versions(log: Path, version: int | None, hint: str) -> None:
    start(log=log, oracle=ORACLE).close()
    stated = b"" if version is None else b'"version":%d,' % version
    log.write_bytes(log.read_bytes().replace(b'"version":2,', stated))
    error = refused(lambda: resumed(log))
    assert (error.code, error.issues[0].hint) == (Code.WRONG_VERSION, hint)


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
