"""The last look names two parts that may gain together, where somebody improves step by step. It costs no question."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.test_pairs import LIKES, ORACLE, SWITCHES
from tests.core.elicitation.test_people import asked, finish, live

from pcl_core import (
    Elicitation,
    Oracle,
    Query,
    RequestError,
    Settings,
    check_trace,
    load,
    optimum,
    parse_authored,
    person,
    verify,
)
from pcl_core.elicitation import Simulation
from pcl_core.users import Informative, sample_weights


def looking(log: Path | None = None, *, final: bool = False, learner: str = "belief") -> Elicitation:
    """Both switches were confirmed as they are, and the third part was changed since."""
    settings = live(SWITCHES, learner=learner).settings
    likes = LIKES if learner == "belief" else None
    week = Elicitation(SWITCHES, backend="table", settings=settings, weights=likes, log=log, clock=lambda: 0.0)
    week.confirm(["first", "second"])
    query = asked(week, "third")
    if final:
        week.tell(query.improve({"c": not query.proposal["c"]}, final=True))
    else:
        week.tell(query.improve({"c": not query.proposal["c"]}))
        week.tell(asked(week, "third").accept())
    return week


def last_look(week: Elicitation) -> Query:
    query = asked(week)
    assert set(query.parts) == {"first", "second"}
    assert not query.pair
    return query


def test_two_parts_that_may_gain_together_are_named_and_nothing_moves_without_her() -> None:
    week = looking()
    query = last_look(week)
    assert query.together == ("first", "second")
    assert query.proposal == {"a": False, "b": False}
    assert query.suggestion == {"a": True, "b": True}
    assert query.data()["together"] == ["first", "second"]
    week.tell(query.accept())
    assert week.finished
    certificate = week.certificate
    assert certificate is not None
    assert certificate.pairs == (), "who calls all of it right has not said that nothing is better in both together"
    assert certificate.configuration["a"] is certificate.configuration["b"] is False


def test_what_she_changes_in_both_is_hers_and_looked_at_again() -> None:
    week = looking()
    week.tell(last_look(week).improve({"a": True, "b": True}, final=True))
    assert set(week.confirmed) >= {"first", "second"}
    finish(week)
    assert week.certificate is not None
    assert week.certificate.configuration["a"] is week.certificate.configuration["b"] is True
    assert verify(week.certificate, ORACLE, LIKES * [1.0, 1.0, -1.0 if not week.configuration["c"] else 1.0]).holds


def test_a_suggestion_in_the_last_look_can_be_taken_and_undone() -> None:
    week = looking()
    week.tell(last_look(week).take())
    assert (week.configuration["a"], week.configuration["b"]) == (True, True)
    assert week.certificate is None
    week.undo()
    assert last_look(week).together == ("first", "second")


@pytest.mark.parametrize(("final", "learner"), [(True, "belief"), (False, "nothing")])
def test_nothing_is_named_to_who_says_at_once_what_she_wants_nor_by_a_form(final: bool, learner: str) -> None:
    query = last_look(looking(final=final, learner=learner))
    assert query.together == ()
    assert not query.suggestion


def test_it_is_in_the_log_and_replayed_without_solving(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = looking(log)
    shown = last_look(week)
    week.close()

    class NoSolver(Oracle):
        def solve(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
            raise AssertionError("replay solved")

    resumed = Elicitation.resume(log, SWITCHES, oracle=NoSolver(SWITCHES, ORACLE.backend))
    assert last_look(resumed).together == shown.together
    resumed.close()
    lines = log.read_text().splitlines()
    said = json.loads(lines[-1])
    for strange in (["first", "third"], ["first", "nowhere"]):
        log.write_text("\n".join([*lines[:-1], json.dumps({**said, "together": strange})]) + "\n")
        with pytest.raises(RequestError):
            Elicitation.resume(log, SWITCHES, backend="table")


def test_linear_people_end_better_and_what_they_are_certified_is_true() -> None:
    problem = load("grid")
    oracle = Oracle.of(problem, "auto")
    left, joint = [], 0
    for seed in range(6):
        weights = sample_weights(problem, "normal", np.random.default_rng((7, seed)))
        week = Elicitation(problem, oracle=oracle, settings=Settings.of("people", seed=seed))
        best = optimum(oracle, weights)
        trace = Simulation(week, person(oracle, weights, Informative(alpha=0.3), (seed,)), best).run(60)
        assert trace.certificate is not None
        assert verify(trace.certificate, oracle, weights).holds
        assert not check_trace(oracle, trace, alpha=0.3, informative=True, truthful=True, perceptron=False).failures
        joint += sum(step.together for step in trace.steps)
        left.append(best.utility - float(weights @ oracle.features.values(trace.configuration)))
    assert joint, "somebody changed two parts in her last look"
    assert sum(value < 1e-9 for value in left) >= len(left) // 2


SWAP = parse_authored("""
pcl: 1
name: swap
variables: {a: {domain: 0..1}, b: {domain: 0..1}, beside: {domain: 0..1}, c: {domain: 0..1}}
constraints: [{name: one of each, require: a != b}]
features: [{name: a, value: a}, {name: b, value: b}, {name: beside, value: beside}, {name: c, value: c}]
parts: [{name: first, variables: [a]}, {name: third, variables: [c]}, {name: second, variables: [b, beside]}]
initial: [{set: a, to: 0}, {set: b, to: 1}, {set: beside, to: 0}, {set: c, to: 0}]
""")


def swapping() -> Elicitation:
    """She wants a = 1 and b = 0, and neither can be had alone; the last look is without the part that she said last."""
    week = live(SWAP, learner="nothing")
    week.tell(asked(week, "first").accept())
    week.tell(asked(week, "third").accept())
    week.tell(asked(week, "second").improve({"beside": 1}, final=True))
    assert asked(week).parts == ("first", "third")
    return week


def test_who_has_no_opinion_on_the_last_look_sees_everything_and_can_change_several_parts() -> None:
    week = swapping()
    week.tell(asked(week).skip())
    assert not week.finished
    everything = asked(week)
    assert everything.parts == ("first", "third", "second")
    week.tell(everything.improve({"a": 1, "b": 0}, final=True))
    assert finish(week) == [("first", "third", "second")]
    assert week.certificate is not None
    assert week.certificate.configuration == {"a": 1, "b": 0, "beside": 1, "c": 0}


def test_all_of_it_can_be_right_after_a_look_without_opinion() -> None:
    week = swapping()
    week.tell(asked(week).skip())
    week.tell(asked(week).accept())
    assert week.certificate is not None
    assert set(week.certificate.how.values()) == {"look"}


def test_no_opinion_on_everything_ends_without_a_certificate_and_undo_opens_it_again() -> None:
    week = swapping()
    week.tell(asked(week).skip())
    week.tell(asked(week).skip())
    assert week.finished
    assert week.certificate is None
    week.undo()
    assert asked(week).parts == ("first", "third", "second")
    week.undo()
    assert asked(week).parts == ("first", "third")


def test_where_one_part_is_left_who_says_at_once_what_she_wants_sees_everything() -> None:
    week = live(SWAP, learner="nothing")
    week.tell(asked(week, "first").accept())
    week.tell(asked(week, "second").improve({"beside": 1}, final=True))
    week.tell(asked(week, "third").accept())
    everything = asked(week)
    assert everything.parts == ("first", "third", "second")
    week.tell(everything.improve({"a": 1, "b": 0}, final=True))
    assert week.configuration == {"a": 1, "b": 0, "beside": 1, "c": 0}


def test_who_says_better_go_on_sees_the_one_part_that_is_left() -> None:
    week = live(SWAP, learner="nothing")
    week.tell(asked(week, "second").improve({"beside": 1}))
    for part in ("first", "second", "third"):
        week.tell(asked(week, part).accept())
    assert week.finished
    week.undo()
    assert asked(week).parts == ("third",)


def test_what_she_changed_herself_is_not_said_to_have_changed_beside_it() -> None:
    week = live(SWAP)
    week.tell(asked(week, "third").accept())
    week.tell(asked(week, "third").improve({"c": 1}))
    assert "something beside it has changed" not in asked(week, "third").why_text
