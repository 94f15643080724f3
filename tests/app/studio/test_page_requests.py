"""Pages over plain HTTP: whose forms count, what is escaped, and what a browser may keep."""

from collections.abc import Iterator

import httpx
import pytest
from tests.app.studio.servers import TOKEN


@pytest.fixture
def pages(address: str) -> Iterator[httpx.Client]:
    """A browser that signed in, as far as a server can tell."""
    with httpx.Client(base_url=address, timeout=60) as client:
        assert client.post("/login", data={"password": TOKEN}).status_code == 303
        yield client


@pytest.fixture
def week(api: httpx.Client) -> str:
    return str(api.post("/elicitations", json={"problem": "training"}).json()["id"])


def test_a_form_that_is_not_from_our_page_is_refused(pages: httpx.Client, week: str) -> None:
    answer = pages.post(f"/e/{week}/say", data={"do": "final", "query": "1", "form_token": "guessed"})
    assert answer.status_code == 403
    assert "This form is not from your page." in answer.text
    assert pages.post("/new", data={"problem": "training"}).status_code == 403
    assert pages.post("/upload", files={"file": ("x.yaml", b"pcl: 1")}).status_code == 403


def test_what_an_address_says_is_escaped_and_refused_in_words(pages: httpx.Client, week: str) -> None:
    answer = pages.get(f"/e/{week}", params={"part": "thu", "v15": "<script>alert(1)</script>"})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;" in answer.text
    unknown = pages.get(f"/e/{week}", params={"part": "<b>nowhere"}, follow_redirects=True)
    assert "<b>nowhere" not in unknown.text
    assert "nowhere" in unknown.text


def test_pages_are_never_kept_and_files_for_ever(pages: httpx.Client, week: str) -> None:
    page = pages.get(f"/e/{week}")
    assert page.headers["cache-control"] == "no-store"
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe-inline" not in page.headers["content-security-policy"]
    assert " style=" not in page.text
    assert "onclick" not in page.text
    address = next(part for part in page.text.split('"') if part.startswith("/static/studio.css?"))
    assert "immutable" in pages.get(address).headers["cache-control"]


def test_who_fetches_a_fragment_gets_only_what_changes(pages: httpx.Client, week: str) -> None:
    whole, part = pages.get(f"/e/{week}"), pages.get(f"/e/{week}", headers={"X-Fragment": "1"})
    assert whole.text.startswith("<!doctype html>")
    assert part.text.lstrip().startswith('<div id="swap"')
    assert "<html" not in part.text


def test_downloads_are_files_and_other_names_are_not_there(pages: httpx.Client, week: str) -> None:
    answer = pages.get(f"/e/{week}/result/configuration.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="training-configuration.csv"'
    assert answer.text.splitlines()[0] == "part,variable,label,value"
    assert pages.get(f"/e/{week}/result/passwd").status_code == 404
    assert pages.get(f"/e/{'x' * 24}/result/taste.json").status_code == 404


def test_a_simulation_runs_as_a_stream_of_parts_of_the_page(pages: httpx.Client) -> None:
    with pages.stream("GET", "/simulate/grid/run", params={"seed": 1}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        seen = []
        for line in answer.iter_lines():
            seen.append(line)
            if line == "" and sum(it == "event: step" for it in seen) == 2:
                break
    assert any('id="simulated"' in line for line in seen)
    assert pages.get("/simulate/grid", params={"seed": 1, "step": 61}).status_code == 422
    assert pages.get("/simulate/nothing").status_code == 422


def test_home_has_the_newest_of_hers_and_another_page_all(pages: httpx.Client, api: httpx.Client) -> None:
    made = [str(api.post("/elicitations", json={"problem": "grid"}).json()["id"]) for _ in range(7)]
    home, yours = pages.get("/").text, pages.get("/yours").text
    assert 'href="/yours"' in home
    assert [id for id in made if f'"/e/{id}"' in home] == made[-5:]
    assert all(f'"/e/{id}"' in yours for id in made)
