"""Where lines come from, and where what is shown goes."""

import contextlib
import os
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text


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
