"""Where features are large, integers have to be larger still; what a person promises is kept all the same."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pcl_core import Configuration, Elicitation, Oracle, Problem, Settings, Simulation, check_trace, optimum, person
from pcl_core import parse_authored as parse
from pcl_core.users.simulated import USERS
from pcl_core.users.utility import PartView, sample_weights


def priced(size: int) -> Problem:
    return parse(f"""
pcl: 1
name: priced
variables: {{a: {{domain: 0..9}}, b: {{domain: 0..9}}, c: {{domain: 0..9}}, d: {{domain: 0..9}}}}
features:
  - {{name: cost, value: {size}*a + {size // 7}*b + {size // 3}*c + {size // 11}*d}}
  - {{name: ab, value: a == b}}
  - {{name: cd, value: c == d}}
  - {{name: bc, value: b == c}}
  - {{name: three, value: a == 3}}
  - {{name: sum, value: b + c}}
parts: [{{name: A, variables: [a, b]}}, {{name: B, variables: [c, d]}}]
""")


@pytest.mark.parametrize("user", ["informative:alpha=0.1", "smallest-edit:alpha=0.1", "expected:alpha=0.5"])
@pytest.mark.parametrize("size", [10**5, 10**7, 10**9])
def test_every_answer_gains_its_share(user: str, size: int) -> None:
    oracle, model = Oracle.of(priced(size), "table"), USERS.make(user)
    for seed in range(60):
        generator = np.random.default_rng(seed)
        weights = sample_weights(oracle.problem, "normal", generator)
        x: Configuration = {name: int(generator.integers(10)) for name in "abcd"}
        view = PartView(oracle, weights, 0, x, {})
        regret = max(view.gain_of({**x, "a": a, "b": b}) for a, b in product(range(10), range(10)))
        answer = model.improve(view, generator)
        assert view.conditional_regret >= 0
        if answer is None:
            assert view.is_best
            continue
        share = model.alpha if model.informative else 0.0
        assert view.gain_of(answer) > 0
        assert view.exact_gain(answer) >= Fraction(str(share)) * view.exact_regret
        assert view.conditional_regret <= regret


@pytest.mark.parametrize(("size", "seed"), [(10**5, 6), (10**6, 2), (10**7, 11)])
def test_the_theory_holds(size: int, seed: int) -> None:
    problem = priced(size)
    oracle = Oracle.of(problem, "table")
    weights = sample_weights(problem, "normal", np.random.default_rng(seed))
    live = Elicitation(problem, oracle=oracle, settings=Settings(mode="keep", seed=seed))
    somebody = person(oracle, weights, USERS.make("informative:alpha=0.1"), (1, seed))
    trace = Simulation(live, somebody, optimum(oracle, weights)).run(30)
    assert check_trace(oracle, trace, alpha=0.1).failures == ()


def test_what_rounded_weights_would_rank_higher_is_no_improvement() -> None:
    """Integers of 10^12 would take 0.6 and 1.4 for one, and a step that costs more than it gives for a gain."""
    problem = parse("""
pcl: 1
name: coarse
variables: {x: {domain: bool}}
features: [{name: give, value: 400000000000*x}, {name: take, value: 390000000000*x}]
parts: [{name: X, variables: [x]}]
""")
    for backend in ("table", "cpsat", "pulp"):
        view = PartView(Oracle.of(problem, backend), np.array([0.6, -1.4]), 0, {"x": False}, {})
        assert view.best.configuration == {"x": False}
        assert view.gain_of({"x": True}) < 0
        assert view.is_best
        assert view.conditional_regret == 0
