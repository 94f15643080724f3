"""Plain data from YAML and JSON, and findings about it at their lines and columns."""

import subprocess
import sys
from decimal import Decimal

import pytest

from pcl_core import Code, Issue, ProblemError
from pcl_core.documents import KEY, Document, read_json, read_yaml

YAML = "a:\n  - 1.50\n  - {b: 'x'}\nc: true\n"
JSON = '{"a": [1.50,\n {"b": "x"}],\n "c": true}'


def location(document: Document, *path: str | int) -> tuple[int | None, int | None]:
    found = document.located([Issue(Code.BAD_VALUE, "wrong", path=path)])[0].location
    assert found.file == "file"
    return found.line, found.column


def test_yaml_and_json_of_the_same_data_are_the_same_data() -> None:
    assert (
        read_yaml(YAML, "file").data == read_json(JSON, "file").data == {"a": [Decimal("1.50"), {"b": "x"}], "c": True}
    )


def test_findings_are_at_their_values_in_both() -> None:
    yaml, json = read_yaml(YAML, "file"), read_json(JSON, "file")
    assert [location(yaml, *path) for path in (("a", 0), ("a", 1, "b"), ("c",))] == [(2, 5), (3, 9), (4, 4)]
    assert [location(json, *path) for path in (("a", 0), ("a", 1, "b"), ("c",))] == [(1, 8), (2, 8), (3, 7)]


def test_a_finding_about_something_that_is_not_there_is_at_what_is_around_it() -> None:
    assert location(read_json(JSON, "file"), "a", 1, "gone") == (2, 2)
    assert location(read_yaml(YAML, "file"), "a", 1, "gone") == (3, 5)


def test_a_finding_about_an_unknown_field_is_at_its_key() -> None:
    issue = Issue(Code.WRONG_SHAPE, "there is no field 'c' here", path=("c",))
    for document, column in ((read_json(JSON, "file"), 2), (read_yaml(YAML, "file"), 1)):
        assert document.located([issue])[0].location.column == column
        assert document.location(("c", KEY)).column == column


def test_numbers_of_programs_may_be_floats() -> None:
    assert read_json("[1.5, 2]", "file", float).data == [1.5, 2]
    with pytest.raises(ProblemError) as caught:
        read_json("[1.5,\n NaN]", "file", float)
    assert (caught.value.code, str(caught.value.issues[0].location)) == (Code.NOT_FINITE, "file:2:2")


@pytest.mark.parametrize("read", [read_yaml, read_json])
def test_a_key_stands_once(read: type) -> None:
    with pytest.raises(ProblemError) as caught:
        read('{"a": 1, "a": 2}', "file")
    assert caught.value.code is Code.DUPLICATE_KEY
    assert caught.value.issues[0].location.column == 10


def test_reading_json_does_not_import_the_yaml_library() -> None:
    code = "import sys, pcl_core.documents as d; d.read_json('{}', 'f'); print('ruamel.yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
