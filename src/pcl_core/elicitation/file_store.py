"""A log in a file: JSON lines, appended, and on disk before anything is acknowledged."""

import errno
import fcntl
import os
import stat
import tempfile
import threading
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pcl_core.elicitation.log_lines import MAX_EVENTS, MAX_LINE, as_texts, complete_lines, unreadable
from pcl_core.elicitation.store import EventStore, cannot_write, closed, moved_on
from pcl_core.errors import Code, Issue, Location, RequestError

Log: TypeAlias = EventStore | Path | str
"""A store, or the path of a file, which is short for a `FileStore`."""


class FileStore:
    """An `EventStore` in a file. One process has it at a time; `read_lines` reads without having it."""

    _descriptor = -1
    _created = False

    def __init__(self, path: Path, descriptor: int) -> None:
        """Use `create` or `open`."""
        self._turn = threading.RLock()  # an interrupt may keep it from being let go, and then one goes on
        self._path = path
        self._end = _End(0, 0)
        self._descriptor = descriptor

    @classmethod
    def create(cls, path: Path | str) -> "FileStore":
        """A new log. It takes its name as an empty file, and gives it back if it is closed without any event."""
        store = cls._opened(path, os.O_CREAT)
        try:
            if os.fstat(store._descriptor).st_size > 0:
                hint = "resume it, or choose another file"
                raise RequestError(Issue(Code.CANNOT_WRITE, "the log exists already", hint, Location(store.place)))
            store._created = True
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, path: Path | str) -> "FileStore":
        """A log that exists, to go on with it."""
        store = cls._opened(path)
        try:
            with open(os.dup(store._descriptor), "rb") as file:
                lengths = [len(line) for line in complete_lines(file, store.place)]
            store._end = _End(sum(lengths), len(lengths))
        except OSError as error:
            store.close()
            raise _cannot(store.place, error) from None
        except BaseException:
            store.close()
            raise
        return store

    @property
    def place(self) -> str:
        return str(self._path)

    def count(self) -> int:
        self._refuse_if_closed()
        return self._end.events

    def read(self, start: int = 0) -> list[str]:
        with self._turn:
            self._refuse_if_closed()
            if not self._end.events:
                return []
            try:
                with open(os.dup(self._descriptor), "rb") as file:
                    lines = list(islice(complete_lines(file, self.place), self._end.events))
            except OSError as error:
                raise unreadable(self.place, error) from None
        return as_texts(lines, self.place)[start:]

    def append(self, event: str, expected: int) -> None:
        line = event.encode() + b"\n"
        with self._turn:
            self._refuse_if_closed()
            if expected != self._end.events:
                raise moved_on(self.place, expected, self._end.events)
            self._refuse_what_could_not_be_read(len(line))
            try:
                self._refuse_if_changed()
                self._cut_back()
                if self._end.events == 0:
                    self._begin(line)
                else:
                    _write(self._descriptor, line)
            except OSError as error:
                with suppress(OSError):  # what is left is cut before the next event, or dropped on resuming
                    self._cut_back()
                raise _cannot(self.place, error) from None
            self._end = _End(self._end.size + len(line), self._end.events + 1)

    def mend(self) -> str | None:
        """Drop a last line that was cut short."""
        with self._turn:
            self._refuse_if_closed()
            try:
                if not self._cut_back():
                    return None
                os.fsync(self._descriptor)
            except OSError as error:
                raise _cannot(self.place, error) from None
        return f"the last line of {self._path.name} was cut short and is dropped; nothing acknowledged is lost"

    def close(self) -> None:
        if self._descriptor < 0:
            return
        with self._turn:
            if self._created and self._end.events == 0:
                with suppress(OSError):  # an empty file can become a log as well
                    self._give_the_name_back()
            descriptor, self._descriptor = self._descriptor, -1
            if descriptor >= 0:
                os.close(descriptor)

    def __del__(self) -> None:
        self.close()  # a log that nobody holds must not stay locked

    @classmethod
    def _opened(cls, given: Path | str, flags: int = 0) -> "FileStore":
        """The file at a path, locked."""
        if not isinstance(given, (str, os.PathLike)):
            hint = "give a store, or the path of a file"
            raise RequestError(Issue(Code.BAD_VALUE, f"{given!r:.60} is not a log", hint))
        path = Path(given)
        where = Location(str(path))
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o644)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not flags:
                raise RequestError(Issue(Code.FILE_NOT_FOUND, "there is no log here", None, where)) from None
            if isinstance(error, IsADirectoryError):
                message = "a log is a file, and this is a folder"
                raise RequestError(Issue(Code.CANNOT_WRITE, message, "name a file in it", where)) from None
            raise _cannot(str(path), error) from None
        except ValueError:
            raise RequestError(Issue(Code.CANNOT_WRITE, f"no file can be called {str(path)!a:.80}")) from None
        store = cls(path, descriptor)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise RequestError(Issue(Code.CANNOT_WRITE, "a log is a regular file, and this is not", None, where))
            store._lock()
        except BaseException:
            store.close()
            raise
        return store

    def _lock(self) -> None:
        """Become the only one who has the file."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between opening and locking, another program may have put another file in its place.
            mine = os.path.samestat(os.fstat(self._descriptor), os.stat(self._path))
        except (BlockingIOError, FileNotFoundError):
            mine = False
        except OSError as error:
            raise _cannot(self.place, error) from None
        if not mine:
            hint = "end the other program first"
            issue = Issue(Code.LOG_IN_USE, "another program is writing to the log", hint, Location(self.place))
            raise RequestError(issue)

    def _begin(self, line: bytes) -> None:
        """The first event is written beside the log's place, under a name that nobody else uses, and renamed.

        So that a log, wherever its writer is killed, has a complete first line and can be told from other files.
        """
        place = Path(os.path.realpath(self._path))
        descriptor, draft = tempfile.mkstemp(".new", place.name + ".", place.parent)
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
            os.fchmod(descriptor, stat.S_IMODE(os.fstat(self._descriptor).st_mode))
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _write(descriptor, line)
            os.replace(draft, place)
            os.dup2(descriptor, self._descriptor, inheritable=False)  # the lock goes with it
            _sync_folder(place)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        finally:
            os.close(descriptor)

    def _give_the_name_back(self) -> None:
        place = os.path.realpath(self._path)
        if os.path.samestat(os.fstat(self._descriptor), os.stat(place)):
            os.unlink(place)

    def _refuse_if_closed(self) -> None:
        if self._descriptor < 0:
            raise closed(self.place)

    def _refuse_what_could_not_be_read(self, size: int) -> None:
        if size >= MAX_LINE:
            message = f"an event of {size:,} bytes is more than a line of a log may have"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, None, Location(self.place)))
        if self._end.events >= MAX_EVENTS:
            message = f"the log has {MAX_EVENTS:,} events, which is the most"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, "start another", Location(self.place)))

    def _refuse_if_changed(self) -> None:
        """What is written to a file that was removed or cut short would be lost."""
        found = os.fstat(self._descriptor)
        if found.st_nlink == 0 or found.st_size < self._end.size:
            message = "another program removed the log, or cut it short"
            hint = "put it back as it was and resume it, or start anew"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, hint, Location(self.place)))

    def _cut_back(self) -> bool:
        """Remove what an event that could not be written left behind; whether there was anything."""
        if os.fstat(self._descriptor).st_size <= self._end.size:
            return False
        os.ftruncate(self._descriptor, self._end.size)
        return True


class _End(NamedTuple):
    """Where complete events end. One value, so that an interrupt cannot leave half of it."""

    size: int
    """in bytes"""
    events: int


def _write(descriptor: int, line: bytes) -> None:
    if os.write(descriptor, line) != len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(descriptor)


def _cannot(place: str, error: OSError) -> RequestError:
    return cannot_write(place, error.strerror or str(error))


def _sync_folder(path: Path) -> None:
    """A new name is on disk only when its folder is."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
