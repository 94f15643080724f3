"""What is known in a file decides what the reference evaluator says it decides, wherever it stands."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.constants import LABELS, NUMBERS, SYMBOLS, TABLES, VARIABLES, Trees, spelled

from pcl_core import Code, Problem, ProblemError, assess, parse_authored, render
from pcl_core.ir.evaluate import Evaluation

TEMPLATE = """
pcl: 1
name: known
sets: {label: SET, number: NUMBERS}
tables:
  shade: {index: [label], values: {red: 1, green: -0.5, blue: 3}}
  step: {index: [number], values: {-1: 4, 0: 0, 1: 4, 2: -2}}
  both: {index: [label, number], values: {red: [0, 1, 2, 3], green: [4, 5, 6, 7], blue: [8, 9, 10, 11]}}
checks: [{that: "CHECK", message: no}]
variables: {x: {index: [number], domain: 0..9}}
constraints:
  - {name: plain, require: "TRUTH"}
  - {name: kept, if: "TRUTH", require: "x[0] < 9"}
  - {name: not, if: "not (TRUTH)", require: "x[0] < 9"}
  - {name: and, if: "true and (TRUTH)", require: "x[0] < 9"}
  - {name: or, if: "false or (TRUTH)", require: "x[0] < 9"}
  - {name: turn, foreach: {k: [1]}, if: "TRUTH", require: "x[k] < 9"}
features:
  - {name: all, value: "sum(x[*])"}
  - {name: number, value: "x[0] + (NUMBER)"}
  - {name: choice, value: "x[0] + (1 if TRUTH else 2)"}
  - {name: loop, value: "x[0] + sum(1 for k in number if TRUTH)"}
  - {name: decided, value: "(2 if x[0] == 0 and (TRUTH) else 3)"}
parts: [{name: all, variables: "x[*]"}]
"""
FILE = TEMPLATE.replace("SET", str(list(LABELS))).replace("NUMBERS", str(list(NUMBERS)))
EXAMPLES = 2000 if os.environ.get("PCL_CAMPAIGN") == "1" else 100


def read(truth: str, number: str = "0", check: str = "true") -> Problem:
    return parse_authored(FILE.replace("CHECK", check).replace("TRUTH", truth).replace("NUMBER", number))


def assert_decided(problem: Problem, truth: bool, number: object) -> None:
    """Every place of the file that asks the question got the same answer."""
    names = {constraint.name for constraint in problem.constraints}
    expected = {"kept", "and", "or", "turn[1]"} if truth else {"not"}
    assert names == {"plain", *expected}
    found = assess(problem, {f"x[{k}]": 0 for k in NUMBERS})
    assert ("plain" in found.violated) is not truth
    assert list(found.features[1:]) == [number, 1 if truth else 2, len(NUMBERS) * truth, 2 if truth else 3]


def passes(check: str) -> bool:
    try:
        read("true", check=check)
    except ProblemError as error:
        codes = [issue.code for issue in error.issues]
    else:
        codes = []
    assert codes in ([], [Code.CHECK_FAILED])
    return not codes


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.randoms(use_true_random=False))
def test_known_expressions_decide_what_they_mean(random: Random) -> None:
    trees = Trees(random)
    configuration = {variable.name: random.choice(variable.values()) for variable in VARIABLES}
    evaluation = Evaluation(SYMBOLS, configuration)
    drawn, counted = trees.truth(3), trees.number(2)
    truth = render(spelled(drawn, configuration))
    number = render(spelled(counted, configuration))
    assert_decided(read(truth, number), evaluation.truth(drawn), evaluation.number(counted))
    assert passes(truth) is evaluation.truth(drawn)


@pytest.mark.parametrize(
    ("truth", "holds"),
    [
        ("all_different(1, 2, 3)", True),
        ("all_different(1, 2, 1)", False),
        ("all_different(1, 1.0)", False),
        ("all_different('red', 'blue')", True),
        ("all_different('red', 'red')", False),
        ("all_different(label)", True),
        ("all_different(step[k] for k in number)", False),
        ("not all_different(true, 1)", True),
        ("any(all_different(1, k) for k in number)", True),
        ("iff(all_different(1, 2), 'red' != 'blue')", True),
        ("implies(1, 0)", False),
        ("'red' in label and 3 not in number", True),
        ("0.1 + 0.2 == 0.3", True),
        ("count(1, 0, true) == 2", True),
        ("min(shade['red'], 0.5) == 0.5", True),
    ],
)
def test_known_conditions(truth: str, holds: bool) -> None:
    assert_decided(read(truth), holds, 0)
    assert passes(truth) is holds


@pytest.mark.parametrize(
    "truth", ["2", "any(2)", "count(0.5) == 1", "implies('a', true)", "all_different('a', 1)", "not 3"]
)
def test_what_is_no_truth_value_is_not_taken_for_false(truth: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(truth)
    assert {issue.code for issue in caught.value.issues} == {Code.WRONG_KIND}


def test_the_tables_of_the_file_are_those_of_the_evaluator() -> None:
    read_at = "shade['red'] + step[k] + both['blue', k]"
    problem = read("true", f"sum({read_at} for k in number)")
    expected = sum(TABLES[0].at(("red",)) + TABLES[1].at((k,)) + TABLES[2].at(("blue", k)) for k in NUMBERS)
    assert assess(problem, {f"x[{k}]": 0 for k in NUMBERS}).features[1] == expected
