"""Beyond one part: two parts at once, asked about on request after a certificate."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.test_people import PAIR, asked, finish, live

from pcl_core import (
    Certificate,
    Elicitation,
    RequestError,
    assess,
    check_trace,
    load,
    optimum,
    parse_authored,
    person,
    verify,
)
from pcl_core.elicitation import Simulation
from pcl_core.elicitation.joint import JointLists
from pcl_core.elicitation.pairs import best_joint
from pcl_core.elicitation.people import PeopleRules
from pcl_core.model.configuration import Configuration
from pcl_core.solve.oracle import Oracle
from pcl_core.users import Informative, sample_weights
from pcl_core.users.people import Liking, Shown
from pcl_core.users.simulated import BestResponse

SWITCHES = parse_authored("""
pcl: 1
name: switches
shared_only: allow
variables: {a: {domain: bool}, b: {domain: bool}, c: {domain: bool}}
features:
  - {name: lone, value: "a != b"}
  - {name: light, value: "a and b"}
  - {name: warmth, value: c}
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}, {name: third, variables: [c]}]
initial: [{set: a, to: false}, {set: b, to: false}, {set: c, to: false}]
""")
"""Two switches that are tied: one alone is worse than none, and both are better."""
ORACLE = Oracle.of(SWITCHES, "table")
LIKES = np.array([-1.0, 2.0, 0.5])


def certified(log: Path | None = None) -> Elicitation:
    """All was accepted as it is, although a joint change is better; that both are is believed from the start."""
    week = Elicitation(
        SWITCHES,
        backend="table",
        settings=live(SWITCHES, learner="belief").settings,
        weights=[-1.0, 2.0, -0.5],
        log=log,
        clock=lambda: 0.0,
    )
    finish(week)
    assert week.certificate is not None
    return week


def test_a_joint_change_that_no_single_part_reaches_is_suggested_and_never_made_without_her() -> None:
    week = certified()
    assert week.ask() is None
    week.look_further()
    assert not week.finished
    query = asked(week)
    assert query.parts == ("first", "second")
    assert query.label == "first and second together"
    assert query.proposal == {"a": False, "b": False}
    assert query.suggestion == {"a": True, "b": True}
    assert query.why_suggested
    week.tell(query.take())
    assert week.configuration == {"a": True, "b": True, "c": False}
    assert week.certificate is None
    assert week.standing["first"] == week.standing["second"] == "open"
    finish(week)
    assert week.finished
    assert week.certificate is not None


def test_keeping_what_stands_confirms_the_pair_and_teaches_that_the_suggestion_is_no_better() -> None:
    week = certified()
    week.look_further()
    before = week.weights
    week.tell(asked(week).accept())
    certificate = week.certificate
    assert certificate is not None
    assert [(it.first, it.second) for it in certificate.pairs] == [("first", "second")]
    assert (week.weights - before)[:2] @ np.array([0.0, 1.0]) < 0.0
    assert week.ask() is None
    assert week.finished
    assert Certificate.from_data(certificate.data()) == certificate


def test_a_final_answer_about_two_parts_confirms_both_and_the_pair() -> None:
    week = certified()
    week.look_further(most=1)
    week.tell(asked(week).improve({"a": True, "b": True}, final=True))
    assert set(week.confirmed) == {"first", "second"}
    assert finish(week) == [("first", "second", "third")]
    assert week.certificate is not None
    assert [it[:2] for it in week.certificate.pairs] == [("first", "second")]


def test_pairs_of_a_certificate_are_verified_as_enumeration_says() -> None:
    week = certified()
    week.look_further()
    week.tell(asked(week).accept())
    certificate = week.certificate
    assert certificate is not None
    for signs in product((-1.0, 1.0), (-2.0, 0.5, 2.0), (-1.0,)):
        weights = np.array(signs)
        found, features = verify(certificate, ORACLE, weights), ORACLE.features
        here = weights @ features.values(certificate.configuration)
        best = max(
            weights @ features.values({**certificate.configuration, "a": a, "b": b})
            for a, b in product((False, True), repeat=2)
        )
        assert (("first", "second") in found.pairs) == (best > here)
        assert found.holds == (best <= here)


def test_somebody_with_a_linear_utility_improves_two_parts_together() -> None:
    person = Liking(ORACLE, LIKES, BestResponse())
    x: Configuration = {"a": False, "b": False, "c": True}
    assert person.satisfied(x)
    reply = person.reply(Shown(0, x, beside=1))
    assert (reply.kind, reply.values, reply.final) == ("improved", {"a": True, "b": True}, True)
    assert person.reply(Shown(0, {**x, "a": True, "b": True}, beside=1)).kind == "accepted"


def test_looking_further_ends_after_so_many_questions_and_a_pair_without_opinion_is_not_asked_again() -> None:
    week = certified()
    week.look_further(most=5)
    week.tell(asked(week).skip())
    assert week.ask() is None
    assert week.finished
    assert week.certificate is not None
    assert week.certificate.pairs == ()


def test_it_is_not_offered_before_a_certificate_nor_in_other_modes() -> None:
    week = live(SWITCHES)
    with pytest.raises(RequestError, match="no certificate to look further than yet"):
        week.look_further()
    with pytest.raises(RequestError, match="0 is no number of questions"):
        certified().look_further(most=0)
    keeping = live(SWITCHES, mode="keep")
    finish(keeping)
    with pytest.raises(RequestError, match="only where what a person says stays"):
        keeping.look_further()


def test_parts_that_share_nothing_are_not_asked_about_together() -> None:
    week = Elicitation(PAIR, backend="table", settings=live(PAIR).settings, weights=[1.0, 1.0])
    week.confirm()
    week.look_further()
    assert week.ask() is None
    assert week.finished


def test_everything_is_taken_back_step_by_step() -> None:
    week = certified()
    week.look_further()
    shown = asked(week).suggestion
    week.tell(asked(week).accept())
    assert week.ask() is None
    week.undo()
    assert week.certificate is not None
    assert week.certificate.pairs == ()
    assert asked(week).suggestion == shown
    week.undo()
    assert week.finished
    assert week.ask() is None


def test_a_pair_is_not_certified_any_more_once_something_changes() -> None:
    week = certified()
    week.look_further(most=1)
    week.tell(asked(week).accept())
    week.tell(asked(week, "third").improve({"c": True}, final=True))
    finish(week)
    assert week.certificate is not None
    assert week.certificate.pairs == ()


def test_a_log_with_pairs_is_resumed_without_solving(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = certified(log)
    week.look_further()
    week.tell(asked(week).improve({"a": True, "b": True}))
    finish(week)
    first = week.certificate
    assert first is not None
    week.close()

    class NoSolver(Oracle):
        def solve(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
            raise AssertionError("replay solved")

    resumed = Elicitation.resume(log, SWITCHES, oracle=NoSolver(SWITCHES, ORACLE.backend))
    assert resumed.certificate == first
    assert resumed.finished
    assert np.array_equal(resumed.weights, week.weights)


def test_where_the_best_guess_knows_nothing_better_she_is_asked_if_samples_of_the_belief_do() -> None:
    week = live(SWITCHES, learner="belief")
    finish(week)
    week.look_further()
    query = asked(week)
    assert query.parts == ("first", "second")
    assert query.suggestion == {}
    week.tell(query.improve({"a": True, "b": True}, final=True))
    finish(week)
    assert week.certificate is not None
    assert week.configuration == {"a": True, "b": True, "c": False}


def test_a_learner_without_doubts_and_without_a_guess_has_nothing_to_ask() -> None:
    week = live(SWITCHES)
    finish(week)
    week.look_further()
    assert week.ask() is None
    assert week.finished


def test_what_lists_say_of_two_parts_is_what_solvers_say() -> None:
    problem = load("grid:side=4,part=2")
    oracle = Oracle.of(problem)
    week = live(problem, learner="belief")
    rules, state = week._journal.rules, week._journal.state
    assert isinstance(rules, PeopleRules)
    lists = JointLists(rules, state)
    features = oracle.features
    for seed in range(12):
        weights = sample_weights(problem, "normal", np.random.default_rng(seed))
        found = lists.gains((0, 1), weights[None])
        assert found is not None

        def best(*parts: int, weights: np.ndarray = weights) -> float:
            own = tuple(name for part in parts for name in problem.parts[part].variables)
            solved = oracle.solve(weights, variables=own, given=state.configuration).configuration
            assert solved is not None
            return float(weights @ features.values(solved))

        assert found.gains[0] == pytest.approx(max(0.0, best(0, 1) - max(best(0), best(1))), abs=1e-6)
        if found.gains[0] > 0.0:
            whole = {**state.configuration, **lists.changes((0, 1), found.rows[0])}
            assert weights @ features.values(whole) == pytest.approx(best(0, 1))
    assert lists.of(state) is lists


@pytest.mark.parametrize("relation", ["<=", "=="])
def test_a_trade_under_a_budget_that_two_parts_share_is_found_although_neither_may_be_made_alone(relation: str) -> None:
    problem = parse_authored(f"""
pcl: 1
name: trade
variables: {{a: {{domain: 0..3}}, b: {{domain: 0..3}}}}
constraints: [{{name: budget, require: "a + b {relation} 3"}}]
features: [{{name: fa, value: a}}, {{name: fb, value: b}}]
parts: [{{name: A, variables: [a]}}, {{name: B, variables: [b]}}]
initial: [{{set: a, to: 3}}, {{set: b, to: 0}}]
""")
    week = Elicitation(problem, weights=[1.0, 2.0])
    week.confirm()
    proposer, state = week._proposer, week._state
    by_solver = best_joint(proposer, state, (0, 1), np.array([1.0, 2.0]))
    assert by_solver is not None
    assert (by_solver.changes, by_solver.gain) == ({"a": 0, "b": 3}, 3.0)
    assert isinstance(week._rules, PeopleRules)
    listed = JointLists(week._rules, state).gains((0, 1), np.array([[1.0, 2.0]]))
    assert listed is not None
    assert listed.gains.tolist() == [3.0 if relation == "<=" else 0.0], "neither may change alone, so nothing is listed"
    week.look_further()
    query = asked(week)
    assert query.parts == ("A", "B")
    assert query.suggestion == {"a": 0, "b": 3}


def test_what_is_found_under_shared_budgets_is_what_enumeration_finds_and_lists_say_no_more() -> None:
    problem = parse_authored("""
pcl: 1
name: budgets
variables: {a: {domain: 0..4}, b: {domain: 0..4}, c: {domain: 0..4}}
constraints: [{name: money, require: 2*a + b + c <= 8}, {name: enough, require: a + 2*b >= 5}]
features: [{name: fa, value: a}, {name: fb, value: b}, {name: fc, value: c}]
parts: [{name: A, variables: [a]}, {name: B, variables: [b]}, {name: C, variables: [c]}]
initial: [{set: a, to: 3}, {set: b, to: 1}, {set: c, to: 1}]
""")
    week = Elicitation(problem)
    week.confirm()
    state, features, random = week._state, week.oracle.features, np.random.default_rng(5)
    here, found, missed = dict(state.configuration), 0, 0
    everything: list[Configuration] = [dict(zip("abc", it, strict=True)) for it in product(range(5), repeat=3)]
    allowed = [x for x in everything if assess(problem, x).feasible]
    assert isinstance(week._rules, PeopleRules)
    lists = JointLists(week._rules, state)
    for weights in random.integers(-3, 4, (40, 3)).astype(np.float64):
        for first, second in ((0, 1), (0, 2), (1, 2)):
            gains = {(0,): 0.0, (1,): 0.0, (2,): 0.0, (first, second): 0.0}
            for x in allowed:
                moved = tuple(at for at, name in enumerate("abc") if x[name] != here[name])
                if moved in gains:
                    gain = float(weights @ (features.values(x) - features.values(here)))
                    gains[moved] = max(gains[moved], gain)
            beyond = gains[first, second] - max(gains[first,], gains[second,])
            listed = lists.gains((first, second), weights[None])
            joint = best_joint(week._proposer, state, (first, second), weights)
            assert joint is not None or beyond <= 0.0
            assert listed is not None
            assert listed.gains[0] <= max(beyond, 0.0)
            missed += listed.gains[0] < beyond
            found += joint is not None
            if joint is not None:
                better = {**here, **joint.changes}
                assert assess(problem, better).feasible
                gained = float(weights @ (features.values(better) - features.values(here)))
                assert gained == pytest.approx(gains[first, second])
    assert found > 10
    assert missed < found


@pytest.mark.parametrize("user", range(1, 6))
def test_somebody_who_looks_further_ends_no_worse_with_a_certificate_that_holds(user: int) -> None:
    problem = load("grid")
    oracle = Oracle.of(problem)
    weights = sample_weights(problem, "normal", np.random.default_rng((3, user)))
    somebody = person(oracle, weights, Informative(alpha=0.3), (3, user))

    def regrets(look_further: int) -> list[float]:
        week = Elicitation(problem, oracle=oracle)
        trace = Simulation(week, somebody, optimum(oracle, weights)).run(100, look_further=look_further)
        assert trace.certificate is not None
        assert verify(trace.certificate, oracle, weights).holds
        assert check_trace(oracle, trace, alpha=0.3, perceptron=False).holds
        certified = next(at for at, step in enumerate(trace.steps, 1) if step.certified)
        assert any(step.together for step in trace.steps[certified:]) == bool(look_further)
        return [step.regret for step in trace.steps]

    short, long = regrets(0), regrets(8)
    assert long[: len(short)] == short
    assert long[-1] <= short[-1]
    assert long == regrets(8)
