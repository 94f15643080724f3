"""Where lines come from, and work that ctrl-C can leave."""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from rich.console import Console
from rich.text import Text

T = TypeVar("T")

PATIENCE = 0.4
"""Seconds after which a person is told that something is being worked out."""


class Lines:
    """Lines from a terminal, with editing and history where readline is there, or from a pipe or a file."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.interactive = sys.stdin.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # being imported is enough for `input` to use it

    def read(self, prompt: str) -> str | None:
        """The next line, or None at the end of the input."""
        if not self.interactive:
            line = sys.stdin.readline()
            self._console.print(Text((prompt + line.rstrip("\n")).rstrip(), overflow="fold"), style="dim")
            return line.rstrip("\n") if line else None
        try:
            return input(prompt)
        except EOFError:
            self._console.print()
            return None


@contextlib.contextmanager
def stdout_for_results(wanted: bool) -> Iterator[None]:
    """Let all that is shown to a person, the line editor's echo too, go to stderr; stdout stays for the result."""
    if not wanted:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


class _Outcome(Generic[T]):
    value: T
    error: BaseException | None = None


class Worker:
    """Runs what may take long beside the main thread: a solver would keep that one from noticing ctrl-C."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.busy = False

    def run(self, work: Callable[[], T]) -> T:
        outcome = _Outcome[T]()
        ended = threading.Event()

        def target() -> None:
            try:
                outcome.value = work()
            except BaseException as error:
                outcome.error = error
            finally:
                ended.set()

        self.busy = True
        threading.Thread(target=target, daemon=True).start()
        if not ended.wait(PATIENCE):
            if self._console.is_terminal:
                with self._console.status("working it out; ctrl-C leaves", spinner="line"):
                    ended.wait()
            ended.wait()
        self.busy = False
        if outcome.error is not None:
            raise outcome.error
        return outcome.value
