"""Rooms have front doors: whoever is outside takes a name from the room that exports it, and a name means one thing."""

import ast
import importlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
BEHIND_THE_DOOR = {
    "pcl_core.ir.vector": "it loads numpy, which backends need and help does not",
    "pcl_core.testing.conformance": "it loads pytest",
    "pcl_core.testing.stores": "it loads pytest",
}
"""Modules of rooms that others import as they are, and why the room does not export what is in them."""
TWO_MEANINGS = {
    "Reply": "a backend's in `solve`, a person's in `users`: no module deals with both",
    "Shown": "what people see of an element in `model`, of a part in `users`: no module deals with both",
    "T": "a type variable",
}
"""Names of classes and types that more than one module defines, and why they may."""


def files(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if ".venv" not in path.parts]


def deep_imports(folder: str) -> Iterator[tuple[str, str, str]]:
    """Who imports what from where inside a room of the core."""
    for path in files(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pcl_core."):
                assert node.module is not None
                if node.module.count(".") > 1:
                    yield from ((str(path.relative_to(ROOT)), node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("folder", ["src/pcl_app", "src/pcl_backends", "src/pcl_problems", "examples", "docs"])
def test_nobody_outside_imports_from_behind_a_rooms_door(folder: str) -> None:
    assert [found for found in deep_imports(folder) if found[1] not in BEHIND_THE_DOOR] == []


def test_benchmarks_look_inside_only_for_what_no_room_exports() -> None:
    for who, module, name in deep_imports("benchmarks"):
        room = ".".join(module.split(".")[:2])
        assert name not in importlib.import_module(room).__all__, f"{who}: import {name} from {room}"


def test_what_a_room_exports_is_there() -> None:
    rooms = [path.parent.name for path in (SOURCES / "pcl_core").glob("*/__init__.py")]
    assert len(rooms) > 10
    for room in rooms:
        module = importlib.import_module(f"pcl_core.{room}")
        assert sorted(module.__all__) == sorted({*module.__all__})
        assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_a_class_or_type_has_a_name_of_its_own() -> None:
    defined = defaultdict(set)
    for path in files("src"):
        for name in _types(ast.parse(path.read_text(encoding="utf-8"))):
            defined[name].add(path.relative_to(SOURCES).as_posix())
    clashes = {name: places for name, places in defined.items() if len(places) > 1}
    assert {name: places for name, places in clashes.items() if name not in TWO_MEANINGS} == {}
    assert set(TWO_MEANINGS) <= set(clashes), "no longer defined twice"


def _types(module: ast.Module) -> Iterator[str]:
    """Classes, and names in the spelling of classes: types that are put together from others."""
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        yield from (name for name in names if name[0].isupper() and (not name.isupper() or len(name) == 1))
