"""A process beside this one that compiles and solves: what happens to it does not happen to us.

Messages are pickles with their length before them, over pipes that nobody else has. The child ends when its pipe does,
also in the middle of a solve, so it never outlives the process that started it.
"""

import os
import pickle
import select
import signal
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from typing import Any

LENGTH = 8
PIECE = 2**20


class ChildDied(Exception):  # noqa: N818
    """It ended by itself."""


class ChildLate(Exception):  # noqa: N818
    """It did not answer in time, and has been ended."""


class Child:
    """The parent's side. It is started when it is first needed, and again after it has ended."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self.known: set[int] = set()
        """The scopes that it was sent; what an earlier one was told is forgotten."""

    def ensure(self) -> None:
        """Have it running."""
        if self._owner != os.getpid():  # after a fork it belongs to the other process
            self._process, self._owner = None, os.getpid()
        if self._process is not None and self._process.poll() is None:
            return
        self.end()
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; from pcl_backends.serving import serve; serve({self._backend!r})"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # ctrl-C is for us; and all that it starts can be ended with it
        )
        self.known = set()
        weakref.finalize(self, _end, self._process, os.getpid())
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)

    def call(self, message: tuple[Any, ...], until: float | None) -> Any:
        """Send a message, and wait for the reply. `until` is a time of time.monotonic()."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
            self._write(self._process.stdin.fileno(), len(content).to_bytes(LENGTH) + content, until)
            length = int.from_bytes(self._read(self._process.stdout.fileno(), LENGTH, until))
            return pickle.loads(self._read(self._process.stdout.fileno(), length, until))
        except BaseException:  # also ctrl-C: whatever it is doing, it is no longer in step with us
            self.end()
            raise

    @staticmethod
    def _write(pipe: int, content: bytes, until: float | None) -> None:
        rest = memoryview(content)
        while rest:
            _, ready, _ = select.select([], [pipe], [], _left(until))
            if not ready:
                raise ChildLate
            try:
                rest = rest[os.write(pipe, rest[:PIECE]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError as error:
                raise ChildDied from error

    @staticmethod
    def _read(pipe: int, length: int, until: float | None) -> bytes:
        found = b""
        while len(found) < length:
            ready, _, _ = select.select([pipe], [], [], _left(until))
            if not ready:
                raise ChildLate
            piece = os.read(pipe, min(PIECE, length - len(found)))
            if not piece:
                raise ChildDied
            found += piece
        return found

    def end(self) -> None:
        """End it and all that it started."""
        process, self._process = self._process, None
        if process is not None:
            _end(process, self._owner)


def _left(until: float | None) -> float | None:
    return None if until is None else max(0.0, until - time.monotonic())


def _end(process: "subprocess.Popen[bytes]", owner: int) -> None:
    if owner != os.getpid():
        return
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
