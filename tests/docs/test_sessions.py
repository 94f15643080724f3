"""Every command whose output a page shows is run, in the order of the page, and the output is compared."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, PAGES, ROOT, Shown, blocks, is_shown, sessions

SECONDS = 120
SHOWING = [page for page in PAGES if any(True for block in blocks(page) for _ in sessions(block))]
TRIP = ROOT / "examples" / "trip" / "problem.yaml"
GARDEN = DOCS / "how-to" / "add-a-problem-to-the-catalogue.md"
TYPED = {"docs/how-to/elicit-in-the-terminal.md"}
"""Pages that show what a person types; tests/docs/test_typed.py plays them."""


def replaced(folder: Path, name: str, *pairs: tuple[str, str]) -> None:
    """What a page says in words: change this in that file."""
    text = (folder / name).read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")


def plant(folder: Path) -> None:
    """The package that the page on the catalogue describes, as good as installed."""
    found = list(blocks(GARDEN))
    garden = folder / "garden"
    garden.mkdir()
    (garden / "__init__.py").touch()
    problem = next(block.text for block in found if block.language == "yaml")
    (garden / "problem.yaml").write_text(problem)
    (garden / "small.yaml").write_text(problem.replace("plots: 6", "plots: 2"))
    metadata = folder / "garden-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: garden\nVersion: 1\n")
    points = next(block.text for block in found if block.language == "toml")
    points = points.replace("[project.entry-points.", "[").replace('"', "")
    (metadata / "entry_points.txt").write_text(points)


def install_scip(folder: Path) -> None:
    """The example backend, as good as installed."""
    metadata = folder / "pcl_scip-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: pcl-scip\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[pcl.backends]\nscip = pcl_scip:ScipBackend\n")


def misspelt(folder: Path) -> None:
    shutil.copy(TRIP, folder / "trip.yaml")
    replaced(folder, "trip.yaml", ("'morning'] !=", "'mornin'] !="))


Change = Callable[[Path], None]
BEFORE: dict[str, dict[int, Change]] = {
    "docs/tutorial/first-problem.md": {
        2: lambda folder: replaced(folder, "trip.yaml", ("cots", "cost"), ("!= concert", "!= 'concert'")),
        5: lambda folder: replaced(folder, "weekend.json", ('"beach"', '"concert"')),
    },
    "docs/how-to/debug-an-infeasible-problem.md": {3: lambda folder: replaced(folder, "rota.yaml", ("<= 2", "<= 3"))},
    "docs/how-to/add-a-backend.md": {0: install_scip},
    "docs/how-to/add-a-problem-to-the-catalogue.md": {0: plant},
    "docs/how-to/write-an-experiment-file.md": {1: lambda folder: replaced(folder, "study.yaml", ("select", "selct"))},
    "docs/reference/command-line.md": {1: misspelt},
}
"""What a page says in words between its commands, by the number of the command that comes next."""


def run(folder: Path, shown: Shown) -> str:
    programs = [str(Path(sys.executable).parent), os.environ["PATH"]]
    sources = [str(folder), str(ROOT / "examples" / "pcl-scip" / "src")]
    done = subprocess.run(
        ["bash", "-c", shown.command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=folder,
        env={**os.environ, "PATH": os.pathsep.join(programs), "PYTHONPATH": os.pathsep.join(sources)},
    )
    return done.stdout


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_say_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    name = str(page.relative_to(ROOT))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    number = 0
    for block in blocks(page):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        for shown in sessions(block):
            if name in TYPED or shown.command.startswith("pip "):
                continue
            if (change := BEFORE.get(name, {}).get(number)) is not None:
                change(tmp_path)
            number += 1
            if shown.command.startswith("cat "):
                (tmp_path / shown.command.split()[1]).write_text(shown.output, encoding="utf-8")
                continue
            output = run(tmp_path, shown)
            assert not shown.output.strip() or is_shown(shown.output, output), f"$ {shown.command}\n{output}"


@pytest.mark.parametrize(
    ("excerpt", "output", "expected"),
    [
        ("a 1\nb 2\n", "head\na 1  \nb 2\ntail\n", True),
        ("a 1\nb 2\n", "a 1\nb 3\n", False),
        ("a 1\nb 2\n", "a 1\nc\nb 2\n", False),
        ("a 1\n...\nb 2\n", "a 1\nc\nd\nb 2\n", True),
        (".../x.yaml:1: no\n", "/some/where/x.yaml:1: no\n", True),
        ("done in 0.12 s\n", "done in 3.4 s\n", True),
        ("regret 7.8\n", "regret 7.9\n", False),
        ("regret 7.8\n", "regret 7.81\n", False),
    ],
)
def test_the_comparison_can_tell(excerpt: str, output: str, expected: bool) -> None:
    assert is_shown(excerpt, output) is expected
