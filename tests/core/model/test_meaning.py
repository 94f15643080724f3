"""What a problem means has a hash; how it is shown has another, and neither depends on the other."""

import json
from typing import Any

import pytest

from pcl_core import Code, Elicitation, Oracle, Problem, RequestError, load, parse_ground
from pcl_core.ir.nodes import MAX_DEPTH

HASHES = [
    (
        "grid",
        "4ebb021a0ce51528daf2d3902d6c89c7db15f55284fd02a3156a16c94d9c20d5",
        "62d5b517afaa9573608854ccab608f7dae271bf49db8e3bdaa8b7ff9e565315d",
    ),
    (
        "training",
        "83061a7a9e25260e76c2be0d6abe67b94f5c4e1e134d4da7b0f894b835e6012e",
        "620d311942c7d19a01cf3bffe9cf188e8b35be293d8b1c25a744f86bdc6c814e",
    ),
    (
        "hotel",
        "38e5d28c8a8942fc2b31c2d901b49bc40984678163b483e46704293c93c88745",
        "8c2cab89d8a26b1d23c342b578712d478824f6312a66392d0bbaeba57fc4bee4",
    ),
]

GROUND: dict[str, Any] = {
    "pcl": 1,
    "name": "small",
    "variables": [
        {"domain": "int", "name": "n", "lower": 0, "upper": 3},
        {"domain": "bool", "name": "on"},
        {"domain": "categorical", "name": "color", "labels": ["red", "green"]},
    ],
    "tables": [{"name": "cost", "axes": [["red", "green"]], "values": ["1.5", 2]}],
    "definitions": [
        {"name": "d", "value": {"op": "sum", "coefs": ["0.5"], "args": [{"op": "var", "name": "n"}]}},
    ],
    "constraints": [{"name": "c", "require": {"op": "var", "name": "on"}}],
    "features": [
        {"name": "f", "value": {"op": "ref", "name": "d"}},
        {"name": "g", "value": {"op": "lookup", "table": "cost", "keys": [{"op": "var", "name": "color"}]}},
    ],
    "parts": [{"name": "p", "variables": ["n"]}, {"name": "q", "variables": ["on", "color"]}],
}


def changed(*path: str | int, to: Any) -> Problem:
    """The small problem with one field changed or added."""
    data = json.loads(json.dumps(GROUND))
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return parse_ground(json.dumps(data))


SMALL = parse_ground(json.dumps(GROUND))


@pytest.mark.parametrize(("name", "now", "formerly"), HASHES)
def test_hashes_stay_what_they_were(name: str, now: str, formerly: str) -> None:
    problem = load(name)
    assert (problem.content_hash, problem.former_hash) == (now, formerly)
    assert problem.goes_by(now)
    assert problem.goes_by(formerly)
    assert not problem.goes_by(problem.presentation_hash)


WORDING: list[tuple[tuple[str | int, ...], Any]] = [
    (("label",), "Small"),
    (("description",), "A problem that is small."),
    (("variables", 0, "label"), "how many"),
    (("variables", 0, "unit"), "pieces"),
    (("variables", 1, "label"), "switched on"),
    (("variables", 2, "label"), "its color"),
    (("definitions", 0, "label"), "half of them"),
    (("constraints", 0, "label"), "it is on"),
    (("features", 0, "label"), "half"),
    (("features", 0, "unit"), "kg"),
    (("parts", 0, "label"), "first"),
]


@pytest.mark.parametrize(("path", "to"), WORDING)
def test_wording_has_a_hash_of_its_own(path: tuple[str | int, ...], to: str) -> None:
    worded = changed(*path, to=to)
    assert worded.content_hash == SMALL.content_hash
    assert worded.presentation_hash != SMALL.presentation_hash
    assert worded.former_hash != SMALL.former_hash


def test_every_field_that_people_see_is_in_the_presentation() -> None:
    """Each of the fields above, changed at once; what a later field adds must be added to the list."""
    text = {name for model in _models() for name, found in model.items() if found.get("pattern", "").endswith("]*$")}
    assert text == {path[-1] for path, _ in WORDING}
    data = json.loads(json.dumps(GROUND))
    for path, to in WORDING:
        inner = data
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = to
    shown = parse_ground(json.dumps(data)).presentation
    assert (shown.label, shown.description) == ("Small", "A problem that is small.")
    assert {name: (of.label, of.unit) for name, of in shown.variables.items()} == {
        "n": ("how many", "pieces"),
        "on": ("switched on", ""),
        "color": ("its color", ""),
    }
    assert shown.definitions["d"].label == "half of them"
    assert shown.constraints["c"].label == "it is on"
    assert (shown.features["f"].label, shown.features["f"].unit) == ("half", "kg")
    assert list(shown.features) == ["f"]
    assert shown.parts["p"].label == "first"


def _models() -> list[dict[str, Any]]:
    schema = Problem.model_json_schema()
    return [schema["properties"], *(found["properties"] for found in schema["$defs"].values())]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("shared_only",), "refuse"),
        (("shared_only",), "allow"),
        (("initial",), None),
        (("definitions", 0, "value", "constant"), 0),
        (("definitions", 0, "value", "coefs"), ["0.50"]),
        (("features", 0, "reach"), "local"),
        (("features", 0, "reach"), None),
        (("parts", 0, "features"), ["f"]),
        (("tables", 0, "values"), ["1.5", "2.0"]),
    ],
)
def test_what_is_only_written_out_changes_no_hash(path: tuple[str | int, ...], to: Any) -> None:
    written_out = changed(*path, to=to)
    assert written_out.content_hash == SMALL.content_hash
    assert written_out.presentation_hash == SMALL.presentation_hash


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("name",), "other"),
        (("variables", 0, "upper"), 4),
        (("variables", 2, "labels"), ["green", "red"]),
        (("tables", 0, "values"), ["1.5", 3]),
        (("definitions", 0, "value", "constant"), 1),
        (("definitions", 0, "value", "coefs"), ["0.25"]),
        (("constraints", 0, "name"), "other"),
        (("constraints", 0, "require"), {"op": "const", "value": True}),
        (("features", 0, "name"), "other"),
        (("features", 0, "reach"), "global"),
        (("features",), GROUND["features"][::-1]),
        (("parts",), GROUND["parts"][::-1]),
        (("initial",), {"n": 0, "on": True, "color": "red"}),
    ],
)
def test_what_a_problem_means_is_in_its_hash_and_not_in_its_presentation(path: tuple[str | int, ...], to: Any) -> None:
    other = changed(*path, to=to)
    assert other.content_hash != SMALL.content_hash
    assert other.presentation_hash == SMALL.presentation_hash
    assert not SMALL.goes_by(other.content_hash)


def test_sorts_of_things_that_have_the_same_fields_are_told_apart() -> None:
    two = {"op": "and", "args": [{"op": "var", "name": "on"}, {"op": "const", "value": True}]}
    either = changed("constraints", 0, "require", to={**two, "op": "or"})
    assert changed("constraints", 0, "require", to=two).content_hash != either.content_hash


def test_a_field_that_is_added_later_changes_no_hash_of_a_problem_that_does_not_use_it() -> None:
    class Later(Problem):
        family: str | None = None

    later = Later.from_json(SMALL.to_json())
    assert later.content_hash == SMALL.content_hash
    assert later.replace(family="a").content_hash != SMALL.content_hash


def test_the_deepest_expression_has_a_hash() -> None:
    deep: dict[str, Any] = {"op": "var", "name": "on"}
    for _ in range(MAX_DEPTH - 1):
        deep = {"op": "not", "arg": deep}
    assert len(changed("constraints", 0, "require", to=deep).content_hash) == 64


def test_an_oracle_for_another_wording_is_not_taken_for_the_same_problem() -> None:
    oracle = Oracle.of(SMALL, "table")
    assert Elicitation(changed("shared_only", to="refuse"), oracle=oracle).problem == SMALL
    with pytest.raises(RequestError) as caught:
        Elicitation(changed("label", to="Klein"), oracle=oracle)
    assert caught.value.code is Code.BAD_VALUE
