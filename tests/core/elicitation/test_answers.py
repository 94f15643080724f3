"""Answers: they belong to what was shown, and what does not fit is said in a sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.core.elicitation.sessions import TRIP
from tests.core.elicitation.test_query import ORACLE, asked, refused, trip

from pcl_core import (
    Answer,
    Code,
    Constraint,
    Elicitation,
    InfeasibleError,
    PclError,
    Problem,
    ProblemBuilder,
    RequestError,
    Settings,
    Taste,
    load,
    verify,
)
from pcl_core.ir.nodes import Const


def test_an_answer_belongs_to_what_was_shown() -> None:
    live = trip()
    first = asked(live, "one")
    second = live.pin("place[one]", "sea")
    for answer in (first.accept(), first.skip(), first.improve({"nights[one]": 0})):
        assert refused(live, lambda answer=answer: live.tell(answer)).code is Code.STALE_ANSWER  # type: ignore[misc]
    live.tell(second.accept())
    assert live.configuration["place[one]"] == "sea"


def test_an_answer_to_a_query_that_was_taken_back_is_not_for_another_part() -> None:
    live = trip()
    live.tell(asked(live, "one").accept())
    second = asked(live, "two")
    live.undo()
    live.tell(asked(live).skip())
    assert asked(live, "three").number == second.number
    assert refused(live, lambda: live.tell(second.accept())).code is Code.STALE_ANSWER
    assert live.confirmed == {}


@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_going_back_to_the_first_proposal_is_no_confirmation(mode: str) -> None:
    """She pinned 3 nights and then found 1, as first proposed, better than that. Others may be better still."""
    live = trip(mode=mode)
    asked(live, "one")
    live.pin("nights[one]", 3)
    live.unpin("nights[one]")
    learned = live.tell(asked(live).improve({"nights[one]": 1}))
    assert learned is not None
    assert (learned.satisfied, learned.update, learned.changed) == (False, "none", 0)
    assert live.confirmed == {}
    assert live.configuration["nights[one]"] == (1 if mode == "keep" else 3)
    assert not live.weights.any()


@pytest.mark.parametrize("mode", ["keep", "paper", "people"])
def test_asking_about_another_part_takes_the_open_query_back(mode: str) -> None:
    live = trip(mode=mode)
    live.tell(asked(live, "three").improve({"place[three]": "sea"}))
    before = live.configuration
    first = asked(live, "one")
    second = asked(live, "two")
    assert (first.number, second.number, second.part) == (2, 3, "two")
    assert refused(live, lambda: live.ask("four")).code is Code.UNKNOWN_NAME
    assert refused(live, lambda: live.tell(first.accept())).code is Code.STALE_ANSWER
    live.tell(second.skip())
    assert {name: live.configuration[name] for name in first.proposal} == {
        name: before[name] for name in first.proposal
    }


def test_what_was_pinned_in_a_query_that_is_taken_back_stays() -> None:
    live = trip()
    asked(live, "one")
    live.pin("nights[one]", 3)
    asked(live, "two")
    assert live.configuration["nights[one]"] == 3
    assert live.pins == {"nights[one]": 3}


def test_a_kind_of_answer_that_there_is_not() -> None:
    live = trip()
    number = asked(live).number
    error = refused(live, lambda: live.tell(Answer(number, "acepted")))  # type: ignore[arg-type]
    assert (error.code, error.issues[0].hint) == (Code.BAD_VALUE, "did you mean 'accepted'?")


@pytest.mark.parametrize(
    ("settings", "code", "said"),
    [
        ({"mode": "kep"}, Code.UNKNOWN_OPTION, "did you mean 'keep'?"),
        ({"stop": "certificat"}, Code.UNKNOWN_OPTION, "did you mean 'certificate'?"),
        ({"seed": -1}, Code.BAD_VALUE, "seed of 'Settings' is -1"),
        ({"seed": 2**63}, Code.BAD_VALUE, "seed of 'Settings'"),
        ({"selct": "random"}, Code.UNKNOWN_OPTION, "did you mean 'select'?"),
    ],
)
def test_settings_that_there_are_not(settings: dict[str, object], code: Code, said: str) -> None:
    with pytest.raises(RequestError) as caught:
        Settings.model_validate(settings)
    assert caught.value.code is code
    assert said in str(caught.value)


@pytest.mark.parametrize("given", [["a"] * 11, "abc", {}, [[1.0], [2.0, 3.0]], [10**400] * 11, [float("nan")] * 11])
def test_weights_that_are_none(given: object) -> None:
    with pytest.raises(RequestError) as caught:
        Elicitation(TRIP, oracle=ORACLE, weights=given)  # type: ignore[arg-type]
    assert "finite weights, one for each feature" in str(caught.value)


def test_a_false_constraint_without_variables_is_noticed_before_anything_is_asked(tmp_path: Path) -> None:
    never = TRIP.replace(constraints=(Constraint(name="enough", require=Const(value=False)),), initial=None)
    for place in (None, "random", "solver"):
        with pytest.raises(InfeasibleError) as caught:
            Elicitation(never, backend="auto", start=place, log=tmp_path / "log")
        assert caught.value.constraints == ("enough",)
    assert not (tmp_path / "log").exists()


HOTEL = load("hotel")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({1: 2}, "unknown variable '1'"),
        ({None: 2}, "unknown variable 'None'"),
        ({"tables[r7]": 10**5000}, "'tables[r7]' cannot be so large a number (a whole number from 0 to 6)"),
        ({"tables[r7]": 1.5}, "'tables[r7]' cannot be 1.5"),
        ({"tables[r7]": [1] * 10**5}, "'tables[r7]' cannot be [1, 1,"),
        ({"table[r7]": 1}, "did you mean 'tables[r7]'"),
    ],
)
def test_values_of_all_sorts_are_refused_in_words(values: dict[str, object], said: str) -> None:
    live = Elicitation(HOTEL)
    query = asked(live, "r7")
    for call in (lambda: live.tell(query.improve(values)), lambda: live.complete(values)):
        error = refused(live, call)
        assert said in str(error)
        assert len(str(error)) < 400


def test_names_that_are_no_names() -> None:
    live = Elicitation(HOTEL)
    asked(live, "r7")
    for call in (lambda: live.pin(3, 4), lambda: live.unpin(5), lambda: live.ask(7)):  # type: ignore[arg-type, call-overload]
        assert isinstance(refused(live, call), PclError)


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": "1"},
        {"query": None},
        {"kind": 3},
        {"kind": None},
        {"values": [("plan[mon,1]", "rest")]},
        {"values": None},
        {"values": 3},
        {"shown": "rest"},
        {"final": "yes"},
        {"final": None},
        {"completed": None},
        {"completed": 3},
        {"completed": (1, None)},
    ],
)
def test_an_answer_made_by_hand_with_wrong_types_is_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    live = trip()
    query = asked(live, "one")
    given = {"query": query.number, "kind": "improved", "values": {"nights[one]": 0}, **wrong}
    (name,) = wrong
    with pytest.raises(RequestError, match=f"'{name}' of an answer cannot be"):
        live.tell(Answer(**given))
    assert live.ask() == query


@pytest.mark.parametrize("wrong", ["accept", None, 3, {"query": 1, "kind": "accepted"}])
def test_what_is_no_answer_is_refused_in_a_sentence(wrong: Any) -> None:
    live = trip()
    query = asked(live, "one")
    with pytest.raises(RequestError, match="is not an answer"):
        live.tell(wrong)
    assert live.ask() == query


def two_parts() -> Problem:
    build = ProblemBuilder("two parts")
    a, b, c = (build.integer(name, 0, 2) for name in "abc")
    for name, variable in zip("abc", (a, b, c), strict=True):
        build.feature(f"feature {name}", variable)
    build.part("one", [a, b])
    build.part("two", [c])
    return build.problem()


def test_what_a_pin_made_better_is_not_confirmed_by_an_answer_that_is_not_final() -> None:
    live = Elicitation(two_parts())
    assert live.ask() is not None
    live.tell(live.pin("a", 2).improve({"a": 2}))
    assert live.standing["one"] != "closed"
    query = live.ask("one")
    assert query is not None
    live.tell(query.improve({"b": 2}, final=True))
    query = live.ask()
    assert query is not None
    live.tell(query.improve({"c": 0}, final=True))
    while (query := live.ask()) is not None:
        live.tell(query.accept())
    assert live.certificate is not None
    assert not verify(live.certificate, live.oracle, np.array([1.0, 1.0, -1.0])).improvable


@pytest.mark.parametrize("values", [{}, {"a": 0}])
@pytest.mark.parametrize("final", [False, True])
def test_who_gives_back_what_was_proposed_accepts_it(values: dict[str, int], final: bool) -> None:
    live = Elicitation(two_parts(), start={"a": 0, "b": 0, "c": 0})
    query = live.ask()
    assert query is not None
    live.tell(query.improve(values, final))
    assert live.standing["one"] == "closed"


def test_a_pin_takes_the_suggestion_back_and_undo_brings_it_again() -> None:
    build = ProblemBuilder("three parts")
    number = build.integer("number", 0, 2, ["x", "y", "z"])
    for name in "xyz":
        build.feature(f"feature[{name}]", number[name])
        build.part(name, [number[name]])
    likes = {f"feature[{name}]": 3.0 for name in "xyz"}
    live = Elicitation(build.problem(), taste=Taste("three parts", likes, {}, {"number[x]": 0}))
    assert asked(live, "x").suggestion == {"number[x]": 2}
    assert not live.pin("number[x]", 1).suggestion
    live.undo()
    assert asked(live).suggestion == {"number[x]": 2}
