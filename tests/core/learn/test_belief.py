"""The belief learner: what it makes of lessons, what it says of weights, and how it fits into an elicitation."""

from pathlib import Path

import numpy as np
import pytest

from pcl_core import Code, Elicitation, Query, RequestError, Settings, load, person
from pcl_core.learn import LEARNERS, Acceptance, Improvement, Learner, Lesson, Prior, Vector
from pcl_core.learn.belief import BeliefLearner, GaussianBelief
from pcl_core.learn.belief.gaussian import Posterior
from pcl_core.learn.belief.learner import LEAST_NOISE, BeliefState
from pcl_core.users import BestResponse, sample_weights

TRAINING = load("training")


class Alike(Prior):
    """Four features: the first two are a family, and so are the others; the third and fourth are large."""

    spread = np.array([1.0, 1.0, 100.0, 100.0])
    families = (0, 0, 1, 1)


def start(text: str = "belief") -> Learner:
    return LEARNERS.make(text).start(Alike(np.zeros(4)))


def better(*difference: float, query: int = 1) -> Improvement:
    return Improvement(query, 0, np.zeros(len(difference)), np.array(difference))


def taught(learner: Learner, *lessons: Lesson) -> BeliefState:
    for lesson in lessons:
        learner = learner.after(lesson)
    assert isinstance(learner, BeliefState)
    return learner


def asked(elicitation: Elicitation, part: str | None = None) -> Query:
    query = elicitation.ask(part)
    assert query is not None
    return query


def improve(elicitation: Elicitation, part: str) -> None:
    """Somebody improves a part by the best for her."""
    oracle = elicitation.oracle
    somebody = person(oracle, sample_weights(oracle.problem, "normal", np.random.default_rng(8)), BestResponse(), (1,))
    query = asked(elicitation, part)
    found = somebody.improve(somebody.view(query), query.number)
    assert found is not None
    elicitation.tell(query.improve({name: found[name] for name in query.proposal}))


def likely(learner: Learner, one: Vector, other: Vector) -> float:
    found = learner.belief.probability(one, other)
    assert found is not None
    return found


def test_before_any_lesson_everything_is_as_likely_as_its_opposite() -> None:
    learner = start()
    assert not learner.belief.weights.any()
    assert likely(learner, np.array([1.0, 0, 0, 0]), np.zeros(4)) == 0.5


def test_an_improvement_is_believed_and_says_something_of_its_family() -> None:
    learner = taught(start(), better(1, 0, 0, 0))
    first, second, third, fourth = learner.belief.weights
    assert first > second > 0
    assert third == fourth == 0
    assert second == pytest.approx(first / 4), "ρ = 0.25"
    assert likely(learner, np.array([1.0, 0, 0, 0]), np.zeros(4)) > 0.85
    assert 0.55 < likely(learner, np.array([0, 1.0, 0, 0]), np.zeros(4)) < 0.95


def test_without_rho_parts_teach_nothing_of_each_other() -> None:
    learner = taught(start("belief:rho=0"), better(1, 0, 0, 0))
    assert np.flatnonzero(learner.belief.weights).tolist() == [0]


def test_features_count_by_their_spread_and_not_by_their_unit() -> None:
    learner = taught(start(), better(1, 0, 100, 0))
    assert learner.belief.weights[0] == pytest.approx(100 * learner.belief.weights[2], rel=1e-6)
    unscaled = taught(start("belief:scaled=false"), better(1, 0, 100, 0))
    assert unscaled.belief.weights[2] > 10 * unscaled.belief.weights[0]


def test_start_weights_are_the_mean_of_the_prior() -> None:
    learner = BeliefLearner().start(Alike(np.array([1.0, -2.0, 0.03, 0.0])))
    assert learner.belief.weights.tolist() == [1.0, -2.0, 0.03, 0.0]


def test_a_probability_and_its_opposite_make_one_and_equals_are_not_better() -> None:
    learner = taught(start(), better(2, -1, 0, 30), better(0, 1, -50, 0))
    one, other = np.array([1.0, 3.0, 20.0, 0.0]), np.array([0.0, 1.0, 70.0, 4.0])
    assert likely(learner, one, other) + likely(learner, other, one) == pytest.approx(1.0)
    assert likely(learner, one, one) == 0.0


def test_the_learner_before_a_lesson_stays_as_it_was() -> None:
    learner = start()
    once = taught(learner, better(1, 0, 0, 0))
    weights, noise = once.belief.weights.copy(), once.posterior.sites.noise.copy()
    taught(once, better(1, 0, 0, 0), better(-1, 1, 0, 0))
    assert once.belief.weights.tolist() == weights.tolist()
    assert once.posterior.sites.noise.tolist() == noise.tolist()
    assert not learner.belief.weights.any()


def test_the_same_lessons_give_the_same_belief_to_the_bit() -> None:
    lessons = [better(1, -1, 3, 0), better(0, 2, -50, 10), better(-1, -1, 0, 9)]
    one, other = taught(start(), *lessons), taught(start(), *lessons)
    assert one.belief.weights.tobytes() == other.belief.weights.tobytes()
    drawn = [
        learner.belief.samples(5, np.random.default_rng(seed)) for learner, seed in ((one, 3), (other, 3), (one, 4))
    ]
    assert drawn[0].tobytes() == drawn[1].tobytes() != drawn[2].tobytes()


def test_samples_have_the_mean_and_the_covariance_of_the_belief() -> None:
    learner = taught(start(), better(1, -1, 30, 0), better(0, 2, -50, 10))
    drawn = learner.belief.samples(100_000, np.random.default_rng(0)) * learner.scale
    assert drawn.mean(axis=0) == pytest.approx(learner.posterior.mean, abs=0.02)
    assert isinstance(learner.posterior, Posterior)
    assert np.cov(drawn.T) == pytest.approx(learner.posterior.covariance, abs=0.02)


def test_what_is_told_again_is_taken_more_seriously_up_to_a_limit() -> None:
    learner = taught(start(), better(1, 1, 0, 0))
    for expected in (0.025, 0.0125, 0.00625, 0.003125, LEAST_NOISE, LEAST_NOISE):
        learner = taught(learner, better(2, 2, 0, 0))  # the same comparison, though twice the difference
        assert learner.posterior.sites.noise.tolist() == [expected]


def test_an_improvement_that_changes_no_feature_teaches_nothing() -> None:
    learner = start()
    assert learner.after(better(0, 0, 0, 0)) is learner


def test_what_is_learned_does_not_depend_on_when_somebody_looks() -> None:
    """Nothing is fitted before it is looked at, however many lessons wait."""
    lessons = [better(1, 0.1 * at, 5.0 * (at % 3), 0) for at in range(12)]
    at_once = taught(start(), *lessons)
    step_by_step = start()
    for lesson in lessons:
        step_by_step = taught(step_by_step, lesson)
        assert step_by_step.belief.weights.any()
    assert at_once.belief.weights.tolist() == step_by_step.belief.weights.tolist()
    many = taught(start(), *[lessons[0]] * 3000)
    assert len(many.posterior.sites) == 1


def test_an_acceptance_is_believed_of_every_alternative() -> None:
    others = [np.array([1.0, 0, 0, 0]), np.array([0, 1.0, 50, 0]), np.array([0, 0, -200.0, 90])]
    learner = taught(start(), Acceptance(1, 0, np.zeros(4), tuple(others)))
    assert all(likely(learner, np.zeros(4), other) > 0.8 for other in others)
    assert len(learner.posterior.sites) == 3
    assert start().after(Acceptance(1, 0, np.zeros(4))).belief.weights.tolist() == [0.0] * 4


def test_an_acceptance_that_the_mean_contradicts_is_taken_more_seriously() -> None:
    """Many improvements say otherwise; those are not hardened."""
    told = [better(1, 0.01 * at, 0, 0) for at in range(6)]
    learner = taught(start(), *told, Acceptance(9, 0, np.array([0, 0.05, 0, 0.0]), (np.array([1.0, 0, 0, 0]),)))
    assert learner.posterior.sites.noise.tolist()[:6] == [0.05] * 6
    assert learner.posterior.sites.noise[6] < 0.05


def test_contradictory_lessons_leave_a_belief_that_can_be_used() -> None:
    learner = taught(start(), *[better(*((1, 2, 0, 0) if at % 2 else (-1, -2, 0, 0))) for at in range(60)])
    assert np.isfinite(learner.belief.weights).all()
    assert np.isfinite(learner.belief.samples(10, np.random.default_rng(0))).all()
    assert likely(learner, np.array([1.0, 2, 0, 0]), np.zeros(4)) == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize(
    "text", ["belief:rho=1", "belief:rho=-0.1", "belief:noise=0", "belief:noise=inf", "belief:sites=2"]
)
def test_options_that_make_no_belief_are_refused(text: str) -> None:
    with pytest.raises(RequestError) as caught:
        LEARNERS.make(text)
    assert caught.value.code in (Code.BAD_VALUE, Code.UNKNOWN_OPTION)


def test_monday_teaches_tuesday() -> None:
    elicitation = Elicitation(TRAINING, settings=Settings(learner="belief"))
    improve(elicitation, "mon")
    position = {feature.name: at for at, feature in enumerate(TRAINING.features)}
    weights = elicitation.weights
    moved = [name for name in position if name.startswith("power[mon") and weights[position[name]]]
    assert moved
    for name in moved:
        assert weights[position[name.replace("mon", "tue")]] * weights[position[name]] > 0
    assert isinstance(elicitation._state.learner.belief, GaussianBelief)


def test_a_log_is_resumed_with_the_same_belief_and_undone_to_the_one_before(tmp_path: Path) -> None:
    before = Elicitation(TRAINING, settings=Settings(learner="belief", seed=2), log=tmp_path / "log.jsonl")
    seen = [before.weights]
    for day in ("tue", "wed", "tue"):
        improve(before, day)
        seen.append(before.weights)
    before.close()
    after = Elicitation.resume(tmp_path / "log.jsonl", TRAINING)
    assert after.weights.tobytes() == seen[-1].tobytes()
    after.undo()
    assert after.weights.tobytes() == seen[-2].tobytes()
    after.close()


@pytest.mark.parametrize("backend", ["table", "cpsat"])
def test_proposals_are_proven_to_be_the_best_for_the_belief(backend: str) -> None:
    elicitation = Elicitation(TRAINING, backend=backend, settings=Settings(learner="belief"))
    improve(elicitation, "mon")
    for part in ("tue", "sun"):
        query = asked(elicitation, part)
        assert query.proven
        assert query.infers_on == "I"
        elicitation.tell(query.accept())
