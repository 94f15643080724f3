"""A person in front of the studio with a browser."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser
from tests.app.studio.browser.visitor import Visitor
from tests.app.studio.servers import TOKEN


@pytest.fixture(scope="session")
def signed_in(address: str) -> dict[str, str]:
    """Cookies of somebody who signed in."""
    answer = httpx.post(f"{address}/login", data={"password": TOKEN})
    assert answer.status_code == 303
    return dict(answer.cookies)


@pytest.fixture
def visit(
    browser: Browser, address: str, api: httpx.Client, signed_in: dict[str, str]
) -> Iterator[Callable[..., Visitor]]:
    """Somebody with a window of her own; what her browser complains about fails the test."""
    visitors: list[Visitor] = []

    def enter(**options: Any) -> Visitor:
        settings = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", **options}
        context = browser.new_context(**settings)
        context.add_cookies([{"name": name, "value": value, "url": address} for name, value in signed_in.items()])
        context.set_default_timeout(30_000)
        visitors.append(Visitor(context, address, api))
        return visitors[-1]

    yield enter
    for visitor in visitors:
        visitor.context.close()
    complaints = [text for visitor in visitors for text in visitor.complaints]
    assert not complaints


@pytest.fixture
def visitor(visit: Callable[..., Visitor]) -> Visitor:
    return visit()
