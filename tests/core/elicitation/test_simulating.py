"""Simulated people where what they say stays: truthful final answers, a last look, and what is measured of them."""

import math

import numpy as np
import pytest
from tests.core.elicitation.sessions import TRIP

from pcl_core import (
    Elicitation,
    Oracle,
    Problem,
    Settings,
    Trace,
    check_trace,
    load,
    optimum,
    parse_authored,
    person,
    verify,
)
from pcl_core.alternatives import Listing
from pcl_core.elicitation import Simulation
from pcl_core.elicitation.simulate import Memory
from pcl_core.users import USERS, WISHES, Shown, Wishing, sample_weights
from pcl_core.users.wishes import PairWish, exactly

PAIR = parse_authored("""
pcl: 1
name: pair
variables: {a: {domain: 0..2}, b: {domain: 0..2}}
features: [{name: a, value: a}, {name: b, value: b}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}]
initial: [{set: a, to: 0}, {set: b, to: 0}]
""")


def linear(problem: Problem, user: str, seed: int, settings: Settings, queries: int = 60) -> Trace:
    oracle = Oracle.of(problem)
    weights = sample_weights(problem, "normal", np.random.default_rng(seed))
    somebody = person(oracle, weights, USERS.make(user), (seed,))
    live = Elicitation(problem, oracle=oracle, settings=settings)
    return Simulation(live, somebody, optimum(oracle, weights)).run(queries)


def test_people_whose_wishes_no_feature_expresses_are_served_in_the_last_look() -> None:
    """She wants b = 1 most, and a = b: she accepted a = 0 beside b = 0, and only the whole shows her what is wrong."""
    somebody = Wishing(Listing(PAIR), (PairWish("a", "b", same=True), exactly({"b": 1}), exactly({"b": 1})))
    live = Elicitation(PAIR, backend="table", recipe="form")
    trace = Simulation(live, somebody).run(20)
    assert trace.certificate is not None
    assert somebody.satisfied(trace.configuration)
    assert trace.configuration == {"a": 1, "b": 1}
    assert [(step.part, step.values_typed) for step in trace.steps] == [
        ("first", 0),
        ("second", 1),
        ("first", 1),
        ("first", 0),
    ]
    assert trace.steps[-1].parts == ("first", "second")
    assert trace.certificate.confirmed == {"first": 4, "second": 4}
    assert sum(step.values_undone for step in trace.steps) == 0


THREE = parse_authored("""
pcl: 1
name: three
variables: {a: {domain: 0..2}, b: {domain: 0..2}, c: {domain: 0..1}}
features: [{name: a, value: a}, {name: b, value: b}, {name: c, value: c}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}, {name: third, variables: [c]}]
initial: [{set: a, to: 0}, {set: b, to: 0}, {set: c, to: 0}]
""")
BOTH = (PairWish("a", "b", same=True), exactly({"a": 1}), exactly({"b": 1}), exactly({"c": 1}))


def test_what_no_single_part_can_mend_is_mended_in_two_in_the_last_look() -> None:
    """She wants a = b = 1. At a = b = 0 changing one of them breaks as much as it mends; she changes c, and then both."""
    somebody, elicitation = Wishing(Listing(THREE), BOTH), Elicitation(THREE, backend="table", recipe="form")
    trace = Simulation(elicitation, somebody).run(20)
    both = next(step for step in trace.steps if len(step.parts) > 1)
    assert (both.parts, both.values_typed, both.final) == (("first", "second"), 2, True)
    assert trace.configuration == {"a": 1, "b": 1, "c": 1}
    assert trace.certificate is not None


def test_in_the_last_look_nobody_calls_right_what_nothing_can_mend() -> None:
    never = (*BOTH, exactly({"a": 1, "b": 2}))
    somebody, elicitation = Wishing(Listing(THREE), never), Elicitation(THREE, backend="table", recipe="form")
    trace = Simulation(elicitation, somebody).run(20)
    assert len(trace.steps[-1].parts) > 1
    assert not somebody.satisfied(elicitation.configuration)
    assert elicitation.finished
    assert elicitation.certificate is None


def test_in_a_look_at_several_parts_the_first_that_is_not_right_is_improved() -> None:
    live = Elicitation(PAIR, backend="table", recipe="form")
    for part in ("first", "second"):
        query = live.ask(part)
        assert query is not None
        live.tell(query.accept())
    third = live.ask("second")
    assert third is not None
    live.tell(third.improve({"b": 1}, final=True))
    # `first` is closed by facts, and is to be seen once more; to somebody who wants it otherwise that is where she says so
    trace = Simulation(live, Wishing(Listing(PAIR), (exactly({"a": 2, "b": 1}),))).run(10)
    first = trace.steps[0]
    assert (first.part, first.values_typed, first.final) == ("first", 1, True)
    assert trace.certificate is not None
    assert trace.configuration == {"a": 2, "b": 1}


def test_of_people_without_a_utility_nothing_is_measured_by_it() -> None:
    somebody = WISHES["exact"](Listing(load("pc")), np.random.default_rng(1))
    trace = Simulation(Elicitation(load("pc")), somebody).run(30)
    assert trace.steps
    for step in trace.steps:
        measured = (step.utility, step.utility_improved, step.regret, step.regret_bound, step.conditional_regret)
        assert all(map(math.isnan, (*measured, step.zeta)))
        assert step.final is (step.values_typed > 0)
    assert np.isnan(trace.weights).all()


def test_people_with_weights_say_final_exactly_where_nothing_better_is_left() -> None:
    said = 0
    for seed in range(6):
        trace = linear(TRIP, "informative:alpha=0.3", seed, Settings.of("people", seed=seed))
        oracle = Oracle.of(TRIP, "table")
        for step in trace.steps:
            gain = step.utility_improved - step.utility
            best = gain == pytest.approx(step.conditional_regret, abs=1e-9)
            assert step.final is (not step.satisfied and best)
            said += step.final
        assert check_trace(oracle, trace, alpha=0.3, perceptron=False).failures == ()
    assert said > 5


@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_where_nothing_is_made_of_it_nobody_says_final(mode: str) -> None:
    trace = linear(TRIP, "best", 1, Settings.model_validate({"mode": mode, "seed": 1}))
    assert any(step.values_typed for step in trace.steps)
    assert not any(step.final for step in trace.steps)
    assert all(step.values_typed == step.changed_variables for step in trace.steps)


@pytest.mark.parametrize("recipe", ["people", "form"])
@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp"])
def test_certificates_for_people_hold_for_their_true_weights(recipe: str, backend: str) -> None:
    grid = load("grid")
    oracle = Oracle.of(grid, backend)
    for seed in range(3):
        weights = sample_weights(grid, "normal", np.random.default_rng(seed))
        live = Elicitation(grid, oracle=oracle, settings=Settings.of(recipe, seed=seed))
        trace = Simulation(live, person(oracle, weights, USERS.make("informative:alpha=0.3"), (seed,))).run(60)
        assert trace.certificate is not None
        assert verify(trace.certificate, oracle, weights).holds
        assert trace.certificate.by_lemma


@pytest.mark.parametrize("user", ["noisy:p=0.2", "noisy:p=1", "satisficing:fraction=0.5", "expected"])
@pytest.mark.parametrize("recipe", ["people", "form"])
def test_whoever_errs_is_heard_to_the_end(user: str, recipe: str) -> None:
    """No answer of hers is refused, and it ends: with a certificate, or when the queries are used up."""
    for seed in range(8):
        trace = linear(TRIP, user, seed, Settings.of(recipe, seed=seed), 40)
        assert len(trace.steps) == 40 or trace.certificate is not None


@pytest.mark.parametrize("kind", WISHES)
def test_people_with_wishes_would_change_nothing_of_what_is_certified(kind: str) -> None:
    """Wishes about several parts may be fulfilled by changing two of them at once alone; nobody is asked for that."""
    problem = load("training")
    oracle, listing = Oracle.of(problem), Listing(problem)
    for seed in range(3):
        somebody = WISHES[kind](listing, np.random.default_rng(seed))
        trace = Simulation(Elicitation(problem, oracle=oracle), somebody).run(50)
        assert trace.certificate is not None
        parts = range(len(problem.parts))
        assert all(somebody.satisfied_with(Shown(part, trace.configuration)) for part in parts)
        assert somebody.satisfied(trace.configuration) or kind != "exact"
        assert sum(step.values_undone for step in trace.steps) == 0


def test_a_value_is_undone_when_she_typed_it_and_sees_something_else_there() -> None:
    memory = Memory()
    assert memory.compare({"a": 0, "b": 0}, {"a": 1}) == 0
    assert memory.compare({"c": 0}, {}) == 0
    assert memory.compare({"a": 1, "b": 2}, {}) == 0, "only what she typed is hers"
    assert memory.compare({"a": 0, "b": 2}, {}) == 1
    assert memory.compare({"a": 5, "b": 2}, {"a": 7, "b": 3}) == 0, "it was not as she typed it any more"
    assert memory.compare({"a": 1, "b": 1}, {}) == 2


def test_in_the_papers_mode_typed_values_are_undone_when_they_are_not_proposed() -> None:
    trace = linear(load("training"), "informative:alpha=0.3", 1, Settings.of("paper", seed=1), 25)
    assert sum(step.values_undone for step in trace.steps) > 0
