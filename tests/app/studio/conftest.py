"""One studio for all tests of a process that need nothing special of it."""

from collections.abc import Iterator

import httpx
import pytest
from tests.app.studio.servers import TOKEN, caller, sqlite_in, studio

from pcl_app.studio import StudioSettings


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = StudioSettings(sqlite_in(tmp_path_factory.mktemp("studio")), TOKEN, workers=1)
    with studio(settings) as (_, found):
        yield found


@pytest.fixture
def api(address: str) -> Iterator[httpx.Client]:
    with caller(address) as client:
        yield client
