"""The backend in examples/ is what a third party would write: it passes the kit, and pcl finds it by its entry point."""

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pcl_core.solve import Backend, Capability
from pcl_core.testing.conformance import BackendConformance

EXAMPLE = Path(__file__).parents[2] / "examples" / "pcl-scip"
SOURCE = EXAMPLE / "src"
PCL = Path(sys.executable).parent / "pcl"


class TestExample(BackendConformance):
    lacks = frozenset({Capability.THREADS, Capability.HINT})

    @pytest.fixture
    def backend(self, monkeypatch: pytest.MonkeyPatch) -> Backend:
        monkeypatch.syspath_prepend(SOURCE)
        made: Backend = importlib.import_module("pcl_scip").ScipBackend()
        return made


@pytest.fixture
def with_example(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is as good as installed: its metadata and its code are on the path."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = tmp_path / f"pcl_scip-{project['version']}.dist-info"
    metadata.mkdir()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(about, encoding="utf-8")
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in entries.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(SOURCE)])}


def pcl(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PCL, *arguments], capture_output=True, text=True, timeout=120, check=False, env=environment)


def test_a_third_party_is_discovered(with_example: dict[str, str], tmp_path: Path) -> None:
    rows = {row["name"]: row for row in json.loads(pcl(with_example, "backends", "--format", "json").stdout)}
    assert {"auto", "cpsat", "cvxpy", "pulp", "table", "scip"} <= set(rows)
    assert rows["scip"]["available"]
    assert rows["scip"]["version"].startswith("pyscipopt ")
    assert rows["scip"]["capabilities"] == ["bound", "seed", "time limit"]


def test_a_third_party_solves(with_example: dict[str, str], tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    weights.write_text(json.dumps([1 if at % 2 else -2 for at in range(24)]), encoding="utf-8")
    asked = ("solve", "grid", "--weights", str(weights), "--format", "json", "--backend")
    ours, theirs = (json.loads(pcl(with_example, *asked, name).stdout) for name in ("table", "scip"))
    assert (theirs["status"], theirs["backend"]) == ("optimal", "scip")
    assert theirs["objective"] == ours["objective"]


def test_what_a_third_party_cannot_honour_is_refused(with_example: dict[str, str], tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    weights.write_text("{}", encoding="utf-8")
    done = pcl(with_example, "solve", "grid", "--weights", str(weights), "--backend", "scip", "--threads", "2")
    assert done.returncode == 2
    assert "backend 'scip' does not take the option" in done.stderr


def test_examples_and_documents_import_backends_needs_from_the_front_door_alone() -> None:
    root = Path(__file__).parents[2]
    found = [*(root / "examples").rglob("*"), *(root / "docs").rglob("*")]
    files = [path for path in found if path.suffix in (".py", ".md")]
    deep = [str(path) for path in files if re.search(r"pcl_core\.solve\.[a-z_]", path.read_text(encoding="utf-8"))]
    assert len(files) > 50
    assert deep == []
