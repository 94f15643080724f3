"""The notebook runs from its first cell to its last, and shows what is kept in it."""

import sys
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from tests.docs.pages import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
SECONDS = 120


def said(cell: Any) -> list[str]:
    """What a cell prints and shows, but for pictures, which differ from machine to machine."""
    found = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        found.append(output.get("text") or data.get("text/html") or ("a picture" if "image/png" in data else "?"))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_comes_out(path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    kept = nbformat.read(path, as_version=4)
    again = nbformat.read(path, as_version=4)
    NotebookClient(again, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    assert again.metadata["language_info"]["version"].startswith(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert [said(cell) for cell in again.cells] == [said(cell) for cell in kept.cells]
    shown = [text for cell in kept.cells for text in said(cell)]
    assert sum("<table>" in text for text in shown) >= 5
    assert "a picture" in shown


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["first_steps.ipynb"]
