"""The page on architecture: rooms and walks as they are, files that are there, and changes that touch no others."""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from docs.generate import ARCHITECTURE, BLOCK, steps
from docs.rooms import core_table, imported, layers
from docs.walks import FIRST, WALKS, walked
from tests.docs.pages import ROOT

PAGE = ARCHITECTURE.read_text(encoding="utf-8")
SHOWN = {found[1]: found[2] for found in BLOCK.finditer(PAGE)}
SOURCES = ROOT / "src"
FILE = re.compile(r"`((?:pcl_\w+|docs|tests|examples)/[\w/.-]+)`")
MEASURES = Path("pcl_app", "experiments", "measures.py")
TOY = '    Measure("toy", "float64", "half of what she saw", "half of what she saw", of=lambda step: step.shown_variables / 2),\n'

modules_of = cache(walked)


def test_the_rooms_are_those_of_the_contract_with_what_they_import() -> None:
    assert SHOWN["rooms"] == core_table() + "\n", "run `make schema`"
    order = layers()
    for number, room in enumerate(order):
        assert imported(room) <= set(order[number + 1 :]), room


@pytest.mark.parametrize("title", WALKS)
def test_the_walks_are_as_the_page_lists_them(title: str) -> None:
    assert SHOWN[f"walk: {title}"] == steps(title, modules_of(title), modules_of(FIRST)) + "\n", "run `make schema`"


def test_files_that_changes_touch_are_there() -> None:
    named = FILE.findall(PAGE)
    assert len(named) > 15
    assert [name for name in named if not any((folder / name).exists() for folder in (SOURCES, ROOT))] == []


def test_there_are_ten_changes() -> None:
    table = PAGE.partition("| change | files | shown by |\n|---|---|---|\n")[2].partition("\n\n")[0]
    assert len(table.splitlines()) == 10


def test_a_measure_is_one_entry_in_its_table(tmp_path: Path) -> None:
    """It is recorded, and can be compared and drawn, without another line of code."""
    shutil.copytree(SOURCES / "pcl_app", tmp_path / "pcl_app", ignore=shutil.ignore_patterns("__pycache__"))
    table = tmp_path / MEASURES
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    lines.insert(lines.index(next(line for line in lines if line.startswith('    Measure("seconds", '))), TOY)
    table.write_text("".join(lines), encoding="utf-8")
    for select in ("random", "in-order"):
        pcl(tmp_path, "simulate", "grid", "--users", "2", "--queries", "2", "--select", select, "--out", select)
    said = pcl(tmp_path, "compare", "random", "in-order", "--column", "toy", "--out", "toy.html")
    assert "half of what she saw" in said
    assert "half of what she saw" in (tmp_path / "toy.html").read_text(encoding="utf-8")


def pcl(folder: Path, *words: str) -> str:
    """A command of the program in this folder."""
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); from pcl_app.main import run; run()"
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
