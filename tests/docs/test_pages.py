"""The documentation is true where a test can tell: links lead somewhere, code runs, shown output is what comes out."""

import codeop
import contextlib
import io
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, FENCE, PAGES, ROOT, blocks

from pcl_app.application import COMMANDS, loaded
from pcl_app.experiments.plan.files import parse_plan
from pcl_app.experiments.record.traces import COLUMNS
from pcl_core.elicitation import data_schema
from pcl_core.elicitation.events import EVENT
from pcl_core.learn.learners import LEARNERS
from pcl_core.learn.selection import ORDERINGS, SELECTIONS
from pcl_core.users.simulated import USERS

RUN = (
    "docs/tutorial/certified-configuration.md",
    "docs/how-to/add-a-store.md",
    "docs/how-to/add-a-strategy.md",
    "docs/how-to/embed-an-elicitation.md",
    "docs/how-to/say-rules-of-your-own.md",
    "docs/how-to/use-types-made-from-a-problem.md",
    "docs/explanation/algorithm.md",
    "docs/explanation/belief.md",
    "docs/explanation/facts-and-certificates.md",
    "docs/how-to/debug-an-infeasible-problem.md",
    "docs/explanation/taste.md",
    "docs/reference/data.md",
    "docs/reference/python-api.md",
    "README.md",
)
NOT_RUN = {
    "docs/how-to/add-a-backend.md": "it is examples/pcl-scip, which is tested",
    "docs/how-to/write-a-problem-in-python.md": "it is examples/trip/trip.py, which is run, and pieces of it",
    "docs/explanation/from-problem-to-solver.md": "tests/docs/test_compiling.py follows it",
}
WRITTEN_INTO_FILES = ("docs/how-to/add-a-store.md", "docs/how-to/add-a-strategy.md")
"""Classes with several methods, which nobody types into an interpreter."""
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_whoever_copies_an_install_line_gets_this_package() -> None:
    """It is not published under its name, so lines on pages install a clone, or what lies in it, with extras that are there."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [
        (page.name, line)
        for page in PAGES
        if page.parent != DOCS / "adr" and page.name != "CHANGELOG.md"
        for line in re.findall(r"pip install ([^`\n]+)", page.read_text(encoding="utf-8"))
    ]
    assert {"README.md", "run-the-studio.md", "in-the-studio.md"} <= {page for page, _ in found}
    for page, line in found:
        if clone := re.fullmatch(r"(?:-e )?'\.\[([\w,]+)\]'", line):
            assert set(clone[1].split(",")) <= set(settings["optional-dependencies"]), (page, line)
        elif line != 'pyscipopt")':
            assert (ROOT / line / "pyproject.toml").exists(), (page, line)


def test_every_page_is_in_the_index() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in LINK.findall(text) if "://" not in link}
    assert DOCS / "adr" in linked
    assert {page for page in DOCS.rglob("*.md") if page.parent != DOCS / "adr" and page != DOCS / "index.md"} <= linked


def test_every_decision_begins_with_its_number_and_title() -> None:
    records = sorted((DOCS / "adr").iterdir())
    wrong = [path.name for path in records if not re.match(rf"# {path.name[:4]} \S", path.read_text(encoding="utf-8"))]
    assert len(records) > 50
    assert wrong == []


@pytest.mark.parametrize("name", [name for name in RUN if name not in WRITTEN_INTO_FILES])
def test_code_can_be_pasted_into_an_interpreter(name: str) -> None:
    """Line by line: a block of statements ends with an empty line there, and has none inside."""
    for block in blocks(ROOT / name):
        if block.language == "python":
            typed: list[str] = []
            for line in [*block.text.splitlines(), ""]:
                typed.append(line)
                if codeop.compile_command("\n".join(typed), symbol="single" if any(typed) else "exec") is not None:
                    typed.clear()
            assert typed == []


@pytest.mark.parametrize("name", RUN)
def test_code_runs_and_prints_what_the_page_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All Python of a page runs as one program; a `text` block shows what the Python before it prints.

    The weekend trip is there where the page tells its reader which file that is.
    """
    if "`examples/trip/problem.yaml`" in (ROOT / name).read_text(encoding="utf-8"):
        shutil.copy(ROOT / "examples" / "trip" / "problem.yaml", tmp_path / "trip.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, object] = {"__name__": "page"}
    printed = ""
    for block in blocks(ROOT / name):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(block.text, name, "exec"), names)
            printed = output.getvalue()
        elif block.language == "text":
            assert printed == block.text


def test_no_page_with_code_is_forgotten() -> None:
    with_code = {
        str(page.relative_to(ROOT)) for page in PAGES if any(block.language == "python" for block in blocks(page))
    }
    assert with_code == {*RUN, *NOT_RUN}
    shown = {str(page.relative_to(ROOT)) for page in PAGES if any(block.language == "text" for block in blocks(page))}
    assert shown <= set(RUN)


def test_experiment_files_in_pages_can_be_run() -> None:
    found = 0
    for page in PAGES:
        for block in blocks(page):
            if block.language == "yaml" and re.search(r"^experiment:", block.text, re.MULTILINE):
                assert parse_plan(block.text, page.name).entries
                found += 1
    assert found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_exist(page: Path) -> None:
    for block in blocks(page):
        if block.language:
            continue
        for line in re.sub(r"\\\n\s*", " ", block.text).splitlines():
            words = line.removeprefix("$ ").partition("  #")[0].split()
            if len(words) < 2 or words[0] != "pcl" or not re.fullmatch(r"[a-z]+", words[1]):
                continue
            assert words[1] in COMMANDS, line
            known = {option for item in loaded(words[1]).params for option in item.opts}
            wrong = [word for word in words[2:] if word.startswith("--") and word not in {*known, "--help"}]
            assert not wrong, line


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("strategies", [*SELECTIONS.describe(), *LEARNERS.describe(), *USERS.describe(), *ORDERINGS]),
        ("traces", list(COLUMNS)),
        ("event-log", [str(event) for event in EVENT.json_schema()["discriminator"]["mapping"]]),
    ],
)
def test_reference_pages_are_complete(name: str, words: list[str]) -> None:
    text = (DOCS / "reference" / f"{name}.md").read_text(encoding="utf-8")
    assert [word for word in words if f"`{word}`" not in text] == []


def test_every_field_of_the_json_forms_is_described() -> None:
    text = (DOCS / "reference" / "data.md").read_text(encoding="utf-8")
    kinds = data_schema()["$defs"]
    assert len(kinds) > 10
    fields = {field for kind in kinds.values() for field in kind.get("properties", {})}
    assert sorted(field for field in fields if f"`{field}`" not in text and f'"{field}"' not in text) == []


def test_the_tables_of_the_readme_are_those_of_the_report() -> None:
    found = re.findall(r"^\| who.*(?:\n\|.*)*", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    rows = [line for table in found for line in table.splitlines()]
    assert len(found) == 2
    report = (DOCS / "people" / "report.md").read_text(encoding="utf-8").splitlines()
    assert len(rows) > 8
    assert [row for row in rows if row not in report] == []


def test_the_readme_names_every_backend_and_every_extra() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"dev", "docs"}
    assert [
        name
        for name in (*project["entry-points"]["pcl.backends"], *extras)
        if f"`{name}`" not in text and f".[{name}]" not in text
    ] == []


def test_the_readme_needs_no_more_than_it_says_to_install() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    line = re.search(r"^pip install '\.\[([a-z,]+)\]'$", text, re.MULTILINE)
    assert line is not None
    code = "".join(block.text for block in blocks(ROOT / "README.md") if block.language == "python")
    used = set(re.findall(r'"(cpsat|cvxpy|pulp|table|auto)\b', code))
    assert len(used) > 1
    assert used <= {"table", "auto", *line[1].split(",")}


def test_pictures_say_what_is_in_them() -> None:
    silent = [page.name for page in PAGES if re.search(r"!\[\]\(", page.read_text(encoding="utf-8"))]
    assert silent == []
