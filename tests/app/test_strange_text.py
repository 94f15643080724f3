"""Whatever stands in a file, nothing of it moves the cursor of a terminal, and no finding is longer than a few lines."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pcl_app.main import run
from pcl_core import load

MAX_LINE = 800
ALLOWED = set("\n")
GROUND: dict[str, Any] = json.loads(load("grid:side=2,part=2").to_json())
strange = st.text(
    st.one_of(
        st.sampled_from("\x00\x07\x08\x1b\x7f\x85\x9b\xad\r\n\t\u200b\u2028\u202e\u2066\ufeff[]{}'\":#&*!|>%@`,\\a "),
        st.characters(exclude_categories=()),
    ),
    max_size=30,
)
long = st.tuples(strange, st.integers(1, 2000)).map(lambda pair: pair[0] * pair[1])
texts = st.one_of(strange, st.just("\x1b[31mred\x1b[0m [bold]bold[/bold] :smile:"), long)


@contextmanager
def arguments(*given: str) -> Iterator[None]:
    before, sys.argv = sys.argv, ["pcl", *given]
    try:
        yield
    finally:
        sys.argv = before


def said_by(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    with arguments(*given), pytest.raises(SystemExit):
        run()
    captured = capsys.readouterr()
    return captured.out + captured.err


def assert_tame(said: str) -> None:
    wrong = {hex(ord(letter)) for letter in said if not letter.isprintable() and letter not in ALLOWED}
    # Joiners are part of how some scripts are written, other formats and unassigned letters move nothing.
    assert not {code for code in wrong if int(code, 16) < 0xA0 or 0x2028 <= int(code, 16) <= 0x202E}, said
    assert max(map(len, said.split("\n"))) <= MAX_LINE, said


def commands(path: Path, folder: Path) -> list[tuple[str, ...]]:
    file, weights, values = str(path), str(folder / "w.json"), str(folder / "x.json")
    return [
        ("validate", file),
        ("show", file),
        ("evaluate", file, "--config", values),
        ("explain", file, "--given", values, "--backend", "table"),
        ("solve", file, "--weights", weights, "--backend", "table"),
    ]


def spelled(text: str) -> str:
    """Double-quoted YAML, where every character can be written."""
    return json.dumps(text)


AUTHORED = """pcl: 1
name: {name}
label: {label}
description: {description}
parameters: {{p: {parameter}}}
sets: {{s: [{member}, b]}}
variables:
  x: {{index: [s], domain: 0..3, label: {x}, unit: {unit}}}
  y: {{domain: [{member}, b], label: y}}
constraints:
- {{name: {constraint}, require: "x['b'] >= 1", label: {clabel}}}
features:
- {{name: {feature}, value: "sum(x[*])", label: {flabel}, unit: {unit}}}
- {{name: g, value: {expression}}}
parts:
- {{name: {part}, variables: ["x[*]", y], label: {plabel}}}
"""
PLAIN = {
    "name": "n", "label": "l", "description": "d", "parameter": "p", "member": "a", "x": "x", "unit": "u", "constraint": "c",
    "clabel": "c", "feature": "f", "flabel": "f", "expression": "y == 'b'", "part": "p", "plabel": "p",
}  # fmt: skip
thorough = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def test_the_file_that_is_changed_is_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, PLAIN)
    assert "is valid" in said_by(capsys, "validate", str(path))
    for command in commands(path, tmp_path)[2:]:
        assert "bad-" not in said_by(capsys, *command)


def written(folder: Path, fields: dict[str, str], values: object = None) -> Path:
    path = folder / "file.yaml"
    path.write_text(AUTHORED.format(**{name: spelled(text) for name, text in fields.items()}), errors="surrogatepass")
    (folder / "x.json").write_text(json.dumps({"x[a]": 1, "x[b]": 0, "y": "b"} if values is None else values))
    (folder / "w.json").write_text("[1, 2]")
    return path


@thorough
@given(st.dictionaries(st.sampled_from(sorted(PLAIN)), texts, min_size=1, max_size=3))
def test_an_authored_file(capsys: pytest.CaptureFixture[str], changes: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        path = written(Path(folder), PLAIN | changes)
        for command in commands(path, Path(folder)):
            assert_tame(said_by(capsys, *command))


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the texts and the keys of a document are."""
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        if isinstance(value, str):
            yield (*path, key)
        yield from places(value, (*path, key))


PLACES = list(places(GROUND))


@thorough
@given(st.sampled_from(PLACES), texts, st.booleans(), texts)
def test_a_ground_file(
    capsys: pytest.CaptureFixture[str], place: tuple[Any, ...], text: str, as_key: bool, value: str
) -> None:
    tree = json.loads(json.dumps(GROUND))
    inner = tree
    for step in place[:-1]:
        inner = inner[step]
    inner[text if as_key and isinstance(inner, dict) else place[-1]] = text
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.json"
        path.write_text(json.dumps(tree))
        names = [variable["name"] for variable in GROUND["variables"]]
        (Path(folder) / "x.json").write_text(json.dumps({**dict.fromkeys(names, False), text: value}))
        (Path(folder) / "w.json").write_text(json.dumps({value: text}))
        for command in commands(path, Path(folder)):
            assert_tame(said_by(capsys, *command))


@thorough
@given(texts, texts)
def test_words_of_the_command_line(capsys: pytest.CaptureFixture[str], name: str, value: str) -> None:
    name, value = (text.replace("\0", "\x1b").encode(errors="replace").decode() for text in (name, value))
    assert_tame(said_by(capsys, "show", f"grid:{name}={value}"))
    assert_tame(said_by(capsys, "show", name))
    assert_tame(said_by(capsys, "validate", f"{name}.yaml"))
    assert_tame(said_by(capsys, "solve", "grid", "--weights", value, "--part", name))


def test_markup_in_a_label_is_shown_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, PLAIN | {"flabel": "[red]hot[/red] :smile:", "constraint": "[link=x]", "clabel": "[b]"})
    said = said_by(capsys, "evaluate", str(path), "--config", str(tmp_path / "x.json"))
    assert "[red]hot[/red] :smile:" in said
    assert "[link=x]  ([b])" in said


def test_json_keeps_what_is_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, PLAIN | {"name": "\x1b[31m"})
    found = json.loads(said_by(capsys, "validate", str(path), "--format", "json"))
    assert found["errors"][0]["line"] == 2
    assert "\\x1b" in found["errors"][0]["message"]
