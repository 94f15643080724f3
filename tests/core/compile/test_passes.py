"""Each pass as text: the expression or model before, the one after, nothing else."""

from textwrap import dedent

import pytest

from pcl_core import Problem, parse_authored, render
from pcl_core.compile.context import ContextSplit
from pcl_core.compile.flat import FlatModel
from pcl_core.compile.linear import linearise
from pcl_core.compile.pipeline import scope_of

FILE = """
pcl: 1
name: small
shared_only: allow
sets: {colour: [red, blue]}
tables: {price: {index: [colour], values: {red: 1.5, blue: 4}}}
variables:
  a: {domain: bool}
  b: {domain: bool}
  x: {domain: 0..3}
  y: {domain: 0..3}
  c: {domain: colour}
definitions:
  both: {value: x + y}
features:
  - {name: f, value: "FEATURE"}
  - {name: all, value: "a + b + both + price[c]"}
constraints:
  - {name: k, require: "CONSTRAINT"}
parts:
  - {name: p, variables: [a, x, c]}
  - {name: q, variables: [b, y]}
"""


def small(feature: str = "x", constraint: str = "true") -> Problem:
    return parse_authored(FILE.replace("FEATURE", feature).replace("CONSTRAINT", constraint))


@pytest.mark.parametrize(
    ("before", "after", "context"),
    [
        ("x + 2 * y - 3", "x + @0", ["2 * y - 3"]),
        ("both * 2 + y", "2 * (x + @0) + @0", ["y"]),
        ("1 * (both <= 4)", "x + @0 <= 4", ["y"]),
        ("count(a, b, y > 1, x == 2)", "count(a, x == 2) + @0", ["count(b, y > 1)"]),
        ("1 * (a and b and y > 1)", "a and @0", ["b and y > 1"]),
        ("1 * (a or b)", "a or @0", ["b"]),
        ("1 * iff(a, b)", "iff(a, @0)", ["b"]),
        ("max(x, y, 2 * y)", "max(x, @0)", ["max(y, 2 * y)"]),
        ("b * x", "x * @0", ["b"]),
        ("1 * (y > 1) + 0 * x", "0 * x + @0", ["(y > 1)"]),
        ("y * 0.5 + x", "x + (0.1 * @0)", ["0.5 * y"]),
        ("price[c] + x", "price[c] + x", []),
    ],
)
def test_context_is_split_off(before: str, after: str, context: list[str]) -> None:
    problem = small(before)
    split = ContextSplit(problem.symbols, {"a", "x", "c"}, problem.inference, problem.long_sums, "@")
    assert render(split.split(problem.features[0].value)) == after
    assert [render(value.node) for value in split.values] == context


def flat(problem: Problem, own: set[str] | None = None) -> FlatModel:
    return scope_of(problem, own, (0,), (0,)).flat


def constraints_of(model: FlatModel) -> list[str]:
    return model.text().splitlines()[len(model.columns) :]


@pytest.mark.parametrize(
    ("require", "stated"),
    [
        ("x + y <= 4", ["x + y - 4 <= 0"]),
        ("x + y < 4", ["x + y - 4 <= -1"]),
        ("x == y", ["x - y == 0"]),
        ("x != y", ["true => x - y != 0"]),
        ("x <= 3", []),
        ("x > 3", ["1 <= x - 3"]),
        ("b and not b and a", ["b", "not b", "a"]),
        ("false and a", ["true <= 0", "a"]),
        ("a or not b", ["a or not b"]),
        ("implies(a, b)", ["not a or b"]),
        ("a and x >= 2", ["a", "0 <= x - 2"]),
        ("c == 'red'", ["c=red"]),
        ("a or x <= 1", ["le0 => x - 1 <= 0", "not le0 => 1 <= x - 1", "a or le0"]),
        ("a or x > 1", ["le0 => x - 1 <= 0", "not le0 => 1 <= x - 1", "a or not le0"]),
        ("a or 2 * x + 2 * y <= 5", ["le0 => x + y - 2 <= 0", "not le0 => 1 <= x + y - 2", "a or le0"]),
        ("a or x == y", ["eq0 => x - y == 0", "not eq0 => x - y != 0", "a or eq0"]),
        ("iff(a, b) or x > 2", [
            "not xor0 or a or b", "not xor0 or not a or not b", "xor0 or not a or b", "xor0 or a or not b",
            "le1 => x - 2 <= 0", "not le1 => 1 <= x - 2", "not xor0 or not le1",
        ]),
        ("0.5 * x <= 1.2", ["x - 2 <= 0"]),
        ("all_different(x, y)", ["true => x - y != 0"]),
        ("all_different(x, y, a)", ["all different: a, x, y"]),
        ("all_different(10 * x + 1, 10 * y + 1, 11)", ["all different: x, y, 1"]),
        ("all_different(x, y, x + y + a)", ["a + x + y - n0 == 0", "all different: x, y, n0"]),
        ("all_different(x, y, x + 9, y + 10)", ["true => x - y != 0", "true => x - y - 1 != 0"]),
        ("all_different(x, y, x)", ["true <= 0"]),
        ("all_different(x, 7, 9)", []),
        ("all_different(c, 'red', 'grey')", ["not c=red"]),
        ("all_different(c, c, 'grey')", ["not c=red", "not c=blue"]),
        ("a and all_different(x, y, a)", ["a", "all different: a, x, y"]),
        ("10000000 * x != 10000000 * y", ["true => x - y != 0"]),
        ("10000000 * x == 10000000 * y + 5", ["true <= 0"]),
        ("6 * x + 4 * y == 10", ["3 x + 2 y - 5 == 0"]),
        ("6 * x + 4 * y >= 5", ["0 <= 3 x + 2 y - 3"]),
        ("6 * x + 4 * y != 7", []),
        ("a or 30 * x == 30 * y", ["eq0 => x - y == 0", "not eq0 => x - y != 0", "a or eq0"]),
        ("max(20 * x, 20 * y + 40) <= 50", ["max0 = max(x, y + 2)", "max0 - 2 <= 0"]),
        ("b * (20 * x + 5) <= 50", ["b => - x + p0 == 0", "not b => p0 == 0", "b + 4 p0 - 10 <= 0"]),
        ("price[c] <= 4", []),
    ],
)  # fmt: skip
def test_constraints_are_stated_directly_and_nested_ones_named(require: str, stated: list[str]) -> None:
    model = flat(small("0 * x", require), {"a", "b", "x", "y", "c"})
    found = [text for text in constraints_of(model) if not text.startswith("exactly one of c=")]
    assert found == stated


@pytest.mark.parametrize(
    ("feature", "form"),
    [
        ("2 * x - y + 1", "2 x - y + 1"),
        ("count(a, b) - a", "b"),
        ("price[c] * 2", "50 c=blue + 30"),
        ("1 if a else -1", "2 a - 1"),
        ("1 * (c in ['red', 'blue'])", "c=red + c=blue"),
        ("1 * (not a)", "- a + 1"),
    ],
)
def test_features_become_forms(feature: str, form: str) -> None:
    model = flat(small(feature))
    assert model.form_text(model.features[0]) == form


@pytest.mark.parametrize(
    ("keys", "values", "low", "high"),
    [("red, blue", "{red: 1000, blue: 3000}", 1000, 3000), ("red, blue", "{red: -7, blue: 5}", -7, 5)],
)
def test_one_label_is_chosen_so_bounds_are_those_of_one_entry(keys: str, values: str, low: int, high: int) -> None:
    file = FILE.replace("{red: 1.5, blue: 4}", values).replace("FEATURE", "price[c]").replace("CONSTRAINT", "true")
    model = flat(parse_authored(file))
    assert model.bounds(model.features[0]) == (low, high)


def test_of_two_keys_one_pair_is_chosen() -> None:
    table = "price: {index: [colour, n], values: {red: [1, 20, 300, 7], blue: [4, 50, 600, 8]}}"
    file = FILE.replace("price: {index: [colour], values: {red: 1.5, blue: 4}}", table)
    file = file.replace("{colour: [red, blue]}", "{colour: [red, blue], n: 0..3}").replace("price[c]", "x")
    model = flat(parse_authored(file.replace("FEATURE", "price[c, x]").replace("CONSTRAINT", "true")))
    assert model.bounds(model.features[0]) == (1, 600)


def linear_rows(model: FlatModel) -> list[str]:
    linear = linearise(model)
    names = FlatModel(linear.columns)
    return [names._between(row.form, row.lower, row.upper) for row in linear.rows]


def test_big_m_is_what_is_possible_where_the_literal_is_false() -> None:
    """Where b is false the product is zero, so it is never above x, and 3 is enough to free it below."""
    rows = linear_rows(flat(small("b * x"), {"b", "x"}))
    assert rows == ["- x + p0 <= 0", "-3 <= - 3 b - x + p0", "- 3 b + p0 <= 0"]


def test_of_each_value_at_most_one_has_it_where_values_are_few() -> None:
    rows = linear_rows(flat(small("0 * x", "all_different(x, y, 3 - x)"), {"x", "y"}))
    assert rows == [
        "x=0 + x=1 + x=2 + x=3 == 1", "- x + x=1 + 2 x=2 + 3 x=3 == 0",
        "y=0 + y=1 + y=2 + y=3 == 1", "- y + y=1 + 2 y=2 + 3 y=3 == 0",
        "x=0 + x=3 + y=3 <= 1", "x=1 + x=2 + y=2 <= 1", "x=1 + x=2 + y=1 <= 1", "x=0 + x=3 + y=0 <= 1",
    ]  # fmt: skip


def test_numbers_with_many_values_are_told_apart_pair_by_pair() -> None:
    assert linear_rows(flat(small("0 * x", "all_different(x, x + 9, y + 20)"), {"x", "y"})) == []
    wide = (
        FILE.replace("0..3}\n  y", "0..30}\n  y")
        .replace("FEATURE", "0 * x")
        .replace("CONSTRAINT", "all_different(x, y, 2 * x)")
    )
    assert not any("=" in column.name for column in linearise(flat(parse_authored(wide), {"x", "y"})).columns)


def test_what_must_be_true_is_no_column_of_a_row() -> None:
    rows = linear_rows(flat(small("0 * x", "a and (not a or x + y <= 2)"), {"a", "x", "y"}))
    assert rows == ["x + y + 4 le0 <= 6", "3 <= x + y + 3 le0", "1 <= le0"]


def test_linear_rows() -> None:
    model = flat(small("max(x, y)", "a or x + y <= 2"), {"a", "x", "y"})
    linear = linearise(model)
    names = FlatModel(linear.columns)
    rows = [names._between(row.form, row.lower, row.upper) for row in linear.rows]
    largest = next(column.name for column in model.columns if column.name.startswith("max"))
    small_sum = next(column.name for column in model.columns if column.name.startswith("le"))
    tops = [column.name for column in linear.columns if column.name.startswith("top")]
    assert (
        rows
        == dedent(
            f"""\
        0 <= - x + {largest}
        - x + {largest} + 3 {tops[0]} <= 3
        0 <= - y + {largest}
        - y + {largest} + 3 {tops[1]} <= 3
        1 <= {tops[0]} + {tops[1]}
        x + y + 4 {small_sum} <= 6
        3 <= x + y + 3 {small_sum}
        1 <= a + {small_sum}"""
        ).splitlines()
    )


def test_the_size_of_a_part_does_not_depend_on_what_is_outside_its_reach() -> None:
    from pcl_core import load

    sizes = []
    for side in (4, 8, 16):
        grid = load(f"grid:side={side}")
        part = next(at for at, p in enumerate(grid.parts) if p.name == "block[0,0]")
        scope = scope_of(grid, grid.parts[part].variables, grid.structure.feature_subsets[part])
        sizes.append((len(scope.flat.columns), len(scope.flat.constraints), len(scope.context)))
    assert sizes[0] == sizes[1] == sizes[2]
