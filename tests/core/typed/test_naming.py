"""Whatever things are called, Python code can be written about them."""

import ast
import keyword
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pcl_core.typed.naming import Identifiers, line, quoted

RUFF = Path(sys.executable).parent / "ruff"
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)


@given(NAMES)
def test_a_literal_means_its_text_and_shows_nothing_that_cannot_be_seen(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text
    assert quoted(text).isprintable()


@given(st.lists(NAMES, max_size=30))
def test_names_become_different_identifiers(names: list[str]) -> None:
    attributes, types = Identifiers("ground"), Identifiers("Values")
    for made in ([attributes.attribute(name) for name in names], [types.of_type(name, "Value") for name in names]):
        assert len(set(made)) == len(names)
        assert all(it.isidentifier() and not keyword.iskeyword(it) and not it.startswith("_") for it in made)
        assert ast.unparse(ast.parse("\n".join(made))) == "\n".join(made), "they are as Python normalises them"


@settings(max_examples=5, deadline=None)
@given(st.lists(NAMES, min_size=200, max_size=200))
def test_ruff_spells_literals_as_they_are_written_and_folds_no_line(names: list[str]) -> None:
    text = "".join(f"{line(f'x = f({quoted(name)}, {quoted(name)})')}\n" for name in names)
    command = [str(RUFF), "format", "--isolated", "--line-length", "80", "-"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    assert done.stdout.decode() == text
