"""What an earlier elicitation taught is believed for as long as it foretells what she says."""

import math

import numpy as np
import pytest

from pcl_core.learn import LEARNERS, Acceptance, Improvement, Learner, Lesson, Prior
from pcl_core.learn.belief.doubted import LEAST_PROBABLE, SURE, DoubtedStart

TASTE = np.array([1.0, -1.0, 0.5])
START = Prior(TASTE, deviations=np.full(3, 0.3))


def likes(feature: int, sign: float = 1.0) -> Improvement:
    better = np.zeros(3)
    better[feature] = sign
    return Improvement(1, 0, np.zeros(3), better)


def keeps(feature: int, sign: float = 1.0) -> Acceptance:
    lesson = likes(feature, sign)
    return Acceptance(1, 0, lesson.better, (lesson.worse, lesson.better))


def started(text: str = "belief") -> DoubtedStart:
    found = LEARNERS.make(text).start(START)
    assert isinstance(found, DoubtedStart)
    return found


def told(learner: Learner, *lessons: Lesson) -> Learner:
    for lesson in lessons:
        learner = learner.after(lesson)
    return learner


def blank() -> Learner:
    return LEARNERS.make("belief").start(Prior(np.zeros(3)))


def test_before_any_answer_what_was_taught_is_believed() -> None:
    assert started().belief.weights.tolist() == pytest.approx(TASTE.tolist())


def test_what_she_says_against_it_ends_it_and_what_she_said_is_kept() -> None:
    against = [likes(0, -1.0), likes(1, 1.0), likes(2, -1.0)]
    found = told(started(), *against)
    assert np.array_equal(found.belief.weights, told(blank(), *against).belief.weights)
    assert not isinstance(told(started(), *against * 3), DoubtedStart)


@pytest.mark.parametrize("lesson", [likes(0), keeps(0)], ids=["improvement", "acceptance"])
def test_what_she_says_in_its_favour_keeps_it(lesson: Lesson) -> None:
    found = started().after(lesson)
    assert isinstance(found, DoubtedStart)
    assert found.evidence > 0.0
    assert found.belief.weights[1] == pytest.approx(TASTE[1])


def test_evidence_is_how_much_more_probable_it_made_her_answers() -> None:
    found = started()
    after = found.after(likes(1))
    assert isinstance(after, DoubtedStart)
    pair = [
        learner.belief.probability(likes(1).better, likes(1).worse) or 0.0 for learner in (found.remembering, blank())
    ]
    assert after.evidence == pytest.approx(math.log(pair[0]) - math.log(pair[1]))
    assert after.evidence < 0.0


def test_one_answer_alone_settles_nothing_that_many_have_said() -> None:
    """However improbable, it counts no more than a mistake may."""
    sure = Prior(1e6 * TASTE, deviations=np.full(3, 1e-6))
    found = LEARNERS.make("belief").start(sure).after(likes(1))
    expected = math.log(LEAST_PROBABLE) - math.log(0.5)
    assert -expected > SURE, "which is enough to end what nothing has spoken for yet"
    assert not isinstance(found, DoubtedStart)
    favoured = DoubtedStart(LEARNERS.make("belief").start(Prior(1e6 * TASTE)), blank(), -expected + 1.0).after(likes(1))
    assert isinstance(favoured, DoubtedStart)
    assert favoured.evidence == pytest.approx(1.0)


def test_without_an_earlier_elicitation_there_is_nothing_to_doubt() -> None:
    assert not isinstance(blank(), DoubtedStart)
    assert not isinstance(LEARNERS.make("belief").start(Prior(TASTE)), DoubtedStart)


def test_it_is_the_same_whenever_somebody_looks() -> None:
    lessons: list[Lesson] = [likes(0), keeps(2), likes(1), likes(2, -1.0), keeps(0, -1.0)]
    looked = started()
    learner: Learner = looked
    for lesson in lessons:
        _ = learner.belief.weights
        learner = learner.after(lesson)
    assert np.array_equal(learner.belief.weights, told(started(), *lessons).belief.weights)
