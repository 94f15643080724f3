"""The distribution is pcl-elicit: the name pcl belongs to somebody else's, and nobody must be told to install that."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import pytest
from tests.docs.pages import ROOT

from pcl_app.experiments.judge.statistics import scipy_stats
from pcl_app.experiments.record.traces import arrow
from pcl_app.writing import need
from pcl_core import MissingDependencyError
from pcl_core.solve.registry import examine_backends
from pcl_core.version import VERSION

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = set(PROJECT["optional-dependencies"])
SOLVERS = ("ortools", "pulp", "cvxpy", "highspy", "pyscipopt", "scipy")
WRONG = re.compile(
    r"""pip3?\ install\ (?:-\S+\ )*["']?pcl(?!-elicit|-scip)\b   # installs it, with or without extras
      | \bpcl\[[a-z]
    """,
    re.VERBOSE,
)
HINT = re.compile(r"pcl-elicit\[([^\]]+)\]")
PLACES = ("src", "docs", "examples", "tests/docs/pages.py", "benchmarks", ".ci")
FILES = [
    *(
        path
        for name in PLACES
        for path in sorted((ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name])
    ),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CITATION.cff", "Makefile", "pyproject.toml")),
    *(ROOT / name for name in ("constraints.txt", ".pre-commit-config.yaml")),
]
TEXTS = {
    path: path.read_text(encoding="utf-8")
    for path in FILES
    if path.suffix in ("", ".py", ".md", ".toml", ".txt", ".yaml", ".cff", ".json") and path.is_file()
}


def test_the_pattern_finds_the_old_name() -> None:
    wrong = ("pip install 'pcl[cpsat]'", "pip install pcl", 'pip install -U "pcl"', "the extra pcl[plot]")
    assert all(WRONG.search(text) for text in wrong)
    right = ("pip install 'pcl-elicit[cpsat]'", "pip install ./examples/pcl-scip", "pip install '.[cpsat]'")
    assert not any(WRONG.search(text) for text in right)


def test_nothing_says_to_install_the_old_name() -> None:
    assert len(TEXTS) > 200
    assert [str(path.relative_to(ROOT)) for path, text in TEXTS.items() if WRONG.search(text)] == []


def test_every_extra_that_is_named_exists() -> None:
    named = {extra for text in TEXTS.values() for found in HINT.findall(text) for extra in found.split(",")}
    assert {"cpsat", "pulp", "cvxpy", "plot", "experiments"} <= named
    assert {extra for extra in named if re.fullmatch(r"[a-z]+", extra)} <= EXTRAS


def test_the_project_calls_itself_by_its_name() -> None:
    assert PROJECT["name"] == "pcl-elicit"
    assert PROJECT["scripts"] == {"pcl": "pcl_app.main:run"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    itself = [line for lines in PROJECT["optional-dependencies"].values() for line in lines if line.startswith("pcl")]
    assert len(itself) == 2
    assert all(line.startswith("pcl-elicit[") for line in itself)
    assert {"studio", "postgresql"} <= EXTRAS
    example = tomllib.loads((ROOT / "examples" / "pcl-scip" / "pyproject.toml").read_text(encoding="utf-8"))
    assert "pcl-elicit" in example["project"]["dependencies"]


def test_readers_install_from_a_clone_until_it_is_published() -> None:
    installs = re.findall(r"pip install (.*)", TEXTS[ROOT / "README.md"])
    assert installs
    assert all(line.startswith("'.[") for line in installs)


def test_backends_say_the_right_name_when_their_solver_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *_: None if name in SOLVERS else find(name))
    made = {it.plugin.name: it.made for it in examine_backends() if it.made is not None}
    fixes = {name: backend.availability().fix for name, backend in made.items()}
    assert {"auto", "cpsat", "cvxpy", "pulp"} <= {name for name, fix in fixes.items() if fix}
    assert all(fix.startswith("pip install 'pcl-elicit[") for fix in fixes.values() if fix)
    assert not any(WRONG.search(fix) for fix in fixes.values())


def test_commands_say_the_right_name_when_a_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("scipy", "scipy.stats", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    for attempt, extra in (
        (scipy_stats, "experiments"),
        (arrow, "experiments"),
        (lambda: need("nosuch_module", "plot"), "plot"),
    ):
        with pytest.raises(MissingDependencyError, match=rf"pip install 'pcl-elicit\[{extra}\]'"):
            attempt()


def test_old_environments_lose_the_old_distribution_before_they_get_the_new_one() -> None:
    """Otherwise removing it would take the command with it, and everything would be offered twice."""
    lines = Path(ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    install = next(line for line in lines if line.startswith("INSTALL"))
    assert install.index("uninstall --yes pcl") < install.index(" install", install.index("&&"))
