"""Other people's packages for tests: metadata and code in a folder on the path, which is all that an installation is."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent

import pytest


def install_package(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    entries: Mapping[str, Sequence[str]],
    code: str = "",
    *,
    package: str = "other",
    module: str = "other_module",
) -> Path:
    """A package with entry points by group and one module, for this process and those that it starts."""
    place = folder / f"installed-{package}"
    metadata = place / f"{package.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    lines = [line for group, found in entries.items() for line in (f"[{group}]", *found)]
    (metadata / "entry_points.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (place / f"{module}.py").write_text(dedent(code), encoding="utf-8")
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(place), *filter(None, [os.environ.get("PYTHONPATH")])]))
    return place
