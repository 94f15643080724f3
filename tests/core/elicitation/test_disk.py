"""Files and disks: what cannot be written is said, and nothing is lost."""

import errno
import os
from pathlib import Path

import pytest
from tests.core.elicitation.logs import ORACLES, refused, resumed
from tests.core.elicitation.reference import TINY
from tests.core.elicitation.sessions import seen, start

from pcl_core import Code, Elicitation
from pcl_core.elicitation import FileStore, read_events


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


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    for call in (lambda: resumed(tmp_path), lambda: start(log=tmp_path)):
        error = refused(call)
        assert error.code is Code.CANNOT_WRITE
        assert "a log is a file, and this is a folder" in str(error)
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


def test_nothing_is_taken_after_closing(log: Path) -> None:
    live = start(log=log)
    query = live.ask()
    assert query is not None
    live.close()
    before, lines = seen(live), log.read_bytes()
    assert refused(lambda: live.tell(query.accept())).code is Code.CANNOT_WRITE
    assert (seen(live), log.read_bytes()) == (before, lines)
    live.close()


def test_a_log_is_closed_when_it_cannot_be_resumed(written: Path) -> None:
    refused(lambda: Elicitation.resume(written, TINY, backend="table"))
    opened = FileStore.open(written)
    assert opened.count() > 1
    opened.close()
