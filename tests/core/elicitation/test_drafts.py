"""Drafts: what values would do before they are told, what can be completed, and pins of several values at once."""

import itertools
import threading
from pathlib import Path

import pytest
from tests.core.elicitation.sessions import TRIP
from tests.core.elicitation.test_query import NOTHING, asked, limited, refused, trip, weights

from pcl_core import (
    Code,
    Elicitation,
    InfeasibleError,
    Oracle,
    ProblemBuilder,
    RequestError,
    Settings,
    UndecidedError,
    assess,
    load,
)
from pcl_core.elicitation import read_events
from pcl_core.elicitation.possible import Possible

HOTEL = Oracle.of(load("hotel"))


def test_a_preview_says_what_a_draft_would_do_and_changes_nothing(tmp_path: Path) -> None:
    log = tmp_path / "trip.jsonl"
    live = trip(log)
    query, lines = asked(live, "one"), log.read_bytes()
    preview = live.preview({"nights[one]": 3})
    assert preview.given == {"nights[one]": 3}
    assert preview.values == {**query.proposal, "nights[one]": 3}
    assert [(c.variable, c.before, c.after) for c in preview.changes] == [("nights[one]", 1, 3)]
    assert [str(figure) for figure in preview.summary] == ["total cost: 10 of 14 (71%)"]
    assert (preview.broken, preview.moved_pins, preview.completable) == ((), (), True)
    assert preview.completion == live.complete({"nights[one]": 3})
    assert live.configuration == query.configuration
    assert log.read_bytes() == lines


def test_a_draft_that_is_not_allowed_names_the_constraints_and_its_completion() -> None:
    live = trip()
    asked(live, "one")
    preview = live.preview({"place[one]": "hills"})
    assert [str(each) for each in preview.broken] == ["hills[one] (nobody walks alone)"]
    assert preview.completable is True
    assert preview.completion == live.complete({"place[one]": "hills"})
    assert preview.completion["guide[one]"] is True


def test_a_draft_that_nothing_completes_says_so() -> None:
    live = trip()
    asked(live, "one")
    preview = live.preview({"place[one]": "hills", "guide[one]": False})
    assert preview.broken
    assert (preview.completable, preview.completion) == (False, None)
    assert preview.nearest is not None
    assert assess(live.problem, {**live.configuration, **preview.nearest}).feasible
    assert sum(preview.nearest[name] != value for name, value in preview.given.items()) == 1, "one of the two gives way"


def test_the_nearest_part_changes_as_few_given_values_as_can_be_and_none_where_a_completion_helps() -> None:
    live = trip()
    asked(live, "one")
    assert live.preview({"place[one]": "hills"}).nearest is None
    assert live.preview({"nights[one]": 3}).nearest is None
    week = Elicitation(load("training"))
    asked(week, "thu")
    given = {f"plan[thu,{slot}]": "running" for slot in (1, 2, 3)}
    nearest = week.preview(given).nearest
    assert nearest is not None
    assert sum(nearest[name] != value for name, value in given.items()) == 1
    assert all(nearest[f"plan[thu,{slot}]"] == week.configuration[f"plan[thu,{slot}]"] for slot in (4, 5))


def test_the_nearest_part_keeps_what_is_pinned() -> None:
    live = trip()
    asked(live, "one")
    live.pin("guide[one]", False)
    nearest = live.preview({"place[one]": "hills"}).nearest
    assert nearest is not None
    assert nearest["guide[one]"] is False
    assert nearest["place[one]"] != "hills"


def test_values_of_an_earlier_completion_stand_in_a_draft_and_may_change_again() -> None:
    live = trip()
    asked(live, "one")
    completed = live.complete({"place[one]": "hills"})
    preview = live.preview({"place[one]": "hills", "guide[one]": False}, completed)
    assert preview.completable is False
    preview = live.preview({"guide[one]": False}, completed)
    assert preview.values["place[one]"] == "hills"
    assert preview.broken
    assert preview.completable is True
    assert preview.completion is not None
    assert preview.completion["place[one]"] != "hills"


def test_a_draft_against_a_pin_names_it() -> None:
    live = trip()
    asked(live, "one")
    live.pin("nights[one]", 2)
    preview = live.preview({"nights[one]": 3})
    assert preview.moved_pins == ("nights[one]",)
    assert (preview.completable, preview.completion) == (False, None)


def test_a_preview_does_not_change_afterwards() -> None:
    live = trip()
    asked(live, "one")
    preview = live.preview({"place[one]": "hills"})
    live.pin("guide[one]", False)
    assert preview.completable is True, "the pin came later"
    assert live.preview({"place[one]": "hills"}).completable is False
    with pytest.raises(TypeError, match="cannot be edited"):
        preview.values["nights[one]"] = 3


def test_what_a_limit_leaves_open_is_neither_possible_nor_impossible() -> None:
    live, backend = limited(NOTHING)
    backend.answer = None
    query = asked(live, "one")
    backend.answer = NOTHING
    preview = live.preview({"place[one]": "hills"})
    assert (preview.completable, preview.completion) == (None, None)
    with pytest.raises(UndecidedError, match="not found out in time"):
        query.possible["place[one]"]
    assert query.data()["possible"]["place[one]"] is None


def test_values_that_do_not_fit_are_refused_as_in_an_answer() -> None:
    live = trip()
    asked(live, "one")
    assert refused(live, lambda: live.preview({"nights[two]": 1})).code is Code.OUTSIDE_PART
    assert refused(live, lambda: live.preview({"nights[one]": 77})).code is Code.BAD_CONFIGURATION
    assert refused(live, lambda: live.possible("nights[two]")).code is Code.OUTSIDE_PART
    assert refused(live, lambda: live.possible("nigths[one]")).code is Code.BAD_CONFIGURATION


def by_hand(live: Elicitation, part: str, variable: str, fixed: dict[str, object]) -> tuple[object, ...]:
    """Everything that the part can be, one after the other."""
    names = TRIP.parts[TRIP.part_position(part)].variables
    domains = [TRIP.symbols.variables[name].values() for name in names]
    every = [dict(zip(names, values, strict=True)) for values in itertools.product(*domains)]
    fits = [it for it in every if all(it[name] == value for name, value in fixed.items())]
    allowed = {it[variable] for it in fits if assess(TRIP, {**live.configuration, **it}).feasible}
    return tuple(value for value in TRIP.symbols.variables[variable].values() if value in allowed)


@pytest.mark.parametrize("mode", ["keep", "people"])
@pytest.mark.parametrize("pins", [{}, {"guide[one]": False}, {"place[one]": "hills"}, {"nights[one]": 3}])
def test_possible_values_are_those_of_all_allowed_configurations(pins: dict[str, object], mode: str) -> None:
    live = trip(weights=weights(nights_two=1.0, nights_three=1.0), mode=mode)
    live.tell(asked(live, "two").accept())
    query = asked(live, "one")
    if pins:
        query = live.pin(pins)
    for name in query.proposal:
        expected = by_hand(live, "one", name, pins)
        assert query.possible[name] == expected
        assert live.possible(name) == expected
        assert query.data()["possible"][name] == list(expected)


@pytest.mark.parametrize("mode", ["keep", "people"])
def test_possible_values_around_a_draft(mode: str) -> None:
    live = trip(mode=mode)
    asked(live, "one")
    assert "hills" in live.possible("place[one]")
    assert live.possible("place[one]", {"guide[one]": False}) == by_hand(
        live, "one", "place[one]", {"guide[one]": False}
    )
    assert live.possible("nights[one]", {"place[one]": "hills", "guide[one]": False}) == ()


def test_what_is_possible_in_a_part_that_is_listed_is_read_off_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    live = Elicitation(HOTEL.problem, oracle=HOTEL)
    live.add_rule("at_most", "single_beds[*]", [2], count=0)
    query = asked(live, "r7")

    def solved(*_: object) -> None:
        raise AssertionError("something is solved")

    monkeypatch.setattr("pcl_core.elicitation.possible.Room.some", solved)
    possible = {name: tuple(values) for name, values in query.possible.items()}
    monkeypatch.undo()
    fixed = live.pins
    slowly = Possible(query.possible.room, fixed)
    assert possible == {name: tuple(slowly[name]) for name in query.proposal}


def test_possible_values_do_not_change_with_later_answers() -> None:
    live = trip()
    query = asked(live, "one")
    expected = by_hand(live, "one", "guide[one]", {})
    live.pin("guide[one]", False)
    live.tell(asked(live).accept())
    assert query.possible["guide[one]"] == expected
    assert asked(live, "one").possible["guide[one]"] == (False,)


def test_possible_is_a_mapping_of_the_part() -> None:
    query = asked(trip(), "one")
    assert list(query.possible) == list(query.proposal)
    assert len(query.possible) == 3
    with pytest.raises(KeyError):
        query.possible["nights[two]"]


def test_a_whole_number_with_many_values_has_its_least_and_greatest() -> None:
    builder = ProblemBuilder("budget")
    spent, extra = builder.integer("spent", 0, 5000), builder.integer("extra", 0, 3)
    builder.feature("money", spent)
    builder.constraint("enough", spent >= 100 + 7 * extra)
    builder.constraint("limit", spent + 500 * extra <= 4000)
    builder.part("all", [spent, extra])
    live = Elicitation(builder.problem(), backend="cpsat", start={"spent": 200, "extra": 0})
    query = asked(live)
    assert query.possible["spent"] == range(100, 4001)
    assert query.possible["extra"] == (0, 1, 2, 3)
    assert live.possible("spent", {"extra": 2}) == range(114, 3001)
    assert query.data()["possible"] == {"spent": {"least": 100, "greatest": 4000}, "extra": [0, 1, 2, 3]}


def test_threads_that_look_at_one_query_see_the_same() -> None:
    live = Elicitation(HOTEL.problem, oracle=HOTEL)
    query = asked(live, "r7")
    expected = {name: tuple(live.possible(name)) for name in query.proposal}
    seen: list[dict[str, tuple[object, ...]]] = []

    def look() -> None:
        seen.append({name: tuple(query.possible[name]) for name in query.proposal})

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [expected] * 4


def test_several_pins_are_one_event_and_one_undo(tmp_path: Path) -> None:
    log = tmp_path / "trip.jsonl"
    live = trip(log)
    before = asked(live, "one").configuration
    query = live.pin({"place[one]": "hills", "nights[one]": 2})
    assert query.pins == live.pins == {"place[one]": "hills", "nights[one]": 2}
    assert query.proposal == {"place[one]": "hills", "nights[one]": 2, "guide[one]": True}
    assert [event.event for event in read_events(log)] == ["started", "asked", "pinned"]
    live.undo()
    assert live.pins == {}
    assert live.configuration == before


def test_several_pins_happen_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    log = tmp_path / "trip.jsonl"
    live = trip(log)
    asked(live, "one")
    error = refused(live, lambda: live.pin({"nights[one]": 2, "place[one]": "hills", "guide[one]": False}), log)
    assert isinstance(error, InfeasibleError)
    assert error.constraints == ("hills[one]",)
    assert refused(live, lambda: live.pin({"nights[one]": 2, "nights[two]": 2}), log).code is Code.OUTSIDE_PART
    assert refused(live, lambda: live.pin({}), log).code is Code.BAD_VALUE


def test_a_log_with_one_pin_at_a_time_is_read(tmp_path: Path) -> None:
    log = tmp_path / "trip.jsonl"
    live = trip(log)
    asked(live, "one")
    live.pin("nights[one]", 2)
    live.close()
    lines = log.read_text()
    assert '"values":{"nights[one]":2}' in lines
    old = lines.replace('"version":2', '"version":1')
    log.write_text(old.replace('"values":{"nights[one]":2}', '"variable":"nights[one]","value":2'))
    assert Elicitation.resume(log, TRIP, oracle=live.oracle).pins == {"nights[one]": 2}
    for wrong in (
        '"variable":["nights[one]"],"value":2',
        '"variable":"nights[one]","value":[2]',
        '"variable":"nights[one]"',
    ):
        log.write_text(old.replace('"values":{"nights[one]":2}', wrong))
        with pytest.raises(RequestError, match="not an event"):
            Elicitation.resume(log, TRIP, oracle=live.oracle)


def people(weights: list[float] | None = None) -> Elicitation:
    settings = Settings.model_validate({"mode": "people", "select": "round-robin", "order": "declared"})
    return Elicitation(TRIP, backend="table", settings=settings, weights=weights)


def test_a_query_about_several_parts_has_drafts_of_all_of_them() -> None:
    live = people()
    live.tell(asked(live, "one").accept())
    live.tell(asked(live, "two").accept())
    live.tell(asked(live, "three").improve({"place[three]": "sea"}, final=True))
    query = asked(live)
    assert query.parts == ("one", "two")
    assert list(query.possible) == list(query.proposal) == [*TRIP.parts[0].variables, *TRIP.parts[1].variables]
    assert all(query.proposal[name] in query.possible[name] for name in query.proposal)
    assert query.possible["guide[two]"] == (False, True)
    assert live.possible("place[two]", {"guide[two]": False, "nights[one]": 1}) == ("sea", "town")
    preview = live.preview({"place[one]": "hills", "place[two]": "hills"})
    assert [each.name for each in preview.broken] == ["hills[one]", "hills[two]"]
    assert preview.completion is not None
    assert (preview.completion["guide[one]"], preview.completion["guide[two]"]) == (True, True)
    assert list(preview.completion) == list(query.proposal)
    assert live.complete({"place[two]": "hills"}) == {**query.proposal, "place[two]": "hills", "guide[two]": True}
    assert refused(live, lambda: live.pin({"nights[one]": 1, "nights[two]": 1})).code is Code.OUTSIDE_PART
    pinned = live.pin({"place[two]": "hills"})
    assert pinned.pins == {"place[two]": "hills"}
    assert (pinned.proposal["guide[one]"], pinned.proposal["guide[two]"]) == (False, True)


def test_a_query_shows_what_is_suggested_beside_the_persons_own_values() -> None:
    live = people(weights(guide_one=5.0))
    first = asked(live, "one")
    assert first.proposal["guide[one]"] is True
    values = {"guide[one]": False, "nights[one]": 3}
    live.tell(first.improve(values, final=True, completed=["nights[one]"]))
    query = asked(live, "one")
    assert query.proposal["guide[one]"] is False
    assert query.suggestion == query.data()["suggestion"] == {"guide[one]": True}
    live.tell(query.take())
    assert live.configuration["guide[one]"] is True


def test_the_nearest_part_keeps_her_values_where_room_can_be_made_elsewhere_for_all_of_it() -> None:
    computer = Elicitation(load("pc"))
    asked(computer, "base")
    preview = computer.preview({"board": "B760 medium DDR4"})
    assert preview.completable is False, "no processor of this part makes the memory fit"
    nearest = preview.nearest
    assert nearest is not None
    assert nearest["board"] == "B760 medium DDR4"
    assert computer.preview(nearest).tellable, "the memory gives way, which nobody has spoken for"
