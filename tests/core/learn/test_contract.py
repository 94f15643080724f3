"""Lessons go in, a belief comes out: what elicitations promise to learners, beliefs and selections."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.core.elicitation.reference import TINY

from pcl_core import Elicitation, Problem, Query, Settings, Strategies, load
from pcl_core.learn import (
    Acceptance,
    Belief,
    Improvement,
    Learner,
    Lesson,
    Perceptron,
    Prior,
    Situation,
    Strategy,
    Vector,
)
from pcl_core.learn.perceptron import update_of

GRID = load("grid")


@dataclass(frozen=True)
class Cloud(Belief):
    """A point with noise around it."""

    noise: float = 1.0

    def proposing(self, generator: np.random.Generator) -> Vector:
        return self.weights + self.noise * generator.normal(size=len(self.weights))

    def samples(self, count: int, generator: np.random.Generator) -> npt.NDArray[np.float64]:
        return self.weights + self.noise * generator.normal(size=(count, len(self.weights)))


@dataclass(frozen=True)
class Wandering:
    """Learns nothing, and believes in a cloud."""

    belief: Belief

    def after(self, lesson: Lesson) -> "Wandering":
        return self


class Wanders(Strategy):
    """proposes at random"""

    def start(self, prior: Prior) -> Learner:
        return Wandering(Cloud(prior.weights))


class Watching:
    """A selection that remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Situation] = []

    def __call__(self, situation: Situation) -> int:
        self.seen.append(situation)
        return len(self.seen) % len(situation.order)


def asked(elicitation: Elicitation, part: str | None = None) -> Query:
    query = elicitation.ask(part)
    assert query is not None
    return query


def wandering(problem: Problem = GRID, seed: int = 1, log: Path | None = None) -> Elicitation:
    settings = Settings(seed=seed, stop="never")
    return Elicitation(problem, backend="table", settings=settings, strategies=Strategies(learner=Wanders()), log=log)


def best_blocks(problem: Problem, weights: Vector, query: Query) -> float:
    """max wᵀφ over what may stand in a part of the grid, by trying all of it."""
    elicitation = Elicitation(problem, backend="table", weights=weights)
    own = np.array(problem.structure.feature_subsets[query.part_position])
    found = elicitation.oracle.solve(
        weights, variables=tuple(query.proposal), given=query.configuration, features=own.tolist()
    )
    assert found.utility is not None
    return found.utility


def test_a_belief_may_draw_what_a_query_proposes_by() -> None:
    proposals = []
    for seed in (1, 1, 2):
        elicitation = wandering(seed=seed)
        proposals.append([tuple(asked(elicitation, "block[0,0]").proposal.values()), elicitation.weights.tolist()])
    assert proposals[0] == proposals[1]
    assert proposals[0][0] != proposals[2][0]
    assert not any(proposals[0][1]), "the belief itself is still a point at zero"


def test_each_query_draws_anew_and_undo_draws_the_same() -> None:
    elicitation = wandering()
    seen = []
    for _ in range(4):
        seen.append(tuple(asked(elicitation, "block[0,0]").proposal.values()))
        elicitation.tell(asked(elicitation).accept())
    assert len(set(seen)) > 1
    elicitation.undo()
    assert tuple(asked(elicitation).proposal.values()) == seen[-1]


def test_a_resumed_elicitation_draws_what_it_would_have_drawn(tmp_path: Path) -> None:
    before = wandering(log=tmp_path / "log.jsonl")
    query = asked(before, "block[0,0]")
    before.close()
    after = Elicitation.resume(tmp_path / "log.jsonl", GRID, backend="table", strategies=Strategies(learner=Wanders()))
    again = asked(after)
    assert again.reasons() == query.reasons()
    assert again.reasons()
    live = wandering()
    live.tell(asked(live, "block[0,0]").accept())
    after.tell(again.accept())
    assert asked(after, "block[1,1]").proposal == asked(live, "block[1,1]").proposal
    after.close()


def test_pins_do_not_make_a_belief_draw_anew() -> None:
    elicitation = wandering()
    query = asked(elicitation, "block[0,0]")
    name, value = next(iter(query.proposal.items()))
    assert elicitation.pin(name, value).proposal == query.proposal


def test_what_was_drawn_for_the_selection_does_not_depend_on_the_belief() -> None:
    def parts(strategies: Strategies) -> list[str]:
        elicitation = Elicitation(GRID, backend="table", settings=Settings(stop="never"), strategies=strategies)
        found = []
        for _ in range(10):
            found.append(asked(elicitation).part)
            elicitation.tell(asked(elicitation).skip())
        return found

    assert parts(Strategies(learner=Wanders())) == parts(Strategies())


def test_a_selection_sees_what_is_confirmed_and_believed() -> None:
    watching = Watching()
    settings = Settings(order="declared", stop="never")
    elicitation = Elicitation(TINY, backend="table", settings=settings, strategies=Strategies(select=watching))
    elicitation.tell(asked(elicitation).accept())
    elicitation.tell(asked(elicitation).improve({"a": not asked(elicitation).proposal["a"]}))
    elicitation.tell(asked(elicitation).accept())
    asked(elicitation)
    assert [situation.standing for situation in watching.seen] == [
        ("new", "new"),
        ("new", "closed"),
        ("new", "open"),
        ("new", "closed"),
    ]
    assert [situation.belief.weights.any() for situation in watching.seen] == [False, False, True, True]


def test_a_belief_without_samples_expects_nothing() -> None:
    watching = Watching()
    strategies = Strategies(select=watching)
    elicitation = Elicitation(
        TINY, backend="table", settings=Settings(), weights=[1.0, 2.0, 3.0], strategies=strategies
    )
    asked(elicitation)
    assert [watching.seen[0].expected(part) for part in (0, 1)] == [0.0, 0.0]


def test_the_expected_improvement_is_the_mean_of_what_samples_gain() -> None:
    watching = Watching()
    strategies = Strategies(learner=Wanders(), select=watching)
    elicitation = Elicitation(GRID, backend="table", settings=Settings(seed=5), strategies=strategies)
    query = asked(elicitation)
    part = query.part_position
    own = np.array(GRID.structure.feature_subsets[part])
    here = elicitation.oracle.features.values(query.configuration)[own]
    belief = watching.seen[0].belief
    samples = belief.samples(
        16, elicitation._rules.proposing_generator(elicitation._state._replace(open=None, queries=0))
    )
    assert samples is not None
    gains = [best_blocks(GRID, weights, query) - float(weights[own] @ here) for weights in samples]
    assert watching.seen[0].expected(part) == pytest.approx(np.mean(gains), rel=1e-9)
    assert min(gains) >= -1e-9
    assert max(gains) > 0.1


def test_acceptances_leave_a_perceptron_as_it_is_and_a_final_answer_counts_once() -> None:
    own = (np.array([0, 1]),)
    start = Perceptron().start(Prior(np.zeros(2), own, own))
    better = np.array([1.0, 0.0])
    taught = start.after(Improvement(1, 0, np.zeros(2), better, final=True))
    told = taught.after(Acceptance(1, 0, better, (np.array([0.0, 1.0]),)))
    assert told.belief.weights.tolist() == taught.belief.weights.tolist() == [1.0, 0.0]
    assert start.belief.weights.tolist() == [0.0, 0.0]
    assert update_of(told) == "I"


def test_which_weights_moved_is_said_of_perceptrons_alone() -> None:
    for learner, update in ((None, "I"), (Wanders(), "none")):
        elicitation = Elicitation(TINY, backend="table", settings=Settings(), strategies=Strategies(learner=learner))
        query = asked(elicitation, "A")
        learned = elicitation.tell(query.improve({"a": not query.proposal["a"]}))
        assert learned is not None
        assert learned.update == update


@pytest.mark.parametrize("place", ["examples", "docs/how-to", "docs/tutorial", "docs/explanation", "docs/reference"])
def test_nobody_outside_needs_what_is_deep_in_these_rooms(place: str) -> None:
    files = [path for path in (Path(__file__).parents[3] / place).rglob("*") if path.suffix in (".py", ".md")]
    assert files
    deep = [
        (path.name, line)
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if any(f"pcl_core.{room}." in line and "import" in line for room in ("learn", "users", "analysis"))
    ]
    assert not deep
