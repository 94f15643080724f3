"""What a person says stays: known facts, final answers, protected values, suggestions and the last look."""

from itertools import product
from pathlib import Path

import pytest
from tests.core.elicitation.sessions import TRIP

from pcl_core import (
    Code,
    Elicitation,
    InfeasibleError,
    PclError,
    Problem,
    Query,
    RequestError,
    Settings,
    parse_authored,
)
from pcl_core.elicitation.state import OpenQuery
from pcl_core.solve.oracle import Oracle

PAIR = parse_authored("""
pcl: 1
name: pair
variables: {a: {domain: 0..1}, b: {domain: 0..1}}
features: [{name: a, value: a}, {name: b, value: b}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}]
initial: [{set: a, to: 0}, {set: b, to: 0}]
""")
ORACLE = Oracle.of(TRIP, "table")


def live(problem: Problem = TRIP, log: Path | None = None, **settings: str) -> Elicitation:
    chosen = {"mode": "people", "select": "round-robin", "order": "declared", **settings}
    return Elicitation(problem, backend="table", settings=Settings.model_validate(chosen), log=log, clock=lambda: 0.0)


def asked(elicitation: Elicitation, part: str | None = None) -> Query:
    query = elicitation.ask(part)
    assert query is not None
    return query


def finish(elicitation: Elicitation) -> list[tuple[str, ...]]:
    """Accept whatever comes; which parts each query was about."""
    found = []
    while (query := elicitation.ask()) is not None:
        found.append(query.parts)
        elicitation.tell(query.accept())
    return found


def test_a_final_answer_confirms_the_part_as_it_stands() -> None:
    week = live()
    learned = week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    assert learned is not None
    assert learned.final
    assert week.confirmed == {"one": 1}
    assert asked(week).part == "two"


def test_an_answer_that_is_not_final_leaves_the_part_open() -> None:
    week = live()
    week.tell(asked(week, "one").improve({"place[one]": "sea"}))
    assert week.confirmed == {}
    assert "one" in {week.tell(asked(week).skip()) or week.problem.parts[part].name for part in range(3)}


def test_only_open_parts_are_asked_and_the_rest_is_seen_once_more_at_the_end() -> None:
    """Accepted, then changed elsewhere: facts close what does not depend on it, and one look confirms it by word."""
    week = live()
    week.tell(asked(week, "one").accept())
    week.tell(asked(week, "two").accept())
    week.tell(asked(week, "three").improve({"place[three]": "sea"}, final=True))
    assert week.confirmed == {"three": 3}
    assert finish(week) == [("one", "two")]
    assert week.certificate is not None
    assert week.certificate.how == {"one": "look", "two": "look", "three": "word"}
    assert week.certificate.by_lemma


def test_somebody_whose_wishes_are_not_linear_is_not_certified_against_her_will() -> None:
    """She wants a = b. She accepts both at 0, then sets b = 1: facts close a, and the last look finds it."""
    pair = live(PAIR)
    pair.tell(asked(pair, "first").accept())
    pair.tell(asked(pair, "second").improve({"b": 1}, final=True))
    look = asked(pair)
    assert look.parts == ("first", "second")
    assert pair.certificate is None
    pair.tell(look.improve({"a": 1}, final=True))
    assert pair.configuration == {"a": 1, "b": 1}
    finish(pair)
    assert pair.certificate is not None


def test_what_she_typed_in_a_final_answer_is_never_changed_and_the_machine_suggests_beside_it() -> None:
    """She likes the sea elsewhere, which the learner takes for a general taste; it may only say so."""
    week = live(learner="perceptron")
    week.tell(asked(week, "one").improve({"nights[one]": 2}, final=True))
    week.tell(asked(week, "two").improve({"nights[two]": 0}, final=True))  # the cost is a feature that all share
    query = asked(week, "one")
    assert query.proposal["nights[one]"] == 2
    assert not query.changes
    if query.suggestion:
        assert all(query.proposal[name] != value for name, value in query.suggestion.items())
        week.tell(query.take())
        assert {name: week.configuration[name] for name in query.suggestion} == query.suggestion


def test_a_suggestion_that_is_not_there_cannot_be_taken() -> None:
    week = live()
    with pytest.raises(RequestError, match="nothing is suggested"):
        week.tell(asked(week, "one").take())


def test_several_parts_are_confirmed_in_one_answer_without_the_one_that_waits() -> None:
    week = live()
    query = asked(week, "two")
    week.confirm()
    assert set(week.confirmed) == {"one", "three"}
    assert week.queries == 2
    week.tell(query.accept())
    assert week.certificate is not None
    assert asked(live(), None).part == "one"


def test_confirmations_are_taken_back_like_other_answers() -> None:
    week = live()
    week.confirm(["one", "two"])
    week.undo()
    assert week.confirmed == {}
    assert week.queries == 0


def test_a_pin_that_is_gone_opens_the_part_that_was_accepted_around_it() -> None:
    week = live()
    asked(week, "one")
    week.pin("place[one]", "town")
    week.tell(asked(week).accept())
    assert week.confirmed == {"one": 1}
    week.unpin("place[one]")
    assert week.confirmed == {}
    week.tell(asked(week, "two").accept())
    week.tell(asked(week, "three").accept())
    assert finish(week) == [("one",)]
    assert week.certificate is not None
    assert week.certificate.how["one"] == "word"


def test_room_is_made_in_parts_that_nobody_has_spoken_for() -> None:
    """Three nights and a guide cost 9 of 14, on each of two days."""
    week = live()
    week.tell(asked(week, "two").improve({"nights[two]": 3, "guide[two]": True}))
    learned = week.tell(asked(week, "one").improve({"nights[one]": 3, "guide[one]": True}, final=True))
    assert learned is not None
    assert learned.moved
    assert all(name.endswith(("[two]", "[three]")) for name in learned.moved)
    assert (week.configuration["nights[one]"], week.configuration["guide[one]"]) == (3, True)
    assert ORACLE.violated(week.configuration, variables=list(week.configuration), features=()) == ()


def test_what_she_said_elsewhere_and_stands_in_the_way_is_named() -> None:
    week = live()
    week.tell(asked(week, "two").improve({"nights[two]": 3}, final=True))
    week.tell(asked(week, "three").improve({"nights[three]": 3}, final=True))
    before = week.configuration
    with pytest.raises(InfeasibleError, match="no room beside what you said: nights") as caught:
        week.tell(asked(week, "one").improve({"nights[one]": 3, "guide[one]": True}, final=True))
    assert caught.value.conflict == ("budget",)
    assert week.configuration == before


def test_it_ends_without_a_certificate_when_she_has_no_opinion_on_what_is_open() -> None:
    week = live()
    for _ in range(3):
        week.tell(asked(week).skip())
    assert week.ask() is None
    assert week.finished
    assert week.certificate is None


def test_completed_values_are_not_hers_and_the_part_stays_open() -> None:
    week = live()
    query = asked(week, "one")
    rest = week.complete({"place[one]": "hills"})
    week.tell(query.improve(rest, final=True, completed=[name for name in rest if name != "place[one]"]))
    assert week.confirmed == {}
    assert week.configuration["place[one]"] == "hills"
    for number in product(range(2)):
        assert asked(week, "one").proposal["place[one]"] == "hills", number


def test_values_given_to_a_completion_are_hers_even_where_it_had_nothing_to_change() -> None:
    week = live()
    query = asked(week, "one")
    given = {"place[one]": "sea", "nights[one]": 1}
    rest = week.complete(given)
    completed = [name for name in rest if name not in given]
    assert rest == {**query.proposal, "place[one]": "sea"}
    week.tell(query.improve(rest, completed=completed))
    assert week.confirmed == {}
    assert week.parts[0].own == given


def test_a_log_with_all_of_it_is_resumed_without_solving(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = live(log=log)
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    asked(week, "two")
    week.tell(asked(week, "three").accept())
    week.confirm(["two"])
    week.undo()
    week.close()

    class Refusing:
        name = "refusing"
        capabilities = ORACLE.backend.capabilities
        availability = ORACLE.backend.availability

        def compile(self, scope: object) -> object:
            raise AssertionError("replay solves")

    again = Elicitation.resume(log, TRIP, oracle=Oracle(TRIP, Refusing()))  # type: ignore[arg-type]
    assert again.configuration == week.configuration
    assert again.confirmed == week.confirmed
    assert again.queries == week.queries


@pytest.mark.parametrize("mode", ["keep", "paper", "people"])
def test_all_is_confirmed_at_once_in_every_mode(mode: str) -> None:
    week = live(mode=mode)
    week.confirm()
    assert week.confirmed == {"one": 1, "two": 1, "three": 1}
    assert week.certificate is not None
    with pytest.raises(PclError) as caught:
        week.confirm(["four"])
    assert caught.value.code is Code.UNKNOWN_NAME


def test_accepting_what_was_completed_around_a_pin_confirms_it() -> None:
    week = live()
    asked(week, "one")
    week.pin("nights[one]", 3)
    week.tell(asked(week).accept())
    assert week.confirmed == {"one": 1}


def test_a_final_change_in_the_last_look_confirms_what_was_changed_and_nothing_else() -> None:
    week = live()
    week.confirm(["one", "two"])
    week.tell(asked(week, "three").improve({"place[three]": "sea"}, final=True))
    look = asked(week)
    assert look.parts == ("one", "two")
    week.tell(look.improve({"place[two]": "sea"}, final=True))
    assert set(week.confirmed) == {"two"}


TIED = parse_authored("""
pcl: 1
name: tied
variables: {a: {domain: 0..3}, b: {domain: 0..3}, c: {domain: 0..3}, d: {domain: 0..1}}
features: [{name: a, value: a}, {name: b, value: b}, {name: c, value: c}, {name: d, value: d}, {name: ac, value: a + c}]
parts: [{name: first, variables: [a, b]}, {name: second, variables: [c]}, {name: third, variables: [d]}]
initial: [{set: a, to: 0}, {set: b, to: 0}, {set: c, to: 0}, {set: d, to: 0}]
""")


@pytest.mark.parametrize("stop", ["never", "two-pass"])
@pytest.mark.parametrize("select", ["round-robin", "random"])
def test_parts_are_asked_on_where_it_does_not_end_with_the_certificate(stop: str, select: str) -> None:
    week = live(TIED, stop=stop, select=select)
    for _ in range(9):
        if (query := week.ask()) is not None:
            week.tell(query.accept())
    assert week.queries == 9 or week.certificate is not None


def test_improvements_say_how_the_weights_moved() -> None:
    week = live(TIED)
    learned = week.tell(asked(week, "first").improve({"a": 1}))
    assert learned is not None
    assert learned.update == "I"


@pytest.mark.parametrize("learner", ["perceptron", "belief"])
def test_a_newer_word_that_is_not_final_takes_the_place_of_an_older_one_and_frees_nothing_else(learner: str) -> None:
    week = live(TIED, learner=learner)
    week.tell(asked(week, "first").improve({"a": 1, "b": 1}, final=True))
    week.tell(asked(week, "first").improve({"a": 3}))
    assert asked(week, "first").proposal["b"] == 1
    assert asked(week, "first").proposal["a"] != 1


@pytest.mark.parametrize("learner", ["perceptron", "belief"])
def test_a_pin_takes_the_place_of_an_older_word_also_when_it_is_gone_and_frees_nothing_else(learner: str) -> None:
    week = live(TIED, learner=learner)
    week.tell(asked(week, "first").improve({"b": 1}, final=True))
    week.tell(asked(week, "first").improve({"a": 1}, final=True))
    asked(week, "first")
    assert week.pin("a", 0).proposal == {"a": 0, "b": 1}  # she improved on that before, and b is hers nevertheless
    week.unpin("a")
    assert asked(week, "second").configuration["b"] == 1
    assert asked(week, "first").proposal["b"] == 1


def look_with_a_pin_in_the_second_part() -> Elicitation:
    week = live(TIED)
    week.confirm(["first", "second"])
    week.tell(asked(week, "third").improve({"d": 1}, final=True))
    assert asked(week).parts == ("first", "second")
    week.pin("c", 1)
    return week


def test_accepting_a_look_in_which_something_was_pinned_confirms_all_of_it() -> None:
    week = look_with_a_pin_in_the_second_part()
    week.tell(asked(week).accept())
    assert set(week.confirmed) == {"first", "second"}


def test_a_pin_in_a_look_states_no_fact_about_any_part() -> None:
    """a + c became greater, and so did c, which she may like and the first part's features do not have."""
    week = look_with_a_pin_in_the_second_part()
    week.tell(asked(week).accept())
    assert not week._state.facts.of(0).strict
    assert not week._state.facts.of(1).strict
    again = look_with_a_pin_in_the_second_part()
    again.tell(asked(again).improve({"a": 1}, final=True))
    assert set(again.confirmed) == {"first"}
    assert not again._state.facts.of(0).strict
    assert not again._state.facts.of(1).strict


def test_what_she_was_shown_and_improved_is_not_proposed_again() -> None:
    """Whatever the belief makes of it: she knows something better."""
    week = live(learner="belief", seed="3")
    seen: set[tuple[object, ...]] = set()
    for nights in (2, 3, 0, 2, 3, 0, 2):
        query = asked(week, "one")
        shown = tuple(query.proposal.values())
        if query.changes:
            assert shown not in seen
        if query.proposal["nights[one]"] == nights:
            break
        seen.add(shown)
        week.tell(query.improve({"nights[one]": nights}))


def test_parts_for_which_nothing_better_is_known_are_not_asked_alone_again() -> None:
    """The budget ties all days together, so facts alone do not close them; a belief without a suggestion leaves them to the look."""
    week = live(learner="belief")
    week.tell(asked(week, "one").accept())
    week.tell(asked(week, "two").accept())
    week.tell(asked(week, "three").improve({"nights[three]": 0}, final=True))
    assert finish(week) == [("one", "two")]
    assert week.certificate is not None
    assert set(week.certificate.confirmed) == {"one", "two", "three"}


ALIKE = parse_authored("""
pcl: 1
name: alike
variables: {a: {domain: 0..2}, b: {domain: 0..2}}
features: [{name: a, value: a}, {name: b, value: b}]
constraints: [{name: near, require: a + b <= 2}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}]
initial: [{set: a, to: 1}, {set: b, to: 1}]
""")


@pytest.mark.parametrize("mode", ["people", "keep"])
def test_what_is_possible_in_a_look_at_several_parts_is_what_a_completion_gives(mode: str) -> None:
    both = live(ALIKE, mode=mode)
    opened = OpenQuery(1, (0, 1), both._state, both._state.units, both._state.configuration, True)
    proposer = both._proposer
    for drafted in ({}, {"a": 0}, {"b": 2}, {"a": 0, "b": 2}):
        found = proposer.possible(both._state, opened.parts, drafted, drafted)
        for name, value in product(("a", "b"), range(3)):
            given = {**drafted, name: value}
            if drafted.get(name, value) == value:
                completed = proposer.completion(both._state, opened.parts, given)
                assert (value in found[name]) == (completed is not None), (drafted, name, value)
    apart = proposer.possible(both._state, opened.parts, {})
    assert apart.data() == {"a": [0, 1], "b": [0, 1]}
    with pytest.raises(KeyError):
        apart["c"]


def test_the_last_look_offers_no_value_that_it_would_refuse() -> None:
    both = live(ALIKE)
    both.confirm(["first"])
    both.tell(asked(both, "second").improve({"b": 0}, final=True))
    both.tell(asked(both, "first").improve({"a": 2}, final=True))
    look = asked(both)
    assert {name: tuple(values) for name, values in look.possible.items()} == {"a": (0, 1, 2), "b": (0,)}
