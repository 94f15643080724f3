"""View models: what a page shows follows from plain data, without HTML and without a server."""

from collections.abc import Sequence

import pytest
from tests.app.studio.forms_of import live_of, names_of, page_of

from pcl_app.studio.views import (
    BoardView,
    Called,
    Question,
    board_of,
    curve_of,
    likings_of,
    meters_of,
    picture_of,
    progress_of,
    question_of,
    quick_rules,
    rule_choices,
    rule_of,
    rule_places,
    standings_of,
)
from pcl_app.studio.views.learned import common
from pcl_core import parse_authored

PLAIN = """\
pcl: 1
name: trip
variables:
  place: {domain: [sea, hills], label: place}
  nights: {domain: 1..5, label: nights}
  guide: {domain: bool, label: guide}
constraints:
  - {name: alone, require: "implies(place == 'hills', guide)", label: nobody walks alone}
features:
  - {name: nights, value: nights, label: nights}
  - {name: sea, value: "place == 'sea'", label: at the sea}
parts:
  - {name: where, variables: [place, guide]}
  - {name: long, variables: [nights]}
initial: [{set: place, to: "'sea'"}, {set: nights, to: 1}, {set: guide, to: false}]
"""


def asked(problem: str, part: str, fields: dict[str, str] | None = None, ranked: str | None = None) -> Question:
    live = live_of(problem)
    found = page_of(live, part, fields, ranked=ranked)
    question = question_of(names_of(live), found, found["draft"])
    assert question is not None
    return question


def board(problem: str) -> tuple[Called, BoardView]:
    live = live_of(problem)
    found = page_of(live)
    names = names_of(live)
    return names, board_of(names, found["look"]["configuration"], standings_of(found["look"]["parts"]))


@pytest.mark.parametrize(
    ("problem", "kind", "rows"),
    [
        ("training", "calendar", 7),
        ("meals", "calendar", 7),
        ("trip", "calendar", 4),
        ("flat", "floor", 6),
        ("grid", "cells", 4),
        ("hotel", "plan", 4),
        ("pc", "cards", 4),
    ],
)
def test_the_catalogue_is_drawn_by_its_hints_and_nothing_is_left_out(problem: str, kind: str, rows: int) -> None:
    names, drawn = board(problem)
    assert (drawn.kind, len(drawn.lanes or drawn.tiles)) == (kind, rows)
    spots = [spot.variable for lane in drawn.lanes for cell in lane.cells for spot in cell.spots]
    spots += [spot.variable for row in drawn.tiles for tile in row if tile for spot in tile.spots]
    assert sorted(spots) == sorted(names.variables)


def test_without_hints_a_board_is_a_list_of_parts() -> None:
    live = live_of(parse_authored(PLAIN))
    found = page_of(live)
    drawn = board_of(names_of(live), found["look"]["configuration"], standings_of(found["look"]["parts"]))
    assert (drawn.kind, [row[0].label for row in drawn.tiles if row[0]]) == ("list", ["Where", "Long"])


def test_a_day_is_a_row_that_is_its_part_and_blocks_have_edges() -> None:
    _, week = board("training")
    assert [lane.part for lane in week.lanes][:2] == ["mon", "tue"]
    assert week.columns[0][0] == "slot 1"
    _, grid = board("grid")
    assert [cell.edges for cell in grid.lanes[2].cells] == ["edge-top", "edge-top", "edge-top edge-left", "edge-top"]


def test_a_family_is_called_by_what_all_its_labels_say() -> None:
    assert common(["power for arms on Mon", "power for arms on Tue"]) == "power for arms"
    assert common(["lunch on Mon is what was left", "lunch on Tue is what was left"]) == "lunch is what was left"
    assert common(["Tue morning repeats one of Mon", "Thu morning repeats one of Wed"]) == "morning repeats one"
    assert common([]) == ""


def test_lines_join_rooms_that_are_beside_each_other() -> None:
    live = live_of("hotel")
    names = names_of(live)
    hotel = names.problem
    assert ["r7", "r8"] in hotel["neighbours"]
    assert ["r8", "r10"] not in hotel["neighbours"]
    board = board_of(names, live.elicitation.configuration, {})
    assert len(board.lines) == len(hotel["neighbours"]) == 17
    assert all(abs(x1 - x2) <= 1 and abs(y1 - y2) <= 1 for x1, y1, x2, y2 in board.lines)


def test_a_flat_is_drawn_as_a_floor_plan_with_walls_around_its_rooms() -> None:
    names, flat = board("flat")
    bed, window, wardrobe, *_ = flat.lanes[0].cells
    assert (bed.spots[0].label, bed.high, bed.wide, bed.edges) == ("double bed", 2, 1, "edge-top edge-left")
    assert (window.spots, window.name, window.edges) == ((), "b1", "edge-top")
    assert wardrobe.edges == "edge-top edge-right"
    squares = [cell.high * cell.wide for lane in flat.lanes for cell in lane.cells]
    assert sum(squares) == 6 * 7
    assert sum(not cell.part for lane in flat.lanes for cell in lane.cells) == 4, "the hall is nobody's"
    assert len(picture_of(names.problem).shapes) == 6 * 7 - 4


def test_what_nobody_can_choose_is_not_a_control_and_says_which_rule_forbids_the_rest() -> None:
    monday = asked("training", "mon")
    assert [control.label for control in monday.controls] == ["slot 1"]
    assert [(it.label, it.text, it.reason) for it in monday.fixed[:1]] == [
        (
            "slot 2",
            "rest",
            "no training on mon in slot 2",
        )
    ]


def test_kinds_of_controls_follow_the_variables() -> None:
    assert {it.kind for it in asked("training", "thu").controls} == {"choice"}
    assert {it.kind for it in asked("meals", "thu").controls} == {"search"}
    assert {it.kind for it in asked("flat", "living room").controls} == {"choice"}, "many, and short"
    assert {it.kind for it in asked("hotel", "r7").controls} == {"number"}
    assert {it.kind for it in asked("grid", "block[0,0]").controls} == {"switch"}


def test_an_impossible_value_names_the_rule_that_forbids_it() -> None:
    live = live_of("training")
    live.elicitation.never("plan[*,*]", "pushups")
    found = page_of(live, "thu")
    question = question_of(names_of(live), found, found["draft"])
    assert question is not None
    pushups = next(option for option in question.controls[0].options if option.text == "pushups")
    assert (pushups.possible, pushups.reason) == (False, "never pushups")


def test_of_a_number_the_ends_are_what_is_possible_and_why() -> None:
    tables = next(it for it in asked("hotel", "r22").controls if it.label == "tables")
    assert (tables.least, tables.greatest, tables.limits) == (0, 5, "r22 holds at most 6 pieces")


def test_a_draft_says_what_changes_and_where_the_same_could_be_done() -> None:
    question = asked("training", "thu", {"plan[thu,2]": "swimming"})
    assert [swap.words for swap in question.draft.changes] == ["slot 2: pushups → swimming"]
    assert question.draft.tellable
    assert {place.part for place in question.draft.places if place.changes} >= {"tue", "sat", "sun"}
    assert [place.refused for place in question.draft.places if place.part == "mon"] == [
        "not allowed: no training on mon in slot 2"
    ]
    drafted = next(it for it in question.controls if it.drafted)
    assert (drafted.label, drafted.text, drafted.note) == ("slot 2", "swimming", "was pushups")


def test_an_impossible_draft_names_the_rules_and_offers_the_nearest() -> None:
    question = asked("training", "thu", {f"plan[thu,{slot}]": "running" for slot in (1, 2, 3)})
    conflict = question.draft.conflict
    assert conflict is not None
    assert not question.draft.tellable
    assert any("must not tire too much on thu from slot 1 to 3" in rule for rule in conflict.rules)
    assert len(conflict.nearest) == 1
    assert not conflict.keeps


def test_a_rule_of_hers_in_a_conflict_is_called_hers() -> None:
    live = live_of("training")
    live.elicitation.never("plan[*,*]", "running")
    found = page_of(live, "thu", {"plan[thu,1]": "running"})
    question = question_of(names_of(live), found, found["draft"])
    assert question is not None
    assert question.draft.conflict is not None
    assert question.draft.conflict.rules == ("your rule: never running",)


def test_a_draft_that_a_completion_saves_keeps_her_values() -> None:
    live = live_of(parse_authored(PLAIN))
    found = page_of(live, "where", {"place": "hills"})
    question = question_of(names_of(live), found, found["draft"])
    assert question is not None
    conflict = question.draft.conflict
    assert conflict is not None
    assert (conflict.keeps, conflict.rules) == (True, ("nobody walks alone",))
    assert [swap.words for swap in conflict.nearest] == ["guide: no → yes"]
    assert conflict.filled == (names_of(live).fields["guide"],)


def test_what_cannot_be_read_is_refused_and_no_draft() -> None:
    live = live_of("training")
    found = page_of(live, "thu", {"plan[thu,1]": "<script>"})
    assert found["draft"]["preview"] is None
    assert "<script>" in found["draft"]["refused"]["message"]


def test_alternatives_come_best_first_with_what_they_would_change() -> None:
    live = live_of("hotel")
    query = live.elicitation.ask(part="r7")
    assert query is not None
    live.elicitation.tell(query.improve({"tables[r7]": 1}, final=True))
    found = page_of(live, "r8", ranked="tables[r8]")
    question = question_of(names_of(live), found, found["draft"])
    assert question is not None
    gains = [it["gain"] for it in found["draft"]["alternatives"]]
    assert gains == sorted(gains, reverse=True)
    assert any("total cost 15 more" in rank.details for rank in question.draft.ranks)
    assert {rank.better for rank in question.draft.ranks} <= {-1, 0, 1}


def test_standings_say_by_what_a_part_is_confirmed() -> None:
    live = live_of("training")
    query = live.elicitation.ask(part="thu")
    assert query is not None
    live.elicitation.tell(query.accept())
    found = page_of(live, "mon")
    standings = standings_of(found["look"]["parts"])
    assert (standings["thu"].state, standings["thu"].words) == ("closed", "as you want it (question 1)")
    assert (standings["mon"].state, standings["tue"].state) == ("asked", "new")
    assert progress_of(standings).words == "1 of 7 as you want them"


def test_meters_know_their_limit_and_what_moved_them() -> None:
    now = [{"label": "cost", "value": 96.0, "limit": 100.0}, {"label": "guests", "value": 4.0, "limit": None}]
    cost, guests = meters_of(now, [{"label": "cost", "value": 92.0, "limit": 100.0}])  # type: ignore[arg-type]
    assert (cost.value, cost.limit, cost.share, cost.near, cost.moved) == ("96", "100", 96, True, "+4")
    assert (guests.limit, guests.near, guests.moved) == ("", False, "")


def test_what_is_near_a_limit_within_the_part_is_a_meter_too() -> None:
    live = live_of("training")
    found = page_of(live, "thu", {"plan[thu,1]": "running", "plan[thu,2]": "running"})
    meters = meters_of(found["draft"]["limits"])
    assert meters
    assert all(meter.near and meter.limit == "10" for meter in meters)
    assert "must not tire too much on thu" in meters[0].label
    assert page_of(live, "mon")["draft"]["limits"] == []


def test_a_rule_of_the_form_is_a_rule_of_the_core() -> None:
    names = names_of(live_of("training"))
    never = rule_of(names, {"kind": "never", "about": "=running", "where": ""})
    assert never == {"kind": "never", "variables": "plan[*,*]", "values": ["running"], "count": None, "each": "all"}
    some = rule_of(names, {"kind": "at_most", "about": "=abs", "where": "sat", "count": "2", "each": "part"})
    assert some == {"kind": "at_most", "variables": "plan[sat,*]", "values": ["abs"], "count": 2, "each": "part"}
    hotel = names_of(live_of("hotel"))
    assert rule_of(hotel, {"kind": "never", "about": "sofas=3"})["variables"] == "sofas[*]"
    assert {"=running", "=rest"} <= {it.key for it in rule_choices(names.problem)}
    assert "sofas=3" in {it.key for it in rule_choices(hotel.problem)}


def test_rules_are_called_by_their_words() -> None:
    live = live_of("training")
    live.elicitation.never("plan[sat,*]", "running")
    live.elicitation.never("plan[*,*]", "abs")
    names = names_of(live)
    assert names.rule("yours: never running in sat") == "never running in sat"
    assert names.rule("yours: never abs in plan[*,*]") == "never abs"
    assert names.rule("overload[thu,1,legs]") == "legs must not tire too much on thu from slot 1 to 3"


def test_after_an_edit_never_again_is_one_click() -> None:
    live = live_of("training")
    found = page_of(live, "thu", {"plan[thu,2]": "swimming"})
    assert found["query"] is not None
    words = [it.words for it in quick_rules(names_of(live), found["draft"], found["look"]["configuration"])]
    assert words == [
        "Never pushups again", "Slot 2: always swimming", "Thu: never pushups", "Pushups at most once"
    ]  # fmt: skip
    always = rule_of(names_of(live), {"kind": "always", "about": "=swimming", "where": "place:slot 2"})
    assert len(always["variables"]) == 6, "not on Monday, when nobody can train then"


def offered_after(problem: str, part: str, edit: dict[str, str], completed: Sequence[str] = ()) -> list[str]:
    """Rules of one click after an edit."""
    live = live_of(problem)
    found = page_of(live, part, edit, *completed)
    return [it.words for it in quick_rules(names_of(live), found["draft"], found["look"]["configuration"])]


def test_only_rules_that_would_say_something_and_can_hold_are_one_click() -> None:
    """A dinner is at most three times a week, a visit at most once, and a square is of one thing alone."""
    assert offered_after("meals", "mon", {"menu[mon,dinner]": "pizza"}) == [
        "Never pasta with tomatoes again", "Mon: never pasta with tomatoes", "Pasta with tomatoes at most once"
    ]  # fmt: skip
    assert offered_after("trip", "fri", {"plan[fri,morning]": "palace"}) == ["Never market again", "Fri: never market"]
    assert offered_after("flat", "bedroom", {"place[wardrobe]": "a3"}) == ["Wardrobe: never c1", "Never c1 again"]
    assert offered_after("pc", "speed", {"memory": "32 GB DDR5"}) == ["Never 16 GB DDR5 again"]
    assert offered_after("meals", "mon", {"menu[mon,lunch]": "pancakes", "menu[mon,dinner]": "pizza"}) == [
        "Never bread and cheese again", "Never pasta with tomatoes again",
        "Mon: never bread and cheese", "Mon: never pasta with tomatoes",
    ]  # fmt: skip
    filled = {"board": "B760 large DDR5", "processor": "Core i3 13100"}
    assert offered_after("pc", "base", filled, ["processor"]) == ["Never B650 large again"]


def test_a_rule_can_be_about_every_place_of_a_kind() -> None:
    names = names_of(live_of("trip"))
    assert [it.text for it in rule_places(names.problem)] == ["every morning", "every afternoon", "every evening"]
    fields = {"kind": "always", "about": "=free time", "where": "place:evening"}
    assert rule_of(names, fields)["variables"] == "plan[*,evening]"
    assert rule_places(names_of(live_of("pc")).problem) == ()


def test_the_last_look_shows_parts_and_no_controls() -> None:
    live = live_of("grid")
    for part in ("block[0,0]", "block[0,1]", "block[1,0]"):
        query = live.elicitation.ask(part=part)
        assert query is not None
        live.elicitation.tell(query.accept())
    while (query := live.elicitation.ask()) is not None and len(query.parts) == 1:
        live.elicitation.tell(query.improve({next(iter(query.proposal)): True}, final=True))
    assert query is not None, "a last look comes before the certificate"
    found = page_of(live)
    question = question_of(names_of(live), found, found["draft"])
    assert question is not None
    assert (question.kind, question.controls) == ("look", ())
    assert [part for part, _, _ in question.looked] == list(query.parts)


def test_likings_are_told_by_family_with_their_doubt() -> None:
    live = live_of("training")
    first = dict(live.elicitation.taste().deviations)
    for part in ("thu", "sat"):
        query = live.elicitation.ask(part=part)
        assert query is not None
        live.elicitation.tell(query.improve({f"plan[{part},1]": "running"}, final=True))
    likings = likings_of(names_of(live).problem, live.elicitation.taste().data(), first)  # type: ignore[arg-type]
    assert likings
    assert all(" on " not in it.label for it in likings), "Monday and Tuesday are one liking"
    assert all(0 < it.spread <= 1 for it in likings)
    start, length, low, high = likings[0].bar(2.0)
    assert 0 <= low <= high <= 100
    assert 0 <= start <= start + length <= 100


def test_a_curve_ends_where_the_regret_is() -> None:
    curve = curve_of([10.0, 5.0, 0.0], [False, True], 4)
    assert curve.points.split()[0] == f"{curve.left}.0,12.0"
    assert curve.last == (276.0, float(curve.base))
    assert [pleased for _, _, pleased in curve.dots] == [False, True]


def test_every_problem_has_a_picture() -> None:
    for problem in ("training", "hotel", "pc", "grid"):
        picture = picture_of(names_of(live_of(problem)).problem)
        assert picture.shapes
        assert all(it.x >= 0 and it.x + it.width <= picture.width + 1e-6 for it in picture.shapes)
        assert all(it.y + it.height <= picture.height + 1e-6 for it in picture.shapes)


def test_of_many_labels_some_that_are_possible_stand_beside_the_list_and_stay_there() -> None:
    morning = asked("trip", "thu").controls[0]
    assert morning.kind == "search"
    near = [it.text for it in morning.near]
    assert 5 <= len(near) <= 9
    assert all(it.possible for it in morning.near)
    assert "palace" in near
    drafted = asked("trip", "thu", {"plan[thu,afternoon]": "zoo"}).controls[0]
    assert [it.text for it in drafted.near] == near, "what a draft makes impossible is struck out where it stands"


def test_rooms_of_a_floor_are_called_by_their_names_once() -> None:
    names, drawn = board("flat")
    assert [cell.part for lane in drawn.lanes for cell in lane.cells if cell.begins] == list(names.parts)


def test_a_change_that_needs_more_changes_here_and_elsewhere_is_offered_with_them() -> None:
    draft = asked("pc", "base", {"board": "B760 medium DDR4"}).draft
    assert draft.conflict is not None
    assert draft.conflict.keeps
    assert draft.conflict.rules == ("the processor fits the board", "the memory fits the board")
    assert [swap.where for swap in draft.conflict.nearest] == ["processor"]


def test_where_nothing_is_known_no_alternative_is_called_as_good_and_what_goes_without_saying_is_not_said() -> None:
    ranks = asked("meals", "mon", ranked="menu[mon,lunch]").draft.ranks
    assert {rank.verdict for rank in ranks} == {""}
    assert all(rank.details[0].startswith("cost of the week") for rank in ranks)
    assert not [rank for rank in ranks if f"{rank.text} in the week" in " ".join(rank.details)]


def test_what_only_moved_within_a_part_is_not_offered_to_be_forbidden() -> None:
    moved = {"menu[tue,lunch]": "lentil stew", "menu[tue,dinner]": "vegetable soup"}
    assert not any("vegetable soup" in words for words in offered_after("meals", "tue", moved))


def test_what_moved_elsewhere_is_told_with_its_parts() -> None:
    live = live_of("training")
    query = live.elicitation.ask("thu")
    assert query is not None
    live.elicitation.tell(query.improve({"plan[thu,1]": "swimming", "plan[thu,3]": "rest"}))
    found = page_of(live, None, {})
    assert found["query"] is not None
    moved = question_of(names_of(live), found, found["draft"]).moved  # type: ignore[union-attr]
    assert moved
    assert all(swap.where.split()[0] in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") for swap in moved)
