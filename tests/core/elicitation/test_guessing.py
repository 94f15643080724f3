"""What is guessed where nobody has spoken: by pictures of a person, each believed as far as it foretold what she said."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.sessions import TRIP
from tests.core.elicitation.test_people import TIED, asked, live

from pcl_core import Elicitation, load, parse_authored
from pcl_core.alternatives import Alternatives
from pcl_core.elicitation import read_events
from pcl_core.elicitation.events import Answered, Asked
from pcl_core.elicitation.guessing import PICTURES, Habits, Pictures, Reaction, Record
from pcl_core.elicitation.people import PeopleRules

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


UNHEARD = Record()


def pictures(week: Elicitation, part: str, record: Record = UNHEARD) -> tuple[Alternatives, Pictures]:
    """What may stand in a part, and how probable that is where the belief knows nothing of it."""
    rules, state = week._rules, week._state
    assert isinstance(rules, PeopleRules)
    found = rules.alternatives(state, week.problem.part_position(part))
    assert found is not None
    even = np.full(len(found), 1 / len(found))
    return found, Pictures(found, state.first, Habits(rules, state), even, record)


def test_what_was_foretold_and_how_she_took_it_is_added_up() -> None:
    said = [Reaction("a", 0, 0), Reaction("b", 0, 2), Reaction("c", 1, 1), Reaction("d", 1, 0)]
    record = Record({"habits": -1.0}, (3, 0), (0, 2)).after(
        {"habits": -2.0, "start": -0.5}, {"a": 0, "b": 0, "c": 0, "d": 0}, said
    )
    assert record == Record({"habits": -3.0, "start": -0.5}, (4, 1), (1, 3))


def test_a_picture_is_believed_by_half_of_what_it_foretold() -> None:
    """π_m ∝ exp(½ Σ log P_m): of two pictures, one that made all she said e² times as probable is believed e times as much."""
    week = live(DAYS, learner="belief")
    found, alone = pictures(week, "mon", Record({"belief": 0.0, "habits": -1e6, "start": -1e6, "content": -1e6}))
    even = alone.staying() + 1e-3 * found.changes(week._state.first)
    assert even == pytest.approx(np.full(len(found), 2 * 0.25))  # two slots, four values
    _, start = pictures(week, "mon", Record({"belief": -1e6, "habits": -1e6, "start": 0.0, "content": -1e6}))
    _, both = pictures(week, "mon", Record({"belief": 0.0, "habits": -1e6, "start": -2.0, "content": -1e6}))
    half = 1 / (1 + np.exp(-1.0))
    assert both.staying() == pytest.approx(half * alone.staying() + (1 - half) * start.staying())


def test_who_keeps_what_was_there_is_shown_it_and_who_changes_it_all_is_not() -> None:
    keeps, changes = live(DAYS, learner="belief"), live(DAYS, learner="belief")
    for day in ("mon", "tue"):
        keeps.tell(asked(keeps, day).accept())
        changes.tell(asked(changes, day).improve({f"plan[{day},1]": "swim", f"plan[{day},2]": "walk"}, final=True))
    assert set(asked(keeps, "wed").proposal.values()) == {"run"}
    assert "run" not in asked(changes, "wed").proposal.values()


def test_what_no_alternative_had_before_room_was_made_was_hardly_foretold() -> None:
    week = live(DAYS, learner="belief")
    _, found = pictures(week, "mon")
    told = found.foretold([Reaction("plan[mon,1]", "run", "sleep")])
    assert told["habits"] == told["start"] == told["belief"] == pytest.approx(np.log(0.2 / 4))


def test_all_that_is_probable_adds_up_to_one_and_every_answer_was_possible() -> None:
    week = live(DAYS, learner="belief")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "walk", "plan[mon,2]": "walk"}, final=True))
    _, found = pictures(week, "tue", week._state.record)
    for picture in PICTURES:
        each = [
            np.exp(found.foretold([Reaction("plan[tue,1]", "run", it)])[picture]) for it in DAYS.variables[0].values()
        ]
        assert sum(each) == pytest.approx(1.0)
        assert min(each) > 0


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
    told = again._state.record.foretold
    assert told["habits"] > told["start"]
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


def test_a_log_of_before_is_resumed_although_it_has_what_each_way_guessed_and_nothing_foretold(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    week = live(DAYS, log=log, learner="belief")
    for day in ("mon", "tue"):
        week.tell(asked(week, day).improve({f"plan[{day},1]": "walk", f"plan[{day},2]": "walk"}, final=True))
    week.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        line.pop("foretold", None)
        if line["event"] == "asked":
            own = [f"plan[{line['part']},{slot}]" for slot in (1, 2)]
            line["guesses"] = {way: dict.fromkeys(own, "run") for way in ("belief", "habits", "start")}
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = Elicitation.resume(log, DAYS, backend="table")
    assert again.configuration == week.configuration
    assert again._state.record == Record()
    assert again.ask() is not None
    again.close()


def walker() -> Elicitation:
    week = live(DAYS, learner="belief")
    for day in ("mon", "tue"):
        week.tell(asked(week, day).improve({f"plan[{day},1]": "walk", f"plan[{day},2]": "walk"}, final=True))
    return week


def test_pinning_what_was_guessed_changes_nothing_else() -> None:
    week = walker()
    guessed = asked(week, "wed").proposal
    assert week.pin("plan[wed,1]", "walk").proposal == guessed


def test_who_pins_back_what_was_there_is_not_told_that_it_was_left() -> None:
    week = walker()
    asked(week, "wed")
    query = week.pin({"plan[wed,1]": "run", "plan[wed,2]": "run"})
    assert not query.changes
    assert query.why_text == "it fits around what you pinned"


def test_what_only_counts_against_it_is_not_said_to_speak_for_it() -> None:
    menu = Elicitation(load("pc"))
    menu.tell(asked(menu, "base").improve({"case": "glass tower", "board": "A620 medium"}, final=True))
    query = asked(menu, "speed")
    assert query.changes
    against = sum(reason.term for reason in query.reasons()) < 0
    assert against != ("speak for it" in query.why_text)
