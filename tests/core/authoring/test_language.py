"""The infix language, as text: what is written in a file, what it expands to."""

import pytest

from pcl_core import Problem, parse_authored, render

FILE = """
pcl: 1
name: small
parameters: {n: 3, rate: 0.25, city: rome}
sets:
  day: [mon, tue, wed]
  slot: 1..n
  pair: [[mon, tue], [tue, wed]]
  colour: [red, green]
tables:
  cost: {index: [day, slot], values: {mon: [1, 2, 3], tue: [4, 5, 6], wed: {1: 7, 2: 8, 3: 9}}}
  shade: {index: [colour], values: {red: 1.5, green: 2}}
variables:
  x: {index: [day, slot], domain: 0..9}
  on: {index: [day], domain: bool}
  c: {index: [day], domain: colour}
  top: {domain: -n..n}
definitions:
  load: {index: {d: day}, value: "sum(x[d, *])"}
features:
  - {name: own, value: "sum(x[d, s] for d in day for s in slot) + count(on[*]) + top + sum(shade[c[d]] for d in day)"}
  - {name: f, value: "FEATURE"}
constraints:
  - {name: k, require: "CONSTRAINT"}
parts:
  - {name: all, variables: ["x[*, *]", "on[*]", "c[*]", top]}
"""


def small(feature: str = "top", constraint: str = "true") -> Problem:
    return parse_authored(FILE.replace("FEATURE", feature).replace("CONSTRAINT", constraint))


@pytest.mark.parametrize(
    ("written", "expanded"),
    [
        ("top - 2 * top + 3 - -1", "top - 2 * top + 4"),
        ("rate * top", "0.25 * top"),
        ("sum(cost['tue', s] for s in slot) + top", "top + 15"),
        ("sum(x['mon', s] for s in slot if cost['mon', s] >= 2)", "x[mon,2] + x[mon,3]"),
        ("sum(x[d, 1] for d in day if d != 'tue')", "x[mon,1] + x[wed,1]"),
        ("sum(x[a, 1] - x[b, 1] for a, b in pair)", "x[mon,1] - x[tue,1] + x[tue,1] - x[wed,1]"),
        ("sum(x[d, 1] for d in day if ('mon', d) in pair)", "x[tue,1]"),
        ("sum(x['mon', s] for s in 2..n)", "x[mon,2] + x[mon,3]"),
        ("sum(x['mon', 1..2]) + sum(x[['mon', 'wed'], 3])", "x[mon,1] + x[mon,2] + x[mon,3] + x[wed,3]"),
        ("sum(x[a, 1] * (a == 'mon') for a in day)", "x[mon,1] + 0 * x[tue,1] + 0 * x[wed,1]"),
        ("min(x['mon', *]) + max(top, 1, 2)", "min(x[mon,1], x[mon,2], x[mon,3]) + max(top, 1, 2)"),
        ("abs(top - 1)", "abs(top - 1)"),
        ("count(x['mon', s] > 2 for s in slot)", "count(x[mon,1] > 2, x[mon,2] > 2, x[mon,3] > 2)"),
        ("1 if on['mon'] else -1", "2 * on[mon] - 1"),
        ("top if on['mon'] else load['tue']", "on[mon] * (top - load[tue]) + load[tue]"),
        ("top if n == 3 else load['mon']", "top"),
        ("shade[c['mon']] * 2", "2 * shade[c[mon]]"),
        ("cost['wed', n - 2] * top", "7 * top"),
        ("top * (size(day) + 7 // 2 + 7 % 4)", "9 * top"),
        ("sum(x[a, 1] for a, b in consecutive(day))", "x[mon,1] + x[tue,1]"),
        ("on['mon'] * top", "on[mon] * top"),
        ("top * (1 if city == 'rome' else 2)", "top"),
        ("(on['mon'] and on['tue']) * top", "(on[mon] and on[tue]) * top"),
    ],
)
def test_numbers(written: str, expanded: str) -> None:
    assert render(small(feature=written).features[1].value) == expanded


@pytest.mark.parametrize(
    ("written", "expanded"),
    [
        ("0 <= top <= 2", "0 <= top and top <= 2"),
        ("top in 1..3", "top >= 1 and top <= 3"),
        ("top not in [1, 2]", "not top in [1, 2]"),
        ("c['mon'] in colour", "c[mon] in ['red', 'green']"),
        ("c['mon'] == 'red' or not on['mon']", "c[mon] == 'red' or not on[mon]"),
        ("c['mon'] != c['tue']", "c[mon] != c[tue]"),
        ("all(on[d] for d in day)", "on[mon] and on[tue] and on[wed]"),
        ("any(c[d] == 'red' for d in day if d in ['mon', 'wed'])", "c[mon] == 'red' or c[wed] == 'red'"),
        ("implies(on['mon'], top > 0)", "implies(on[mon], top > 0)"),
        ("iff(on['mon'], on['tue'])", "iff(on[mon], on[tue])"),
        ("all_different(x['mon', *])", "all_different(x[mon,1], x[mon,2], x[mon,3])"),
        ("all_different(c['mon'], c['tue'])", "all_different(c[mon], c[tue])"),
        ("on['mon'] and cost['mon', 1] > 5", "on[mon] and false"),
        ("on['mon'] if on['tue'] else on['wed']", "on[tue] and on[mon] or not on[tue] and on[wed]"),
        ("(on['mon'] if on['tue'] else 0) + 1", None),
        ("top > 1 if on['tue'] else top < 0", "on[tue] and top > 1 or not on[tue] and top < 0"),
        ("not (top < 1)", "top >= 1"),
        ("true", "true"),
        ("0.1 * top <= 0.25", "0.1 * top <= 0.25"),
    ],
)
def test_truth_values(written: str, expanded: str | None) -> None:
    if expanded is None:
        with pytest.raises(Exception, match="must be true or false"):
            small(constraint=written)
    else:
        assert render(small(constraint=written).constraints[0].require) == expanded


def test_names_of_array_elements_and_default_suffixes() -> None:
    text = FILE.replace("FEATURE", "top").replace(
        '{name: k, require: "CONSTRAINT"}',
        '{name: k, foreach: {d: day, s: [1, 3]}, if: "d != \'tue\'", require: "x[d, s] > 0"}',
    )
    problem = parse_authored(text)
    assert [c.name for c in problem.constraints] == ["k[mon,1]", "k[mon,3]", "k[wed,1]", "k[wed,3]"]
    assert problem.variables[0].name == "x[mon,1]"
    assert problem.variables[-1].name == "top"


def test_only_tables_that_are_looked_up_stay_in_the_ground_problem() -> None:
    assert [table.name for table in small().tables] == ["shade"]


def test_declared_features_may_use_a_star() -> None:
    declared = (
        FILE.replace("FEATURE", "top")
        .replace("CONSTRAINT", "true")
        .replace("{name: all, variables", '{name: all, features: ["*"], variables')
    )
    assert parse_authored(declared).parts[0].features == ("own", "f")
