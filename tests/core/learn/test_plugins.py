"""Strategies of other packages: found through entry points, or given as objects."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from tests.core.elicitation.reference import TINY
from tests.core.learn.conftest import Offer

from pcl_core import Code, Configuration, Elicitation, Query, RequestError, Settings, Strategies
from pcl_core.learn import (
    LEARNERS,
    SELECTIONS,
    Acceptance,
    Belief,
    Improvement,
    Learner,
    Lesson,
    Perceptron,
    Prior,
    Registry,
    Situation,
    Strategy,
    Vector,
)
from pcl_core.learn.perceptron import PerceptronState
from pcl_core.users import USERS, PartView


class Always(Strategy):
    """always the same part"""

    part: int = 1

    def __call__(self, situation: Situation) -> int:
        return self.part


@dataclass(frozen=True)
class Batch:
    """Looks at all feedback so far: the sum of what improvements changed, over their number."""

    first: Vector
    lessons: tuple[Lesson, ...] = ()

    @property
    def belief(self) -> Belief:
        changes = [lesson.better - lesson.worse for lesson in self.lessons if isinstance(lesson, Improvement)]
        return Belief(self.first + sum(changes, np.zeros_like(self.first)) / max(1, len(changes)), "J")

    def after(self, lesson: Lesson) -> "Batch":
        return Batch(self.first, (*self.lessons, lesson))


class Batches(Strategy):
    """the mean change"""

    def start(self, prior: Prior) -> Learner:
        return Batch(prior.weights)


class OnEverything(Strategy):
    """the perceptron, proposing by all features of a part"""

    def start(self, prior: Prior) -> Learner:
        return PerceptronState(Perceptron(), prior, prior.weights, np.zeros_like(prior.weights), infers_on="I")


class Silent(Strategy):
    """never wants anything"""

    informative: ClassVar[bool] = False
    truthful: ClassVar[bool] = False
    alpha: ClassVar[float] = 1.0

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        return None


def asked(elicitation: Elicitation, part: str | None = None) -> Query:
    query = elicitation.ask(part)
    assert query is not None
    return query


def tiny(strategies: Strategies | None = None, weights: Sequence[float] | None = None, **settings: str) -> Elicitation:
    chosen = Settings.model_validate({"order": "declared", "stop": "never", **settings})
    return Elicitation(TINY, backend="table", settings=chosen, strategies=strategies, weights=weights)


def test_another_package_can_add_a_selection(offer: Offer) -> None:
    offer("pcl.selections", "always", Always)
    assert "always" in SELECTIONS.names()
    assert asked(tiny(select="always:part=0")).part == "A"
    assert asked(tiny(select="always")).part == "B"


def test_options_of_another_package_are_checked(offer: Offer) -> None:
    offer("pcl.selections", "always", Always)
    with pytest.raises(RequestError) as caught:
        SELECTIONS.make("always:part=most")
    assert caught.value.code is Code.BAD_VALUE
    assert "part of selection 'always' is most, but it should be a valid integer" in str(caught.value)


def test_a_name_of_another_package_is_suggested(offer: Offer) -> None:
    offer("pcl.selections", "always", Always)
    with pytest.raises(RequestError, match="did you mean 'always'"):
        SELECTIONS.make("alwys")


def test_a_name_of_ours_cannot_be_taken(offer: Offer) -> None:
    offer("pcl.selections", "random", Always)
    assert not isinstance(SELECTIONS.make("random"), Always)


def test_another_package_can_add_a_learner(offer: Offer) -> None:
    offer("pcl.learners", "batch", Batches)
    assert isinstance(LEARNERS.make("batch"), Batches)
    elicitation = tiny(learner="batch", mode="paper")
    elicitation.tell(asked(elicitation, "A").improve({"a": True}))
    assert elicitation.weights.tolist() == [1.0, 0.0, 1.0]


def test_another_package_can_add_a_user(offer: Offer) -> None:
    offer("pcl.users", "silent", Silent)
    assert isinstance(USERS.make("silent", alpha=0.3), Silent)


def test_defaults_go_to_strategies_that_take_them() -> None:
    assert USERS.make("informative", alpha=0.3).alpha == 0.3
    assert USERS.make("informative:alpha=0.5", alpha=0.3).alpha == 0.5
    assert USERS.make("best", alpha=0.3).alpha == 1.0


def test_an_object_can_select_the_parts() -> None:
    assert asked(tiny(Strategies(select=lambda situation: 1))).part == "B"


def test_a_learner_given_as_an_object_may_look_at_all_feedback() -> None:
    elicitation = tiny(Strategies(learner=Batches()), mode="paper")
    elicitation.tell(asked(elicitation, "A").improve({"a": True}))
    # (1, 0, 1) proposes ~b, and b changes the features by (0, 1, -1)
    elicitation.tell(asked(elicitation, "B").improve({"b": True}))
    assert elicitation.weights.tolist() == [0.5, 0.5, 0.0]


def test_a_learner_also_hears_of_satisfaction_and_of_nothing_else() -> None:
    elicitation = tiny(Strategies(learner=Batches()))
    first = asked(elicitation, "A")
    elicitation.tell(first.accept())
    elicitation.tell(asked(elicitation, "B").skip())
    elicitation.tell(asked(elicitation, "A").improve({"a": True}))
    last = asked(elicitation, "B")
    elicitation.tell(last.accept())
    state = elicitation._state.learner
    assert isinstance(state, Batch)
    assert [(lesson.query, lesson.part, type(lesson)) for lesson in state.lessons] == [
        (1, 0, Acceptance),
        (3, 0, Improvement),
        (4, 1, Acceptance),
    ]
    features = elicitation.oracle.features
    accepted = [lesson.accepted.tolist() for lesson in state.lessons if isinstance(lesson, Acceptance)]
    assert accepted == [features.values(query.configuration).tolist() for query in (first, last)]


@pytest.mark.parametrize("learner", ["perceptron", "averaged", "perceptron:step=sqrt,radius=2"])
def test_satisfaction_moves_no_weights_of_ours(learner: str) -> None:
    elicitation = tiny(learner=learner)
    elicitation.tell(asked(elicitation, "A").improve({"a": True}))
    before = elicitation.weights.tolist()
    assert any(before)
    for part in ("B", "A", "B"):
        elicitation.tell(asked(elicitation, part).accept())
    assert elicitation.weights.tolist() == before


def test_an_object_can_order_the_parts() -> None:
    backwards = Strategies(order=lambda problem, generator: range(len(problem.parts))[::-1])
    assert tiny(backwards).order == (1, 0)
    with pytest.raises(RequestError, match="the order must list every part exactly once"):
        tiny(Strategies(order=lambda problem, generator: (0,)))


class Unstarted(Strategy):
    """a learner that cannot be started"""


class Odd(Strategy):
    """a learner that wants more than it gets"""

    def start(self, prior: Prior, more: int) -> None: ...


class Fragile(Strategy):
    """cannot be made"""

    def __call__(self, situation: Situation) -> int:
        return 0

    def model_post_init(self, context: object) -> None:
        raise SystemExit(3)


@pytest.mark.parametrize(
    ("registry", "found", "reason"),
    [
        (SELECTIONS, len, "it is not a subclass of"),
        (SELECTIONS, Batch, "it is not a subclass of"),
        (SELECTIONS, Unstarted, "a selection needs '__call__' with one argument"),
        (SELECTIONS, Fragile, "SystemExit: 3"),
        (LEARNERS, Unstarted, "a learner needs 'start' with one argument"),
        (LEARNERS, Odd, "a learner needs 'start' with one argument"),
        (USERS, Batches, "a user needs 'improve' with two arguments"),
    ],
)
def test_what_another_package_breaks_is_said_to_be_its(
    offer: Offer, registry: Registry[object], found: object, reason: str
) -> None:
    offer(registry.group, "odd", found)
    with pytest.raises(RequestError) as caught:
        registry.make("odd")
    assert caught.value.code is Code.PLUGIN_BROKEN
    assert "'odd' of package 'other'" in str(caught.value)
    assert reason in str(caught.value)
    listed = {entry.plugin.name: entry.broken for entry in registry.examine()}
    assert reason in (listed["odd"] or "")


def test_taking_back_an_answer_takes_it_from_such_a_learner() -> None:
    elicitation = tiny(Strategies(learner=Batches()), mode="paper")
    elicitation.tell(asked(elicitation, "A").improve({"a": True}))
    before = elicitation.weights.tolist()
    elicitation.tell(asked(elicitation, "B").improve({"b": True}))
    elicitation.undo()
    assert elicitation.weights.tolist() == before


def test_a_learner_may_infer_on_all_features_of_a_part() -> None:
    weights = (1.0, 0.0, -3.0)
    assert asked(tiny(weights=weights), "A").proposal == {"a": True}
    assert asked(tiny(Strategies(learner=OnEverything()), weights=weights), "A").proposal == {"a": False}


def test_reasons_count_the_features_that_were_inferred_on() -> None:
    query = asked(tiny(Strategies(learner=OnEverything()), weights=(1.0, 0.0, 3.0)), "A")
    assert [(reason.feature, reason.term) for reason in query.why] == [("f2", 3.0), ("f0", 1.0)]


@pytest.mark.parametrize("position", [2, -1])
def test_a_selection_that_names_no_part_is_refused(position: int) -> None:
    with pytest.raises(RequestError) as caught:
        tiny(Strategies(select=lambda situation: position)).ask()
    assert caught.value.code is Code.BAD_VALUE
