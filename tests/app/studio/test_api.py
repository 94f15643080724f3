"""The HTTP API as others script against it: names, fields and statuses."""

from pathlib import Path
from typing import Any

import httpx
from tests.app.studio.servers import caller

import pcl_core as pcl
from pcl_core.elicitation import FileStore


def begun(api: httpx.Client, problem: str = "training", **more: object) -> str:
    reply = api.post("/elicitations", json={"problem": problem, **more})
    assert reply.status_code == 201, reply.text
    return f"/elicitations/{reply.json()['id']}"


def asked(api: httpx.Client, it: str, part: str | None = None) -> dict[str, Any]:
    reply = api.get(f"{it}/query", params={} if part is None else {"part": part})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def told(api: httpx.Client, it: str, query: int, kind: str, **more: object) -> httpx.Response:
    return api.post(f"{it}/answers", json={"query": query, "kind": kind, **more})


def test_the_catalogue_is_listed_with_its_sizes(api: httpx.Client) -> None:
    found = {entry["name"]: entry for entry in api.get("/problems").json()}
    assert {"training", "hotel", "grid", "meals", "pc"} <= set(found)
    assert {"name", "label", "parts", "variables", "features"} <= set(found["training"])
    assert found["training"]["parts"] == 7
    described = api.get("/problems/training").json()
    assert [part["name"] for part in described["parts"]][:2] == ["mon", "tue"]
    assert described["variables"][0]["values"][0] == "pushups"


def test_an_elicitation_is_begun_looked_at_asked_and_answered(api: httpx.Client) -> None:
    it = begun(api)
    seen = api.get(it).json()
    assert {"id", "problem", "finished", "queries", "configuration", "confirmed", "certificate"} <= set(seen)
    assert (seen["problem"], seen["finished"], seen["queries"], seen["confirmed"]) == ("training", False, 0, [])
    query = asked(api, it, "tue")
    fields = {"number", "part", "parts", "label", "proposal", "suggestion", "possible", "changes", "context", "summary"}
    assert fields | {"why"} <= set(query)
    assert (query["number"], query["part"], query["parts"]) == (1, "tue", ["tue"])
    reply = told(api, it, 1, "improved", values={"plan[tue,2]": "rest", "plan[tue,3]": "rest"}, final=True)
    assert reply.status_code == 200, reply.text
    assert reply.json()["said"]
    seen = api.get(it).json()
    assert seen["configuration"]["plan[tue,2]"] == "rest"
    parts = {part["part"]: part for part in seen["parts"]}
    assert (parts["tue"]["standing"], parts["tue"]["by"], parts["tue"]["query"]) == ("closed", "word", 1)
    assert seen["history"][-1]["values"] == {"plan[tue,2]": "rest", "plan[tue,3]": "rest"}


def test_accepting_everything_ends_with_a_certificate_and_then_nothing_is_asked(api: httpx.Client) -> None:
    it = begun(api, "grid")
    while (reply := api.get(f"{it}/query")).status_code == 200:
        assert told(api, it, reply.json()["number"], "accepted").status_code == 200
    assert reply.status_code == 204
    seen = api.get(it).json()
    assert seen["finished"]
    assert seen["certificate"]["by_lemma"]
    assert seen["certainty"][0].startswith("This is certified")
    assert api.post(f"{it}/further", json={}).status_code == 200


def test_the_same_answer_posted_twice_counts_once_and_another_one_is_refused(api: httpx.Client) -> None:
    it = begun(api)
    query = asked(api, it)
    first = told(api, it, query["number"], "accepted")
    again = told(api, it, query["number"], "accepted")
    assert (first.status_code, again.status_code) == (200, 200)
    assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
    assert again.json()["events"] == first.json()["events"]
    other = told(api, it, query["number"], "skipped")
    assert (other.status_code, other.json()["code"]) == (409, "stale-answer")
    assert api.get(it).json()["events"] == first.json()["events"]
    asked(api, it)
    assert told(api, it, query["number"], "accepted").json()["repeated"], "also while the next query is open"


def test_an_undo_opens_the_query_again_and_then_the_same_answer_counts_again(api: httpx.Client) -> None:
    it = begun(api)
    query = asked(api, it)
    told(api, it, query["number"], "accepted")
    undone = api.post(f"{it}/undo")
    assert undone.status_code == 200
    assert asked(api, it)["number"] == query["number"]
    again = told(api, it, query["number"], "accepted")
    assert not again.json()["repeated"]
    assert again.json()["events"] > undone.json()["events"]
    assert api.post(f"{it}/undo").status_code == 200
    nothing = api.post(f"{it}/undo")
    assert (nothing.status_code, nothing.json()["code"]) == (409, "nothing-to-undo")


def test_who_has_not_seen_the_newest_is_refused_and_nothing_changes(api: httpx.Client) -> None:
    it = begun(api)
    events = api.get(it).json()["events"]
    query = asked(api, it)
    late = told(api, it, query["number"], "accepted", seen=events)
    assert (late.status_code, late.json()["code"]) == (409, "log-moved-on")
    assert told(api, it, query["number"], "accepted", seen=events + 1).status_code == 200


def test_an_impossible_answer_names_what_is_in_conflict(api: httpx.Client) -> None:
    it = begun(api, "hotel")
    query = asked(api, it)
    greedy = {name: values[-1] for name, values in query["possible"].items() if isinstance(values, list) and values}
    reply = told(api, it, query["number"], "improved", values=greedy)
    assert reply.status_code == 422
    assert {"code", "message", "hint", "conflict"} <= set(reply.json())
    assert reply.json()["conflict"]
    assert "/" not in reply.json()["message"]


def test_rules_are_previewed_said_listed_and_removed(api: httpx.Client) -> None:
    it = begun(api)
    rule = {"kind": "never", "variables": "plan[*,*]", "values": ["pushups"]}
    preview = api.post(f"{it}/rules/preview", json=rule).json()
    assert preview["changes"]
    assert api.get(it).json()["rules"] == []
    said = api.post(f"{it}/rules", json=rule)
    assert said.status_code == 201
    assert said.json()["rule"]["words"] == preview["rule"]["words"]
    seen = api.get(it).json()
    assert "pushups" not in seen["configuration"].values()
    assert [it["kind"] for it in seen["rules"]] == ["never"]
    counted = {"kind": "at_most", "variables": "plan[*,*]", "values": ["running"], "count": 3, "each": "part"}
    assert api.post(f"{it}/rules", json=counted).status_code == 201
    assert api.delete(f"{it}/rules/0").status_code == 200
    assert [it["kind"] for it in api.get(it).json()["rules"]] == ["at_most"]
    assert api.delete(f"{it}/rules/7").status_code == 422


def test_pins_previews_completions_and_possible_values(api: httpx.Client) -> None:
    it = begun(api)
    asked(api, it, "tue")
    pinned = api.post(f"{it}/pins", json={"values": {"plan[tue,2]": "swimming"}})
    assert pinned.json()["query"]["pins"] == {"plan[tue,2]": "swimming"}
    preview = api.post(f"{it}/preview", json={"values": {"plan[tue,3]": "walking"}}).json()
    assert {"broken", "completable", "completion", "moved", "notable"} <= set(preview)
    filled = api.post(f"{it}/complete", json={"values": {"plan[tue,3]": "walking"}}).json()["values"]
    assert (filled["plan[tue,2]"], filled["plan[tue,3]"]) == ("swimming", "walking")
    possible = api.post(f"{it}/possible", json={"values": {"plan[tue,3]": "walking"}}).json()["possible"]
    assert possible["plan[tue,2]"] == ["swimming"]
    assert "walking" in possible["plan[tue,3]"]
    assert api.delete(f"{it}/pins", params={"variable": "plan[tue,2]"}).status_code == 200
    assert api.get(it).json()["pins"] == {}
    assert api.post(f"{it}/pins", json={"values": {"plan[wed,1]": "rest"}}).json()["query"]["part"] == "wed"


def test_the_same_is_done_elsewhere_after_a_preview(api: httpx.Client) -> None:
    it = begun(api)
    query = asked(api, it, "tue")
    told(api, it, query["number"], "improved", values={"plan[tue,2]": "swimming"}, final=True)
    preview = api.post(f"{it}/everywhere/preview", json={}).json()
    assert {place["part"] for place in preview["places"]} == {"mon", "wed", "thu", "fri", "sat", "sun"}
    done = api.post(f"{it}/everywhere", json={"only": ["wed"]})
    assert done.status_code == 200
    assert api.get(it).json()["configuration"]["plan[wed,2]"] == "swimming"


def test_parts_are_confirmed_and_it_can_be_stopped(api: httpx.Client) -> None:
    it = begun(api)
    assert api.post(f"{it}/confirm", json={"parts": ["mon", "tue"]}).status_code == 200
    assert set(api.get(it).json()["confirmed"]) == {"mon", "tue"}
    assert api.post(f"{it}/confirm", json={"parts": ["someday"]}).status_code == 422
    assert api.post(f"{it}/stop").status_code == 200
    assert api.get(f"{it}/query").status_code == 204
    assert api.post(f"{it}/confirm", json={}).status_code == 409


def test_a_log_goes_out_to_the_terminal_and_comes_back(api: httpx.Client, tmp_path: Path) -> None:
    it = begun(api)
    told(api, it, asked(api, it)["number"], "accepted")
    lines = api.get(f"{it}/log").text
    file = tmp_path / "week.jsonl"
    file.write_text(lines, encoding="utf-8")
    week = pcl.Elicitation.resume(FileStore.open(file), pcl.load("training"))
    query = week.ask()
    assert query is not None
    week.tell(query.accept())
    week.close()
    back = begun(api, log=file.read_text(encoding="utf-8").splitlines())
    assert api.get(back).json()["configuration"] == week.configuration
    assert api.get(f"{back}/log").text == file.read_text(encoding="utf-8")
    broken = api.post("/elicitations", json={"problem": "training", "log": ["{}"]})
    assert (broken.status_code, broken.json()["code"]) == (422, "log-broken")
    other = api.post("/elicitations", json={"problem": "grid", "log": lines.splitlines()})
    assert (other.status_code, other.json()["code"]) == (422, "log-of-another-problem")


def test_a_taste_is_what_a_later_elicitation_starts_from(api: httpx.Client) -> None:
    it = begun(api)
    api.post(f"{it}/rules", json={"kind": "never", "variables": "plan[*,*]", "values": ["running"]})
    taste = api.get(f"{it}/taste").json()
    later = begun(api, taste=taste)
    assert [rule["kind"] for rule in api.get(later).json()["rules"]] == ["never"]


def test_nobody_gets_at_anothers_elicitations_or_in_without_a_token(api: httpx.Client, address: str) -> None:
    it = begun(api)
    for token in (None, "wrong"):
        with caller(address, token) as stranger:
            for reply in (stranger.get(it), stranger.get("/problems"), stranger.post(f"{it}/undo")):
                assert (reply.status_code, reply.json()["code"]) == (401, "unknown-person")
                assert set(reply.json()) == {"code", "message", "hint", "conflict"}
    missing = api.get("/elicitations/nobody-knows-this")
    assert (missing.status_code, missing.json()["code"]) == (404, "not-found")


def test_a_name_of_a_problem_is_never_a_path(api: httpx.Client, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("pcl: 1\n", encoding="utf-8")
    for name in (str(file), f"{file}:a=1", "../training", "training.yaml", "training/../x", "training:variant=../../x"):
        reply = api.post("/elicitations", json={"problem": name})
        assert reply.status_code == 422, name
        assert reply.json()["code"] in ("unknown-problem", "bad-parameter"), name
    assert api.post("/elicitations", json={"problem": "grid:side=4,part=2"}).status_code == 201


def test_what_has_the_wrong_shape_is_said_in_the_form_of_all_errors(api: httpx.Client) -> None:
    it = begun(api)
    bodies: list[Any] = [{}, {"query": "1", "kind": "accepted"}, {"query": 1, "kind": "acepted"}, {"x": 1}, [], None]
    for body in bodies:
        reply = api.post(f"{it}/answers", json=body)
        assert reply.status_code == 422
        assert {"code", "message", "hint", "conflict"} <= set(reply.json())
    assert api.post(f"{it}/answers", content=b"{").status_code == 400
    assert api.put(f"{it}/answers").status_code == 405
    assert api.get("/nowhere").json()["code"] == "not-found"


def test_the_openapi_document_is_served_and_pages_that_load_from_a_network_are_not(api: httpx.Client) -> None:
    document = api.get("/openapi.json").json()
    assert "/api/v1/elicitations/{id}/answers" in document["paths"]
    assert httpx.get(str(api.base_url).replace("/api/v1/", "/docs"), headers=api.headers).status_code == 404


def test_what_cannot_be_read_is_said_to_be_no_json(api: httpx.Client) -> None:
    it = begun(api)
    plain, said = b"{bad", {"Content-Type": "application/json"}
    for reply in (
        api.post(f"{it}/answers", content=plain),
        api.post(f"{it}/answers", content=plain, headers=said),
        api.post(f"{it}/answers", content=b'{"query": 1, "kind": "accepted"}'),
    ):
        assert reply.status_code == 400
        assert reply.json()["code"] == "wrong-shape"
        assert "application/json" in reply.json()["hint"]
    misshapen = api.post(f"{it}/answers", json=[])
    assert (misshapen.status_code, misshapen.json()["code"]) == (422, "wrong-shape")


def test_paths_and_methods_that_are_none_are_refused_like_all_else(api: httpx.Client) -> None:
    nowhere, put = api.get("/nowhere"), api.put("/problems")
    assert (nowhere.status_code, put.status_code) == (404, 405)
    assert nowhere.json() == {
        "code": "not-found",
        "message": "there is nothing at /api/v1/nowhere",
        "hint": "the API is described in /api/v1/openapi.json",
        "conflict": [],
    }
    assert put.json()["code"] == "not-allowed"
    assert "GET" in put.json()["hint"]
    assert put.headers["Allow"]
