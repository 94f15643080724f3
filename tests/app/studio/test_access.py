"""Who may come in, and as whom: the link, the cookie, tokens and passwords; and what browsers must not do."""

import io
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.app.commands import Commands
from tests.app.studio.servers import TOKEN, caller, sqlite_in, studio

from pcl_app.studio import StudioSettings, add_user
from pcl_app.studio.access.limits import Rate
from pcl_app.studio.access.passwords import Passwords, hashed
from pcl_app.studio.server import listening
from pcl_core.errors import RequestError


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[str]:
    """A studio whose link nobody has opened."""
    with studio(StudioSettings(sqlite_in(tmp_path), TOKEN, workers=1)) as (_, address):
        yield address


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("team")
    add_user(folder / "users", "anna", "correct horse")
    add_user(folder / "users", "bert", "battery staple")
    with studio(StudioSettings(sqlite_in(folder), users=folder / "users", workers=1)) as (_, address):
        yield address, folder / "users"


def test_the_link_becomes_a_cookie_and_works_once(fresh: str) -> None:
    with httpx.Client(base_url=fresh, timeout=60) as browser:
        entered = browser.get("/api/v1/problems", params={"token": TOKEN, "x": "1"})
        assert entered.status_code == 303
        assert entered.headers["location"] == "/api/v1/problems?x=1", "the token is in no history"
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert browser.get("/api/v1/problems").status_code == 200
    with httpx.Client(base_url=fresh, timeout=60) as another:
        again = another.get("/", params={"token": TOKEN})
        assert again.headers["location"] == "/login?next=/"
        assert another.get("/api/v1/problems").status_code == 401
        assert another.post("/login", data={"password": "wrong"}).status_code == 401
        assert another.post("/login", data={"password": TOKEN}).status_code == 303
        assert another.get("/api/v1/problems").status_code == 200
        another.post("/logout")
        assert another.get("/api/v1/problems").status_code == 401


def test_strangers_are_sent_to_the_page_for_signing_in_and_from_there_to_no_other_site(fresh: str) -> None:
    with httpx.Client(base_url=fresh, timeout=60) as browser:
        assert browser.get("/e/abc?x=1").headers["location"] == "/login?next=/e/abc%3Fx%3D1"
        page = browser.get("/login", params={"next": '"><script>alert(1)</script>'})
        assert "<script>" not in page.text
        for target in ("//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
            gone = browser.post("/login", data={"password": TOKEN, "next": target})
            assert gone.headers["location"] == "/", target


def test_a_cookie_that_was_changed_or_signed_by_another_studio_is_worth_nothing(fresh: str, address: str) -> None:
    with httpx.Client(base_url=fresh, timeout=60) as browser:
        browser.post("/login", data={"password": TOKEN})
        value = browser.cookies["pcl_studio"]
    with httpx.Client(base_url=address) as other:
        for forged in (
            value,
            value[:-1] + "x",
            "local." + value.partition(".")[2],
            "..",
            "a.9999999999.",
            value + "\u00e9",
        ):
            cookie = {b"Cookie": f"pcl_studio={forged}".encode("latin-1")}
            assert other.get("/api/v1/problems", headers=cookie).status_code == 401, forged


def test_another_site_changes_nothing_with_somebodys_cookie(fresh: str) -> None:
    with httpx.Client(base_url=fresh, timeout=60) as browser:
        browser.post("/login", data={"password": TOKEN})
        body = {"problem": "grid"}
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
            reply = browser.post("/api/v1/elicitations", json=body, headers=headers)
            assert (reply.status_code, reply.json()["code"]) == (403, "other-site")
        assert browser.post("/api/v1/elicitations", json=body, headers={"Origin": fresh}).status_code == 201


def test_every_answer_forbids_what_browsers_must_not_do(fresh: str) -> None:
    for path in ("/login", "/api/v1/problems", "/nowhere"):
        headers = httpx.get(fresh + path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_what_is_too_large_is_refused_before_it_is_read(api: httpx.Client) -> None:
    for content in (b"x" * 17_000_000, iter([b'{"problem": "'] + [b"x" * 1_000_000] * 17)):
        reply = api.post("/elicitations", content=content, headers={"Content-Type": "application/json"})
        assert (reply.status_code, reply.json()["code"]) == (413, "file-too-large")


def test_people_of_a_team_sign_in_and_see_only_their_own(team: tuple[str, Path]) -> None:
    address, _ = team
    with (
        httpx.Client(base_url=f"{address}/api/v1", auth=("anna", "correct horse"), timeout=60) as anna,
        httpx.Client(base_url=f"{address}/api/v1", auth=("bert", "battery staple")) as bert,
    ):
        made = anna.post("/elicitations", json={"problem": "grid"}).json()["id"]
        assert [it["id"] for it in anna.get("/elicitations").json()] == [made]
        assert bert.get("/elicitations").json() == []
        for reply in (
            bert.get(f"/elicitations/{made}"),
            bert.post(f"/elicitations/{made}/undo"),
            bert.get(f"/elicitations/{made}/log"),
            bert.get(f"/elicitations/{made}/events"),
        ):
            assert (reply.status_code, reply.json()["code"]) == (404, "not-found")
        assert anna.get(f"/elicitations/{made}").status_code == 200
    with httpx.Client(base_url=address) as browser:
        assert browser.post("/login", data={"name": "anna", "password": "battery staple"}).status_code == 401
        assert browser.post("/login", data={"name": "Anna ", "password": "correct horse"}).status_code == 303
        assert [it["id"] for it in browser.get("/api/v1/elicitations").json()] == [made]


def test_a_new_password_ends_what_the_old_one_opened(team: tuple[str, Path]) -> None:
    address, users = team
    with httpx.Client(base_url=address) as browser:
        browser.post("/login", data={"name": "bert", "password": "battery staple"})
        assert browser.get("/api/v1/elicitations").status_code == 200
        assert not add_user(users, "bert", "another one")
        assert browser.get("/api/v1/elicitations").status_code == 401
        assert browser.post("/login", data={"name": "bert", "password": "another one"}).status_code == 303
    with caller(address) as holder:
        assert holder.get("/problems").status_code == 401, "there is no token"
    add_user(users, "bert", "battery staple")


def test_who_shows_wrong_passwords_again_and_again_has_to_wait(tmp_path: Path) -> None:
    settings = StudioSettings(sqlite_in(tmp_path), TOKEN, workers=1, wrong_at_once=3, wrong_a_second=0.001)
    with studio(settings) as (_, address):
        codes = [httpx.post(f"{address}/login", data={"password": "wrong"}).status_code for _ in range(5)]
        assert codes == [401, 401, 401, 429, 429]
        waiting = httpx.post(f"{address}/login", data={"password": TOKEN})
        assert waiting.status_code == 429
        assert waiting.headers["retry-after"]


def test_a_rate_lets_some_at_once_and_then_as_many_as_time_allows() -> None:
    now = [0.0]
    rate = Rate(3, 2.0, lambda: now[0])
    assert [rate.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rate.allows("b")
    assert rate.is_spent("a")
    now[0] = 1.0
    assert not rate.is_spent("a")
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]


def test_a_file_of_users_holds_no_password_and_says_where_it_is_wrong(tmp_path: Path) -> None:
    users = tmp_path / "users"
    assert add_user(users, "anna", "correct horse")
    assert "correct" not in users.read_text(encoding="utf-8")
    assert users.stat().st_mode & 0o077 == 0
    assert Passwords(users).fits("anna", "correct horse")
    assert not Passwords(users).fits("anna", "wrong")
    assert not Passwords(users).fits("nobody", "correct horse")
    assert hashed("a", "b") != hashed("a", "b"), "each has its own salt"
    for name, password in (
        ("Anna", "long enough"),
        ("an na", "long enough"),
        ("../x", "long enough"),
        ("anna", "short"),
    ):
        with pytest.raises(RequestError):
            add_user(users, name, password)
    users.write_text("anna:plain\n", encoding="utf-8")
    with pytest.raises(RequestError, match="users:1:1"):
        Passwords(users)
    with pytest.raises(RequestError, match="cannot be read"):
        Passwords(tmp_path / "nowhere")


def test_an_address_that_others_can_reach_is_refused_without_saying_who_may_come_in(
    pcl: Commands, tmp_path: Path
) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "studio.example"):
        assert "--token or --users" in pcl("serve", "--db", sqlite_in(tmp_path), "--host", host, code=2)
    assert "guessed" in pcl("serve", "--db", sqlite_in(tmp_path), "--host", "0.0.0.0", "--token", "short", code=2)


def test_a_person_is_added_from_the_command_line(
    pcl: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = tmp_path / "users"
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse\n"))
    pcl("serve", "--users", users, "--add-user", "anna")
    assert pcl.out == f"anna can come in: {users}\n"
    assert Passwords(users).fits("anna", "correct horse")
    pcl("serve", "--add-user", "anna", code=2)


def test_a_database_that_cannot_be_is_a_sentence_without_its_password(pcl: Commands, tmp_path: Path) -> None:
    for url in ("nonsense", "mysql://a:b@c/d", f"sqlite:///{tmp_path}", "postgresql://me:secret@127.0.0.1:1/x"):
        assert "secret" not in pcl("serve", "--db", url, code=2)


def test_an_answer_of_two_packets_is_sent_without_waiting() -> None:
    """asyncio turns off Nagle's algorithm only where a socket is said to be TCP; with it each answer takes 40 ms longer."""
    with listening("127.0.0.1", 0) as place:
        assert place.proto == socket.IPPROTO_TCP
