"""Algorithm 2: by hand on the smallest problem that has both branches, and against an independent implementation."""

import math
import os
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from tests.core.elicitation.reference import TINY, Reference, Space, pick, spaces

from pcl_core import Configuration, Elicitation, Settings

PROBLEMS = 400 if os.environ.get("PCL_CAMPAIGN") else 60
QUERIES = 12
DECLARED = {"order": "declared", "stop": "never"}


def tiny(
    mode: str = "paper", weights: tuple[float, ...] = (1.0, 0.0, -3.0), learner: str = "perceptron"
) -> Elicitation:
    settings = Settings.model_validate({**DECLARED, "mode": mode, "learner": learner})
    return Elicitation(TINY, backend="table", settings=settings, weights=weights)


def step(elicitation: Elicitation, part: str, **values: bool) -> tuple[Configuration, str, list[float], Configuration]:
    """One query about a part: the proposal x^t, the branch, w^{t+1} and what stands afterwards."""
    query = elicitation.ask(part)
    assert query is not None
    learned = elicitation.tell(query.improve(values) if values else query.accept())
    assert learned is not None
    return query.configuration, learned.update, elicitation.weights.tolist(), elicitation.configuration


def x(a: bool, b: bool) -> Configuration:
    return {"a": a, "b": b}


def test_the_tiny_problem_has_the_decomposition_that_the_hand_computation_assumes() -> None:
    assert TINY.structure.feature_subsets == ((0, 2), (1, 2))
    assert TINY.structure.decomposition((0, 1)) == ((0,), (1, 2))


def test_by_hand_in_paper_mode() -> None:
    run = tiny("paper")
    # J_1 = {f0} and w_0 = 1 propose a; the person's ~a is better on I_1 = {f0, f2} by 2, so only w_0 moves.
    assert step(run, "A", a=False) == (x(True, True), "J", [0.0, 0.0, -3.0], x(True, True))
    # J_2 = {f1, f2}: ~b avoids a == b; the person's b is worse by 3 on I_2, so all of I_2 moves.
    assert step(run, "B", b=True) == (x(True, False), "I", [0.0, 1.0, -2.0], x(True, False))
    # w_0 = 0 is a tie, and what stands there stays.
    assert step(run, "A") == (x(True, False), "none", [0.0, 1.0, -2.0], x(True, False))
    assert step(run, "B") == (x(True, False), "none", [0.0, 1.0, -2.0], x(True, False))


def test_by_hand_in_keep_mode() -> None:
    run = tiny("keep")
    assert step(run, "A", a=False) == (x(True, True), "J", [0.0, 0.0, -3.0], x(False, True))
    assert step(run, "B", b=False) == (x(False, True), "I", [0.0, -1.0, -2.0], x(False, False))
    # f0 alone is A's: w_0 = 0 keeps ~a, although f2 speaks against it.
    assert step(run, "A") == (x(False, False), "none", [0.0, -1.0, -2.0], x(False, False))
    # ~b counts 0·-1 + 1·-2, b counts 1·-1 + 0·-2.
    assert step(run, "B") == (x(False, True), "none", [0.0, -1.0, -2.0], x(False, True))


def test_a_gain_of_exactly_zero_on_i_takes_the_branch_of_i() -> None:
    run = tiny("paper", (0.0, 0.0, 0.0))
    assert step(run, "A", a=True) == (x(False, True), "I", [1.0, 0.0, 1.0], x(False, True))


def test_the_order_decides_who_accounts_for_a_shared_feature() -> None:
    settings = Settings(order="B,A", stop="never", mode="paper")
    run = Elicitation(TINY, backend="table", settings=settings, weights=(1.0, 0.0, -3.0))
    # Now J_A = {f0, f2}: ~a and b counts 0, a and b counts 1 - 3.
    assert step(run, "A")[0] == x(False, True)


def test_the_step_of_one_over_the_root_of_t() -> None:
    run = tiny("paper", (0.0, 0.0, 0.0), "perceptron:step=sqrt")
    root = 1 / math.sqrt(2)
    assert step(run, "A", a=True)[2] == [1.0, 0.0, 1.0]
    assert step(run, "B", b=True) == (x(False, False), "I", [1.0, root, 1 - root], x(False, False))


def test_the_step_follows_the_query_and_not_the_number_of_updates() -> None:
    run = tiny("paper", (0.0, 0.0, 0.0), "perceptron:step=sqrt")
    for _ in range(3):
        step(run, "A")
    assert step(run, "A", a=True)[2] == [0.5, 0.0, 0.5]


def test_weights_are_projected_to_a_ball() -> None:
    run = tiny("paper", (0.0, 0.0, 0.0), "perceptron:radius=1")
    weights = step(run, "A", a=True)[2]
    assert weights == pytest.approx([1 / math.sqrt(2), 0.0, 1 / math.sqrt(2)], abs=1e-15)


def test_a_start_outside_the_ball_is_projected_too() -> None:
    assert tiny("paper", (3.0, 0.0, -4.0), "perceptron:radius=1").weights == pytest.approx([0.6, 0.0, -0.8], abs=1e-15)


def test_averaged_weights_are_the_mean_of_all_so_far() -> None:
    run = tiny("paper", (0.0, 0.0, 0.0), "averaged")
    assert step(run, "A", a=True)[2] == [0.5, 0.0, 0.5]
    # w^3 = (1, 0, 1) + (0, 1, -1)
    assert step(run, "B", b=True)[2] == pytest.approx([2 / 3, 1 / 3, 1 / 3], abs=1e-15)
    # Being satisfied teaches nothing, so it does not move the mean either.
    assert step(run, "B")[2] == pytest.approx([2 / 3, 1 / 3, 1 / 3], abs=1e-15)


def drive(space: Space, mode: str, seed: int) -> tuple[int, int]:
    """A random person answers random queries; every step is compared. Returns how often each branch was taken."""
    random = Random(seed)
    problem = space.problem
    names = [part.name for part in problem.parts]
    order = random.sample(range(len(names)), len(names))
    weights = [Fraction(random.randint(-4, 4)) for _ in problem.features]
    start = pick(space, random)
    expected = Reference(space, order, list(weights), dict(start), mode == "keep")
    settings = Settings.model_validate(
        {"order": ",".join(names[p] for p in order), "mode": mode, "stop": "never", "seed": seed}
    )
    run = Elicitation(
        problem, backend="table", settings=settings, start=start, weights=[float(weight) for weight in weights]
    )
    branches = []
    for _ in range(QUERIES):
        query = run.ask()
        assert query is not None
        part = names.index(query.part)
        best = expected.proposals(part)
        assert query.configuration in best
        assert expected.x not in best or query.configuration == expected.x
        expected.x = query.configuration
        improved = random.choice(space.options(expected.x, part))
        learned = run.tell(query.improve({name: improved[name] for name in query.proposal}))
        assert learned is not None
        assert learned.update == expected.improve(part, improved)
        assert [Fraction(weight) for weight in run.weights.tolist()] == expected.weights
        assert run.configuration == expected.x
        branches.append(learned.update)
    return branches.count("I"), branches.count("J")


@pytest.mark.parametrize("mode", ["paper", "keep"])
def test_every_step_equals_the_independent_implementation(mode: str) -> None:
    branches = np.sum([drive(space, mode, seed) for seed, space in enumerate(spaces(PROBLEMS))], axis=0)
    assert (branches > PROBLEMS // 2).all(), "both branches are taken often"
