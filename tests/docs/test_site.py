"""The site is built from the pages as they are: strictly, with every page in its navigation, and it needs no network."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.site import equation, loaded_from_elsewhere, navigation, with_records
from mkdocs.exceptions import PluginError
from playwright.sync_api import Browser
from tests.docs.pages import DOCS, ROOT

import pcl_core

SECONDS = 120


def built(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site)],
        cwd=source,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={"PATH": "", "NO_MKDOCS_2_WARNING": "1"},
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = built(ROOT, folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Documentation of two pages, built as ours is."""
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    shutil.copy(DOCS / "site.py", tmp_path / "docs")
    shutil.copytree(DOCS / "assets", tmp_path / "docs" / "assets")
    (tmp_path / "docs" / "index.md").write_text("# All\n\n## One: a word\n\n- [Two](two.md)\n")
    (tmp_path / "docs" / "two.md").write_text("# Two\n")
    return tmp_path


def test_every_page_is_built_and_can_be_searched(site: Path) -> None:
    pages = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    assert {path for path in pages if not (site / path).is_file()} == set()
    text = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert pages <= {Path(entry["location"].partition("#")[0] or "index.html") for entry in index["docs"]}


def test_docstrings_stand_in_the_reference(site: Path) -> None:
    page = (site / "reference" / "api.html").read_text(encoding="utf-8")
    assert [name for name in pcl_core.__all__ if f'id="pcl_core.{name}"' not in page] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert loaded_from_elsewhere(site) == []


def test_links_to_nowhere_and_pages_that_the_index_forgot_are_refused(small: Path) -> None:
    (small / "docs" / "two.md").write_text("# Two\n\n[Four](four.md), [below](#below)\n")
    (small / "docs" / "three.md").write_text("# Three\n")
    done = built(small, small / "site")
    assert done.returncode == 1
    assert [name for name in ("three.md", "four.md", "#below") if name not in done.stderr] == []


def test_a_site_that_needs_the_network_is_refused(small: Path) -> None:
    (small / "docs" / "two.md").write_text('# Two\n\n<script src="https://cdn.example/x.js"></script>\n')
    done = built(small, small / "site")
    assert done.returncode == 1
    assert "two.html: https://cdn.example/x.js" in done.stderr


def test_the_navigation_is_the_index() -> None:
    index = (
        "# All\n\n## One: a word\n\n- [Two\n  words](a/two.md): and [three](three.md#x), [two](a/two.md)\n\n## Words\n"
    )
    assert navigation(index) == [{"Home": "index.md"}, {"One": [{"Two words": "a/two.md"}]}]


def test_decisions_are_found_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "adr").mkdir()
    (tmp_path / "adr" / "0002-two.md").write_text("# 0002 Two\n")
    (tmp_path / "adr" / "0001-one.md").write_text("# 0001 One\n\n## Context\n")
    index = with_records("## Decisions\n\nMany: [the records](adr).\n", tmp_path)
    assert navigation(index)[1] == {"Decisions": [{"0001 One": "adr/0001-one.md"}, {"0002 Two": "adr/0002-two.md"}]}


def test_styles_and_pages_that_load_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text('@import "https://one.example/x.css"; b { background: url(//two.example/y.png) }')
    (tmp_path / "b.html").write_text('<a href="https://read.example">x</a><img src="https://three.example/z.png">')
    found = loaded_from_elsewhere(tmp_path)
    assert [re.sub(r".*//", "", it) for it in found] == [
        "three.example/z.png",
        "one.example/x.css",
        "two.example/y.png",
    ]


def test_equations_become_mathml() -> None:
    drawn = equation(r"w^\top \phi_p \le \frac{1}{2}", "math")
    assert "<mfrac>" in drawn
    assert "&#x003D5;" in drawn
    with pytest.raises(PluginError, match=r"nosuch"):
        equation(r"\nosuch{x}", "math")


def test_the_search_answers_from_the_disk_alone(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").press_sequentially("certificate")
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert "certificate" in found.inner_text().lower()
    page.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
