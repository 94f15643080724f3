"""Problems written in Python."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from examples.training_in_python import training

import pcl_problems.training
from pcl_core import (
    Expression,
    ProblemBuilder,
    all_different,
    all_of,
    any_of,
    assess,
    choose,
    constant,
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
    assert written == load("training").model_copy(update={"display": None}), "how it is laid out is said in the file"
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


def test_expressions_are_keys_by_identity() -> None:
    build = ProblemBuilder("small")
    x = build.integer("x", 0, 5, ["a", "b"])
    assert x["a"] is x["a"]
    assert len({x["a"], x["b"], x["a"]}) == 2
    assert {x["a"]: 1, x["b"]: 2}[x["b"]] == 2
    assert len(list(x)) == len(x) == 2


def test_equality_makes_an_expression() -> None:
    build = ProblemBuilder("small")
    x, y = build.integer("x", 0, 5), build.integer("y", 0, 5)
    colour = build.categorical("colour", ["red", "blue"])
    three: Any = 3  # Python asks the expression on the right, which type checkers do not know
    red: Any = "red"
    written: list[Expression] = [
        x == y,
        x != y,
        x == 3,
        three == x,
        colour == "red",
        red != colour,
        x.equals(y),
        x.differs(y),
    ]
    assert [render(expression.node) for expression in written] == [
        "x == y", "x != y", "x == 3", "x == 3", "colour == 'red'", "colour != 'red'", "x == y", "x != y",
    ]  # fmt: skip
    build.constraint("apart", x != y)
    build.constraint("red", colour == "red")
    build.feature("all", x + y + (colour == "blue"))
    build.part("all", [x, y, colour])
    problem = build.problem()
    assert assess(problem, {"x": 1, "y": 1, "colour": "blue"}).violated == ("apart", "red")
    assert assess(problem, {"x": 1, "y": 2, "colour": "red"}).feasible


def test_numbers_of_numpy_are_numbers() -> None:
    build: Any = ProblemBuilder("small")
    x = build.integer("x", np.int64(0), np.int32(5), list(np.arange(2)))
    price = build.table("price", {np.str_("red"): np.float32(0.1), "blue": np.int8(2)})
    written = [x[np.int64(0)] * np.int64(3) + np.float64(0.5), np.int64(2) * x[1], np.float32(0.1) + x[1]]
    any_total: Any = total
    written += [x[0] == np.int64(1), np.int64(1) != x[0], price["red"] + x[0], any_total([np.int16(4), x[0]])]
    assert [render(expression.node) for expression in written] == [
        "3 * x[0] + 0.5", "2 * x[1]", "x[1] + 0.1", "x[0] == 1", "x[0] != 1", "x[0] + 0.1", "x[0] + 4",
    ]  # fmt: skip


def test_a_table_read_at_known_keys_is_a_number() -> None:
    build = ProblemBuilder("small")
    x = build.integer("x", 0, 1)
    data = build.table("data", {"a": 2, "b": 3})
    step = build.table("step", [4, 5], (0, 1))
    both = build.table("both", {"a": [1, 2], "b": {0: 3, 1: 4}}, ("a", "b"), (0, 1))
    build.feature("all", data["a"] * x + step[x] + both["b", 1] + both["a", x])
    build.part("all", x)
    problem = build.problem()
    assert [table.name for table in problem.tables] == ["step", "both"]
    assert assess(problem, {"x": 1}).features == (2 + 5 + 4 + 2,)


def test_constants_can_be_meant() -> None:
    build = ProblemBuilder("small")
    x = build.integer("x", 0, 5)
    build.constraint("never", constant(False))
    build.constraint("known", build.table("price", {"a": 3})["a"] <= 3)
    build.feature("x", x + count([constant(True), x > 1]))
    build.part("all", [x])
    problem = build.problem()
    assert [render(constraint.require) for constraint in problem.constraints] == ["false", "true"]
    assert assess(problem, {"x": 2}).violated == ("never",)
