"""The section `initial` of a problem file, and the same in Python."""

import pytest
from tests.core.authoring.bad_files import AUTHORED

from pcl_core import Code, Problem, ProblemBuilder, ProblemError, Value, parse_authored, parse_ground

WEEK = """
pcl: 1
name: week
parameters: {start: 2, rest: swim, cold: false}
sets:
  day: [mon, tue, wed]
  slot: 1..2
  sport: [run, swim, lie down]
tables:
  free: {index: [day, slot], values: {mon: [1, 0], tue: [1, 1], wed: [0, 1]}}
variables:
  plan: {index: [day, slot], domain: sport}
  extra: {index: [day], domain: 0..5}
  go: {domain: bool}
constraints:
  - {name: few, require: "sum(extra[*]) <= 6"}
features:
  - {name: plan, foreach: {d: day}, value: "count(plan[d, s] == 'run' for s in slot) + extra[d]"}
  - {name: go, value: go}
parts:
  - {name: "{d}", foreach: {d: day}, variables: ["plan[d, *]", "extra[d]"]}
  - {name: go, variables: go}
initial:
  - {set: "plan[*, *]", to: run}
  - {set: "extra[*]", to: 0}
  - {set: go, to: false}
"""


def start(*entries: str) -> dict[str, Value]:
    problem = parse_authored(WEEK + "".join(f"  - {entry}\n" for entry in entries))
    assert problem.initial_configuration is not None
    return problem.initial_configuration


def test_every_variable_has_a_value_in_the_order_of_the_variables() -> None:
    found = start()
    assert list(found) == [variable.name for variable in parse_authored(WEEK).variables]
    assert found["plan[mon,1]"] == "run"
    assert found["go"] is False


def test_a_later_entry_overrides_an_earlier_one() -> None:
    found = start('{set: "extra[*]", to: 1}', "{set: \"extra['tue']\", to: 2}", '{set: "extra[*]", to: 1, if: cold}')
    assert [found[f"extra[{day}]"] for day in ("mon", "tue", "wed")] == [1, 2, 1]
    found = start("{set: \"extra['tue']\", to: 2}", '{set: "extra[*]", to: 1}')
    assert [found[f"extra[{day}]"] for day in ("mon", "tue", "wed")] == [1, 1, 1]


def test_loops_conditions_and_tables() -> None:
    found = start("{foreach: {d: day, s: slot}, set: \"plan[d, s]\", to: \"'swim' if free[d, s] == 1 else 'run'\"}")
    assert {name for name, value in found.items() if value == "swim"} == {
        "plan[mon,1]", "plan[tue,1]", "plan[tue,2]", "plan[wed,2]",
    }  # fmt: skip
    found = start('{foreach: {d: day, s: slot}, if: "free[d, s] == 0", set: "plan[d, s]", to: swim}')
    assert {name for name, value in found.items() if value == "swim"} == {"plan[mon,2]", "plan[wed,1]"}
    found = start('{foreach: {"a, b": consecutive(day)}, if: a != \'mon\', set: "extra[b]", to: start + 1}')
    assert [found[f"extra[{day}]"] for day in ("mon", "tue", "wed")] == [0, 0, 3]


def test_wildcards_ranges_and_lists_of_selections() -> None:
    found = start("{set: [\"plan['mon', *]\", \"plan[['tue', 'wed'], 2..2]\"], to: swim}")
    assert {name for name, value in found.items() if value == "swim"} == {
        "plan[mon,1]", "plan[mon,2]", "plan[tue,2]", "plan[wed,2]",
    }  # fmt: skip


@pytest.mark.parametrize("written", ["true", "True", "1", "start == 2", "free['mon', 1]"])
def test_truth_values(written: str) -> None:
    assert start(f'{{set: go, to: "{written}"}}')["go"] is True


@pytest.mark.parametrize(
    ("written", "label"),
    [("swim", "swim"), ("lie down", "lie down"), ("\"'swim'\"", "swim"), ("\"'lie down'\"", "lie down")],
)
def test_a_label_may_stand_without_quotes_of_its_own(written: str, label: str) -> None:
    assert start(f'{{set: "plan[*, *]", to: {written}}}')["plan[wed,2]"] == label


def test_a_name_of_the_file_means_what_it_means_everywhere() -> None:
    named = WEEK.replace("lie down]", "rest]") + '  - {set: "plan[*, *]", to: rest}\n'
    found = parse_authored(named).initial_configuration
    assert found is not None
    assert found["plan[mon,1]"] == "swim"
    found = parse_authored(named.replace("to: rest}", "to: \"'rest'\"}")).initial_configuration
    assert found is not None
    assert found["plan[mon,1]"] == "rest"


@pytest.mark.parametrize("section", ["", "initial: []\n", "initial:\n  - {if: most < 20, set: on, to: 1}\n"])
def test_without_an_entry_that_applies_there_is_none(section: str) -> None:
    assert parse_authored(AUTHORED + section) == parse_authored(AUTHORED)


def test_parameters_decide_whether_there_is_one() -> None:
    text = (
        AUTHORED + 'initial:\n  - {if: most < 20, set: [on, "n[*]"], to: 0}\n  - {if: most < 20, set: color, to: red}\n'
    )
    assert parse_authored(text).initial is None
    assert parse_authored(text, parameters={"most": "19"}).initial is not None


def test_findings_say_what_they_are_about() -> None:
    with pytest.raises(ProblemError) as caught:
        parse_authored(WEEK + "  - {set: \"extra['mon']\", to: 9}\n", "week.yaml")
    (issue,) = caught.value.issues
    line = len(WEEK.splitlines()) + 1
    expected = (
        "bad-configuration: initial value of 'extra['mon']': 'extra[mon]' cannot be 9 (a whole number from 0 to 5)"
    )
    assert str(issue) == f"week.yaml:{line}:31: {expected}"


def test_violated_constraints_and_missing_variables_are_named() -> None:
    with pytest.raises(ProblemError, match="initial configuration: it violates 1 of the constraints: few") as caught:
        start('{set: "extra[*]", to: 3}')
    assert caught.value.code is Code.BAD_CONFIGURATION
    with pytest.raises(ProblemError, match=r"initial configuration: 3 variables have no value: extra\[mon\]"):
        parse_authored(WEEK.replace('  - {set: "extra[*]", to: 0}\n', ""))


def test_a_broken_variable_is_reported_once() -> None:
    with pytest.raises(ProblemError) as caught:
        parse_authored(WEEK.replace("go: {domain: bool}", "go: {domain: bol}"))
    assert [issue.code for issue in caught.value.issues] == [Code.UNKNOWN_NAME]


def test_ground_text_keeps_it() -> None:
    problem = parse_authored(WEEK)
    again = parse_ground(problem.to_json())
    assert again == problem
    assert again.content_hash == problem.content_hash


def test_the_builder_gives_the_same_problem() -> None:
    build = ProblemBuilder("small")
    n = build.integer("n", 0, 5, ["mon", "tue"])
    on = build.boolean("on")
    build.constraint("few", n["mon"] + n["tue"] <= 4)
    build.feature("n", n["mon"] + n["tue"] + on)
    build.part("all", [*n, on])
    build.initial(on, True)
    build.initial(n, 1)
    build.initial([n["tue"]], 2)
    written = """
pcl: 1
name: small
sets: {day: [mon, tue]}
variables: {n: {index: [day], domain: 0..5}, on: {domain: bool}}
constraints: [{name: few, require: "n['mon'] + n['tue'] <= 4"}]
features: [{name: n, value: "n['mon'] + n['tue'] + on"}]
parts: [{name: all, variables: ["n[*]", on]}]
initial:
  - {set: "n[*]", to: 1}
  - {set: "n['tue']", to: 2}
  - {set: on, to: true}
"""
    problem: Problem = build.problem()
    assert problem == parse_authored(written)
    assert problem.content_hash == parse_authored(written).content_hash
    assert problem.initial_configuration == {"n[mon]": 1, "n[tue]": 2, "on": True}
    build.initial(n, 3)
    with pytest.raises(ProblemError, match="few"):
        build.problem()


def test_the_builder_takes_variables_only() -> None:
    build = ProblemBuilder("small")
    n = build.integer("n", 0, 5)
    with pytest.raises(TypeError, match="`initial` lists variables, and an expression is not a variable"):
        build.initial(n + 1, 1)
