"""What people see while a command runs: consoles, formats of results, and work that ctrl-C can leave."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Generic, NoReturn, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from pcl_app.streams import INTERRUPTED, say, silence_stdout, visible
from pcl_core.errors import Issue


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


class PipedConsole(Console):
    """A console whose reader may go away (`pcl ... | head`): that is no failure.

    Whatever comes from a file is shown as it is written there: nothing in it is markup, and nothing moves the cursor.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        self.quiet = True
        silence_stdout()
        raise SystemExit(0)


def console(*, stderr: bool = False) -> Console:
    """A console for people; a pipe gets plain text that is wide enough not to be wrapped."""
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    width = None if terminal else 160
    return PipedConsole(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


T = TypeVar("T")

SILENT_SECONDS = 0.4
"""Seconds after which a person is told that something is being worked out."""


def say_warnings(warnings: Iterable[Issue]) -> None:
    """A line for each on stderr: `file:line:column: warning: code: message (hint)`."""
    for issue in warnings:
        where = f"{issue.location}: "
        say(f"{where}warning: {str(issue).removeprefix(where)}", stderr=True)


class _Outcome(Generic[T]):
    value: T
    error: BaseException | None = None


class Worker:
    """Runs what may take long beside the main thread: a solver would keep that one from noticing ctrl-C."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.busy = False

    def run(self, work: Callable[[], T]) -> T:
        outcome, ended = self._begin(work)
        if not ended.wait(SILENT_SECONDS):
            if self._console.is_terminal:
                with self._console.status("working it out; ctrl-C leaves", spinner="line"):
                    ended.wait()
            ended.wait()
        self.busy = False
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def run_within(self, work: Callable[[], None], seconds: float) -> None:
        """Do work that a command can do without: after so many seconds it is left alone, and `leave` ends it."""
        outcome, ended = self._begin(work)
        try:
            if not ended.wait(seconds):
                return
        except KeyboardInterrupt:
            self._interrupted(INTERRUPTED)
        self.busy = False
        if outcome.error is not None:
            raise outcome.error

    def _begin(self, work: Callable[[], T]) -> tuple[_Outcome[T], threading.Event]:
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
        return outcome, ended

    def run_or_leave(self, work: Callable[[], T], said: str = INTERRUPTED) -> T:
        """Do the work that a command cannot do without; ctrl-C ends the program, and that is `said`."""
        try:
            return self.run(work)
        except KeyboardInterrupt:
            self._interrupted(said)

    def _interrupted(self, said: str) -> NoReturn:
        print(said, file=sys.stderr)  # noqa: T201
        self.leave(130)

    def leave(self, code: int) -> NoReturn:
        """End the program, at once where a solver still runs: it cannot be stopped, and nothing of it is needed."""
        if self.busy:
            sys.stdout.flush()
            sys.stderr.flush()
            _end_children()
            os._exit(code)
        raise typer.Exit(code)


def _end_children() -> None:
    """A solver that is a program of its own (CBC) would go on without us. A terminal's ctrl-C reaches it, others do not."""
    for listed in Path("/proc/self/task").glob("*/children"):
        for child in listed.read_text().split():
            with suppress(ProcessLookupError):  # it may have ended by itself
                os.kill(int(child), signal.SIGTERM)
