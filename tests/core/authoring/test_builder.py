"""Problems written in Python."""

from decimal import Decimal
from pathlib import Path

import pytest
from examples.training_in_python import training

import pcl_problems.training
from pcl_core import (
    Expression,
    ProblemBuilder,
    all_different,
    all_of,
    any_of,
    choose,
    count,
    largest,
    load,
    render,
    smallest,
    total,
)


def test_training_is_the_same_problem_written_either_way() -> None:
    assert pcl_problems.training.__file__ is not None
    written = training(Path(pcl_problems.training.__file__).parent)
    assert written == load("training")
    assert written.content_hash == load("training").content_hash


def test_operators_make_the_expressions_they_look_like() -> None:
    build = ProblemBuilder("small")
    x, y = build.integer("x", 0, 5), build.integer("y", -1, 5)
    a, b = build.boolean("a"), build.boolean("b")
    price = build.table("price", {"red": 1, "blue": 2.5})
    colour = build.categorical("colour", ["red", "blue"])
    expected = {
        2 * x - y + 1: "2 * x - y + 1",
        1 - x * Decimal("0.5"): "-0.5 * x + 1",
        -x + abs(y): "-x + abs(y)",
        (x <= 2) & ~a | b: "x <= 2 and not a or b",
        (x > y) & (x < 4) & (y >= 0): "x > y and x < 4 and y >= 0",
        x.equals(3): "x == 3",
        colour.differs("red"): "colour != 'red'",
        colour.is_in(["red"]): "colour in ['red']",
        a.implies(b): "implies(a, b)",
        a.iff(b): "iff(a, b)",
        price[colour]: "price[colour]",
        total([x, y, 1]): "x + y + 1",
        any_of([a, b]): "a or b",
        all_of([a, b]): "a and b",
        count([a, b]): "count(a, b)",
        smallest([x, y]): "min(x, y)",
        largest([x, 2]): "max(x, 2)",
        all_different([x, y]): "all_different(x, y)",
        choose(a, x, 0): "a * x",
        sum([x, y], start=total([])): "x + y",
    }
    assert {expression: render(expression.node) for expression in expected} == expected


def test_expressions_are_ordinary_values() -> None:
    build = ProblemBuilder("small")
    x = build.integer("x", 0, 5, ["a", "b"])
    assert x["a"] == x["a"]
    assert x["a"] != x["b"]
    assert len({x["a"], x["b"], Expression(x["a"].node)}) == 2
    assert list(x) == [x["a"], x["b"]]
    with pytest.raises(TypeError, match="no truth value"):
        bool(x["a"])


def test_a_part_lists_variables_only() -> None:
    build = ProblemBuilder("small")
    x = build.integer("x", 0, 5)
    with pytest.raises(TypeError, match="not a variable"):
        build.part("p", [x + 1])
