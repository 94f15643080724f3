"""Sessions to test: whole programs with lines from a pipe, and sessions in this process."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from pcl_app.output import Worker
from pcl_app.terminal.reading import Lines
from pcl_app.terminal.session import Session
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core import Elicitation, Oracle, Problem, Settings

PCL = Path(sys.executable).parent / "pcl"
SECONDS = 60
IN_TURN = ("--select", "round-robin")
"""So that a test knows which part is asked about."""
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONWARNINGS": "error"}


def pcl_elicit(
    folder: Path, *arguments: str, lines: str | bytes = "", **options: Any
) -> subprocess.CompletedProcess[str]:
    """`pcl elicit ARGUMENTS` in a folder, with lines on its standard input."""
    done = subprocess.run(
        [PCL, "elicit", *arguments],
        input=lines.encode() if isinstance(lines, str) else lines,
        capture_output=True,
        cwd=folder,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
        **options,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class ListedLines(Lines):
    """Lines from a list."""

    def __init__(self, lines: list[str]) -> None:
        self._left = list(lines)
        self.interactive = False

    def read(self, prompt: str) -> str | None:
        return self._left.pop(0) if self._left else None


NOWHERE = "no/such/folder/taste.json"
"""So that no test leaves a taste behind."""


class InProcess:
    """A session in this process, and all that it showed."""

    def __init__(
        self,
        problem: Problem,
        lines: list[str],
        oracle: Oracle | None = None,
        weights: list[float] | None = None,
        **settings: Any,
    ) -> None:
        self.shown = io.StringIO()
        console = Console(file=self.shown, width=100, highlight=False, no_color=True)
        chosen = Settings.of("people", **{"select": "round-robin", **settings})
        self.elicitation = Elicitation(problem, settings=chosen, oracle=oracle, weights=weights)
        names = Vocabulary(problem)
        view = View(problem, names, console)
        self.session = Session(self.elicitation, names, view, ListedLines(lines), Worker(console), "x.jsonl", NOWHERE)
        self.session.run()
        self.ending = "finished" if self.elicitation.finished else "left"

    @property
    def text(self) -> str:
        """What was shown, without line breaks and doubled spaces."""
        return " ".join(self.shown.getvalue().split())
