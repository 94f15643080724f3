"""The names that programs import from `pcl_core`: each is there, and only what it needs is imported for it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pcl_core


def imported(program: str) -> set[str]:
    """The modules that a program of its own has imported at its end."""
    shown = f"{program}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_every_name_is_there() -> None:
    assert len(pcl_core.__all__) > 50
    for name in pcl_core.__all__:
        assert getattr(pcl_core, name) is not None
        assert name in dir(pcl_core)


def test_checkers_of_types_are_told_of_the_same_names() -> None:
    tree = ast.parse(Path(pcl_core.__file__).read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    seen = {
        alias.name: node.module
        for node in blocks[0].body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert seen == {name: home for home, names in pcl_core._HOMES.items() for name in names.split()}


def test_a_name_that_is_not_there_is_an_error_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'pcl_core' has no attribute 'nosuch'"):
        getattr(pcl_core, "nosuch")  # noqa: B009
    with pytest.raises(ImportError, match="cannot import name 'nosuch' from 'pcl_core'"):
        exec("from pcl_core import nosuch")


def test_importing_the_core_imports_none_of_its_rooms() -> None:
    found = imported("import pcl_core")
    assert {name for name in found if name.startswith("pcl_core.")} == set()
    assert not found & {"numpy", "pydantic", "ruamel.yaml", "networkx"}


def test_a_name_imports_what_it_needs_and_no_more() -> None:
    assert not imported("from pcl_core import PclError") & {"numpy", "pydantic"}
    found = imported("from pcl_core import load; load('training')")
    assert "pcl_core.authoring.load" in found
    assert not {name for name in found if name.startswith(("pcl_core.elicitation", "pcl_core.solve", "networkx"))}


def test_rooms_are_imported_from_the_package_as_from_any() -> None:
    assert "pcl_core.solve" not in imported("from pcl_core import errors, plugins")
    assert "pcl_core.testing" in imported("from pcl_core import testing")
