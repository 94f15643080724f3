"""What was worked out once is not worked out again: counted, not timed."""

from collections import Counter

import pytest
from tests.core.elicitation.test_people import asked, finish, live

from pcl_core import load
from pcl_core.alternatives.listing import Listing
from pcl_core.elicitation.events import Event
from pcl_core.elicitation.making_room import _changes_of
from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.state import State
from pcl_core.errors import InfeasibleError
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.learn.belief import learner
from pcl_core.learn.belief.gaussian import Posterior
from pcl_core.learn.belief.propagation import fitted
from pcl_core.model.lately import Lately


def test_a_second_elicitation_on_a_problem_lists_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = load("hotel")
    first = live(problem, learner="belief")
    asked(first)
    assert Listing.shared(problem).prepared == len(problem.parts)
    made, evaluated = list[int](), VectorEvaluator.evaluate

    def counted(self: VectorEvaluator, columns: Integers) -> Integers:
        made.append(columns.shape[1])
        return evaluated(self, columns)

    monkeypatch.setattr(VectorEvaluator, "evaluate", counted)
    second = live(problem, learner="belief")
    assert asked(second).configuration == asked(first).configuration
    assert Listing.shared(problem).prepared == len(problem.parts)
    assert max(made, default=0) <= 1, "contexts alone, and no lists"
    Listing(problem).of(0, second.configuration)
    assert max(made) > 1


def test_taking_back_applies_no_event_again(monkeypatch: pytest.MonkeyPatch) -> None:
    week = live(learner="belief")
    states = [week._state]
    for _ in range(3):
        query = asked(week)
        states.append(week._state)
        week.tell(query.accept())
    applied = list[Event]()

    def apply(self: PeopleRules, state: State, event: Event) -> State:
        applied.append(event)
        raise AssertionError

    monkeypatch.setattr(PeopleRules, "apply", apply)
    for state in reversed(states[1:]):
        week.undo()
        assert week._state is state
    assert not applied


def test_an_answer_is_learned_once_although_it_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = Counter[bytes]()

    def counted(posterior: Posterior) -> Posterior:
        sites = posterior.sites
        told = (sites.directions, sites.noise, sites.precision, sites.shift)
        fits[b"".join(array.tobytes() for array in told)] += 1
        return fitted(posterior)

    monkeypatch.setattr(learner, "fitted", counted)
    week = live(learner="belief")
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    finish(week)
    assert fits
    assert max(fits.values()) == 1


def test_what_was_found_lately_is_for_the_very_objects_and_does_not_grow() -> None:
    lately, made = Lately[int](2), list[int]()

    def find(key: str, same: object) -> int:
        def make() -> int:
            made.append(len(made))
            return made[-1]

        return lately.get(key, make, same)

    one, other = [1], [1]
    assert [find("a", one), find("a", one), find("a", other), find("b", one), find("a", other)] == [0, 0, 1, 2, 1]
    assert find("a", one) == 3, "the oldest went"


def test_what_can_be_seen_to_be_impossible_is_refused_without_compiling_anything() -> None:
    hotel = live(load("hotel"), learner="belief")
    query = asked(hotel)
    most = {name: max(values) for name, values in query.possible.items() if values}
    with pytest.raises(InfeasibleError) as caught:
        hotel.tell(query.improve(most))
    assert caught.value.conflict[0] == f"capacity[{query.part}]"
    assert hotel.oracle.compiled.compilations == 0
    assert hotel.oracle.derived(_changes_of).compiled.compilations == 0
