"""What somebody may send who means no good, or has two tabs open: an answer in words, and nothing is broken by it."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.app.studio.servers import TOKEN

DEEP = "[" * 60_000
HOSTILE = """\
pcl: 1
name: bad
label: "<script>alert(1)</script>"
variables:
  a: {domain: ["<b>x</b>", "y' onclick='z"], label: "<i>a</i>"}
features:
  - {name: f, value: "a == '<b>x</b>'", label: "<script>alert(1)</script>"}
parts:
  - {name: p, variables: [a], label: "<u>p</u>"}
"""


@pytest.fixture
def browser(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as found:
        found.post("/login", data={"password": TOKEN})
        yield found


@pytest.fixture
def week(api: httpx.Client) -> str:
    return str(api.post("/elicitations", json={"problem": "training"}).json()["id"])


def fields_of(page: httpx.Response) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(form_token|seen|query)" value="([^"]*)">', page.text))


@pytest.mark.parametrize("do", ["pin:v999", "unpin:v999", "pin:", "set:", "rank:x", "unrule:99", "rule:", "nothing"])
def test_buttons_that_no_page_of_ours_has_are_answered_in_words(browser: httpx.Client, week: str, do: str) -> None:
    fields = fields_of(browser.get(f"/e/{week}"))
    answer = browser.post(f"/e/{week}/say", data={**fields, "do": do, "part": "mon", "shown": DEEP})
    assert answer.status_code == 303
    page = browser.get(answer.headers["location"])
    assert page.status_code == 200
    assert "went wrong" not in page.text


def test_what_is_nested_without_end_is_refused(browser: httpx.Client, api: httpx.Client, week: str) -> None:
    for body in (DEEP, '{"values":' * 20_000):
        sent = api.post(f"/elicitations/{week}/preview", content=body, headers={"Content-Type": "application/json"})
        assert sent.status_code in (400, 422)
        assert sent.json()["message"]
    told = browser.get(f"/e/{week}", headers={"Cookie": f"pcl_studio={browser.cookies['pcl_studio']}; pcl_said={DEEP}"})
    assert told.status_code in (200, 400)


def test_of_many_answers_at_once_one_counts(api: httpx.Client, week: str) -> None:
    it = f"/elicitations/{week}"
    number = api.get(f"{it}/query").json()["number"]
    kinds = ["accepted", "skipped"] * 6
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda kind: api.post(f"{it}/answers", json={"query": number, "kind": kind}), kinds))
    new = [reply for reply in replies if reply.status_code == 200 and not reply.json()["repeated"]]
    assert len(new) == 1
    assert {reply.status_code for reply in replies} == {200, 409}
    assert len(api.get(it).json()["history"]) == 1


def test_undo_in_two_tabs_takes_back_once(browser: httpx.Client, api: httpx.Client, week: str) -> None:
    it = f"/elicitations/{week}"
    for _ in range(2):
        api.post(f"{it}/answers", json={"query": api.get(f"{it}/query").json()["number"], "kind": "accepted"})
    tab = fields_of(browser.get(f"/e/{week}"))
    first, second = (browser.post(f"/e/{week}/say", data={**tab, "do": "undo"}) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303)
    assert "another tab" in browser.get(f"/e/{week}").text
    assert len(api.get(it).json()["history"]) == 1


def test_labels_of_somebodys_file_are_text_on_every_page(browser: httpx.Client, api: httpx.Client) -> None:
    bad = "<script>alert(1)</script>"
    made = api.post("/problems", json={"name": bad, "text": HOSTILE})
    assert made.status_code == 201, made.text
    begun = api.post("/elicitations", json={"uploaded": made.json()["uploaded"], "title": bad}).json()
    api.post(f"/elicitations/{begun['id']}/rules", json={"kind": "never", "variables": "a", "values": ["<b>x</b>"]})
    for page in ("/", "/yours", f"/e/{begun['id']}", f"/e/{begun['id']}?rank=v0", f"/e/{begun['id']}/result"):
        text = browser.get(page).text
        assert json.dumps("&lt;script&gt;")[1:-1] in text
        assert not re.search(r"<(script>|b>x|i>a|u>p)|' onclick='", text)
