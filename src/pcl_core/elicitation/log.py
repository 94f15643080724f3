"""The event log: JSON lines, appended, and on disk before anything is acknowledged."""

import errno
import fcntl
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pcl_core.elicitation.events import EVENT, LOG_VERSION, Event, Started
from pcl_core.errors import Code, Issue, Location, RequestError

MAX_LINE = 50_000_000
"""Bytes: far more than the values of the largest problem take."""


class EventLog:
    """An open log. One process writes to it at a time."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size
        """How many bytes complete events take."""

    @classmethod
    def create(cls, path: Path, started: Started) -> "EventLog":
        """A new log. It takes its name first, as an empty file, and is there only when its first line is complete."""
        name = cls._open(path, os.O_CREAT)
        try:
            name._lock()
            if name._size > 0 or not os.path.samestat(os.fstat(name._descriptor), path.stat()):
                hint = "resume it, or choose another file"
                raise RequestError(Issue(Code.CANNOT_WRITE, "the log exists already", hint, Location(str(path))))
            try:
                return cls._begun(path, started)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise _cannot(path, error) from None
        finally:
            name.close()

    @classmethod
    def _begun(cls, path: Path, started: Started) -> "EventLog":
        fresh = path.with_name(path.name + ".new")
        log = cls._open(fresh, os.O_CREAT | os.O_TRUNC)
        log.path = path
        try:
            log._lock()
            log.append(started)
            os.replace(fresh, path)
            _sync_folder(path)
        except BaseException:
            log.close()
            fresh.unlink(missing_ok=True)
            raise
        return log

    @classmethod
    def resume(cls, path: Path) -> tuple["EventLog", list[Event], str | None]:
        """An existing log with its events; a last line that was cut short is removed, and this is reported."""
        log = cls._open(path)
        try:
            log._lock()
            events, complete, size = _read(path)
            report = None
            if complete < size:
                log._size = complete
                log._cut_back()
                os.fsync(log._descriptor)
                report = f"the last line of {path.name} was cut short and is dropped; nothing acknowledged is lost"
        except OSError as error:
            log.close()
            raise _cannot(path, error) from None
        except RequestError:
            log.close()
            raise
        return log, events, report

    @classmethod
    def _open(cls, path: Path, flags: int = 0) -> "EventLog":
        where = Location(str(path))
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o644)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not flags:
                raise RequestError(Issue(Code.FILE_NOT_FOUND, "there is no log here", None, where)) from None
            raise _cannot(path, error) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise RequestError(Issue(Code.CANNOT_WRITE, "a log is a regular file, and this is not", None, where))
        return cls(path, descriptor)

    def append(self, event: Event) -> None:
        """Write one event and wait until it is on disk. If that fails, the event does not count."""
        if self._descriptor < 0:
            raise RequestError(Issue(Code.CANNOT_WRITE, "the log is closed", "resume it", Location(str(self.path))))
        line = event.model_dump_json().encode() + b"\n"
        try:
            self._cut_back()
            if os.write(self._descriptor, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._descriptor)
        except OSError as error:
            with suppress(OSError):  # what is left is cut before the next event, or dropped on resuming
                self._cut_back()
            raise _cannot(self.path, error) from None
        self._size += len(line)

    def _cut_back(self) -> None:
        """Remove what an event that could not be written left behind."""
        if os.fstat(self._descriptor).st_size > self._size:
            os.ftruncate(self._descriptor, self._size)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            hint = "end the other program first"
            issue = Issue(Code.LOG_IN_USE, "another program is writing to the log", hint, Location(str(self.path)))
            raise RequestError(issue) from None

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def read_events(path: Path) -> list[Event]:
    """The events of a log, without opening it for writing."""
    try:
        return _read(path)[0]
    except OSError as error:
        where = Location(str(path))
        code = Code.FILE_NOT_FOUND if isinstance(error, FileNotFoundError) else Code.FILE_UNREADABLE
        raise RequestError(Issue(code, f"cannot read the log: {error.strerror}", None, where)) from None


def _read(path: Path) -> tuple[list[Event], int, int]:
    """The events, how many bytes they take, and how many bytes there are."""
    events: list[Event] = []
    complete = 0
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
            if not line.endswith(b"\n"):
                if len(line) == MAX_LINE:
                    raise RequestError(
                        Issue(Code.LOG_BROKEN, "a line is too long", None, Location(str(path), number, 1))
                    )
                break
            events.append(_event(path, number, line))
            complete += len(line)
        size = file.seek(0, os.SEEK_END)
    if not events:
        hint = "it holds nothing; start anew"
        raise RequestError(Issue(Code.LOG_BROKEN, "the log has no first line", hint, Location(str(path), 1, 1)))
    return events, complete, size


def _event(path: Path, number: int, line: bytes) -> Event:
    where = Location(str(path), number, 1)
    try:
        event = EVENT.validate_json(line)
    except ValidationError as error:
        detail: Any = error.errors()[0]
        if number == 1 and _claims_newer_version(line):
            raise _newer(where) from None
        place = ".".join(str(step) for step in detail["loc"])
        message = f"not an event of an elicitation: {place or 'the line'}: {detail['msg']}"
        raise RequestError(Issue(Code.LOG_BROKEN, message, "is it a log of pcl?", where)) from None
    if isinstance(event, Started) != (number == 1):
        raise RequestError(Issue(Code.LOG_BROKEN, "a log starts once, in its first line", None, where))
    if isinstance(event, Started) and event.version != LOG_VERSION:
        raise _newer(where)
    return event


def _claims_newer_version(line: bytes) -> bool:
    """Whether a first line that we cannot read says that it is of another version."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("event") == "started" and found.get("version") != LOG_VERSION


def _newer(where: Location) -> RequestError:
    message = f"the log is of a version that this pcl does not read; it reads version {LOG_VERSION}"
    return RequestError(Issue(Code.WRONG_VERSION, message, "use a newer pcl", where))


def _cannot(path: Path, error: OSError) -> RequestError:
    message = f"cannot write the log: {error.strerror}"
    hint = "what was acknowledged before is safe; make room or permission, and resume"
    return RequestError(Issue(Code.CANNOT_WRITE, message, hint, Location(str(path))))


def _sync_folder(path: Path) -> None:
    """A new name is on disk only when its folder is."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
