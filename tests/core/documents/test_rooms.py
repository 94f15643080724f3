"""One room reads documents, and one mechanism finds what other packages add."""

import re
from collections.abc import Iterator
from pathlib import Path

import pcl_core
from pcl_core.plugins import Group

SOURCES = Path(pcl_core.__file__).parents[1]

MAY_PARSE = {
    "pcl_core/documents/json_reader.py",
    "pcl_core/model/problem.py",  # `from_json`, the inverse of `to_json`, for what a program wrote itself
    "pcl_core/elicitation",  # events: a line of JSON each
    "pcl_app/experiments",  # kept results, which carry a checksum
    "pcl_core/testing",  # kits, which read what they made others write
    "pcl_backends",  # what a process of ours says to another
    "pcl_app/limited_reading.py",  # likewise
    "pcl_app/studio/uploads.py",  # likewise
    "pcl_app/studio/client.py",  # what the studio says
    "pcl_app/studio/pages",  # what a page of the studio gave to a browser, which it gives back
}


def using(pattern: str) -> Iterator[str]:
    for path in sorted(SOURCES.glob("pcl_*/**/*.py")):
        if re.search(pattern, path.read_text(encoding="utf-8")):
            yield path.relative_to(SOURCES).as_posix()


def test_yaml_is_parsed_in_one_place() -> None:
    assert list(using(r"\bruamel\b|\byaml\.(safe_)?load\b")) == ["pcl_core/documents/yaml_reader.py"]


def test_json_that_others_wrote_is_parsed_in_one_place() -> None:
    others = [path for path in using(r"\bjson\.loads?\(") if not any(path.startswith(known) for known in MAY_PARSE)]
    assert others == []
    assert list(using(r"\bjson\.load\(|json\.loads\([^)]*read_text")) == []


def test_entry_points_are_looked_up_in_one_place_and_named_once() -> None:
    looked_up = r"entry_points\(|entry_points\.txt|metadata\.EntryPoint\b|metadata\.distributions\("
    assert list(using(looked_up)) == ["pcl_core/plugins/discovery.py"]
    for group in Group:
        assert list(using(rf'"{re.escape(group)}"')) == ["pcl_core/plugins/discovery.py"]
