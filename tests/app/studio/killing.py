"""A server that is killed under load, and whether it lost anything that it had acknowledged."""

import threading
import time
from functools import partial
from random import Random

import httpx
from tests.app.commands import until
from tests.app.studio.servers import TOKEN, caller, served

PEOPLE = 3


class Talker(threading.Thread):
    """Somebody who answers and answers, and remembers what was acknowledged."""

    def __init__(self, address: str, elicitation: str) -> None:
        super().__init__()
        self.elicitation = elicitation
        self.acknowledged: list[int] = []
        self._address = address

    def run(self) -> None:
        it = f"/elicitations/{self.elicitation}"
        with caller(self._address, TOKEN) as api:
            try:
                while (asked := api.get(f"{it}/query")).status_code == 200:
                    number = asked.json()["number"]
                    if api.post(f"{it}/answers", json={"query": number, "kind": "accepted"}).status_code == 200:
                        self.acknowledged.append(number)
            except httpx.HTTPError:
                return  # the server is gone


def _somebody_was_heard(talkers: list[Talker]) -> bool:
    return any(talker.acknowledged for talker in talkers)


def killed_under_load(database: str, kills: int, random: Random, problem: str = "training") -> tuple[int, list[float]]:
    """How many answers were acknowledged in all, and how long each restart took until every elicitation was served.

    Raises an AssertionError if one of them was lost.
    """
    talkers: list[Talker] = []
    total, seconds = 0, []
    for kill in range(kills + 1):
        began = time.monotonic()
        with served(database, "--workers", "2") as (process, address):
            with caller(address, TOKEN) as api:
                for talker in talkers:
                    told = [it["query"] for it in api.get(f"/elicitations/{talker.elicitation}").json()["history"]]
                    lost = set(talker.acknowledged) - set(told)
                    assert not lost, f"acknowledged and lost: {sorted(lost)}"
                    assert len(told) == len(set(told)), "nothing counts twice"
                    assert len(told) <= len(talker.acknowledged) + 1
                    total += len(talker.acknowledged)
                seconds.append(time.monotonic() - began)
                if kill == kills:
                    return total, seconds[1:]
                made = [
                    api.post("/elicitations", json={"problem": problem, "settings": {"stop": "never"}}).json()
                    for _ in range(PEOPLE)
                ]
            talkers = [Talker(address, it["id"]) for it in made]
            for talker in talkers:
                talker.start()
            if kill == 0:  # however slow it is here, something is there to be lost
                until(partial(_somebody_was_heard, talkers))
            time.sleep(random.uniform(0.05, 0.6))
            process.kill()
            for talker in talkers:
                talker.join()
    raise AssertionError("the last round returns")
