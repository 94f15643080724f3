"""Two servers on one PostgreSQL behind nginx, set up as the how-to says: pages, API, cookies and events go through it."""

import json
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.app.studio.databases import new_database, postgresql
from tests.app.studio.servers import served

from pcl_app.studio import add_user

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "run-the-studio.md"
PASSWORD = "a password for tests"
AROUND = """
daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {said}
}}
"""

pytestmark = pytest.mark.skipif(
    NGINX is None, reason="nginx was not found: the page about a proxy was not tried (apt-get install nginx)"
)


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def as_said(first: int, second: int, port: int) -> str:
    """The block of the how-to, with ports of this machine and without a certificate."""
    found = re.search(r"```nginx\n(.*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    said = found[1]
    for before, after in (
        ("127.0.0.1:8701", f"127.0.0.1:{first}"),
        ("127.0.0.1:8702", f"127.0.0.1:{second}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port}"),
    ):
        assert before in said
        said = said.replace(before, after)
    return "\n".join(line for line in said.splitlines() if "ssl_certificate" not in line)


@contextmanager
def proxied(folder: Path, first: int, second: int) -> Iterator[str]:
    assert NGINX is not None
    port = free_port()
    settings = folder / "nginx.conf"
    settings.write_text(AROUND.format(folder=folder, said=as_said(first, second, port)))
    with subprocess.Popen([NGINX, "-c", str(settings), "-p", str(folder)]) as process:
        try:
            for _ in range(200):
                with socket.socket() as place:
                    if place.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, "nginx takes what the page says"
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of the proxy, and the two servers behind it."""
    folder = tmp_path_factory.mktemp("team")
    users = folder / "users"
    add_user(users, "anna", PASSWORD)
    with postgresql(folder) as server:
        database = new_database(server, "proxied")
        options = ("--workers", "1", "--users", str(users))
        with served(database, *options) as (one, here), served(database, *options) as (other, there):
            ports = [int(address.rpartition(":")[2]) for address in (here, there)]
            with proxied(folder, *ports) as address:
                yield address, [one, other]


@contextmanager
def signed_in(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60, follow_redirects=True) as browser:
        page = browser.post("/login", data={"name": "anna", "password": PASSWORD}, headers={"Origin": address})
        assert page.status_code == 200
        assert "pcl_studio" in browser.cookies
        yield browser


def test_events_come_as_they_happen_and_pages_and_api_work(team: tuple[str, list[subprocess.Popen[str]]]) -> None:
    address, _ = team
    api = httpx.Client(base_url=f"{address}/api/v1", auth=("anna", PASSWORD), timeout=60)
    with signed_in(address) as browser, api:
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
            form = re.search(r'name="form_token" value="([^"]+)"', browser.get(f"/e/{id}").text)
            assert form is not None
            undone = browser.post(
                f"/e/{id}/say", data={"form_token": form[1], "do": "undo"}, headers={"Origin": address}
            )
            assert undone.status_code == 200
            assert api.get(it).json()["history"] == []
        stranger = browser.post(
            f"/e/{made[0]}/say", data={"do": "undo"}, headers={"Origin": "http://elsewhere.example"}
        )
        assert stranger.status_code == 403


def test_who_comes_in_by_one_server_is_served_by_the_other_when_it_ends(
    team: tuple[str, list[subprocess.Popen[str]]],
) -> None:
    address, servers = team
    with signed_in(address) as browser:
        before = browser.get("/api/v1/elicitations").json()
        assert before
        servers[0].kill()
        servers[0].wait()
        for it in before:
            assert browser.get(f"/api/v1/elicitations/{it['id']}").status_code == 200
            assert browser.get(f"/e/{it['id']}").status_code == 200
