"""Known facts: what a person said once and for all, and whether parts are closed by it; judged by enumeration."""

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from tests.core.alternatives.space import Space, spaces

from pcl_core import Configuration, Value, load
from pcl_core.alternatives.listing import Alternatives, Listing
from pcl_core.alternatives.residual import Residuals
from pcl_core.learn.facts import Heard, KnownFacts, primitive

X: dict[str, Value] = {"x": 1}
"""What stands in the part, where it does not matter what."""


def rows(*vectors: tuple[int, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.array(vectors, dtype=np.int64).reshape(len(vectors), -1)


def row(*entries: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(entries, dtype=np.int64)


@dataclass
class Session:
    """A truthful person with a linear utility, asked about parts of a problem whose configuration changes meanwhile."""

    space: Space
    random: Random
    listed: bool
    facts: KnownFacts = field(default_factory=KnownFacts)
    pins: dict[str, Value] = field(default_factory=dict)
    closed: int = 0

    def __post_init__(self) -> None:
        self.problem = self.space.problem
        self.weights = [self.random.randint(-3, 3) for _ in self.problem.features]
        self.x = self.random.choice(self.space.allowed)
        self.listing, self.residuals = Listing(self.problem), Residuals(self.problem)

    def utility(self, x: Configuration) -> Fraction:
        return sum((w * f for w, f in zip(self.weights, self.space.features(x), strict=True)), Fraction(0))

    def own_pins(self, part: int) -> dict[str, Value]:
        return {name: value for name, value in self.pins.items() if name in self.problem.parts[part].variables}

    def values(self, part: int) -> Configuration:
        return {name: self.x[name] for name in self.problem.parts[part].variables}

    def alternatives(self, part: int) -> Alternatives:
        found = self.listing.of(part, self.x, self.own_pins(part))
        assert found is not None
        return found

    def better(self, part: int) -> list[Configuration]:
        here = self.utility(self.x)
        return [y for y in self.space.beside(part, self.x, self.own_pins(part)) if self.utility(y) > here]

    def confirm(self, part: int) -> Heard:
        if self.listed:
            return self.facts.accepting(part, self.values(part), self.alternatives(part).differences)
        residual = self.residuals.of(part, self.x, self.own_pins(part))
        return self.facts.accepting_unlisted(part, self.values(part), residual)

    def is_closed(self, part: int) -> bool:
        if self.listed:
            return self.facts.closed(part, self.values(part), self.alternatives(part).differences)
        residual = self.residuals.of(part, self.x, self.own_pins(part))
        return self.facts.closed_unlisted(part, self.values(part), residual)

    def answer(self, part: int) -> None:
        """Confirm what cannot be improved; else improve it, and say that it is final where it is."""
        better = self.better(part)
        if not better:
            heard = self.confirm(part)
        else:
            found = self.alternatives(part)
            assert found.standing is not None
            chosen = self.random.choice(better)
            to = next(at for at in range(len(found)) if self.x | found.values(at) == chosen)
            heard = self.facts.improving(part, found.units[found.standing], found.units[to])
            assert not heard.inexplicable
            self.x = chosen
            if not self.better(part):
                self.facts, final = heard.facts, self.confirm(part)
                assert not len(final.dropped)
                heard = final
        assert not len(heard.dropped), "a truthful person contradicts nothing"
        self.facts = heard.facts

    def step(self) -> None:
        part = self.random.randrange(len(self.problem.parts))
        match self.random.randrange(6):
            case 0:  # something else changes everything that may change
                moved = self.random.choice(self.space.allowed)
                self.x = moved if all(moved[n] == v for n, v in self.pins.items()) else self.x
            case 1:
                name = self.random.choice(list(self.x))
                self.pins[name] = self.x[name]
            case 2 if self.pins:
                del self.pins[self.random.choice(list(self.pins))]
            case _:
                self.answer(part)
        for each in range(len(self.problem.parts)):
            if self.is_closed(each):
                self.closed += 1
                assert not self.better(each), "a closed part can be improved"


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "unlisted"])
def test_nothing_improves_a_closed_part_whatever_changed_elsewhere(listed: bool) -> None:
    closed = 0
    for seed, space in spaces(40):
        session = Session(space, Random(seed + 1000), listed)
        for _ in range(40):
            session.step()
        closed += session.closed
    assert closed > 600


def test_facts_outlive_changes_that_a_residual_problem_does_not() -> None:
    """A grid of spins: the blocks' differences are the same few, whatever is beside them."""
    problem = load("grid")
    random, listing, facts = Random(1), Listing(problem), KnownFacts()
    weights = np.array([random.randint(-9, 9) for _ in problem.features])
    subset = list(problem.structure.feature_subsets[0])
    again = 0
    for _ in range(60):
        x: Configuration = {variable.name: random.random() < 0.5 for variable in problem.variables}
        found = listing.of(0, x)
        assert found is not None
        x |= found.values(int(np.argmax(found.units @ weights[subset])))
        best = listing.of(0, x)
        assert best is not None
        values = {name: x[name] for name in problem.parts[0].variables}
        assert (best.differences @ weights[subset] <= 0).all()
        again += bool(facts.rejected(0, best.differences).all())
        facts = facts.accepting(0, values, best.differences).facts
        assert facts.closed(0, values, best.differences)
    assert again > 10, "contexts that were never seen are known all the same"


def test_facts_survive_lies_without_contradicting_themselves() -> None:
    for seed in range(40):
        random, facts, told = Random(seed), KnownFacts(), 0
        for _ in range(60):
            if random.random() < 0.5:
                some = rows(*{tuple(random.randint(-1, 1) for _ in range(2)) for _ in range(3)})
                heard = facts.accepting(0, X, some)
                assert heard.facts.rejected(0, some).all(), "the newest word counts"
                assert heard.facts.closed(0, X, some)
            else:
                difference = row(random.randint(-1, 1), random.randint(-1, 1))
                heard = facts.improving(0, np.zeros_like(difference), difference)
                assert heard.inexplicable is not bool(difference.any())
                assert heard.facts.rejected(0, -difference[None, :]).all()
                assert heard.facts.of(0).confirmed is None
            told += len(heard.dropped)
            if len(heard.dropped):
                assert facts.rejected(0, heard.dropped).all(), "only what was stated can be dropped"
                assert not {each.tobytes() for each in heard.dropped} & heard.facts.of(0).strict
            facts = heard.facts
            known = facts.of(0)
            assert known.strict <= known.rejected
            opposite = {(-np.frombuffer(key, dtype=np.int64)).tobytes() for key in known.strict}
            assert not opposite & known.rejected, "d and -d, one of them strict"
        assert told > 0


def test_a_multiple_of_a_rejected_difference_is_rejected_and_its_opposite_is_not() -> None:
    facts = KnownFacts().accepting(0, X, rows((2, -4))).facts
    assert facts.rejected(0, rows((1, -2), (6, -12), (-1, 2), (2, -3), (0, 0))).tolist() == [
        True,
        True,
        False,
        False,
        True,
    ]
    assert facts.closed(0, X, rows((3, -6), (0, 0)))
    assert not facts.closed(0, {"x": 2}, rows((3, -6))), "other values than she confirmed"
    assert not facts.closed(1, X, rows((3, -6))), "another part"
    assert not facts.closed(0, X, rows((3, -6), (1, 0)))


def test_equally_good_both_ways_is_no_contradiction() -> None:
    first = KnownFacts().accepting(0, X, rows((1, 0)))
    second = first.facts.accepting(0, {"x": 2}, rows((-1, 0)))
    assert not len(second.dropped)
    assert second.facts.rejected(0, rows((1, 0), (-1, 0))).all()


def test_an_improvement_against_an_acceptance_drops_it_and_opens_the_part() -> None:
    facts = KnownFacts().accepting(0, X, rows((1, 0), (0, 1))).facts
    heard = facts.improving(0, row(0, 0), row(3, 0))
    assert heard.dropped.tolist() == [[1, 0]]
    assert heard.facts.rejected(0, rows((-1, 0), (1, 0), (0, 1))).tolist() == [True, False, True]
    assert not heard.facts.closed(0, X, rows((0, 1)))
    assert facts.closed(0, X, rows((0, 1))), "what was known before is as it was: undoing is going back"


def test_an_acceptance_against_an_improvement_drops_that() -> None:
    heard = KnownFacts().improving(0, row(0, 0), row(1, 0)).facts.accepting(0, X, rows((1, 0)))
    assert heard.dropped.tolist() == [[-1, 0]]
    assert heard.facts.rejected(0, rows((1, 0), (-1, 0))).tolist() == [True, False]


def test_better_with_the_same_features_is_inexplicable_and_says_nothing() -> None:
    facts = KnownFacts().accepting(0, X, rows((1, 0))).facts
    heard = facts.improving(0, row(0, 0), row(0, 0))
    assert heard.inexplicable
    assert not len(heard.dropped)
    assert heard.facts.of(0).rejected == facts.of(0).rejected
    assert not heard.facts.closed(0, X, rows((1, 0)))


def test_a_part_without_features_is_closed_by_a_word() -> None:
    nothing = np.zeros((3, 0), dtype=np.int64)
    facts = KnownFacts()
    assert not facts.closed(0, X, nothing)
    assert facts.accepting(0, X, nothing).facts.closed(0, X, nothing)
    assert facts.rejected(0, nothing).all()


def test_directions_are_exact_for_large_numbers() -> None:
    large = 2**53
    assert primitive(rows((large, -large), (large - 1, large), (0, 0))).tolist() == [
        [1, -1],
        [large - 1, large],
        [0, 0],
    ]
