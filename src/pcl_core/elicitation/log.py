"""The event log: JSON lines, appended, and on disk before anything is acknowledged."""

import errno
import fcntl
import json
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic import ValidationError

from pcl_core.elicitation.events import EVENT, LOG_VERSION, Event, Started
from pcl_core.errors import Code, Issue, Location, RequestError

MAX_LINE = 12_000_000
"""Bytes: more than the values of the largest problem take."""

MAX_EVENTS = 200_000
"""More than anyone answers; as many take 200 MB to read."""


class EventLog:
    """An open log. One process writes to it at a time."""

    _descriptor = -1

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._end = _End(0, 0)

    @property
    def count(self) -> int:
        """How many events are on disk."""
        return self._end.events

    @classmethod
    def create(cls, path: Path, started: Started) -> "EventLog":
        """A new log. It takes its name first, as an empty file, and is there only when its first line is complete."""
        name = cls._open(path, os.O_CREAT)
        try:
            name._lock()
            if os.fstat(name._descriptor).st_size > 0:
                hint = "resume it, or choose another file"
                raise RequestError(Issue(Code.CANNOT_WRITE, "the log exists already", hint, Location(str(path))))
            place = Path(os.path.realpath(path))
            try:
                return cls._begun(path, place, started)
            except BaseException:
                place.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise _cannot(path, error) from None
        finally:
            name.close()

    @classmethod
    def _begun(cls, path: Path, place: Path, started: Started) -> "EventLog":
        """Written beside its place, under a name that nobody else uses, and renamed."""
        descriptor, draft = tempfile.mkstemp(".new", place.name + ".", place.parent)
        log = cls(path, descriptor)
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
            os.fchmod(descriptor, stat.S_IMODE(place.stat().st_mode))
            log._lock(draft)
            log.append(started)
            os.replace(draft, place)
            _sync_folder(place)
        except BaseException:
            log.close()
            Path(draft).unlink(missing_ok=True)
            raise
        return log

    @classmethod
    def resume(cls, path: Path) -> tuple["EventLog", list[Event]]:
        """An existing log with its events."""
        log = cls._open(path)
        try:
            log._lock()
            with open(os.dup(log._descriptor), "rb") as file:
                events, log._end = _read(file, path)
        except OSError as error:
            log.close()
            raise _cannot(path, error) from None
        except BaseException:
            log.close()
            raise
        return log, events

    def drop_torn_line(self) -> str | None:
        """Remove a last line that was cut short; returns a sentence for people if there was one."""
        try:
            if not self._cut_back():
                return None
            os.fsync(self._descriptor)
        except OSError as error:
            raise _cannot(self.path, error) from None
        return f"the last line of {self.path.name} was cut short and is dropped; nothing acknowledged is lost"

    @classmethod
    def _open(cls, path: Path, flags: int = 0) -> "EventLog":
        where = Location(str(path))
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o644)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not flags:
                raise RequestError(Issue(Code.FILE_NOT_FOUND, "there is no log here", None, where)) from None
            if isinstance(error, IsADirectoryError):
                message = "a log is a file, and this is a folder"
                raise RequestError(Issue(Code.CANNOT_WRITE, message, "name a file in it", where)) from None
            raise _cannot(path, error) from None
        except ValueError:
            raise RequestError(Issue(Code.CANNOT_WRITE, f"no file can be called {str(path)!a:.80}")) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise RequestError(Issue(Code.CANNOT_WRITE, "a log is a regular file, and this is not", None, where))
        return cls(path, descriptor)

    def append(self, event: Event) -> None:
        """Write one event and wait until it is on disk. If that fails, the event does not count."""
        if self._descriptor < 0:
            raise RequestError(Issue(Code.CANNOT_WRITE, "the log is closed", "resume it", Location(str(self.path))))
        line = event.model_dump_json().encode() + b"\n"
        if len(line) >= MAX_LINE:
            message = f"an event of {len(line):,} bytes is more than a line of a log may have"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, None, Location(str(self.path))))
        if self._end.events >= MAX_EVENTS:
            message = f"the log has {MAX_EVENTS:,} events, which is the most"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, "start another", Location(str(self.path))))
        try:
            self._refuse_if_changed()
            self._cut_back()
            if os.write(self._descriptor, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._descriptor)
        except OSError as error:
            with suppress(OSError):  # what is left is cut before the next event, or dropped on resuming
                self._cut_back()
            raise _cannot(self.path, error) from None
        self._end = _End(self._end.size + len(line), self._end.events + 1)

    def _refuse_if_changed(self) -> None:
        """What is written to a file that was removed or cut short would be lost."""
        found = os.fstat(self._descriptor)
        if found.st_nlink == 0 or found.st_size < self._end.size:
            message = "another program removed the log, or cut it short"
            hint = "put it back as it was and resume it, or start anew"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, hint, Location(str(self.path))))

    def _cut_back(self) -> bool:
        """Remove what an event that could not be written left behind; whether there was anything."""
        if os.fstat(self._descriptor).st_size <= self._end.size:
            return False
        os.ftruncate(self._descriptor, self._end.size)
        return True

    def _lock(self, name: str | None = None) -> None:
        """Become the only writer of the file that has this name (the log's own, if none is given)."""
        if not self._locked(name or self.path):
            hint = "end the other program first"
            issue = Issue(Code.LOG_IN_USE, "another program is writing to the log", hint, Location(str(self.path)))
            raise RequestError(issue)

    def _locked(self, name: Path | str) -> bool:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between opening and locking, another program may have put another file in its place.
            return os.path.samestat(os.fstat(self._descriptor), os.stat(name))
        except (BlockingIOError, FileNotFoundError):
            return False

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()  # a log that nobody holds must not stay locked


def read_events(path: Path) -> list[Event]:
    """The events of a log, without opening it for writing."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with path.open("rb") as file:
            return _read(file, path)[0]
    except OSError as error:
        where = Location(str(path))
        code = Code.FILE_NOT_FOUND if isinstance(error, FileNotFoundError) else Code.FILE_UNREADABLE
        raise RequestError(Issue(code, f"cannot read the log: {error.strerror}", None, where)) from None


class _End(NamedTuple):
    """Where complete events end. One value, so that an interrupt cannot leave half of it."""

    size: int
    """in bytes"""
    events: int


def _read(file: BinaryIO, path: Path) -> tuple[list[Event], _End]:
    """The complete events, and where they end."""
    events: list[Event] = []
    size = 0
    file.seek(0)
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
        if not line.endswith(b"\n"):
            if len(line) == MAX_LINE:
                raise RequestError(Issue(Code.LOG_BROKEN, "a line is too long", None, Location(str(path), number, 1)))
            break
        if number > MAX_EVENTS:
            message = f"a log has at most {MAX_EVENTS:,} events"
            raise RequestError(Issue(Code.FILE_TOO_LARGE, message, None, Location(str(path), number, 1)))
        events.append(_event(path, number, line))
        size += len(line)
    if not events:
        message, hint = "the log has no first line", "nothing is in it; remove it and start anew"
        if file.tell() > 0:  # whatever it is, it may be somebody's
            message = "the first line is not a complete event of pcl, and the file was left as it is"
            hint = "is it a log of pcl? If it is of no use, remove it and start anew"
        raise RequestError(Issue(Code.LOG_BROKEN, message, hint, Location(str(path), 1, 1)))
    return events, _End(size, len(events))


def _event(path: Path, number: int, line: bytes) -> Event:
    where = Location(str(path), number, 1)
    if number == 1:
        _refuse_other_versions(line, where)
    try:
        event = EVENT.validate_json(line)
    except ValidationError as error:
        detail: Any = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in detail["loc"])
        said = str(detail["msg"]).removeprefix("Value error, ")
        message = f"not an event of an elicitation: {place or 'the line'}: {said}"
        raise RequestError(Issue(Code.LOG_BROKEN, message, "is it a log of pcl?", where)) from None
    except RequestError as error:
        message = f"not an event of an elicitation: {error.issues[0].message}"
        raise RequestError(Issue(Code.LOG_BROKEN, message, error.issues[0].hint, where)) from None
    if isinstance(event, Started) != (number == 1):
        raise RequestError(Issue(Code.LOG_BROKEN, "a log starts once, in its first line", None, where))
    return event


def _refuse_other_versions(line: bytes, where: Location) -> None:
    """A first line may be unreadable just because it is of another version; then it is that which is said."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict) and found.get("event") == "started" and found.get("version") != LOG_VERSION:
        version = found.get("version")
        newer = isinstance(version, int) and version > LOG_VERSION
        message = f"the log is of a version that this pcl does not read; it reads version {LOG_VERSION}"
        hint = "use a newer pcl" if newer else "is it a log of pcl?"
        raise RequestError(Issue(Code.WRONG_VERSION, message, hint, where))


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
