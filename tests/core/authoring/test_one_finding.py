"""One mistake is one finding, at its own line, however many things depend on what is wrong."""

import os
import re
from pathlib import Path
from random import Random

import pytest
from tests.core.authoring.bad_files import AUTHORED
from tests.core.authoring.mistakes import KINDS, Mistake

import pcl_problems
from pcl_core import Code, Issue, PclError, ProblemBuilder, parse_authored, parse_ground, total
from pcl_core.authoring.findings import once
from pcl_core.errors import Location

RICH = """\
pcl: 1
name: rich
parameters: {most: 20, rate: 0.5}
sets:
  day: [mon, tue, wed]
  slot: 1..3
  sport: [run, swim, rest]
  link: [[mon, tue], [tue, wed]]
tables:
  cost: {index: [sport], values: {run: 1, swim: 2.5, rest: 0}}
  tired: {index: [sport, slot], values: {run: [1, 2, 3], swim: [2, 2, 2], rest: [0, 0, 0]}}
variables:
  plan: {index: [day, slot], domain: sport, label: "{day} {slot}"}
  open: {index: [day], domain: bool}
  beds: {index: [day], domain: "0..most"}
definitions:
  spent: {value: "sum(cost[plan[d, s]] for d in day for s in slot)"}
  effort: {index: {d: day}, value: "sum(tired[plan[d, s], s] for s in slot)"}
  busy: {index: {d: day}, value: "effort[d] >= 3"}
constraints:
  - {name: budget, require: "spent <= most"}
  - {name: rest, foreach: {d: day}, require: "any(plan[d, s] == 'rest' for s in slot)"}
  - {name: no-run, foreach: {d: day}, if: "d != 'mon'", require: "plan[d, 1] != 'run' or open[d]"}
  - {name: pairs, foreach: {"a, b": link}, require: "implies(busy[a], not busy[b])"}
  - {name: mixed, foreach: {d: day, s: 1..2}, require: "plan[d, s] in ['run', 'rest'] or beds[d] >= s"}
features:
  - {name: effort, foreach: {d: day}, value: "effort[d] + beds[d]"}
  - {name: spent, value: "spent * rate"}
  - {name: swims, value: "count(plan[d, s] == 'swim' for d in day for s in slot)"}
  - {name: open, foreach: {d: day}, value: "1 if open[d] and beds[d] > 2 else -1"}
parts:
  - {name: "{d}", foreach: {d: day}, variables: ["plan[d, *]", "open[d]", "beds[d]"]}
initial:
  - {set: "plan[*, *]", to: rest}
  - {set: ["open[*]", "beds[*]"], to: 0}
"""
HARMLESS = {"member", "label"}
"""Another word for a member that nothing names, or that only known values are compared with, is no mistake."""
MISTAKES = 20_000 if os.environ.get("PCL_CAMPAIGN") == "1" else 600
FOLDER = Path(pcl_problems.__file__).parent
FILES: list[tuple[str, Path | None]] = [
    (RICH, None),
    (AUTHORED, None),
    *((path.read_text(), path.parent) for path in sorted(FOLDER.glob("*/*.yaml"))),
]


def findings(text: str, folder: Path | None = None) -> tuple[Issue, ...]:
    try:
        parse_authored(text, "mistake.yaml", folder)
    except PclError as error:
        return error.issues
    return ()


def wrong_answer(mistake: Mistake, issues: tuple[Issue, ...]) -> bool:
    if not issues:
        return mistake.kind not in HARMLESS
    return len(issues) > 1 or (mistake.lines is not None and issues[0].location.line not in mistake.lines)


def test_one_mistake_at_a_random_place_is_one_finding_at_its_line() -> None:
    random, tried = Random(18), set()
    for _ in range(MISTAKES):
        text, folder = random.choice(FILES)
        mistake = random.choice(KINDS)(text, random)
        if mistake is None:
            continue
        issues = findings(mistake.text, folder)
        tried.add(mistake.kind)
        shown = "\n".join(map(str, issues))
        assert not wrong_answer(mistake, issues), f"{mistake.kind}: {mistake.what}, lines {mistake.lines}\n{shown}"
    assert len(tried) == len(KINDS)


def test_the_rich_file_is_valid() -> None:
    assert findings(RICH) == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "phrase"),
    [
        ("  plan: {index", "  plans: {index", Code.UNKNOWN_NAME, "unknown name 'plan' (also in line"),
        ("day: [mon, tue, wed]", "day: [mon, null, wed]", Code.WRONG_SHAPE, ""),
        ("day: [mon, tue, wed]", "day: [mon, true, wed]", Code.WRONG_KIND, "set 'day'"),
        ("day: [mon, tue, wed]", "day: 1..nomst", Code.UNKNOWN_NAME, "set 'day'"),
        ("domain: sport", "domain: sprot", Code.UNKNOWN_NAME, "variable 'plan'"),
        ('effort[d] >= 3"', 'efort[d] >= 3"', Code.UNKNOWN_NAME, "definition 'busy'"),
        ('"effort[d] >= 3"', '"effort[d] + 3"', Code.WRONG_KIND, "'not' needs truth values"),
        ('"effort[d] >= 3"', "\"plan[d, 1] >= 'run'\"", Code.WRONG_KIND, "no order"),
        ("== 'rest'", "== 'rset'", Code.LABEL_OUTSIDE_DOMAIN, "'rset'"),
        ("in ['run', 'rest']", "in day", Code.LABEL_OUTSIDE_DOMAIN, "nor are 2 others"),
        ("effort[d] + beds[d]", "effort[d] * beds[d]", Code.PRODUCT_OF_VARIABLES, "table"),
        ("1 if open[d] and beds[d] > 2", "1 if beds[d] * beds[d] > 2", Code.PRODUCT_OF_VARIABLES, "table"),
        ('"beds[d]"]', "]", Code.VARIABLE_WITHOUT_PART, "2 more"),
        ('variables: ["plan[d, *]"', 'variables: ["plan[*, *]"', Code.VARIABLE_IN_TWO_PARTS, "more"),
        ("run: 1, swim: 2.5", "run: 9007199254740991, swim: 2.5", Code.CANNOT_SCALE, ""),
        ("require:", "requires:", Code.WRONG_SHAPE, "requires"),
        ("features:", "feature:", Code.WRONG_SHAPE, "'feature'"),
        ("domain: bool", "domian: bool", Code.WRONG_SHAPE, "domian"),
        ("  open: {index", "  if: {index", Code.BAD_NAME, "'if'"),
    ],
)
def test_one_cause_is_one_finding(old: str, new: str, code: Code, phrase: str) -> None:
    changed = RICH.replace(old, new, 1)
    if new.startswith("  if"):  # every use is meant, and would not even parse
        changed = changed.replace("open[", "if[")
    (issue,) = findings(changed)
    assert issue.code is code, str(issue)
    assert phrase in str(issue)


def test_a_name_that_is_unknown_in_a_ground_file_is_reported_once() -> None:
    ground = parse_authored(RICH).to_json()
    for name in ('table":"cost', 'name":"spent', 'name":"plan[mon,1]'):
        text = ground.replace(f'"op":"lookup","{name}"', f'"op":"lookup","{name}q"')
        text = text.replace(f'"op":"ref","{name}"', f'"op":"ref","{name}q"').replace(
            f'"op":"var","{name}"', f'"op":"var","{name}q"'
        )
        with pytest.raises(PclError) as caught:
            parse_ground(text)
        (issue,) = caught.value.issues
        assert issue.code is Code.UNKNOWN_NAME


def test_parts_that_share_what_is_wrong_are_reported_once() -> None:
    build = ProblemBuilder("parts")
    x = build.integer("x", 0, 3, range(18))
    build.feature("sum", total(x))
    for k in range(18):
        build.part(f"p{k}", list(x) if k % 2 else [x[k]])
    with pytest.raises(PclError) as caught:
        build.problem()
    assert {issue.code for issue in caught.value.issues} == {Code.VARIABLE_IN_TWO_PARTS}
    assert len(caught.value.issues) <= 9


def test_what_is_said_at_several_places_names_them() -> None:
    def at(line: int, file: str = "a.yaml") -> Issue:
        return Issue(Code.UNKNOWN_NAME, "unknown name 'x'", "h", Location(file, line, 1))

    assert [str(issue) for issue in once([at(3), at(3), at(5), at(7, "b.csv")])] == [
        "a.yaml:3:1: unknown-name: unknown name 'x' (also in line 5, in b.csv:7) (h)"
    ]
    many = once([at(line) for line in range(1, 19)])
    assert [issue.message for issue in many] == [
        "unknown name 'x' (also in line 2, in line 3, in line 4, in line 5, in line 6 and in 12 more)"
    ]


@pytest.mark.parametrize("section", ["features", "tables", "variables", "parts", "definitions"])
def test_a_section_without_its_line_is_one_finding_that_names_it(section: str) -> None:
    text = (Path(pcl_problems.__file__).parent / "hotel" / "problem.yaml").read_text()
    (issue,) = findings(text.replace(f"\n{section}:\n", "\n"))
    assert "there is no field" in issue.message
    assert f"`{section}:`" in str(issue.hint)
    assert "did you mean" not in str(issue)


def test_what_should_be_a_mapping_is_asked_for_in_plain_words() -> None:
    changed = re.sub(r"open: \{.*\}", "open: 3", RICH, count=1)
    assert any("expected a mapping" in issue.message for issue in findings(changed))
    assert not any("Spec" in str(issue) for issue in findings(changed))
