"""Two servers on one PostgreSQL serve the same elicitation, in turn and at once: nothing is lost, nothing counts twice."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from tests.app.studio.databases import new_database, postgresql
from tests.app.studio.servers import TOKEN, caller, served, studio

from pcl_app.studio import StudioSettings

Pair = tuple[httpx.Client, httpx.Client]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """One in a thread of this process, one in a process of its own; both bring the empty database up to date."""
    with postgresql(tmp_path_factory.mktemp("postgres")) as server:
        database = new_database(server, "shared")
        with (
            studio(StudioSettings(database, TOKEN, workers=1)) as (_, here),
            served(database, "--workers", "1") as (_, there),
            caller(here) as one,
            caller(there) as other,
        ):
            yield one, other


def begun(api: httpx.Client, problem: str = "training") -> str:
    return f"/elicitations/{api.post('/elicitations', json={'problem': problem}).json()['id']}"


def at_once(servers: Pair, path: str, bodies: tuple[dict[str, Any], dict[str, Any]]) -> list[httpx.Response]:
    """What each server says to what it is sent while the other is sent something."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda at: servers[at].post(path, json=bodies[at]), range(2)))


def test_an_elicitation_is_served_in_turn_by_either_to_its_end(servers: Pair) -> None:
    it, told = begun(servers[0]), list[int]()
    for turn in range(40):
        asking, answering = servers[turn % 2], servers[1 - turn % 2]
        asked = asking.get(f"{it}/query")
        if asked.status_code == 204:
            break
        query = asked.json()
        seen = answering.get(f"{it}/query").json()
        assert (seen["number"], seen["proposal"]) == (query["number"], query["proposal"])
        said = answering.post(f"{it}/answers", json={"query": query["number"], "kind": "accepted"})
        assert (said.status_code, said.json()["repeated"]) == (200, False)
        told.append(query["number"])
    looks = [api.get(it).json() for api in servers]
    assert looks[0] == looks[1]
    assert looks[0]["certificate"] is not None
    assert [it["query"] for it in looks[0]["history"]] == told


def test_of_two_answers_at_once_one_counts_and_the_other_is_told_so(servers: Pair) -> None:
    it, acknowledged = begun(servers[0]), list[tuple[int, str]]()
    for turn in range(8):
        query = servers[turn % 2].get(f"{it}/query").json()
        bodies = ({"query": query["number"], "kind": "accepted"}, {"query": query["number"], "kind": "skipped"})
        replies = at_once(servers, f"{it}/answers", bodies)
        assert sorted(reply.status_code for reply in replies) == [200, 409]
        refused = next(reply for reply in replies if reply.status_code == 409)
        assert refused.json()["code"] in ("stale-answer", "log-moved-on")
        winner = next(body for body, reply in zip(bodies, replies, strict=True) if reply.status_code == 200)
        acknowledged.append((query["number"], str(winner["kind"])))
    looks = [api.get(it).json() for api in servers]
    assert looks[0] == looks[1]
    assert [(told["query"], told["kind"]) for told in looks[0]["history"]] == acknowledged


def test_the_same_answer_sent_to_both_at_once_counts_once(servers: Pair) -> None:
    it = begun(servers[1], "grid")
    for number in range(1, 5):
        query = servers[0].get(f"{it}/query").json()
        body = {"query": query["number"], "kind": "accepted"}
        replies = at_once(servers, f"{it}/answers", (body, body))
        assert [reply.status_code for reply in replies] == [200, 200]
        assert sorted(reply.json()["repeated"] for reply in replies) == [False, True]
        assert [told["query"] for told in servers[1].get(it).json()["history"]] == list(range(1, number + 1))


def test_of_two_who_saw_the_same_one_may_change_it(servers: Pair) -> None:
    it = begun(servers[0])
    for part in ("tue", "wed", "thu"):
        seen = servers[0].get(it).json()["events"]
        bodies = ({"parts": [part], "seen": seen}, {"parts": ["sat"], "seen": seen})
        replies = at_once(servers, f"{it}/confirm", bodies)
        assert sorted(reply.status_code for reply in replies) == [200, 409]
        assert servers[1].get(it).json()["events"] == seen + 1
