"""No block of code stands in a page only to be looked at: each is run, compared, read as what it is, or excused here."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML
from tests.docs.pages import PAGES, ROOT, Block, blocks, sessions
from tests.docs.test_pages import NOT_RUN, RUN
from tests.docs.test_typed import PAGE as TYPED

import pcl_core as pcl
from pcl_app.experiments.plan.files import parse_plan
from pcl_core.authoring import authored_schema

EXCUSED = {
    ("docs/tutorial/first-problem.md", "yaml", "pcl: 1\nname: trip\n"): "it has two mistakes, which its session finds",
    ("docs/tutorial/first-problem.md", "yaml", "    require:"): "lines that are put in place by test_sessions.py",
    ("docs/reference/problem-files.md", "yaml", "foreach: {d: day"): "six ways to write one key, which is no document",
    ("docs/reference/problem-files.md", "yaml", "    value: >-"): "the middle of an entry",
    ("docs/how-to/run-the-studio.md", "nginx", ""): "a proxy is not tested here",
}
"""By page, language and beginning: what cannot be run, and why."""
NOTATION = {
    "docs/explanation/from-problem-to-solver.md": "stages of compilation, followed by test_compiling.py",
    "docs/explanation/never-believe-a-solver.md": "what backends returned at one time, which may change",
    "docs/how-to/add-a-backend.md": "a folder",
    "docs/how-to/add-a-problem-to-the-catalogue.md": "a folder",
    "docs/how-to/elicit-in-the-terminal.md": "what is typed, played by test_typed.py",
    "docs/how-to/write-an-experiment-file.md": "what a cell that failed says",
    "docs/reference/command-line.md": "the form of findings",
    "docs/reference/event-log.md": "lines with three dots in them",
    "docs/reference/problem-files.md": "expressions, tables and findings, shown as they look",
    "docs/tutorial/first-problem.md": "the form of findings",
    "examples/pcl-scip/README.md": "how its own tests are run",
}
"""Pages with blocks that are neither commands nor code."""
FOUND = [(str(page.relative_to(ROOT)), block) for page in PAGES for block in blocks(page)]
PROGRAMS = ("pcl", "make", "pip", "python", "printf", "git", "dask", "ray")


def excuse(page: str, block: Block) -> tuple[str, str, str] | None:
    return next(
        (key for key in EXCUSED if key[:2] == (page, block.language) and block.text.startswith(key[2])),
        None,
    )


def read_yaml(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def check_yaml(page: str, text: str) -> None:
    """A problem loads, an experiment can be planned, and a section of a problem file has the fields that it may have."""
    document = {key: value for key, value in read_yaml(text).items() if value is not None}  # a heading and a comment
    if "experiment" in document:
        assert parse_plan(text, page).entries
    elif {"pcl", "parts"} <= set(document):
        assert pcl.parse_authored(text).parts
    else:
        schema = {key: value for key, value in authored_schema().items() if key != "required"}
        wrong = [error.message for error in Draft202012Validator(schema).iter_errors(document)]
        assert wrong == [], page


def check_command(page: str, block: Block) -> None:
    """Lines that are there to be typed begin with a program; those with output are run by test_sessions.py."""
    lines = re.sub(r"\\\n\s*", " ", block.text).splitlines()
    if block.text.startswith("$ ") and any(True for _ in sessions(block)):
        return
    words = [re.sub(r"^\$ ", "", line).split() for line in lines if line.strip() and not line.startswith("#")]
    assert all(Path(line[0]).name in PROGRAMS for line in words) or page in NOTATION, block.text


@pytest.mark.parametrize("page", sorted({page for page, _ in FOUND}))
def test_every_block_is_run_or_read(page: str) -> None:
    for block in (block for name, block in FOUND if name == page):
        if excuse(page, block):
            continue
        match block.language:
            case "python":
                assert page in {*RUN, *NOT_RUN}
            case "text":
                assert page in RUN
            case "yaml":
                check_yaml(page, block.text)
            case "json":
                assert json.loads(block.text)
                assert block.file or pcl.parse_ground(block.text).parts
            case "toml":
                assert tomllib.loads(block.text)
            case "math":
                assert block.text.strip()
            case "":
                check_command(page, block)
            case other:
                pytest.fail(f"nothing reads blocks of {other!r}")


def test_every_excuse_is_needed() -> None:
    used = {found for page, block in FOUND if (found := excuse(page, block))}
    assert used == set(EXCUSED)
    plain = {
        page
        for page, block in FOUND
        if not block.language
        and not all(line.removeprefix("$ ").split()[:1] == ["pcl"] for line in block.text.splitlines() if line)
    }
    assert set(NOTATION) <= plain
    assert str(TYPED.relative_to(ROOT)) in NOTATION


@pytest.mark.parametrize(
    ("block", "wrong"),
    [
        (Block("yaml", "pcl: 1\nname: x\nparts: []\n", None), pcl.ProblemError),
        (Block("yaml", "parts:\n  - {nam: x}\n", None), AssertionError),
        (Block("yaml", "experiment: x\nselct: y\n", None), pcl.PclError),
    ],
)
def test_what_cannot_be_right_is_found(block: Block, wrong: type[Exception]) -> None:
    with pytest.raises(wrong):
        check_yaml("page", block.text)


def test_a_command_that_does_not_exist_is_found() -> None:
    with pytest.raises(AssertionError):
        check_command("docs/index.md", Block("", "pclx validate x.yaml\n", None))
