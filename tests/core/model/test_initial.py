"""The initial configuration of a problem: complete, of the domains, feasible, and part of the text and the hash."""

import json
import pickle
from typing import Any

import pytest

from pcl_core import Code, Issue, Problem, ProblemBuilder, ProblemError, Value
from pcl_core.model.elements import Constraint

START: dict[str, Value] = {"n[a]": 1, "n[b]": 2, "on": False, "color": "red"}


def small() -> Problem:
    build = ProblemBuilder("small")
    n = build.integer("n", 0, 5, ["a", "b"])
    on = build.boolean("on")
    color = build.categorical("color", ["red", "green"])
    build.constraint("few", n["a"] + n["b"] <= 6)
    build.constraint("red", on.implies(color.equals("red")))
    build.feature("n", n["a"] + n["b"])
    build.feature("style", on + color.equals("red"))
    build.part("numbers", n)
    build.part("style", [on, color])
    return build.problem()


def issues_of(initial: Any) -> tuple[Issue, ...]:
    with pytest.raises(ProblemError) as caught:
        small().replace(initial=initial)
    return caught.value.issues


def test_a_problem_need_not_declare_one() -> None:
    problem = small()
    assert problem.initial is None
    assert problem.initial_configuration is None
    assert json.loads(problem.to_json())["initial"] is None


def test_it_survives_the_ground_form() -> None:
    problem = small().replace(initial=START)
    assert json.loads(problem.to_json())["initial"] == START
    again = Problem.from_json(problem.to_json())
    assert again == problem
    assert again.content_hash == problem.content_hash
    assert again.initial_configuration == START
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_equal_problems_are_equal_text_whatever_the_order() -> None:
    problem = small().replace(initial=START)
    turned = small().replace(initial=dict(reversed(START.items())) | {"on": 0})
    assert turned == problem
    assert hash(turned) == hash(problem)
    assert turned.to_json() == problem.to_json()
    assert list(turned.initial_configuration or {}) == ["n[a]", "n[b]", "on", "color"]
    assert turned.initial_configuration == START
    assert (turned.initial_configuration or {})["on"] is False


def test_it_is_part_of_the_hash() -> None:
    hashes = {small().replace(initial=initial).content_hash for initial in (None, START, START | {"color": "green"})}
    assert len(hashes) == 3


def test_every_answer_is_a_mapping_of_its_own() -> None:
    problem = small().replace(initial=START)
    changed = problem.initial_configuration
    assert changed is not None
    changed["on"] = True
    assert problem.initial_configuration == START


def test_every_wrong_value_is_found_at_once() -> None:
    issues = issues_of({"n[a]": 6, "n[b]": True, "on": 2, "color": "grene", "colr": "red"})
    assert {issue.code for issue in issues} == {Code.BAD_CONFIGURATION}
    assert {issue.location.subject for issue in issues} == {"initial configuration"}
    assert [(issue.path, issue.message, issue.hint) for issue in issues] == [
        (("initial", "n[a]"), "'n[a]' cannot be 6", "a whole number from 0 to 5"),
        (("initial", "n[b]"), "'n[b]' cannot be true", "a whole number from 0 to 5"),
        (("initial", "on"), "'on' cannot be 2", "write true or false"),
        (("initial", "color"), "'color' cannot be 'grene'", "did you mean 'green'?"),
        (("initial", "colr"), "unknown variable 'colr'", "did you mean 'color'?"),
    ]


def test_missing_variables_are_named() -> None:
    (issue,) = issues_of({"n[b]": 2})
    assert issue.message == "3 variables have no value: n[a], on, color"
    (issue,) = issues_of({})
    assert issue.message.startswith("4 variables have no value")


def test_violated_constraints_are_named() -> None:
    (issue,) = issues_of({"n[a]": 5, "n[b]": 5, "on": True, "color": "green"})
    assert (issue.code, issue.path) == (Code.BAD_CONFIGURATION, ("initial",))
    assert issue.message == "it violates 2 of the constraints: few, red"
    (issue,) = issues_of(START | {"on": True, "color": "green"})
    assert issue.message.endswith(": red")


@pytest.mark.parametrize("initial", [3, [1], "on", (1, 2), {"on": None}, {"on": [True]}, {"n[a]": 0.5}, {1: 2}])
def test_what_is_no_mapping_of_values_has_the_wrong_shape(initial: object) -> None:
    assert {issue.code for issue in issues_of(initial)} == {Code.WRONG_SHAPE}


def test_it_is_not_judged_by_constraints_that_are_wrong_themselves() -> None:
    problem = small().replace(initial=START)
    number = Constraint(name="wrong", require=problem.features[0].value)
    with pytest.raises(ProblemError) as caught:
        problem.replace(constraints=(*problem.constraints, number))
    assert [issue.code for issue in caught.value.issues] == [Code.WRONG_KIND]


def test_changes_of_the_problem_keep_it_and_check_it_again() -> None:
    problem = small().replace(initial=START)
    assert problem.replace(name="other").initial_configuration == START
    assert problem.coarsen({"all": ["numbers", "style"]}).initial_configuration == START
    with pytest.raises(ProblemError, match="it violates 1 of the constraints: never"):
        problem.replace(constraints=(Constraint.model_validate({"name": "never", "require": _never()}),))
    lower = problem.variables[1].model_copy(update={"upper": 1})
    with pytest.raises(ProblemError, match=r"'n\[b\]' cannot be 2"):
        problem.replace(variables=(problem.variables[0], lower, *problem.variables[2:]))
    assert problem.replace(initial=None) == small()


def _never() -> dict[str, object]:
    return {"op": "cmp", "rel": ">", "left": {"op": "var", "name": "n[a]"}, "right": {"op": "const", "value": 4}}
