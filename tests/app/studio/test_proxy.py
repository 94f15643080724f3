"""Two servers on one PostgreSQL behind nginx, set up as the how-to says: pages, API, cookies and events go through it by HTTPS."""

import json
import re
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, expect
from tests.app.studio.browser.browsers import must_run
from tests.app.studio.databases import new_database, postgresql
from tests.app.studio.proxies import NGINX, NOT_TRIED, OPENSSL, proxied
from tests.app.studio.servers import served

from pcl_app.studio import add_user

PASSWORD = "a password for tests"


class Team(NamedTuple):
    """The address of the proxy, what trusts its certificate, and the two servers behind it."""

    address: str
    trusting: ssl.SSLContext
    servers: list[subprocess.Popen[str]]


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    if NGINX is None or OPENSSL is None:
        if must_run():
            pytest.fail(NOT_TRIED)
        pytest.skip(NOT_TRIED)
    folder = tmp_path_factory.mktemp("team")
    users = folder / "users"
    add_user(users, "anna", PASSWORD)
    with postgresql(folder) as server:
        database = new_database(server, "proxied")
        options = ("--workers", "1", "--users", str(users))
        with served(database, *options) as (one, here), served(database, *options) as (other, there):
            ports = [int(address.rpartition(":")[2]) for address in (here, there)]
            with proxied(folder, *ports) as (address, trusting):
                yield Team(address, trusting, [one, other])


@contextmanager
def signed_in(team: Team) -> Iterator[httpx.Client]:
    """A browser, which says of each form from where it comes."""
    with httpx.Client(
        base_url=team.address,
        verify=team.trusting,
        headers={"Origin": team.address},
        timeout=60,
        follow_redirects=True,
    ) as browser:
        page = browser.post("/login", data={"name": "anna", "password": PASSWORD})
        assert page.status_code == 200
        assert "pcl_studio" in browser.cookies
        yield browser


def undo(browser: httpx.Client, id: str, **headers: str) -> httpx.Response:
    """A form of a page, and the first answer to it."""
    form = re.search(r'name="form_token" value="([^"]+)"', browser.get(f"/e/{id}").text)
    assert form is not None
    said = {"form_token": form[1], "do": "undo"}
    return browser.post(f"/e/{id}/say", data=said, headers=headers, follow_redirects=False)


def test_events_come_as_they_happen_and_pages_and_api_work(team: Team) -> None:
    api = httpx.Client(base_url=f"{team.address}/api/v1", verify=team.trusting, auth=("anna", PASSWORD), timeout=60)
    with signed_in(team) as browser, api:
        made = [api.post("/elicitations", json={"problem": "training"}).json()["id"] for _ in range(4)]
        for id in made:
            it = f"/elicitations/{id}"
            with api.stream("GET", f"{it}/events") as events:
                lines = (line for line in events.iter_lines() if line.startswith("data: "))
                first = json.loads(next(lines)[6:])["events"]
                query = api.get(f"{it}/query").json()
                assert api.post(f"{it}/answers", json={"query": query["number"], "kind": "accepted"}).status_code == 200
                assert json.loads(next(lines)[6:])["events"] > first
            assert id in str(browser.get(f"/e/{id}").url)
            assert undo(browser, id).status_code == 303
            assert api.get(it).json()["history"] == []


def test_only_pages_of_the_same_address_that_came_by_https_may_change_anything(team: Team) -> None:
    same_name, other_port = team.address.replace("https:", "http:"), f"{team.address.rpartition(':')[0]}:1"
    with signed_in(team) as browser:
        id = browser.post("/api/v1/elicitations", json={"problem": "grid"}).json()["id"]
        for origin in ("https://elsewhere.example", same_name, other_port, "null"):
            assert undo(browser, id, Origin=origin).status_code == 403, origin
        assert undo(browser, id).status_code == 303


def test_cookies_go_over_https_only(team: Team) -> None:
    with signed_in(team) as browser:
        id = browser.post("/api/v1/elicitations", json={"problem": "grid"}).json()["id"]
        login = browser.post("/login", data={"name": "anna", "password": PASSWORD}, follow_redirects=False)
        replies = [login, undo(browser, id), browser.post("/logout", follow_redirects=False)]
        cookies = [cookie for reply in replies for cookie in reply.headers.get_list("set-cookie")]
    assert [cookie.partition("=")[0] for cookie in cookies] == ["pcl_studio", "pcl_said", "pcl_studio"]
    assert all(cookie.endswith("; Secure") for cookie in cookies)


def test_a_browser_signs_in_and_hears_by_https_what_was_said_elsewhere(team: Team, browser: Browser) -> None:
    context = browser.new_context(base_url=team.address, ignore_https_errors=True)
    page, api = context.new_page(), context.request
    try:
        page.goto("/login")
        page.get_by_label("Name").fill("anna")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(f"{team.address}/")
        made = api.post("/api/v1/elicitations", data={"problem": "grid"}, headers={"Origin": team.address}).json()
        page.goto(f"/e/{made['id']}")
        accepted = {"query": 1, "kind": "accepted"}
        it = f"/api/v1/elicitations/{made['id']}"
        assert api.post(f"{it}/answers", data=accepted, headers={"Origin": team.address}).ok
        expect(page.get_by_text("This was changed in another tab, or by another program")).to_be_visible()
        page.reload()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#told")).to_have_text("Taken back.")
    finally:
        context.close()


def test_who_comes_in_by_one_server_is_served_by_the_other_when_it_ends(team: Team) -> None:
    with signed_in(team) as browser:
        before = browser.get("/api/v1/elicitations").json()
        assert before
        team.servers[0].kill()
        team.servers[0].wait()
        for it in before:
            assert browser.get(f"/api/v1/elicitations/{it['id']}").status_code == 200
            assert browser.get(f"/e/{it['id']}").status_code == 200
