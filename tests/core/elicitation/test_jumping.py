"""Jumps: before a query, what nobody has spoken for moves to the best whole that is believed."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.test_pairs import ORACLE, SWITCHES
from tests.core.elicitation.test_people import asked, live

from pcl_core import Elicitation, Oracle, Query, RequestError, Settings, Trace, load, optimum, person, verify
from pcl_core.elicitation import Simulation, read_events
from pcl_core.elicitation.events import Asked
from pcl_core.elicitation.jumping import FEWER_TURNS, MOST_TURNS, jump
from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.simulate import _Heard
from pcl_core.elicitation.state import State
from pcl_core.model.configuration import Configuration
from pcl_core.users import Informative, sample_weights

BOTH = [-1.0, 2.0, -0.5]
"""One switch alone is worse than none, and both are better."""


def switches(log: Path | None = None) -> Elicitation:
    settings = live(SWITCHES, learner="belief").settings
    return Elicitation(SWITCHES, backend="table", settings=settings, weights=BOTH, log=log, clock=lambda: 0.0)


def test_what_no_single_part_reaches_is_reached_before_a_query_once_an_answer_was_not_final() -> None:
    week = switches()
    week.tell(asked(week, "third").improve({"c": True}))
    query = asked(week)
    assert (week.configuration["a"], week.configuration["b"]) == (True, True)
    assert {change.variable for change in query.changes} == {"a"}, "the other part is not in question"


def test_nobody_who_says_that_answers_are_final_is_surprised_elsewhere() -> None:
    week = switches()
    week.tell(asked(week, "third").improve({"c": True}, final=True))
    asked(week)
    assert (week.configuration["a"], week.configuration["b"]) == (False, False)


def test_values_that_somebody_has_spoken_for_never_jump() -> None:
    week = switches()
    week.confirm(["second"])
    week.tell(asked(week, "third").improve({"c": True}))
    asked(week)
    assert (week.configuration["a"], week.configuration["b"]) == (False, False)
    pinned = switches()
    asked(pinned, "second")
    pinned.pin("b", False)
    pinned.tell(asked(pinned).skip())
    pinned.tell(asked(pinned, "third").improve({"c": True}))
    asked(pinned)
    assert (pinned.configuration["a"], pinned.configuration["b"]) == (False, False)


def test_undo_takes_a_jump_back() -> None:
    week = switches()
    week.tell(asked(week, "third").improve({"c": True}))
    asked(week)
    week.undo()
    assert week.configuration == {"a": False, "b": False, "c": False}
    assert asked(week).part == "third"


def test_a_log_with_a_jump_is_resumed_without_solving_and_one_against_her_word_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = switches(log)
    week.tell(asked(week, "third").improve({"c": True}))
    query = asked(week)
    week.close()
    events = [event for event in read_events(log) if isinstance(event, Asked)]
    assert [event.moved for event in events] == [{}, {"b": True}]

    class NoSolver(Oracle):
        def solve(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
            raise AssertionError("replay solved")

    resumed = Elicitation.resume(log, SWITCHES, oracle=NoSolver(SWITCHES, ORACLE.backend))
    assert resumed.configuration == week.configuration
    again = resumed.ask()
    assert again is not None
    assert again.proposal == query.proposal
    resumed.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    confirmed = {"at": 0.0, "event": "confirmed", "query": 2, "parts": ["second"], "cuts": {}}
    lines[3:] = [confirmed, lines[3] | {"query": 3}]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(RequestError, match="'b' is the person's own and cannot move"):
        Elicitation.resume(log, SWITCHES, backend="table")


class PartByPart(Simulation):
    """Somebody who looks at one part after the other, whatever the last look names: she is asked nothing more for it."""

    def _heard(self, query: Query) -> _Heard:
        return super()._heard(replace(query, together=()))


@pytest.mark.parametrize("user", range(4))
def test_linear_people_get_right_certificates_no_later_than_by_a_form_and_the_same_again(user: int) -> None:
    problem = load("grid")
    oracle = Oracle.of(problem)
    weights = sample_weights(problem, "normal", np.random.default_rng((7, user)))
    somebody = person(oracle, weights, Informative(alpha=0.3), (7, user))

    def trace(recipe: str) -> Trace:
        elicitation = Elicitation(problem, oracle=oracle, settings=Settings.of(recipe, seed=user))
        return PartByPart(elicitation, somebody, optimum(oracle, weights)).run(60)

    found, again = trace("people"), trace("people")
    assert found.certificate is not None
    assert verify(found.certificate, oracle, weights).holds
    assert found.configuration == again.configuration
    assert [(step.part, step.regret) for step in found.steps] == [(step.part, step.regret) for step in again.steps]
    assert len(found.steps) <= len(trace("form").steps)


def test_what_a_person_waits_for_is_bounded_however_many_parts_there_are() -> None:
    grid = load("grid", {"side": 24, "part": 2})
    start = np.random.default_rng(0).normal(size=len(grid.features)).round(3).tolist()
    week = Elicitation(grid, settings=live(grid, learner="belief").settings, weights=start)
    query = asked(week)
    name = next(iter(query.proposal))
    week.tell(query.improve({name: not query.proposal[name]}))
    turns = 0

    def never_content(state: State, part: int) -> Configuration:
        nonlocal turns
        turns += 1
        name = grid.parts[part].variables[0]
        return {name: not state.configuration[name]}

    assert isinstance(week._rules, PeopleRules)
    jump(week._rules, week._journal.state, never_content)
    assert len(grid.parts) == 144
    assert turns == FEWER_TURNS < MOST_TURNS
    assert week._rules.listing.prepared < len(grid.parts)
