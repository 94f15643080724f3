"""Problem files of strangers: read in a process with limits, and what is wrong with them is said at its line."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.app.studio.servers import TOKEN, caller, sqlite_in, studio

import pcl_core as pcl
from pcl_app.studio import StudioSettings

GOOD = """\
pcl: 1
name: two
label: "<b>Two</b> & more"
description: Two numbers that are little together.
variables:
  a: {domain: "0..3"}
  b: {domain: "0..3"}
constraints:
  - {name: little, require: a + b <= 4}
features:
  - {name: a, value: a}
  - {name: b, value: b}
parts:
  - {name: first, variables: [a]}
  - {name: second, variables: [b]}
"""


def test_a_good_file_is_a_problem_like_those_of_the_catalogue(api: httpx.Client) -> None:
    made = api.post("/problems", json={"name": "two.yaml", "text": GOOD})
    assert made.status_code == 201, made.text
    id = made.json()["uploaded"]
    assert made.json()["description"] == "Two numbers that are little together."
    assert (made.json()["parts"], made.json()["variables"], made.json()["label"]) == (2, 2, "<b>Two</b> & more")
    assert id in [entry["uploaded"] for entry in api.get("/problems").json()]
    begun = api.post("/elicitations", json={"uploaded": id, "problem": "two"})
    assert begun.status_code == 201, begun.text
    it = f"/elicitations/{begun.json()['id']}"
    number = api.get(f"{it}/query").json()["number"]
    assert api.post(f"{it}/answers", json={"query": number, "kind": "accepted"}).status_code == 200
    ground = pcl.load("pc").to_json()
    assert api.post("/problems", json={"name": "pc.json", "text": ground}).status_code == 201
    assert api.post("/elicitations", json={"uploaded": "not-hers", "problem": "two"}).status_code == 422


def test_what_is_wrong_is_said_at_its_line(api: httpx.Client) -> None:
    reply = api.post("/problems", json={"name": "two.yaml", "text": GOOD.replace("a + b <= 4", "a + c <= 4")})
    assert reply.status_code == 422
    issue = reply.json()["issues"][0]
    assert (issue["code"], issue["line"]) == ("unknown-name", 9)
    assert issue["file"] is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", "\x00", "pcl: 1\n", "{" * 5000, "a: &a [*a]\n", "pcl: 99\nname: x\n", "\ud800", GOOD * 2],
)
def test_whatever_is_no_problem_is_refused_in_words(api: httpx.Client, text: str) -> None:
    for name in ("x.yaml", "x.json", "../../etc/passwd", ""):
        sent = json.dumps({"name": name, "text": text})  # which can say more than UTF-8 can
        reply = api.post("/problems", content=sent, headers={"Content-Type": "application/json"})
        assert reply.status_code == 422, (name, reply.text)
        assert reply.json()["message"]
        assert "Traceback" not in reply.text


def test_a_file_reads_no_other_file(api: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("x,1\n", encoding="utf-8")
    for place in (str(tmp_path / "secret.csv"), "secret.csv", "../secret.csv", "/etc/passwd"):
        text = GOOD + f"tables:\n  t: {{index: [a], csv: {place!r}}}\nsets: {{s: {{csv: {place!r}}}}}\n"
        reply = api.post("/problems", json={"name": "two.yaml", "text": text})
        assert reply.status_code == 422
        assert "root:" not in reply.text


@pytest.fixture(scope="module")
def stingy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A studio that allows hardly anything."""
    limits = StudioSettings(
        sqlite_in(tmp_path_factory.mktemp("stingy")),
        TOKEN,
        workers=1,
        upload_bytes=5000,
        upload_nodes=50,
        upload_memory=400_000_000,
    )
    with studio(limits) as (_, address), caller(address) as client:
        yield client


def test_a_file_that_is_too_large_or_expands_to_too_much_is_refused(stingy: httpx.Client) -> None:
    assert stingy.post("/problems", json={"text": "x" * 5001}).status_code == 413
    many = GOOD.replace("a + b <= 4", " + ".join(["a"] * 200) + " <= 4")
    reply = stingy.post("/problems", json={"text": many})
    assert (reply.status_code, reply.json()["code"]) == (422, "too-many-nodes")


def test_a_child_that_takes_too_much_is_ended_and_the_next_file_is_read(
    stingy: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pcl_app.studio.uploads.CHILD", "tests.app.studio.greedy")
    reply = stingy.post("/problems", json={"name": "memory", "text": "x"})
    assert (reply.status_code, reply.json()["code"]) == (422, "too-many-nodes")
    monkeypatch.undo()
    assert stingy.post("/problems", json={"text": GOOD}).status_code in (201, 422)
