"""Replay: everything that is known follows from the events, and taking back is going back."""

import json
import os
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.core.elicitation.logs import ORACLES, refused, resumed
from tests.core.elicitation.reference import TINY
from tests.core.elicitation.sessions import ACTIONS, GRID, TRIP, attempt, next_queries, seen, session, start

from pcl_core import Code, Elicitation, Problem, RequestError, Settings, Strategies
from pcl_core.compile.pipeline import Scope
from pcl_core.elicitation import MemoryStore
from pcl_core.elicitation.events import Event, effective
from pcl_core.elicitation.journal import Journal
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Availability, Capability, Options, Reply, Request

SESSIONS = 60 if os.environ.get("PCL_CAMPAIGN") else 5
SETTINGS: list[dict[str, object]] = [
    {"seed": 1},
    {"seed": 2, "mode": "paper", "stop": "two-pass"},
    {"seed": 3, "select": "ucb1", "learner": "averaged", "order": "random"},
    {"seed": 4, "select": "in-order", "learner": "perceptron:step=sqrt,radius=3", "stop": "never"},
]


class Refuses:
    """A backend that compiles, but solves nothing."""

    name = "refuses"
    capabilities: frozenset[Capability] = frozenset()

    def availability(self) -> Availability:
        return Availability(True)

    def compile(self, scope: Scope) -> "Refuses":
        return self

    def solve(self, request: Request, options: Options) -> Reply:
        raise AssertionError("nothing is to be solved")


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("problem", [TRIP, GRID], ids=["trip", "grid"])
def test_resuming_after_any_event_gives_the_same_state(
    settings: dict[str, object], problem: Problem, tmp_path: Path
) -> None:
    for number in range(SESSIONS if problem is TRIP else 2):
        random = Random(number)
        log = tmp_path / f"{number}.jsonl"
        live = start(problem, log, ORACLES[problem.name], **settings)
        for turn in range(40):
            attempt(live, random, random.choice(ACTIONS))
            copy = tmp_path / f"{number}-{turn}.jsonl"
            copy.write_bytes(log.read_bytes())
            again = resumed(copy, problem)
            assert seen(again) == seen(live)
            if turn % 8 == 0:
                other = tmp_path / f"{number}-{turn}-live.jsonl"
                other.write_bytes(log.read_bytes())
                assert next_queries(again, 5) == next_queries(resumed(other, problem), 5)
            again.close()
        copy.write_bytes(log.read_bytes())
        assert next_queries(resumed(copy, problem), 5) == next_queries(live, 5)


def test_an_elicitation_without_a_log_behaves_the_same(log: Path) -> None:
    states = []
    for path in (log, None):
        elicitation = start(log=path, oracle=ORACLES["trip"], seed=9)
        session(elicitation, Random(9), 60)
        states.append(seen(elicitation))
    assert states[0] == states[1]


def test_resuming_solves_nothing(written: Path) -> None:
    expected = resumed(written)
    expected.close()
    again = Elicitation.resume(written, TRIP, oracle=Oracle(TRIP, Refuses()))
    assert seen(again) == seen(expected)


def test_an_open_query_is_open_again_without_solving(log: Path) -> None:
    live = start(log=log)
    query = live.ask()
    live.close()
    again = Elicitation.resume(log, TRIP, oracle=Oracle(TRIP, Refuses())).ask()
    assert query is not None
    assert again is not None
    assert (again.number, again.part, again.proposal, again.proven) == (query.number, query.part, query.proposal, True)


def test_every_event_is_a_line_of_json(written: Path) -> None:
    kinds = [json.loads(line)["event"] for line in written.read_text().splitlines()]
    assert kinds[0] == "started"
    assert {"asked", "answered", "pinned", "undone"} <= set(kinds)


@pytest.mark.parametrize("seed", range(6))
def test_taking_back_inverts_every_step(seed: int) -> None:
    random = Random(seed)
    live = start(oracle=ORACLES["trip"], seed=seed)
    live.ask()
    for _ in range(40):
        live.ask()
        before = seen(live)
        action = random.choice(("improve", "accept", "skip", "pin", "unpin"))
        count = len(live._journal.events)
        if attempt(live, random, action) and len(live._journal.events) > count:
            live.ask()
            live.undo()
            assert seen(live) == before
        attempt(live, random, action)


def test_taking_back_everything_leads_to_the_start() -> None:
    live = start(oracle=ORACLES["trip"], seed=3)
    first = seen(live)
    session(live, Random(3), 40)
    count = len(effective(live._journal.events))
    for _ in range(count):
        with suppress(RequestError):
            live.undo()
    assert refused(live.undo).code is Code.NOTHING_TO_UNDO
    started: list[Event] = [event for event in live._journal.events if event.event == "started"]
    live._journal = Journal(live._rules, started, live._rules.replay(started), MemoryStore())
    assert seen(live) == first


def test_there_is_nothing_to_take_back_at_first(log: Path) -> None:
    live = start(log=log)
    live.ask()
    before = log.read_bytes()
    assert refused(live.undo).code is Code.NOTHING_TO_UNDO
    assert log.read_bytes() == before


def test_a_stop_can_be_taken_back() -> None:
    live = start()
    live.stop()
    assert live.finished
    assert live.ask() is None
    live.undo()
    assert not live.finished
    assert live.ask() is not None


def test_after_stopping_there_are_no_more_queries_although_one_is_open() -> None:
    live = start()
    live.ask()
    live.stop()
    assert live.ask() is None


def test_strategies_given_as_objects_are_needed_again(log: Path) -> None:
    given = Strategies(select=lambda situation: 2)
    live = Elicitation(TRIP, backend="table", settings=Settings(), log=log, strategies=given)
    query = live.ask()
    assert query is not None
    live.tell(query.accept())
    live.close()
    again = Elicitation.resume(log, TRIP, backend="table", strategies=given).ask()
    assert again is not None
    assert again.part == query.part == "three"


def test_weights_survive_a_log_exactly(log: Path) -> None:
    weights = [0.1, 1 / 3, -1e-300, 1e300, 5e-324, -0.0, 2**0.5, 1e22, -7.0, 123456789.123456789, 0.3]
    live = Elicitation(TRIP, backend="table", settings=Settings(), log=log, weights=weights)
    live.close()
    assert resumed(log).weights.tolist() == weights


def test_labels_of_all_sorts_survive_a_log(log: Path) -> None:
    label = 'a "quoted", comma\\ ünï☃ '
    problem = TINY.replace(name=label[:10])
    assert problem.name.startswith("a ")
    started = start(problem, log)
    started.close()
    assert seen(Elicitation.resume(log, problem, backend="table")) == seen(started)
