import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from tests.packages import install_package

Offer = Callable[[str, str, object], None]


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Another package offers an object of the test's: group, name, object."""

    def install(group: str, name: str, found: object) -> None:
        module = ModuleType("offered_by_other")
        vars(module)["thing"] = found
        install_package(tmp_path, monkeypatch, {group: [f"{name} = offered_by_other:thing"]})
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return install
