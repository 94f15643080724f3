"""How far the work is, on stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

PHASES = {"optima": "best configurations", "users": "simulated users", "scaling": "growing grids"}


class RateColumn(TextColumn):
    """How many are done a second."""

    def __init__(self) -> None:
        super().__init__("")

    def render(self, task: Any) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def progress_bars() -> Iterator[Callable[[str, int, int], None]]:
    """An overall bar for each phase, with rate and remaining time; nothing where stderr is not a terminal."""
    shown = Console(stderr=True)
    bars: dict[str, TaskID] = {}
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=shown,
        disable=not sys.stderr.isatty(),
    ) as progress:

        def update(phase: str, done: int, total: int) -> None:
            if phase not in bars:
                bars[phase] = progress.add_task(PHASES[phase], total=total, completed=done)
            progress.update(bars[phase], completed=done)

        yield update


@contextmanager
def scaling_progress() -> Iterator[Callable[[int, int], None]]:
    """A bar for the study of growing grids, which starts when its first number comes."""
    with ExitStack() as stack:
        bars: list[Callable[[str, int, int], None]] = []

        def update(done: int, total: int) -> None:
            if not bars:  # two bars of rich cannot be alive at once, and the experiment's comes first
                bars.append(stack.enter_context(progress_bars()))
            bars[0]("scaling", done, total)

        yield update
