"""What every command shares: how results are printed, how input files are read."""

import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from pcl_app.completing import complete_problem
from pcl_core.authoring.json_source import locate, read_json
from pcl_core.authoring.load import placed
from pcl_core.authoring.text_source import read_text
from pcl_core.errors import (
    MAX_FINDINGS,
    Code,
    Issue,
    Location,
    MissingDependencyError,
    PclError,
    RequestError,
    suggest,
)
from pcl_core.model.configuration import Configuration, read_configuration
from pcl_core.model.problem import Problem
from pcl_core.wording import printable


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for programs")]
ProblemArgument = Annotated[
    str,
    typer.Argument(
        metavar="PROBLEM",
        help="a catalogue name, name:key=value,..., or a .yaml or .json file",
        autocompletion=complete_problem,
    ),
]

MAX_INPUT_BYTES = 12_000_000
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


class PipedConsole(Console):
    """A console whose reader may go away (`pcl ... | head`): that is no failure.

    Whatever comes from a file is shown as it is written there: nothing in it is markup, and nothing moves the cursor.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(_visible(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        self.quiet = True
        silence_stdout()
        raise SystemExit(0)


def console(*, stderr: bool = False) -> Console:
    """A console for people; a pipe gets plain text that is wide enough not to be wrapped."""
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    width = None if terminal else 160
    return PipedConsole(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


def say(text: str, *, stderr: bool = False) -> None:
    """Lines of plain text for people, safe to show whatever names are in them."""
    stream = sys.stderr if stderr else sys.stdout
    stream.write(_visible(text) + "\n")


def _visible(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def silence_stdout() -> None:
    """Nobody reads it any more; keep the interpreter from failing again while it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def forgive_strange_bytes() -> None:
    """What cannot be read or shown in the terminal's encoding is no reason to end."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")


def print_json(document: object) -> None:
    """One JSON document on stdout."""
    write_json(json.dumps(document, indent=2, ensure_ascii=False, default=_plain))


def write_json(text: str) -> None:
    """JSON text on stdout; what its encoding may not have is escaped, for programs must read what was meant."""
    if not str(sys.stdout.encoding).lower().startswith("utf"):
        text = BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)
    sys.stdout.write(text + "\n")


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def read_configuration_file(problem: Problem, path: Path, *, partial: bool = False) -> Configuration:
    """A configuration from a JSON object in a file; findings have its lines."""
    return parse_configuration(problem, read_input(path), str(path), partial=partial)


def read_input(path: Path) -> str:
    return read_text(path, str(path), MAX_INPUT_BYTES, pipes=True)


def parse_configuration(problem: Problem, text: str, file: str, *, partial: bool = False) -> Configuration:
    document = read_json(text, file)
    if not isinstance(document.data, dict):
        message = "a configuration is a JSON object from variable names to values"
        raise RequestError(Issue(Code.BAD_CONFIGURATION, message, None, Location(file, 1, 1)))
    raw: dict[str, Any] = document.data
    try:
        return read_configuration(problem, raw, partial=partial)
    except PclError as error:
        found = locate(text, document, [issue.path for issue in error.issues])
        raise RequestError(placed(error.issues, found), error.more) from None


def read_weights_file(problem: Problem, path: Path) -> npt.NDArray[np.float64]:
    """Weights from a JSON list in feature order, or an object by feature name (missing ones are zero)."""
    return parse_weights(problem, read_input(path), str(path))


def parse_weights(problem: Problem, text: str, file: str) -> npt.NDArray[np.float64]:
    document = read_json(text, file)
    names = [feature.name for feature in problem.features]
    data: Any = document.data
    issues: list[Issue] = []
    if isinstance(data, list):
        if len(data) != len(names):
            message = f"expected {len(names)} weights, one for each feature, got {len(data)}"
            issues.append(Issue(Code.BAD_VALUE, message, "or give an object by feature name"))
        entries: list[tuple[str | int, Any]] = list(enumerate(data))
    elif isinstance(data, dict):
        entries = list(data.items())
        known = set(names)
        issues += [
            Issue(Code.UNKNOWN_NAME, f"there is no feature '{name}'", suggest(name, names), path=(name,))
            for name in islice((name for name in data if name not in known), MAX_FINDINGS + 1)
        ]
    else:
        issues.append(Issue(Code.BAD_VALUE, "weights are a JSON list, or an object by feature name"))
        entries = []
    for key, value in entries:
        if len(issues) > MAX_FINDINGS:
            break
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not np.isfinite(float(value)):
            issues.append(Issue(Code.BAD_VALUE, f"a weight is a finite number, not {value!s:.40}", path=(key,)))
    if issues:
        raise RequestError(placed(issues, locate(text, document, [issue.path for issue in issues])))
    found = {(names[key] if isinstance(key, int) else key): float(value) for key, value in entries}
    return np.array([found.get(name, 0.0) for name in names])


def need(module: str, extra: str) -> None:
    """Refuse before any work what could not be finished without a package."""
    if importlib.util.find_spec(module) is None:
        issue = Issue(Code.MISSING_DEPENDENCY, f"this needs {module}", f"pip install 'pcl-elicit[{extra}]'")
        raise MissingDependencyError(issue)
