"""What is guessed where nobody has spoken: by the belief, by her habits, or as it was, and whoever was right goes on."""

from pathlib import Path

import pytest
from tests.core.elicitation.sessions import TRIP
from tests.core.elicitation.test_people import TIED, asked, live

from pcl_core import Elicitation, parse_authored
from pcl_core.elicitation import read_events
from pcl_core.elicitation.events import Answered, Asked
from pcl_core.elicitation.guessing import Habits, Tally, leading, measured

DAYS = parse_authored("""
pcl: 1
name: days
sets: {day: [mon, tue, wed, thu], slot: 1..2}
variables: {plan: {index: [day, slot], domain: [run, swim, walk, read], label: "{day} {slot}"}}
features:
  - {name: "tiring[{d}]", foreach: {d: day}, value: "count(plan[d, s] in ['run', 'swim'] for s in slot)"}
parts: [{name: "{d}", foreach: {d: day}, variables: "plan[d, *]"}]
initial: [{set: "plan[*,*]", to: run}]
""")
"""The features do not tell walking from reading, so no weights can say what somebody wants who always walks."""


def test_what_has_not_been_tried_is_tried_and_what_was_no_better_than_the_start_is_not_shown_again() -> None:
    assert leading({}) == "belief"
    assert leading({"belief": Tally(0, 2)}) == "habits"
    assert leading({"belief": Tally(0, 2), "habits": Tally(0, 1)}) == "start"
    assert leading({"belief": Tally(-1, 2), "habits": Tally(-2, 3), "start": Tally()}) == "start"


def test_the_way_that_got_most_right_guesses_next() -> None:
    assert leading({"belief": Tally(1, 9), "habits": Tally(2, 3)}) == "habits"
    assert leading({"belief": Tally(2, 9), "habits": Tally(2, 3)}) == "belief"
    assert leading({"belief": Tally(1, 1), "habits": Tally(0, 0)}) == "belief"


def test_a_way_is_measured_by_how_many_values_more_than_the_start_it_gets_right() -> None:
    guesses = {"belief": {"a": 1, "b": 1}, "habits": {"a": 0, "b": 2}, "start": {"a": 0, "b": 0}}
    found = measured({"habits": Tally(3, 4)}, guesses, {"a": 0, "b": 2, "c": 5})
    assert found == {"belief": Tally(-1, 2), "habits": Tally(4, 5), "start": Tally(0, 0)}


def test_somebody_whose_wishes_no_feature_expresses_is_shown_what_she_has_elsewhere() -> None:
    week = live(DAYS, learner="belief")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "walk", "plan[mon,2]": "walk"}, final=True))
    week.tell(asked(week, "tue").improve({"plan[tue,1]": "walk", "plan[tue,2]": "walk"}, final=True))
    assert set(asked(week, "wed").proposal.values()) == {"walk"}


def test_who_has_the_same_at_the_same_index_every_day_is_shown_that_there() -> None:
    week = live(DAYS, learner="belief")
    for day in ("mon", "tue"):
        week.tell(asked(week, day).improve({f"plan[{day},1]": "walk", f"plan[{day},2]": "read"}, final=True))
    assert list(asked(week, "wed").proposal.values()) == ["walk", "read"]


def test_the_index_tells_as_much_as_it_would_have_told_of_her_other_values() -> None:
    alike, mixed = live(DAYS, learner="belief"), live(DAYS, learner="belief")
    for day, first, second in (("mon", "walk", "read"), ("tue", "walk", "read"), ("wed", "walk", "read")):
        alike.tell(asked(alike, day).improve({f"plan[{day},1]": first, f"plan[{day},2]": second}, final=True))
    for day, first, second in (("mon", "walk", "read"), ("tue", "read", "walk"), ("wed", "walk", "walk")):
        mixed.tell(asked(mixed, day).improve({f"plan[{day},1]": first, f"plan[{day},2]": second}, final=True))
    told = [Habits(week._rules, week._state).index_tells for week in (alike, mixed)]  # type: ignore[arg-type]
    assert told[0] > 0.9
    assert told[1] < 0.5


def test_values_that_she_has_typed_in_a_part_are_not_guessed_at() -> None:
    week = live(DAYS, learner="belief")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "walk"}))
    asked(week, "mon")
    assert not week._state.open or not week._state.open.guesses


def test_a_form_guesses_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    week = live(DAYS, log=log, learner="nothing")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "walk", "plan[mon,2]": "walk"}, final=True))
    assert set(asked(week, "tue").proposal.values()) == {"run"}
    assert not any(event.guesses for event in read_events(log) if isinstance(event, Asked))


def test_a_resumed_log_goes_on_guessing_as_before(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    week = live(DAYS, log=log, learner="belief")
    for day in ("mon", "tue"):
        week.tell(asked(week, day).improve({f"plan[{day},1]": "walk", f"plan[{day},2]": "walk"}, final=True))
    week.close()
    again = Elicitation.resume(log, DAYS, backend="table")
    assert again._state.record == week._state.record
    assert again._state.record["habits"].gain > 0
    again.close()


@pytest.mark.parametrize("learner", ["perceptron", "belief"])
def test_a_value_typed_as_it_was_proposed_is_hers_like_any_other(learner: str) -> None:
    """She says a = 0 and b = 1 at once; that a was 0 already does not make it less her word."""
    week = live(TIED, learner=learner)
    week.tell(asked(week, "first").improve({"a": 0, "b": 1}, final=True))
    week.tell(asked(week, "second").improve({"c": 3}, final=True))  # a + c is a feature: more of a would be better
    week.tell(asked(week, "first").improve({"b": 3}))
    assert asked(week, "first").proposal["a"] == 0


def test_what_she_typed_as_proposed_is_in_the_log_and_read_again(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    week = live(TRIP, log=log)
    week.tell(asked(week, "one").improve({"place[one]": "town", "nights[one]": 2}, final=True))
    week.tell(asked(week, "two").improve({"place[two]": "town"}, final=True))
    kept = [event.kept for event in read_events(log) if isinstance(event, Answered)]
    assert kept == [["place[one]"], ["place[two]"]]
    spoken = week._state.spoken
    week.close()
    again = Elicitation.resume(log, TRIP, backend="table")
    assert again._state.spoken == spoken == {"place[one]": "town", "nights[one]": 2, "place[two]": "town"}
    again.close()


def test_an_event_without_the_new_fields_is_read_as_before() -> None:
    assert Answered.model_validate({"event": "answered", "query": 1, "answer": "accepted"}).kept == []
    asked_before = {"event": "asked", "query": 1, "part": "one", "changes": {}, "proven": True}
    assert Asked.model_validate(asked_before).guesses == {}
