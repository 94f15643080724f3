import pytest
from tests.app.commands import Commands


@pytest.fixture
def pcl(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Commands:
    return Commands(monkeypatch, capfd)
