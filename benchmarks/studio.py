"""The studio under load: how long a question and an answer take, for one person and for fifty who think; memory; kill -9.

python -m benchmarks.studio [--seconds 60] [--people 50] [--kills 200] [--only one,fifty,memory,kills,page]
"""

import argparse
import asyncio
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil
from benchmarks.report import Goal, Sheet, load_average, machine
from rich.console import Console
from tests.app.studio.killing import killed_under_load
from tests.app.studio.servers import served, sqlite_in

from pcl_app.studio import add_user

ONE_GOAL, MANY_GOAL = Goal(50), Goal(200)
"""milliseconds, p95 of asking and of answering"""
MEMORY_GOAL = Goal(150)
"""megabytes that fifty people take beyond one"""
RESTART_GOAL = Goal(2)
PAGE_GOAL, SIZE_GOAL = Goal(300), Goal(150)
"""milliseconds and kilobytes of the first page"""
THINKING = 5.0
PASSWORD = "a password for benchmarks"


class Person:
    """Somebody who answers: changes a value that she may change, says that it is final, or accepts."""

    def __init__(self, address: str, name: str, problem: str, seed: int) -> None:
        self._http = httpx.AsyncClient(base_url=f"{address}/api/v1", auth=(name, PASSWORD), timeout=60)
        self._problem = problem
        self._random = Random(seed)
        self._said: list[int] = []
        self.seconds: dict[str, list[float]] = {"ask": [], "answer": []}
        self.errors = 0

    async def begin(self) -> None:
        made = await self._http.post("/elicitations", json={"problem": self._problem})
        self._it = f"/elicitations/{made.json()['id']}"
        self._said = []

    async def turn(self) -> bool:
        """A question and its answer; False when there is nothing more to ask."""
        asked = await self._timed("ask", "GET", f"{self._it}/query", None)
        if asked.status_code != 200:
            self.errors += asked.status_code != 204
            return False
        query = asked.json()
        told = await self._timed("answer", "POST", f"{self._it}/answers", self._answer(query))
        if told.status_code == 422:  # her change was impossible, and she takes what is there
            told = await self._http.post(f"{self._it}/answers", json={"query": query["number"], "kind": "accepted"})
        self.errors += told.status_code != 200
        self._said.append(query["number"])
        return True

    async def crossed(self) -> bool:
        """Whether anything is there that she did not say, or the other way about."""
        look = (await self._http.get(self._it)).json()
        return [told["query"] for told in look["history"]] != self._said or look["problem"] != self._problem

    async def close(self) -> None:
        await self._http.aclose()

    def _answer(self, query: dict[str, Any]) -> dict[str, Any]:
        choices = {
            name: [value for value in values if value != query["proposal"][name]]
            for name, values in query["possible"].items()
            if isinstance(values, list)
        }
        free = [name for name, values in choices.items() if values]
        if not free or self._random.random() < 0.5:
            return {"query": query["number"], "kind": "accepted"}
        name = self._random.choice(free)
        values = {name: self._random.choice(choices[name])}
        return {"query": query["number"], "kind": "improved", "values": values, "final": True}

    async def _timed(self, what: str, method: str, path: str, body: Any) -> httpx.Response:
        began = time.perf_counter()
        reply = await self._http.request(method, path, json=body)
        self.seconds[what].append(time.perf_counter() - began)
        return reply


@contextmanager
def running(people: int) -> Iterator[tuple[str, psutil.Process]]:
    """A studio for so many people."""
    with tempfile.TemporaryDirectory() as folder:
        users = Path(folder) / "users"
        for number in range(people):
            add_user(users, f"person-{number}", PASSWORD)
        with served(sqlite_in(Path(folder)), "--users", str(users)) as (process, address):
            yield address, psutil.Process(process.pid)


def p95(seconds: list[float]) -> float:
    return 1000 * statistics.quantiles(seconds, n=20)[-1]


async def alone(address: str, problem: str, turns: int) -> Person:
    person = Person(address, "person-0", problem, 0)
    await person.begin()
    await person.turn()  # the first one compiles
    person.seconds = {"ask": [], "answer": []}
    for _ in range(turns):
        if not await person.turn():
            await person.begin()
    await person.close()
    return person


async def together(address: str, people: int, seconds: float, thinking: float) -> list[Person]:
    """People who work at once, half of them on training and half on hotel."""
    crowd = [Person(address, f"person-{number}", ("training", "hotel")[number % 2], number) for number in range(people)]
    end = time.monotonic() + seconds

    async def work(person: Person, first: float) -> None:
        await person.begin()
        await asyncio.sleep(first)
        while time.monotonic() < end:
            if not await person.turn():
                person.errors += await person.crossed()
                await person.begin()
            await asyncio.sleep(thinking)
        person.errors += await person.crossed()

    await asyncio.gather(*(work(person, thinking * at / len(crowd)) for at, person in enumerate(crowd)))
    for person in crowd:
        await person.close()
    return crowd


def one_sheet(turns: int) -> Sheet:
    sheet = Sheet(f"One person (ms, p95; goal {ONE_GOAL})", ("problem", "ask", "answer", "median of both", "errors"))
    with running(1) as (address, _):
        for problem in ("training", "hotel"):
            person = asyncio.run(alone(address, problem, turns))
            both = statistics.median(person.seconds["ask"] + person.seconds["answer"])
            judged = [ONE_GOAL.judged(p95(person.seconds[what]), 1) for what in ("ask", "answer")]
            sheet.rows.append((problem, *judged, f"{1000 * both:.1f}", str(person.errors)))
    return sheet


def many_sheet(people: int, seconds: float) -> Sheet:
    title = f"{people} people (ms, p95; goal {MANY_GOAL} where they think)"
    sheet = Sheet(title, ("they think", "ask", "answer", "answers a second", "errors and cross-talk"))
    with running(people) as (address, _):
        for thinking, during in ((THINKING, seconds), (0.0, seconds / 4)):
            crowd = asyncio.run(together(address, people, during, thinking))
            ask, answer = (
                p95([second for person in crowd for second in person.seconds[what]]) for what in ("ask", "answer")
            )
            judged = (MANY_GOAL.judged(it, 1) if thinking else f"{it:.1f}" for it in (ask, answer))
            count = sum(len(person.seconds["answer"]) for person in crowd)
            errors = sum(person.errors for person in crowd)
            sheet.rows.append((f"{thinking:g} s", *judged, f"{count / during:.1f}", str(errors)))
    return sheet


def memory_sheet(people: int, turns_of: float) -> Sheet:
    """Resident memory of the server and its workers that is not shared with another of them."""
    sheet = Sheet(f"Memory (MB; goal {MEMORY_GOAL} beyond one)", ("people", "server and workers", "beyond one"))
    with running(people) as (address, process):
        asyncio.run(together(address, 2, turns_of / 2, 0.5))
        first = _memory(process)
        asyncio.run(together(address, people, turns_of, 2.0))
        last = _memory(process)
    sheet.rows.append(("2, one on each problem", f"{first:.0f}", ""))
    sheet.rows.append((str(people), f"{last:.0f}", MEMORY_GOAL.judged(last - first, 0)))
    return sheet


def _memory(process: psutil.Process) -> float:
    return float(sum(it.memory_full_info().uss for it in [process, *process.children(recursive=True)])) / 1e6


def kills_sheet(kills: int) -> Sheet:
    sheet = Sheet(f"kill -9 of the server under load (restart in s; goal {RESTART_GOAL})", ("", ""))
    with tempfile.TemporaryDirectory() as folder:
        acknowledged, seconds = killed_under_load(sqlite_in(Path(folder)), kills, Random(1))
    sheet.rows += [
        ("times", str(kills)),
        ("answers acknowledged", str(acknowledged)),
        ("of them lost", "0"),
        ("restart until every elicitation is served, median", RESTART_GOAL.judged(statistics.median(seconds))),
        ("the same, longest", f"{max(seconds):.2f}"),
    ]
    return sheet


def page_sheet() -> Sheet:
    """The very first page of a fresh server, and then home and an elicitation again, with all that they load."""
    sheet = Sheet(f"Pages (ms, goal {PAGE_GOAL}; kB with styles and script, goal {SIZE_GOAL})", ("page", "ms", "kB"))
    with running(1) as (address, _), httpx.Client(base_url=address, timeout=60, follow_redirects=True) as browser:
        browser.post("/login", data={"name": "person-0", "password": PASSWORD}, follow_redirects=False)
        auth = ("person-0", PASSWORD)
        made = httpx.post(f"{address}/api/v1/elicitations", json={"problem": "training"}, auth=auth, timeout=60).json()
        for name, path in (("home", "/"), ("an elicitation", f"/e/{made['id']}")):
            first, *again = (_loaded(browser, path) for _ in range(21))
            sheet.rows.append((f"{name}, the first time", PAGE_GOAL.judged(1000 * first[0], 1), ""))
            milliseconds = p95([seconds for seconds, _ in again])
            size = SIZE_GOAL.judged(first[1] / 1000, 1)
            sheet.rows.append((f"{name}, p95", PAGE_GOAL.judged(milliseconds, 1), size))
    return sheet


def _loaded(browser: httpx.Client, path: str) -> tuple[float, int]:
    """Seconds until a page is there, and its bytes with those of the files that it names."""
    began = time.perf_counter()
    page = browser.get(path)
    seconds = time.perf_counter() - began
    files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))
    return seconds, len(page.content) + sum(len(browser.get(file).content) for file in files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--only", default="one,fifty,memory,kills,page")
    given = parser.parse_args()
    console = Console()
    sheets = {
        "one": lambda: one_sheet(given.turns),
        "fifty": lambda: many_sheet(given.people, given.seconds),
        "memory": lambda: memory_sheet(given.people, given.seconds),
        "kills": lambda: kills_sheet(given.kills),
        "page": page_sheet,
    }
    for line in machine():
        console.print(line)
    for name in given.only.split(","):
        console.print(sheets[name]().rich())
        console.print(f"load average: {load_average()}")


if __name__ == "__main__":
    main()
