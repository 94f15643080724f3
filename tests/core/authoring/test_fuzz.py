"""Whatever is thrown at the loader, only findings of our own come out; what loads survives a round trip.

A normal run tries a few hundred inputs of each sort, a campaign (PCL_CAMPAIGN=1) twenty thousand.
"""

import copy
import json
import os
import random
import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pcl_problems
from pcl_core.authoring.load import Limits, load, parse_authored, parse_ground
from pcl_core.errors import PclError
from pcl_core.model.problem import Problem

EXAMPLES = 20_000 if os.environ.get("PCL_CAMPAIGN") == "1" else 300
LIMITS = Limits(nodes=20_000)
FOLDER = Path(pcl_problems.__file__).parent
FILES = {path: path.read_text() for path in sorted(FOLDER.glob("*/*.yaml"))}
SMALL = FOLDER / "grid" / "problem.yaml"

fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES < 1000,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)

seeds = st.integers(0, 2**32)

NAMES = ["x", "n", "on", "color", "twice", "cost", "price", "day", "most", "d", "k", "nosuch", "true"]
FUNCTIONS = [
    "sum",
    "min",
    "max",
    "any",
    "all",
    "count",
    "all_different",
    "abs",
    "implies",
    "iff",
    "size",
    "consecutive",
]
WORDS = [
    *NAMES, *FUNCTIONS, "and", "or", "not", "in", "not in", "if", "else", "for", "for k in", "lambda", "is", "==", "!=",
    "<", "<=", ">", ">=", "+", "-", "*", "//", "%", "/", "**", "..", "...", "(", ")", "[", "]", "{", "}", ",", ":", ".",
    "*,", "[*]", "[d]", "'mon'", "'red'", '"tue"', "'", '"', "\\", "#", ";", "|", "0", "1", "2", "0.5", "1e-15", "1e400",
    "9007199254740992", "\n", "é", "\x00",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in", "..", "|", ","]
TEMPLATE = """\
pcl: 1
name: fuzz
parameters: {{most: 20, some: 0.5}}
checks: [{{that: {check}, message: no}}]
sets: {{day: [mon, tue], pair: "[('mon', 1), ('tue', 2)]", free: {set}}}
tables: {{price: {{index: [day], values: {{mon: 3, tue: 0.5}}}}}}
variables:
  n: {{index: [day], domain: {domain}}}
  x: {{domain: 0..3}}
  on: {{domain: bool}}
  color: {{domain: [red, green]}}
definitions:
  twice: {{value: {definition}}}
  cost: {{index: {{d: day}}, value: "price[d] * n[d]"}}
constraints:
  - {{name: "c{{d}}", foreach: {{d: day, k: {foreach}}}, if: {condition}, require: {require}, label: {label}}}
features:
  - {{name: f, value: {value}}}
  - {{name: "n[{{d}}]", foreach: {{d: day}}, value: "n[d]"}}
  - {{name: rest, value: "x + on + (color == 'red')"}}
parts:
  - {{name: "{{d}}", foreach: {{d: day}}, variables: {selection}}}
  - {{name: rest, variables: [x, on, color]}}
"""
INITIAL = """\
initial:
  - {{set: ["n[*]", x, on], to: 1}}
  - {{set: color, to: red}}
  - {{foreach: {{d: day, k: {foreach}}}, if: {condition}, set: {target}, to: {start}}}
"""
FIELDS = {
    "check": "most > 3",
    "set": "1..most",
    "domain": "0..5",
    "definition": "2 * x",
    "foreach": "1..2",
    "condition": "k > 1",
    "require": "n[d] <= 3",
    "label": "day {d}",
    "value": "twice + sum(n[*])",
    "selection": "n[d]",
    "target": "n[d]",
    "start": "k",
}


def filled(fields: dict[str, str], *, initial: bool = True) -> str:
    return (TEMPLATE + INITIAL * initial).format(**{name: json.dumps(text) for name, text in fields.items()})


def load_or_refuse(text: str, folder: Path | None = None) -> None:
    try:
        problem = parse_authored(text, "fuzz.yaml", folder, limits=LIMITS)
    except PclError as error:
        assert_findings(error)
    else:
        assert_round_trip(problem)


def load_or_refuse_ground(text: str) -> None:
    try:
        problem = parse_ground(text, "fuzz.json")
    except PclError as error:
        assert_findings(error)
    else:
        assert_round_trip(problem)


def assert_findings(error: PclError) -> None:
    assert error.issues
    assert all(issue.location.file for issue in error.issues)
    str(error).encode()


def assert_round_trip(problem: Problem) -> None:
    again = parse_ground(problem.to_json())
    assert again == problem
    assert again.content_hash == problem.content_hash


@fuzz
@given(st.one_of(st.binary(max_size=300).map(lambda raw: raw.decode("latin-1")), st.text(max_size=300)))
def test_random_text(text: str) -> None:
    load_or_refuse(text)
    load_or_refuse_ground(text)


YAML_WORDS = [
    "pcl: 1\n", "name: a\n", "- ", "  ", "\n", ": ", "? ", "&a ", "*a ", "!!int ", "! ", "|\n", ">-\n", "'", '"', "[", "]",
    "{", "}", ",", "#", "---\n", "...\n", "%YAML 1.2\n", "%TAG ! x\n", "<<: ", "~", "1e9999999999999999999999", ".nan",
    "\\ud800", '"\\ud800"', '"\\x00"', "\t", "variables:\n", "x: {domain: bool}\n", "features:\n", "parts:\n", "\ufeff", "\x85",
]  # fmt: skip


@fuzz
@given(st.lists(st.sampled_from(YAML_WORDS), max_size=40).map("".join))
def test_random_yaml(text: str) -> None:
    load_or_refuse(text)


def token_list(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]", text)


def change_lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at] = lines[other]
        case 3:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = " " * chance.randrange(6) + lines[at].lstrip()
    return "\n".join(lines)


def change_tokens(text: str, chance: random.Random) -> str:
    tokens = token_list(text)
    at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    match chance.randrange(4):
        case 0:
            del tokens[at]
        case 1:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 2:
            tokens[at] = chance.choice([*WORDS, *YAML_WORDS])
        case _:
            tokens[at] = tokens[other]
    return "".join(tokens)


@fuzz
@given(st.sampled_from(sorted(FILES)), seeds, st.integers(1, 4))
def test_changed_problem_files(path: Path, seed: int, changes: int) -> None:
    text, chance = FILES[path], random.Random(seed)
    for _ in range(changes):
        text = change_lines(text, chance) if chance.random() < 0.4 else change_tokens(text, chance)
    load_or_refuse(text, path.parent)


expressions = st.recursive(
    st.sampled_from([*NAMES, "0", "1", "0.5", "-3", "'mon'", "'red'", "True", "n['mon']", "n[d]", "n[*]", "price['mon']", "pair"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(OPERATORS), inner).map(" ".join),
        st.tuples(st.sampled_from(["not ", "-", "+"]), inner).map("".join),
        st.tuples(st.sampled_from(FUNCTIONS), st.lists(inner, max_size=3)).map(lambda call: f"{call[0]}({', '.join(call[1])})"),
        st.tuples(st.sampled_from(FUNCTIONS), inner, inner, inner).map(lambda p: f"{p[0]}({p[1]} for k in {p[2]} if {p[3]})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
        st.tuples(st.sampled_from(["n", "price", "x", "cost", "day"]), st.lists(inner, min_size=1, max_size=2)).map(
            lambda read: f"{read[0]}[{', '.join(read[1])}]"
        ),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"({', '.join(items)},)"),
        inner.map(lambda text: f"({text})"),
    ),
    max_leaves=8,
)  # fmt: skip
word_salad = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@fuzz
@given(
    st.dictionaries(st.sampled_from(sorted(FIELDS)), st.one_of(expressions, word_salad), min_size=1, max_size=3),
    st.booleans(),
    st.booleans(),
)
def test_random_expressions(changes: dict[str, str], in_braces: bool, initial: bool) -> None:
    if "label" in changes and in_braces:
        changes = changes | {"label": f"{{{changes['label']}}}"}
    load_or_refuse(filled(FIELDS | changes, initial=initial or not changes.keys().isdisjoint({"target", "start"})))


def test_the_template_of_random_expressions_is_valid() -> None:
    assert parse_authored(filled(FIELDS)).initial is not None
    assert parse_authored(filled(FIELDS, initial=False)).initial is None


GROUND_TREES: list[Any] = [
    json.loads(load(SMALL, {"side": 2, "part": 2}).to_json()),
    json.loads(parse_authored(filled(FIELDS)).to_json()),
]
JSON_WORDS = [
    "op", "var", "ref", "sum", "product", "lookup", "cmp", "in", "and", "not", "const", "label", "args", "arg", "value",
    "values", "name", "rel", "==", "<", "n[mon]", "x", "on", "color", "twice", "price", "", "cls", "self", "1e-15", "NaN",
]  # fmt: skip
json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from([0, 1, -1, 2**53, 2**53 + 1, 10**400, 1e-15, 1e300, 0.1]),
        st.sampled_from(JSON_WORDS),
        st.text(max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(JSON_WORDS), inner, max_size=4)
    ),
    max_leaves=8,
)


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Every container with every key or index in it."""
    found: list[tuple[Any, Any]] = []
    pending = [tree]
    while pending:
        current = pending.pop()
        keys = list(current) if isinstance(current, dict) else range(len(current))
        found += [(current, key) for key in keys]
        pending += [current[key] for key in keys if isinstance(current[key], (dict, list))]
    return found


@fuzz
@given(
    st.sampled_from(GROUND_TREES),
    st.lists(json_values, min_size=1, max_size=3),
    seeds,
)
def test_changed_ground_files(original: Any, values: list[Any], seed: int) -> None:
    tree, chance = copy.deepcopy(original), random.Random(seed)
    for value in values:
        container, key = chance.choice(places(tree) or [({}, "x")])
        other, other_key = chance.choice(places(tree) or [({}, "x")])
        match chance.randrange(5):
            case 0 | 1:
                container[key] = value
            case 2 if other:
                container[key] = copy.deepcopy(other[other_key])
            case 3:
                del container[key]
            case _ if isinstance(container, dict):
                container[chance.choice(JSON_WORDS)] = value
    load_or_refuse_ground(json.dumps(tree))


@fuzz
@given(seeds, st.integers(1, 3))
def test_changed_ground_text(seed: int, changes: int) -> None:
    text, chance = json.dumps(GROUND_TREES[1]), random.Random(seed)
    for _ in range(changes):
        text = change_tokens(text, chance)
    load_or_refuse_ground(text)
