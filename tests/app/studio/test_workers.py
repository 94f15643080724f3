"""Workers may die and hang, and servers may be several: that costs an answer "try again", and nothing else."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.app.commands import until
from tests.app.studio.servers import TOKEN, caller, served, sqlite_in, studio

from pcl_app.studio import StudioClient, StudioSettings
from pcl_app.studio.storage import Records, bring_up_to_date, opened
from pcl_app.studio.work import Crew
from pcl_app.studio.work.calling import called
from pcl_app.studio.work.crew import Seat
from pcl_app.studio.work.live import Lives, new_row
from pcl_app.studio.work.simulating import Simulated
from pcl_core import Oracle, Settings, load


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Crew, str]]:
    """A studio whose only worker may be killed."""
    settings = StudioSettings(sqlite_in(tmp_path_factory.mktemp("alone")), TOKEN, workers=1)
    with studio(settings) as (app, address), caller(address) as api:
        assert api.get("/problems").status_code == 200  # so that it has nothing to read when nobody asks it
        yield app.state.crew, address


def process_at(seat: Seat) -> int | None:
    """The number of the process that sits there now; nobody else needs to know."""
    worker = seat._worker
    return None if worker is None else worker.pid


def kill_workers(crew: Crew) -> None:
    for process in map(process_at, crew.seats):
        if process is not None:
            os.kill(process, signal.SIGKILL)


def test_a_worker_that_dies_costs_one_answer_and_nothing_that_was_said(alone: tuple[Crew, str]) -> None:
    crew, address = alone
    with caller(address) as api:
        it = f"/elicitations/{api.post('/elicitations', json={'problem': 'training'}).json()['id']}"
        number = api.get(f"{it}/query").json()["number"]
        assert api.post(f"{it}/answers", json={"query": number, "kind": "accepted"}).status_code == 200
        before = api.get(it).json()
        old = process_at(crew.seats[0])
        assert old is not None
        os.kill(old, signal.SIGSTOP)  # so that it dies in the middle of a command
        replies: list[httpx.Response] = []
        waiting = [threading.Thread(target=lambda: replies.append(api.get(it))) for _ in range(3)]
        for thread in waiting:
            thread.start()
        until(lambda: crew.seats[0].pending >= 3)
        os.kill(old, signal.SIGKILL)
        for thread in waiting:
            thread.join()
        assert sorted(reply.status_code for reply in replies) == [200, 200, 503], "who stood behind is served"
        lost = next(reply for reply in replies if reply.status_code == 503)
        assert (lost.json()["code"], lost.headers["retry-after"]) == ("try-again", "1")
        assert api.get(it).json() == before
        assert process_at(crew.seats[0]) != old


def test_what_can_wait_waits_until_nobody_needs_the_worker() -> None:
    crew = Crew("sqlite://", 1, 1.0)
    seat, order = crew.seats[0], list[str]()

    async def reading() -> None:
        await crew.idle("training")
        order.append("read")

    async def both() -> None:
        seat.pending = 1
        waiting = asyncio.create_task(reading())
        await asyncio.sleep(0.05)
        order.append("somebody is served")
        seat.pending = 0
        await waiting

    with ThreadPoolExecutor(1) as pool:  # a browser in the same process may have a loop that runs
        pool.submit(asyncio.run, both()).result()
    assert order == ["somebody is served", "read"]


def test_a_worker_that_hangs_is_replaced_and_the_server_answers_meanwhile(alone: tuple[Crew, str]) -> None:
    crew, address = alone
    with caller(address) as api:
        it = f"/elicitations/{api.post('/elicitations', json={'problem': 'grid'}).json()['id']}"
        seat = crew.seats[0]
        process = process_at(seat)
        assert process is not None
        patience, seat.limit = seat.limit, 0.5
        os.kill(process, signal.SIGSTOP)
        replies: list[httpx.Response] = []
        waiting = threading.Thread(target=lambda: replies.append(api.get(it)))
        waiting.start()
        until(lambda: seat.pending >= 1)
        assert api.get("/elicitations").status_code == 200, "that takes no worker"
        waiting.join()
        assert replies[0].status_code == 503
        seat.limit = patience
        assert api.get(it).status_code == 200


def test_an_answer_that_was_written_but_not_acknowledged_counts_once_when_it_is_tried_again(
    alone: tuple[Crew, str],
) -> None:
    crew, address = alone
    with caller(address) as api:
        it = f"/elicitations/{api.post('/elicitations', json={'problem': 'grid'}).json()['id']}"
        number = api.get(f"{it}/query").json()["number"]
        said = {"query": number, "kind": "accepted"}
        events = api.post(f"{it}/answers", json=said).json()["events"]
        kill_workers(crew)  # as if the acknowledgement had been lost with it
        replies = [api.post(f"{it}/answers", json=said) for _ in range(2)]
        assert replies[-1].json()["repeated"]
        assert replies[-1].json()["events"] == events


def test_two_servers_on_one_database_serve_the_same_elicitation(tmp_path: Path) -> None:
    database = sqlite_in(tmp_path)
    with (
        studio(StudioSettings(database, TOKEN, workers=1)) as (_, here),
        served(database, "--workers", "1") as (_, there),
        StudioClient(here, TOKEN) as one,
        StudioClient(there, TOKEN) as other,
    ):
        week = one.begin("training")
        same = other.elicitation(week.id)
        lengths = same.lengths()
        known = next(lengths)
        for turn in range(4):
            mine, yours = (week, same) if turn % 2 else (same, week)
            query = mine.ask()
            assert query is not None
            again = yours.ask()
            assert again is not None
            assert (again["number"], again["proposal"]) == (query["number"], query["proposal"])
            yours.accept(query["number"])
            assert mine.accept(query["number"])["repeated"]
        assert week.look() == same.look()
        assert next(lengths) > known
        lengths.close()


def test_who_watches_is_told_of_what_others_say(address: str) -> None:
    with StudioClient(address, TOKEN) as studio_client, StudioClient(address, TOKEN) as watching:
        grid = studio_client.begin("grid")
        lengths = watching.elicitation(grid.id).lengths()
        assert next(lengths) == 1
        grid.ask()
        assert next(lengths) == 2
        grid.stop()
        assert next(lengths) == 3
        lengths.close()


@pytest.mark.parametrize("workers", [1, 3])
def test_an_elicitation_always_goes_to_the_same_worker(tmp_path: Path, workers: int) -> None:
    crew = Crew(sqlite_in(tmp_path), workers, 1.0)
    seats = {crew.seat_of(f"elicitation-{number}") for number in range(50)}
    assert len(seats) == workers
    assert crew.seat_of("some") is crew.seat_of("some")
    crew.close()


def test_a_simulation_gives_way_to_others_after_each_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes in all, no command takes longer than a moment and one answer."""
    oracle = Oracle.of(load("grid"))
    monkeypatch.setattr("pcl_app.studio.work.simulating.SECONDS", 1000.0)
    whole = Simulated(oracle, 3).after(5)
    monkeypatch.setattr("pcl_app.studio.work.simulating.SECONDS", -1.0)
    slowly = Simulated(oracle, 3)
    lengths = []
    while (found := slowly.after(5))["unfinished"]:
        lengths.append(len(found["frames"]))
    assert lengths == [2, 3, 4, 5]
    assert [frame["configuration"] for frame in found["frames"]] == [it["configuration"] for it in whole["frames"]]


def test_what_is_finished_is_let_go_and_served_again(tmp_path: Path) -> None:
    database = sqlite_in(tmp_path)
    bring_up_to_date(database)
    engine = opened(database)
    Records(engine).know("anna")
    lives = Lives(engine)
    rows = [new_row("anna", "grid", None, "", None) for _ in range(6)]
    begun = [lives.begin(row, Settings.of("people"), None) for row in rows]
    for live in begun[:5]:
        live.elicitation.stop()
    lives.tidy()
    assert [lives.of(row.id, "anna") is live for row, live in zip(rows, begun, strict=True)] == [False] * 3 + [True] * 3
    assert lives.of(rows[0].id, "anna").elicitation.stopped
    engine.dispose()


def test_people_read_days_with_a_capital_and_logs_fit_all_the_same() -> None:
    training = load("training")
    found = called(training)
    assert [part.label for part in found.parts] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert found.symbols.variables["plan[mon,1]"].label == "Mon slot 1"
    labels = {feature.name: feature.label for feature in found.features}
    assert labels["morning[tue]"] == "Tue morning repeats an activity of Mon"
    assert found.content_hash == training.content_hash
    hotel = load("hotel")
    assert called(hotel) is hotel, "its parts have labels of their own"
