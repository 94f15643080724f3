"""Tables that are printed for people and written as Markdown, and the machine they were made on."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

PACKAGES = ("numpy", "ortools", "pulp", "cvxpy", "highspy", "cpmpy")


@dataclass
class Sheet:
    """A table: a title, columns, rows of text."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)

    def rich(self) -> Table:
        table = Table(title=self.title)
        for position, column in enumerate(self.columns):
            table.add_column(column, justify="left" if position == 0 else "right")
        for row in self.rows:
            table.add_row(
                *(f"[red]{cell}[/red]" if cell.endswith("not met") else cell.replace("[", r"\[") for cell in row)
            )
        return table

    def markdown(self) -> str:
        lines = [self.columns, ["---", *["--:"] * (len(self.columns) - 1)], *self.rows]
        return f"### {self.title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


@dataclass(frozen=True)
class Goal:
    """A ratio that should be at most (or at least) some number."""

    bound: float
    at_least: bool = False

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}"

    def judged(self, value: float, digits: int = 2, unit: str = "") -> str:
        met = value >= self.bound if self.at_least else value <= self.bound
        return f"{value:.{digits}f}{unit} {'met' if met else 'not met'}"


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.3f}" if seconds < 0.01 else f"{1000 * seconds:.1f}"


def machine() -> list[str]:
    """What the numbers depend on, one line each."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    versions = [f"{package} {_version(package)}" for package in PACKAGES]
    return [
        f"{model or platform.processor() or platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        f"Python {platform.python_version()}, {', '.join(versions)}",
        f"MiniZinc: {minizinc_version()}",
    ]


def load_average() -> str:
    return ", ".join(f"{value:.2f}" for value in os.getloadavg())


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "is not installed"


def minizinc_version() -> str:
    if shutil.which("minizinc") is None:
        return "not on the PATH"
    printed = subprocess.run(["minizinc", "--version"], capture_output=True, text=True, check=False).stdout
    return printed.splitlines()[0] if printed else "unknown"
