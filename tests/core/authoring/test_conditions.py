"""A number is never taken for a condition, however little of it is left once constants are folded."""

import json
from collections.abc import Callable

import pytest

from pcl_core.authoring.builder import ProblemBuilder
from pcl_core.authoring.load import parse_authored
from pcl_core.authoring.symbolic import all_of, any_of, choose, constant, count, largest, total
from pcl_core.errors import MisuseError, ProblemError
from pcl_core.model.problem import Problem

SENTENCE = "needs truth values, not a number"


def problem_with(require: str, defined: str = "p") -> Problem:
    return parse_authored(
        f"""
pcl: 1
name: conditions
sets: {{S: [1]}}
tables: {{t: {{index: [S], values: [1]}}}}
variables:
  y: {{domain: 0..3}}
  x: {{domain: 0..1}}
  p: {{domain: bool}}
  q: {{domain: bool}}
  c: {{domain: [u, v]}}
definitions:
  late: {{value: 1 if last else 0}}
  chain: {{value: first and true}}
  first: {{value: second}}
  second: {{value: p or q}}
  last: {{value: {json.dumps(defined)}}}
constraints:
  - {{name: r, require: {json.dumps(require)}}}
features:
  - {{name: f, value: y + p}}
parts:
  - {{name: a, variables: [y, x, p, q, c]}}
"""
    )


@pytest.mark.parametrize(
    "require",
    [
        "(1 if y else 0) == 1", "(1 if x else 2) == 1", "any(x)", "all(x)", "not not x", "all(x, true)",
        "any(x, false)", "x and 1", "implies(true, x)", "implies(x, false)", "iff(true, x)", "any([x])",
        "(1 if any(x) else 2) == 1", "(1 if (x and true) else 2) == 1", "p * any(x) == 1", "any(x for k in 1..1)",
        "count(x) == 1", "any(t[y])", "p and 0 + p", "any(sum(p for k in 1..1))", "not max(p)", "any([p, 1 * q])",
        "any(late + 0)", "not abs(p)", "any(count(p))", "any(+p)",
    ],
)  # fmt: skip
def test_a_number_is_no_condition_in_a_file(require: str) -> None:
    with pytest.raises(ProblemError) as caught:
        problem_with(require)
    (issue,) = caught.value.issues
    assert SENTENCE in issue.message
    assert (issue.code, issue.hint) == ("wrong-kind", "compare it with something")


@pytest.mark.parametrize("require", ["0 + p", "+p", "1 * p", "sum(p for k in 1..1)", "y"])
def test_a_number_is_no_constraint_whatever_it_folds_to(require: str) -> None:
    with pytest.raises(ProblemError, match="a constraint must be true or false, not a number"):
        problem_with(require)


def test_a_label_is_no_condition_in_a_file() -> None:
    with pytest.raises(ProblemError, match="'any' needs truth values, not a label"):
        problem_with("any(c)")


@pytest.mark.parametrize(
    ("require", "means"),
    [
        ("any(p)", "p"), ("not not p", "p"), ("p and t[1]", "p"), ("implies(true, p)", "p"), ("iff(1, p)", "p"),
        ("any(0 * 1, p)", "p"), ("all(chain)", "chain"), ("all(y == 1)", "y == 1"), ("any(c in ['u'])", "c in ['u']"),
        ("any(p if true else q)", "p"), ("not not last", "last"), ("1 if last else 0", "last"),
    ],
)  # fmt: skip
def test_a_truth_value_stays_the_node_it_was(require: str, means: str) -> None:
    assert problem_with(require).constraints == problem_with(means).constraints


@pytest.mark.parametrize(("defined", "sort"), [("y", "a number"), ("late + 1", "a number"), ("c", "a label")])
def test_a_definition_further_down_is_a_condition_only_if_it_is_true_or_false(defined: str, sort: str) -> None:
    with pytest.raises(ProblemError, match=f"definition 'late': 'if' needs truth values, not {sort}"):
        problem_with("p", defined)


def test_a_long_chain_of_definitions_is_followed_to_its_end() -> None:
    text = """
pcl: 1
name: chain
variables: {p: {domain: bool}, y: {domain: 0..3}}
definitions:
  link: {index: {i: 0..60}, value: "link[i + 1] and true if i < 60 else end and true"}
  end: {value: %s}
features: [{name: f, value: "link[0] + p + y"}]
parts: [{name: a, variables: [p, y]}]
"""
    assert len(parse_authored(text % "p").definitions) == 62
    with pytest.raises(ProblemError, match="'and' needs truth values, not a number"):
        parse_authored(text % "y")


def test_a_number_is_no_condition_in_python() -> None:
    build = ProblemBuilder("conditions")
    p, x = build.boolean("p"), build.integer("x", 0, 3)
    label = build.categorical("c", ["u", "v"])
    named = build.define("d", x + 1)
    attempts: list[Callable[[], object]] = [
        lambda: choose(x, 1, 2), lambda: any_of([x]), lambda: all_of([x]), lambda: count([x]), lambda: ~x,
        lambda: x & p, lambda: p & x, lambda: x | p, lambda: p | x, lambda: x.implies(p), lambda: p.implies(x),
        lambda: x.iff(p), lambda: p.iff(x), lambda: build.constraint("r", x), lambda: build.constraint("r", named),
        lambda: any_of([named]), lambda: all_of([total([p])]), lambda: ~(0 + p), lambda: ~(1 * p), lambda: ~+p,
        lambda: any_of([largest([p])]), lambda: choose(constant(1), 1, 2), lambda: choose(count([p]), 1, 2),
        lambda: constant(True) & x,
    ]  # fmt: skip
    for attempt in attempts:
        with pytest.raises(MisuseError, match=SENTENCE) as caught:
            attempt()
        assert caught.value.issues[0].hint == "compare it with something"
    with pytest.raises(MisuseError, match="needs truth values, not a label"):
        any_of([label])


def test_truth_values_go_on_working_in_python() -> None:
    build = ProblemBuilder("conditions")
    p, x = build.boolean("p"), build.integer("x", 0, 3)
    label = build.categorical("c", ["u", "v"])
    named = build.define("d", (x == 1) & p)
    for number, truth in enumerate([p, x == 1, label.is_in(["u"]), named, constant(True), ~named, any_of([p])]):
        build.constraint(f"r{number}", choose(truth, 1, 2) + count([truth, truth & p]) >= 0)
        build.constraint(f"s{number}", truth.implies(p) | all_of([truth]).iff(named))
    build.feature("f", p + x)
    build.part("a", [p, x, label])
    assert len(build.problem().constraints) == 14


@pytest.mark.parametrize(
    ("require", "hint"),
    [("at['1']", "write 1 without quotes"), ("named[1]", "write '1' in quotes"), ("at[7]", "known: 1, 2")],
)
def test_an_index_of_the_other_sort_is_told_about_quotes(require: str, hint: str) -> None:
    text = f"""
pcl: 1
name: quotes
sets: {{N: [1, 2], L: ['1', '2']}}
variables: {{at: {{index: [N], domain: bool}}, named: {{index: [L], domain: bool}}}}
constraints: [{{name: r, require: "{require}"}}]
features: [{{name: f, value: "at[1] + named['1']"}}]
parts: [{{name: a, variables: ["at[*]", "named[*]"]}}]
"""
    with pytest.raises(ProblemError) as caught:
        parse_authored(text)
    assert caught.value.issues[0].hint == hint


def test_a_sum_of_too_many_terms_is_told_what_to_write() -> None:
    assert problem_with(" + ".join(["y"] * 1500) + " >= 0").constraints
    with pytest.raises(ProblemError) as caught:
        problem_with("+".join(["y"] * 9900) + ">=0")
    assert caught.value.issues[0].code == "too-deep"
    assert "sum(...)" in str(caught.value.issues[0].hint)
