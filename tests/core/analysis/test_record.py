"""What a trace says of itself: every way of saying something else is found."""

import math
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.core.analysis.runs import drawn_weights, simulate, space_oracle
from tests.core.analysis.test_theory import GRID, NAMES, at, failures, run, unsatisfied
from tests.core.elicitation.reference import pick, spaces

from pcl_core import (
    Certificate,
    Configuration,
    Elicitation,
    InfeasibleError,
    RequestError,
    Settings,
    Simulation,
    Trace,
    check_trace,
    optimum,
)
from pcl_core import person as somebody_with
from pcl_core.analysis.certificate import Passed
from pcl_core.users.simulated import USERS


def certified(**settings: Any) -> tuple[Trace, Certificate]:
    trace = simulate(GRID, drawn_weights(GRID.problem, 2), queries=400, seed=2, **settings)
    assert trace.certificate is not None
    assert failures(GRID, trace) == []
    return trace, trace.certificate


@pytest.mark.parametrize("mode", ["keep", "paper"])
@pytest.mark.parametrize("stop", ["certificate", "two-pass"])
def test_a_pin_before_the_first_query_contradicts_nothing(mode: Any, stop: Any) -> None:
    led_away = 0
    for number, space in enumerate(spaces(8)):
        oracle = space_oracle(space)
        for seed in range(4):
            random = Random(7 * seed + number)
            weights = np.array([random.randint(-5, 5) for _ in space.problem.features], dtype=float)
            elicitation = Elicitation(
                space.problem,
                oracle=oracle,
                settings=Settings(mode=mode, stop=stop, seed=seed),
                start=pick(space, random),
            )
            for _ in range(random.randint(0, 2)):
                query = elicitation.ask()
                assert query is not None
                elicitation.tell(query.skip())
            query = elicitation.ask()
            assert query is not None
            name = random.choice(list(query.proposal))
            with suppress(InfeasibleError):  # some values leave nothing to complete them with
                elicitation.pin(name, random.choice(list(space.problem.symbols.variables[name].values())))
            somebody = somebody_with(oracle, weights, USERS.make("informative:alpha=0.5"), (seed,))
            trace = Simulation(elicitation, somebody, optimum(oracle, weights)).run(120)
            assert check_trace(oracle, trace, alpha=0.5).failures == ()
            led_away += trace.led_away
    assert led_away > 0


@pytest.mark.parametrize("mode", ["keep", "paper"])
@pytest.mark.parametrize("stop", ["certificate", "two-pass"])
def test_a_certificate_that_lists_other_confirmations_is_found(mode: str, stop: str) -> None:
    trace, made = certified(mode=mode, stop=stop)
    parts = list(made.parts)
    wrong = [
        replace(made, confirmed={}),
        replace(made, confirmed=dict.fromkeys(parts, 1), unchanged_since=0),
        replace(made, confirmed={**made.confirmed, parts[0]: made.confirmed[parts[0]] - 1}),
        replace(made, confirmed={part: query for part, query in made.confirmed.items() if part != parts[0]}),
        replace(made, confirmed={**made.confirmed, "elsewhere": 3}),
        replace(made, unchanged_since=len(trace.steps) + 1),
        replace(made, unchanged_since=-1),
        replace(made, unchanged_since=0),
        replace(made, passes=made.passes[:-1] if made.passes else (Passed(parts[0], 1),)),
        replace(made, rule="never"),
        replace(made, parts=tuple(reversed(parts))),
    ]
    for certificate in wrong:
        assert NAMES["confirmed"] in failures(GRID, replace(trace, certificate=certificate)), certificate


def test_passes_that_nobody_made_are_found() -> None:
    trace, made = certified(mode="keep", stop="two-pass", select="in-order")
    earlier = tuple(Passed(part, query - 1) for part, query in made.passes)
    assert failures(GRID, replace(trace, certificate=replace(made, passes=earlier))) == [NAMES["confirmed"]]


def test_a_certificate_for_another_configuration_than_the_last_is_found() -> None:
    trace, made = certified(mode="keep")
    other: Configuration = {name: not value for name, value in made.configuration.items()}
    assert failures(GRID, replace(trace, configuration=other)) == [NAMES["confirmed"]]


def test_an_answer_that_was_changed_afterwards_no_longer_supports_the_certificate() -> None:
    trace, made = certified(mode="keep")
    confirmed = max(made.confirmed.values())
    tampered = at(trace, lambda step: step.query == confirmed, satisfied=False, changed_variables=1, update="I")
    assert failures(GRID, tampered) == [NAMES["confirmed"]]


def test_the_second_half_of_a_run_is_checked_as_far_as_it_goes_back() -> None:
    for seed, rule in enumerate(("certificate", "two-pass") * 3):
        weights = drawn_weights(GRID.problem, seed)
        live = Elicitation(GRID.problem, oracle=GRID, settings=Settings(seed=seed, mode="keep", stop=rule))
        model = somebody_with(GRID, weights, USERS.make("best"), (7, seed))
        whole = Simulation(live, model, optimum(GRID, weights))
        first = whole.run(9)
        second = whole.run(400)
        assert second.certificate is not None
        assert failures(GRID, second) == []
        nothing = replace(second, steps=(), norms=())
        assert failures(GRID, nothing) == []
        joined = replace(second, steps=first.steps + second.steps, norms=first.norms + second.norms, start=first.start)
        assert failures(GRID, joined) == []


@pytest.mark.parametrize("update", ["I", "none"])
def test_what_no_update_of_j_missed_is_found(update: str) -> None:
    trace = run("paper")
    assert any(step.update == update for step in trace.steps)
    assert failures(GRID, at(trace, lambda step: step.update == update, zeta=0.5)) == [NAMES["zeta"]]


@pytest.mark.parametrize("zeta", [1e9, -1e9])
def test_more_than_features_can_move_is_found(zeta: float) -> None:
    assert NAMES["zeta"] in failures(GRID, at(run("paper"), lambda step: step.update == "J", zeta=zeta))


def test_an_improvement_that_taught_nothing_is_found() -> None:
    tampered = at(run(), unsatisfied, update="none", zeta=0.0)
    assert failures(GRID, tampered) == [NAMES["moved"]]
    assert check_trace(GRID, tampered, alpha=0.1, perceptron=False).holds, "other learners may learn nothing"


def test_being_satisfied_with_less_than_the_best_is_found() -> None:
    tampered = at(run(), lambda step: step.satisfied, conditional_regret=0.5)
    assert NAMES["truthful"] in failures(GRID, tampered)
    assert check_trace(GRID, tampered, alpha=0.1, informative=False, truthful=False).holds


@pytest.mark.parametrize("field", ["conditional_regret", "utility", "utility_improved", "zeta"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_a_number_is_found(field: str, value: float) -> None:
    assert NAMES["record"] in failures(GRID, at(run(), unsatisfied, **{field: value}))


@pytest.mark.parametrize("field", ["regret", "regret_bound", "conditional_regret"])
def test_regrets_that_cannot_be_are_found(field: str) -> None:
    for value in (math.nan, -0.5):
        assert NAMES["regrets"] in failures(GRID, at(run(), lambda step: step.regret > 0, **{field: value}))


def test_lengths_of_w_that_are_missing_or_no_numbers_are_found() -> None:
    trace = run()
    assert failures(GRID, replace(trace, norms=())) == [NAMES["record"]]
    assert failures(GRID, replace(trace, norms=trace.norms[:-1])) == [NAMES["record"]]
    spoilt = replace(trace, norms=(math.nan, *trace.norms[1:]))
    assert failures(GRID, spoilt) == [NAMES["record"], NAMES["norms"]]


def test_queries_that_are_missing_and_parts_that_are_unknown_are_found() -> None:
    trace = run()
    gap = replace(trace, steps=trace.steps[:3] + trace.steps[4:], norms=trace.norms[:-1], certificate=None)
    assert failures(GRID, gap) == [NAMES["record"]]
    assert NAMES["record"] in failures(GRID, at(trace, unsatisfied, part="elsewhere"))


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.5, math.nan])
def test_an_alpha_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(RequestError, match="above 0 and at most 1"):
        check_trace(GRID, run(queries=3), alpha=alpha)
