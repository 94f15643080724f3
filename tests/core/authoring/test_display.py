"""How a problem is laid out for people: declared in files, spelled out in ground problems, outside the content hash."""

import json

import pytest

from pcl_core import Code, Issue, Problem, ProblemError, parse_authored, parse_ground

AUTHORED = """\
pcl: 1
name: week
sets: {day: [mon, tue], slot: 1..2}
variables:
  plan: {index: [day, slot], domain: bool}
  late: {index: {d: day}, domain: bool}
features:
  - {name: "f[{d}]", foreach: {d: day}, value: "sum(plan[d, s] for s in slot) + late[d]"}
parts:
  - {name: "{d}", foreach: {d: day}, variables: ["plan[d, *]", "late[d]"]}
"""
DISPLAY = "display: {board: calendar, rows: slot, columns: day}\n"


def issue_of(text: str) -> Issue:
    with pytest.raises(ProblemError) as caught:
        parse_authored(text, "week.yaml")
    assert len(caught.value.issues) == 1
    return caught.value.issues[0]


def test_sets_become_rows_and_columns_of_variables() -> None:
    display = parse_authored(AUTHORED + DISPLAY).presentation.display
    assert display is not None
    assert display.board == "calendar"
    assert [(lane.label, lane.variables) for lane in display.rows] == [
        ("1", ("plan[mon,1]", "plan[tue,1]")),
        ("2", ("plan[mon,2]", "plan[tue,2]")),
    ]
    assert [(lane.label, lane.variables) for lane in display.columns] == [
        ("mon", ("plan[mon,1]", "plan[mon,2]")),
        ("tue", ("plan[tue,1]", "plan[tue,2]")),
    ]


def test_a_loop_variable_names_an_index_too() -> None:
    display = parse_authored(AUTHORED + "display: {board: list, rows: d}\n").display
    assert display is not None
    assert [lane.variables for lane in display.rows] == [("late[mon]",), ("late[tue]",)]
    assert display.columns == ()


def test_a_table_over_an_index_says_in_which_lane_its_members_stand() -> None:
    table = "tables: {floor: {index: [day], values: {mon: 2, tue: 1}}}\n"
    made = parse_authored(AUTHORED + table + "display: {board: plan, rows: floor}\n")
    assert made.display is not None
    assert [(lane.label, lane.variables) for lane in made.display.rows] == [
        ("1", ("plan[tue,1]", "plan[tue,2]")),
        ("2", ("plan[mon,1]", "plan[mon,2]")),
    ]
    assert made.content_hash == parse_authored(AUTHORED).content_hash


def test_a_table_of_what_indexes_no_variable_is_no_lane() -> None:
    tables = "tables: {both: {index: [day, slot], values: {mon: [1, 2], tue: [1, 2]}}}\n"
    found = issue_of(AUTHORED + tables + "display: {board: plan, rows: both}\n")
    assert found.code is Code.UNKNOWN_NAME


FLOOR = """\
pcl: 1
name: room
sets: {spot: [a1, a2, a1-a2]}
tables:
  top: {index: [spot], values: {a1: 1, a2: 2, a1-a2: 1}}
  bottom: {index: [spot], values: {a1: 1, a2: 2, a1-a2: 2}}
variables: {bed: {domain: spot}}
features: [{name: top, value: "top[bed]"}, {name: bottom, value: "bottom[bed]"}]
parts: [{name: room, variables: bed}]
"""


def test_tables_over_labels_say_where_who_takes_them_stands() -> None:
    made = parse_authored(FLOOR + "display: {board: floor, rows: [top, bottom], columns: top}\n")
    assert made.display is not None
    rows, columns = ([lane.values for lane in lanes] for lanes in (made.display.rows, made.display.columns))
    assert rows == [("a1", "a1-a2"), ("a2", "a1-a2")]
    assert columns == [("a1", "a1-a2"), ("a2",)]
    assert Problem.from_json(made.to_json()) == made
    assert made.content_hash == parse_authored(FLOOR).content_hash
    wrong = json.loads(made.to_json())
    wrong["display"]["rows"][0]["values"] = ["b7"]
    with pytest.raises(ProblemError, match="no variable can be 'b7'"):
        parse_ground(json.dumps(wrong))


def test_a_pair_that_is_not_two_tables_over_labels_is_refused() -> None:
    assert issue_of(FLOOR + "display: {board: floor, rows: [top, spot]}\n").code is Code.UNKNOWN_NAME


def test_labels_of_lanes_are_written_only_where_there_are_any() -> None:
    assert "values" not in json.loads(parse_authored(AUTHORED + DISPLAY).to_json())["display"]["rows"][0]


def test_it_is_in_the_presentation_and_not_in_the_meaning() -> None:
    plain, shown = parse_authored(AUTHORED), parse_authored(AUTHORED + DISPLAY)
    assert plain.display is None
    assert shown.content_hash == plain.content_hash
    assert shown.former_hash == plain.former_hash
    assert shown.presentation_hash != plain.presentation_hash
    relabelled = json.loads(shown.to_json())
    relabelled["display"]["rows"][0]["label"] = "first"
    assert parse_ground(json.dumps(relabelled)).presentation_hash != shown.presentation_hash


def test_ground_files_keep_it_and_those_without_it_are_written_as_before() -> None:
    shown = parse_authored(AUTHORED + DISPLAY)
    assert Problem.from_json(shown.to_json()) == shown
    assert "display" not in json.loads(parse_authored(AUTHORED).to_json())


@pytest.mark.parametrize(
    ("display", "code", "place"),
    [
        ("display: {board: calendar, rows: slots}\n", Code.UNKNOWN_NAME, "week.yaml:11:34"),
        ("display: {board: calendar, columns: plan}\n", Code.UNKNOWN_NAME, "week.yaml:11:37"),
        ("display: {rows: slot}\n", Code.WRONG_SHAPE, "week.yaml:11:10"),
        ("display: {board: calendar, row: slot}\n", Code.WRONG_SHAPE, "week.yaml:11:28"),
        ('display: {board: "", rows: slot}\n', Code.BAD_NAME, "week.yaml:11:10"),
    ],
)
def test_what_is_wrong_in_it_is_told_where_it_stands(display: str, code: Code, place: str) -> None:
    found = issue_of(AUTHORED + display)
    assert (found.code, str(found.location)) == (code, place)


def test_a_ground_display_names_variables_and_each_once() -> None:
    ground = json.loads(parse_authored(AUTHORED + DISPLAY).to_json())
    ground["display"]["rows"][1]["variables"] = ["plan[mon,1]", "plan[mon,9]"]
    with pytest.raises(ProblemError) as caught:
        parse_ground(json.dumps(ground, indent=1))
    assert [issue.code for issue in caught.value.issues] == [Code.DUPLICATE_NAME, Code.UNKNOWN_NAME]
    assert {issue.location.line is not None for issue in caught.value.issues} == {True}
