"""Certificates: what they say, and whether it is true."""

import os
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.core.analysis.runs import small_run
from tests.core.elicitation.reference import TINY, Space, spaces
from tests.core.learn.test_plugins import OnEverything

from pcl_core import (
    Certificate,
    Code,
    Elicitation,
    Oracle,
    Problem,
    RequestError,
    Settings,
    Strategies,
    parse_authored,
    verify,
)
from pcl_core.analysis.certificate import Passed, Together
from pcl_core.learn import LearnerKind
from pcl_core.learn.stopping import Progress
from pcl_core.model.own_rules import OwnRule
from pcl_core.users.utility import PartView

PROBLEMS = 300 if os.environ.get("PCL_CAMPAIGN") else 20
ORACLE = Oracle.of(TINY, "table")


def certified(space: Space, seed: int, **settings: object) -> tuple[Certificate, list[Fraction]] | None:
    trace, weights = small_run(space, seed, queries=80, **settings)
    return None if trace.certificate is None else (trace.certificate, weights)


@pytest.mark.parametrize("tied", [False, True], ids=["free parts", "constraints across parts"])
@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_every_certificate_by_lemma_1_is_a_local_optimum(tied: bool, mode: str) -> None:
    found = 0
    for seed, space in enumerate(spaces(PROBLEMS, tied=tied)):
        for user in ("informative:alpha=0.2", "best"):
            made = certified(space, seed, mode=mode, user=user)
            if made is not None:
                certificate, weights = made
                assert certificate.by_lemma
                assert space.is_local_optimum(weights, certificate.configuration)
                found += 1
    assert found > PROBLEMS, "most runs end with a certificate"


@pytest.mark.parametrize("select", ["in-order", "random"])
def test_every_certificate_by_proposition_3_is_a_local_optimum_where_parts_are_free(select: str) -> None:
    found = 0
    for seed, space in enumerate(spaces(PROBLEMS, tied=False)):
        made = certified(space, seed, stop="two-pass", mode="paper", select=select)
        if made is not None:
            certificate, weights = made
            assert space.is_local_optimum(weights, certificate.configuration)
            found += 1
    assert found > PROBLEMS // 2


def test_in_order_two_passes_hold_by_lemma_1_too_where_parts_are_free() -> None:
    for seed, space in enumerate(spaces(PROBLEMS, tied=False)):
        made = certified(space, seed, stop="two-pass", mode="paper", select="in-order")
        assert made is None or made[0].by_lemma


def stairs(features: str, constraints: str) -> Problem:
    """Climbing: b may be one step ahead of a, and a may catch up."""
    return parse_authored(f"""
pcl: 1
name: stairs
variables: {{a: {{domain: 0..3}}, b: {{domain: 0..3}}}}
constraints: [{constraints}]
features: [{{name: fa, value: a}}, {{name: fb, value: b}}{features}]
parts: [{{name: A, variables: [a]}}, {{name: B, variables: [b]}}]
""")


HARD = stairs("", "{name: one step, require: a <= b and b <= a + 1}")
SOFT = stairs(", {name: one step, value: a <= b and b <= a + 1}", "")


def climbed(problem: Problem, weights: list[float], learner: LearnerKind | None = None) -> Certificate:
    """Somebody whose wishes are known from the start: every proposal is the best in its context, twice in order."""
    live = Elicitation(
        problem,
        backend="table",
        settings=Settings(stop="two-pass", mode="paper", order="declared", select="in-order"),
        strategies=Strategies(learner=learner),
        start={"a": 0, "b": 0},
        weights=weights,
    )
    oracle = live.oracle
    while (query := live.ask()) is not None:
        assert PartView(oracle, np.array(weights), query.part_position, query.configuration, {}).is_best
        live.tell(query.accept())
    assert live.certificate is not None
    return live.certificate


def test_two_passes_can_certify_what_is_no_local_optimum_where_constraints_tie_parts() -> None:
    found = climbed(HARD, [1.0, 1.0])
    assert found.passes == (("A", 1), ("B", 2), ("A", 3), ("B", 4))
    assert found.configuration == {"a": 1, "b": 2}
    assert not found.by_lemma
    assert verify(found, Oracle.of(HARD, "table"), np.array([1.0, 1.0])).improvable == {"A": 1.0}


def test_two_passes_of_a_learner_that_infers_on_all_features_prove_only_what_lemma_1_does() -> None:
    """Its proposals depend on later parts too, so that Proposition 3 does not apply, even without constraints."""
    weights = [1.0, 1.0, 100.0]
    found = climbed(SOFT, weights, OnEverything())
    assert not found.by_lemma
    assert not verify(found, Oracle.of(SOFT, "table"), np.array(weights)).holds


def test_lemma_1_goes_on_until_nothing_is_left() -> None:
    live = Elicitation(
        HARD, backend="table", settings=Settings(select="in-order"), start={"a": 0, "b": 0}, weights=[1.0, 1.0]
    )
    assert finished(live).configuration == {"a": 3, "b": 3}


def test_whether_two_passes_hold_where_constraints_tie_parts_is_said_by_the_certificate() -> None:
    """Where Lemma 1 holds as well, it is always a local optimum."""
    right = 0
    for seed, space in enumerate(spaces(PROBLEMS, tied=True)):
        made = certified(space, seed, stop="two-pass", mode="paper", select="random")
        if made is None:
            continue
        certificate, weights = made
        holds = space.is_local_optimum(weights, certificate.configuration)
        assert holds or not certificate.by_lemma
        right += holds
    assert right > PROBLEMS // 3


def finished(live: Elicitation) -> Certificate:
    while (query := live.ask()) is not None:
        live.tell(query.accept())
    assert live.certificate is not None
    return live.certificate


def test_a_certificate_says_what_was_confirmed_when() -> None:
    live = Elicitation(TINY, oracle=ORACLE, settings=Settings(select="in-order", order="declared"))
    query = live.ask()
    assert query is not None
    live.tell(query.improve({"a": True}))
    found = finished(live)
    assert found.confirmed == {"A": 3, "B": 2}
    assert (found.unchanged_since, found.rule, found.pins, found.parts) == (1, "certificate", {}, ("A", "B"))
    assert (found.problem_hash, found.configuration) == (TINY.content_hash, live.configuration)


def test_a_certificate_of_two_passes_lists_them() -> None:
    live = Elicitation(TINY, oracle=ORACLE, settings=Settings(select="in-order", order="declared", stop="two-pass"))
    assert finished(live).passes == (("A", 1), ("B", 2), ("A", 3), ("B", 4))


def test_there_is_no_certificate_before_the_rule_says_so() -> None:
    live = Elicitation(TINY, oracle=ORACLE, settings=Settings(order="declared"))
    assert live.certificate is None
    query = live.ask("A")
    assert query is not None
    live.tell(query.accept())
    assert live.certificate is None


def test_stopping_is_no_certificate() -> None:
    live = Elicitation(TINY, oracle=ORACLE)
    live.stop()
    assert live.finished
    assert live.certificate is None


def test_a_skipped_query_confirms_nothing() -> None:
    live = Elicitation(TINY, oracle=ORACLE, settings=Settings(select="in-order"))
    for _ in range(6):
        query = live.ask()
        assert query is not None
        assert live.tell(query.skip()) is None
    assert live.confirmed == {}


def test_a_wrong_certificate_is_found_out() -> None:
    honest = finished(Elicitation(TINY, oracle=ORACLE))
    assert verify(honest, ORACLE, np.array([-1.0, 1.0, 0.0])).holds
    found = verify(honest, ORACLE, np.array([2.0, 0.0, -0.5]))
    assert not found.holds
    assert found.improvable == {"A": 1.5}


BUDGET = parse_authored("""
pcl: 1
name: budget
variables: {a: {domain: 0..3}, b: {domain: 0..3}}
constraints: [{name: budget, require: a + b <= 3}]
features: [{name: fa, value: a}, {name: fb, value: b}]
parts: [{name: A, variables: [a]}, {name: B, variables: [b]}]
initial: [{set: a, to: 3}, {set: b, to: 0}]
""")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"configuration": {"a": 3, "b": 3}}, "violates the constraint 'budget'"),
        ({"configuration": {"a": 3}}, "no value: b"),
        ({"configuration": {"a": 3, "b": 77}}, "'b' cannot be 77"),
        ({"configuration": {"a": 3, "b": 0, "c": 0}}, "unknown variable 'c'"),
        ({"confirmed": {}, "how": {}}, "'A' was not confirmed"),
        ({"confirmed": {"A": 1}, "how": {"A": "word"}}, "'B' was not confirmed"),
        ({"confirmed": {"A": 1, "B": 1, "Q": 1}, "how": {"A": "word", "B": "word", "Q": "word"}}, "unknown part 'Q'"),
        ({"parts": ()}, "parts are not those of the problem"),
        ({"parts": ("B", "A")}, "parts are not those of the problem"),
        ({"unchanged_since": 99}, "'A' was confirmed at query 1, and the configuration changed at query 99"),
        ({"how": {"A": "word"}}, "is not said of those that were"),
        ({"how": {"A": "nonsense", "B": "word"}}, "'nonsense', which is no way"),
        ({"pins": {"zz": 1}}, "unknown variable 'zz' is pinned"),
        ({"pins": {"a": 1}}, "'a' is pinned to 1"),
        ({"pairs": (Together("A", "Q", 1),)}, "unknown part 'Q'"),
        ({"pairs": (Together("A", "A", 1),)}, "'A' twice"),
        ({"pairs": (Together("A", "B", 0),), "unchanged_since": 1}, "at query 0"),
        ({"rules": (OwnRule("never", "zz", (1,), None, "all", "never zz"),)}, "the rule 'never zz' says nothing"),
        ({"rules": (OwnRule("never", "a", (3,), None, "all", "never 3"),)}, "lists the rule 'never 3"),
        ({"rule": "never"}, "certifies nothing"),
        ({"rule": "two-pass"}, "not confirmed in order twice"),
        ({"rule": "two-pass", "passes": tuple(Passed(part, 1) for part in "ABBA")}, "not confirmed in order twice"),
        ({"rule": "two-pass", "passes": (Passed("A", 2), *(Passed(it, 1) for it in "BAB"))}, "in order twice"),
    ],
)
def test_what_cannot_be_is_named_and_is_no_certificate_whatever_the_weights(
    changes: dict[str, object], words: str
) -> None:
    oracle, nothing = Oracle.of(BUDGET, "table"), np.zeros(2)
    live = Elicitation(BUDGET, oracle=oracle)
    live.confirm()
    true = live.certificate
    assert true is not None
    assert verify(true, oracle, nothing).holds
    found = verify(replace(true, **changes), oracle, nothing)  # type: ignore[arg-type]
    assert not found.holds
    assert any(words in said for said in found.wrong), found.wrong


def test_nothing_confirmed_of_no_parts_proves_nothing() -> None:
    honest = finished(Elicitation(TINY, oracle=ORACLE))
    assert not replace(honest, parts=(), confirmed={}).by_lemma
    assert not replace(honest, unchanged_since=99).by_lemma
    with pytest.raises(RequestError, match="by_lemma is True"):
        Certificate.from_data({**honest.data(), "parts": [], "confirmed": {}})


@pytest.mark.parametrize(("mode", "stop"), [("people", "certificate"), ("paper", "two-pass"), ("keep", "two-pass")])
def test_true_certificates_have_nothing_that_cannot_be(mode: str, stop: str) -> None:
    for seed, space in enumerate(spaces(PROBLEMS // 2)):
        made = certified(space, seed, mode=mode, stop=stop)
        if made is not None:
            nothing = np.zeros(len(space.problem.features))
            assert verify(made[0], Oracle.of(space.problem, "table"), nothing).holds


def test_how_tells_only_of_what_is_confirmed() -> None:
    some = Progress((0, 1)).satisfied(0, 1).satisfied(1, 1, "look").doubted(0)
    assert dict(some.confirmed) == {1: 1}
    assert dict(some.how) == {1: "look"}


def test_a_certificate_of_another_problem_is_refused() -> None:
    honest = finished(Elicitation(TINY, oracle=ORACLE))
    with pytest.raises(RequestError) as caught:
        verify(honest, Oracle.of(HARD, "table"), np.zeros(2))
    assert caught.value.code is Code.LOG_OF_ANOTHER_PROBLEM


def test_a_certificate_with_pins_is_for_what_stands_beside_them() -> None:
    live = Elicitation(TINY, oracle=ORACLE, settings=Settings(order="declared"))
    live.ask("A")
    live.pin("a", False)
    found = finished(live)
    assert found.pins == {"a": False}
    assert verify(found, ORACLE, np.array([5.0, 1.0, 0.0])).holds, "a is pinned, b is best"
    assert verify(found, ORACLE, np.array([5.0, -1.0, 0.0])).improvable == {"B": 1.0}


def test_unpinning_takes_the_certificate_back() -> None:
    live = Elicitation(TINY, oracle=ORACLE, settings=Settings(order="declared"))
    live.ask("A")
    live.pin("a", False)
    finished(live)
    live.unpin("a")
    assert live.certificate is None
    assert list(live.confirmed) == ["B"]
