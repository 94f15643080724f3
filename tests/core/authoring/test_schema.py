"""JSON Schemas and generated documentation are current, and editors can follow them."""

import json
from pathlib import Path

import jsonschema
import pytest
from docs.generate import generated

from pcl_core import load
from pcl_core.authoring.document import authored_schema
from pcl_core.documents import read_yaml
from pcl_core.errors import CODE_MEANINGS, Code
from pcl_core.model.problem import Problem

ROOT = Path(__file__).parents[3]
FILES = sorted([*ROOT.glob("src/pcl_problems/*/*.yaml"), *ROOT.glob("examples/**/*.yaml")])
EDITOR_LINE = "# yaml-language-server: $schema="


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_generated_files_are_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == generated()[path], "run `make schema`"


def test_every_code_has_a_meaning() -> None:
    assert set(CODE_MEANINGS) == set(Code)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_files_point_editors_to_a_schema_that_accepts_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    first = text.splitlines()[0]
    assert first.startswith(EDITOR_LINE)
    schema_path = (path.parent / first.removeprefix(EDITOR_LINE)).resolve()
    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    assert schema == authored_schema()
    plain = json.loads(json.dumps(read_yaml(text, str(path)).data, default=float))
    jsonschema.Draft202012Validator(schema).validate(plain)


def test_the_schema_refuses_what_the_loader_refuses() -> None:
    data = {"pcl": 1, "name": "x", "variables": {}, "features": [{"name": "f", "valeu": "x"}], "parts": []}
    found = [error.message for error in jsonschema.Draft202012Validator(authored_schema()).iter_errors(data)]
    assert any("valeu" in message for message in found)


@pytest.mark.parametrize("name", ["grid", "training", "hotel", "hotel-published"])
def test_ground_problems_follow_the_ground_schema(name: str) -> None:
    plain = json.loads(load(name).to_json())
    jsonschema.Draft202012Validator(Problem.model_json_schema()).validate(plain)
