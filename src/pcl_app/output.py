"""What people see: consoles, and the formats of results."""

import sys
from collections.abc import Iterable
from enum import StrEnum

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from pcl_app.streams import silence_stdout, visible


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
