"""The theory check: it holds for every run that keeps its promises, and fails for each way of breaking one."""

import math
import os
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.core.analysis.runs import catalogue_oracle, drawn_weights, simulate, small_run, space_oracle
from tests.core.elicitation.reference import spaces

from pcl_core import (
    Elicitation,
    Optimum,
    Oracle,
    Settings,
    Simulation,
    Step,
    Trace,
    check_trace,
    load,
    optimum,
    person,
)
from pcl_core.analysis.theory import (
    feature_bound,
    largest_subset,
    regret_bound,
    slack,
)
from pcl_core.testing import all_configurations
from pcl_core.users.simulated import USERS

PROBLEMS = 150 if os.environ.get("PCL_CAMPAIGN") else 12
GRID = catalogue_oracle("grid")
NAMES = {
    "partition": "J_k partition the features, each within I_k",
    "satisfied": "satisfied answers change nothing",
    "informative": "every improvement gains 0.1 of the conditional regret",
    "norms": "‖w‖² <= 4D²S²T",
    "bound": "average conditional regret within Theorem 2",
    "certificate": "the certified configuration is a local optimum",
    "record": "every query is recorded, in numbers",
    "regrets": "regrets are not negative",
    "zeta": "ζ is what an update of J alone can miss",
    "confirmed": "the certificate says what the queries say",
    "moved": "every improvement moves the weights",
    "truthful": "nobody is satisfied with less than the best",
}


def failures(oracle: Oracle, trace: Trace, user: str = "informative") -> list[str]:
    model = USERS.make(user)
    report = check_trace(
        oracle, trace, alpha=model.alpha, informative=model.informative, truthful=model.truthful, perceptron=True
    )
    assert report.holds == (not report.failures)
    return [check.name for check in report.failures]


@pytest.mark.parametrize("select", ["random", "round-robin", "in-order", "smallest", "overlap", "ucb1"])
@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_the_theory_holds_on_the_grid(select: str, mode: str) -> None:
    for seed, user in enumerate(("informative", "best", "smallest-edit:alpha=0.5")):
        trace = simulate(GRID, drawn_weights(GRID.problem, seed), user, 40, select=select, mode=mode, seed=seed)
        assert failures(GRID, trace, user) == []


@pytest.mark.parametrize("user", ["informative:alpha=0.3", "best"])
@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_the_theory_holds_on_the_training_week(user: str, mode: str) -> None:
    oracle = catalogue_oracle("training")
    trace = simulate(oracle, drawn_weights(oracle.problem, 5), user, 25, mode=mode)
    assert len(trace.steps) > 15
    assert failures(oracle, trace, user) == []


@pytest.mark.parametrize("user", ["informative", "best", "smallest-edit", "satisficing", "noisy:p=0.3", "expected"])
@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_the_theory_holds_on_random_problems_for_every_user(user: str, mode: str) -> None:
    for seed, space in enumerate(spaces(PROBLEMS)):
        stop = ("certificate", "two-pass")[space.problem.constraints == ()]
        trace, _ = small_run(space, seed, user=user, mode=mode, stop=stop, order="random")
        assert failures(space_oracle(space), trace, user) == []


def test_the_theory_holds_from_any_weights_to_start_with() -> None:
    for seed in range(4):
        first = 3 * np.random.default_rng(seed).normal(size=24)
        trace = simulate(GRID, drawn_weights(GRID.problem, seed), queries=40, first_weights=first, mode="paper")
        assert trace.start.tolist() == first.tolist()
        assert failures(GRID, trace) == []


def test_an_empty_run_contradicts_nothing() -> None:
    trace = simulate(GRID, drawn_weights(GRID.problem, 0), queries=0)
    assert trace.steps == ()
    assert failures(GRID, trace) == []
    assert regret_bound(GRID.problem, trace, 0.1) == math.inf


def run(mode: str = "paper", seed: int = 2, queries: int = 60) -> Trace:
    return simulate(GRID, drawn_weights(GRID.problem, seed), queries=queries, mode=mode, seed=seed)


def at(trace: Trace, where: Callable[[Step], bool], **changes: object) -> Trace:
    """The trace with the first such step changed."""
    index = next(index for index, step in enumerate(trace.steps) if where(step))
    steps = list(trace.steps)
    steps[index] = replace(steps[index], **changes)  # type: ignore[arg-type]
    return replace(trace, steps=tuple(steps))


def unsatisfied(step: Step) -> bool:
    return not step.satisfied


def test_a_gain_that_is_too_small_is_found() -> None:
    trace = run()
    step = next(filter(unsatisfied, trace.steps))
    tampered = at(trace, unsatisfied, utility_improved=step.utility + 0.09 * step.conditional_regret)
    assert failures(GRID, tampered) == [NAMES["informative"]]


def test_what_was_not_promised_is_not_asked_for() -> None:
    trace = run()
    step = next(filter(unsatisfied, trace.steps))
    tampered = at(trace, unsatisfied, utility_improved=step.utility - 1.0)
    report = check_trace(GRID, tampered, alpha=0.1, informative=False)
    assert NAMES["informative"] not in [check.name for check in report.checks]
    assert report.holds


def test_weights_that_are_too_long_are_found() -> None:
    trace = run()
    allowed = 2 * feature_bound(GRID.problem) * largest_subset(GRID.problem) * math.sqrt(5)
    for length, expected in ((allowed * 0.999, []), (allowed * 1.001, [NAMES["norms"]])):
        norms = (*trace.norms[:4], length, *trace.norms[5:])
        assert failures(GRID, replace(trace, norms=norms)) == expected


@pytest.mark.parametrize("changes", [{"changed_variables": 1}, {"update": "I"}, {"update": "J"}])
def test_a_satisfied_answer_that_changed_something_is_found(changes: dict[str, object]) -> None:
    tampered = at(run(), lambda step: step.satisfied, **changes)
    assert failures(GRID, tampered) == [NAMES["satisfied"]]


def test_a_wrong_certificate_is_found() -> None:
    trace = run("keep", queries=400)
    assert trace.certificate is not None
    x = dict(trace.certificate.configuration)
    x["cell[1,1]"] = not x["cell[1,1]"]
    tampered = replace(trace, certificate=replace(trace.certificate, configuration=x))
    assert failures(GRID, trace) == []
    assert failures(GRID, tampered) == [NAMES["confirmed"], NAMES["certificate"]]
    assert [check.name for check in check_trace(GRID, tampered, alpha=0.1, truthful=False).failures] == [
        NAMES["confirmed"]
    ]


def test_a_regret_beyond_the_bound_is_found() -> None:
    trace = run()
    changes = {"conditional_regret": 1e6, "satisfied": False, "update": "I", "zeta": 0.0}
    steps = tuple(replace(s, utility_improved=s.utility + 1e5, **changes) for s in trace.steps)  # type: ignore[arg-type]
    assert failures(GRID, replace(trace, steps=steps, certificate=None)) == [NAMES["bound"]]


def test_the_bound_is_wider_by_what_updates_of_j_missed() -> None:
    trace = run()
    without = replace(trace, steps=tuple(replace(step, zeta=0.0) for step in trace.steps))
    missed = sum(step.zeta for step in trace.steps)
    assert missed != 0
    widened = regret_bound(GRID.problem, trace, 0.1) - regret_bound(GRID.problem, without, 0.1)
    assert widened == pytest.approx(missed / (0.1 * len(trace.steps)))


def test_an_order_that_is_none_is_found() -> None:
    assert failures(GRID, replace(run(), order=(0, 0, 1, 2))) == [NAMES["partition"]]


def test_zeta_is_what_updates_of_j_alone_missed() -> None:
    seen = set()
    for seed, space in enumerate(spaces(30)):
        trace, _ = small_run(space, seed, mode="paper", queries=30, order="declared", user="informative:alpha=0.3")
        for step in trace.steps:
            seen.add(step.update)
            if step.update != "J":
                assert step.zeta == 0
    assert seen == {"I", "J", "none"}
    assert any(
        step.zeta != 0
        for seed, space in enumerate(spaces(30))
        for step in small_run(space, seed, mode="paper")[0].steps
    )


def test_the_inner_product_of_the_proof_adds_up() -> None:
    """⟨w*, w^{T+1}⟩ = ⟨w*, w^1⟩ + Σ gains − Σ ζ, the identity that Theorem 2 rests on."""
    for seed in range(5):
        weights = drawn_weights(GRID.problem, seed)
        live = Elicitation(GRID.problem, oracle=GRID, settings=Settings(seed=seed, mode="paper", order="declared"))
        somebody = person(GRID, weights, USERS.make("informative"), (seed,))
        trace = Simulation(live, somebody, optimum(GRID, weights)).run(50)
        gains = sum(step.utility_improved - step.utility - step.zeta for step in trace.steps)
        assert float(weights @ live.weights) == pytest.approx(gains, abs=1e-9)


def test_the_bound_by_hand() -> None:
    trace = run(queries=9)
    count = len(trace.steps)
    zeta = sum(step.zeta for step in trace.steps)
    expected = 2 * 1 * 8 * float(np.linalg.norm(trace.weights)) / (0.1 * math.sqrt(count)) + zeta / (0.1 * count)
    assert largest_subset(GRID.problem) == 8
    assert regret_bound(GRID.problem, trace, 0.1) == pytest.approx(expected)


def test_slack_is_what_answers_fall_short_of() -> None:
    trace = at(run(), unsatisfied, conditional_regret=10.0, utility=0.0, utility_improved=0.25)
    assert slack(trace, 0.1) == pytest.approx(0.75)


def test_d_bounds_every_feature() -> None:
    for space in spaces(15):
        largest = max(abs(value) for phi in space.features.values() for value in phi)
        assert largest <= feature_bound(space.problem)
        assert largest_subset(space.problem) == max(map(len, space.own))
        assert len(list(all_configurations(space.problem))) >= len(space.features)


def test_d_and_s_of_the_papers_grid() -> None:
    assert (feature_bound(load("grid")), largest_subset(load("grid"))) == (1.0, 8)


def test_steps_say_what_a_person_saw_and_changed() -> None:
    trace = run("keep")
    assert all(0 <= step.changed_variables <= 4 for step in trace.steps)
    assert all((step.changed_variables == 0) == step.satisfied for step in trace.steps)
    assert {step.shown_variables for step in trace.steps} == {8}
    assert all(step.seconds_infer >= 0 <= step.seconds_update for step in trace.steps)


def test_the_regret_of_a_step_is_that_of_its_proposal() -> None:
    trace = run("keep")
    assert isinstance(trace.optimum, Optimum)
    assert trace.optimum.proven
    for step in trace.steps:
        assert step.regret == step.regret_bound == pytest.approx(trace.optimum.utility - step.utility)
        assert step.conditional_regret <= step.regret + 1e-9


def test_only_the_last_step_is_certified() -> None:
    trace = run("keep", queries=400)
    assert [step.certified for step in trace.steps].index(True) == len(trace.steps) - 1
