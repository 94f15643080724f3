"""Interval bounds and kinds of expressions, and what is refused because of them."""

from decimal import Decimal

import pytest

from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.domains import BoolVariable, CategoricalVariable, IntVariable, Kind
from pcl_core.ir.infer import Inference
from pcl_core.ir.nodes import MAX_DEPTH, Node, Not, Sum, Var
from pcl_core.ir.symbols import Symbols, Table

A, X, Y, C = (Var(name=name) for name in "axyc")
SYMBOLS = Symbols(
    {
        "a": BoolVariable(name="a"),
        "x": IntVariable(name="x", lower=-2, upper=3),
        "y": IntVariable(name="y", lower=1, upper=4),
        "c": CategoricalVariable(name="c", labels=("red", "blue")),
    },
    {
        "price": Table(name="price", axes=(("red", "blue", "grey"),), values=(1, Decimal("2.5"), 90)),
        "small": Table(name="small", axes=(("red",),), values=(1,)),
        "steps": Table(name="steps", axes=((1, 2, 3, 4),), values=(5, 6, 7, 8)),
    },
)


def infer(node: Node) -> tuple[str, list[Code]]:
    found: list[Code] = []
    facts = Inference(SYMBOLS, lambda code, message, hint: found.append(code)).facts(node)
    low, high = facts.bounds
    return f"{low}..{high}" if facts.kind in (Kind.NUMBER, Kind.TRUTH) else facts.kind.value, found


@pytest.mark.parametrize(
    ("node", "bounds"),
    [
        (make.linear([(2, X), (-1, Y)], 1), "-7..6"),
        (make.linear([(Decimal("0.5"), X)]), "-1..1.5"),
        (make.multiply(A, X), "-2..3"),
        (make.minimum([X, Y]), "-2..3"),
        (make.maximum([X, Y]), "1..4"),
        (make.absolute(X), "0..3"),
        (make.absolute(Y), "1..4"),
        (make.count([A, make.compare(X, "<", 9)]), "1..2"),
        (make.compare(X, "<=", 3), "1..1"),
        (make.compare(X, ">", Y), "0..1"),
        (make.compare(X, "==", 7), "0..0"),
        (make.compare(X, "!=", 7), "1..1"),
        (make.conjunction([A, make.compare(X, ">=", 4)]), "0..0"),
        (make.lookup("price", [C]), "1..2.5"),
        (make.lookup("steps", [Y]), "5..8"),
    ],
)
def test_bounds(node: Node, bounds: str) -> None:
    assert infer(node) == (bounds, [])


def deep(levels: int) -> Node:
    node: Node = A
    for _ in range(levels):
        node = Not(arg=node)
    return node


@pytest.mark.parametrize(
    ("node", "code"),
    [
        (Var(name="z"), Code.UNKNOWN_NAME),
        (make.multiply(X, Y), Code.PRODUCT_OF_VARIABLES),
        (make.add(C, 1), Code.WRONG_KIND),
        (make.conjunction([X, A]), Code.WRONG_KIND),
        (make.compare(C, "<", "red"), Code.WRONG_KIND),
        (make.compare(C, "==", 1), Code.WRONG_KIND),
        (make.compare(C, "==", "rad"), Code.LABEL_OUTSIDE_DOMAIN),
        (make.member(C, ["red", "purple"]), Code.LABEL_OUTSIDE_DOMAIN),
        (make.member(X, ["red"]), Code.WRONG_KIND),
        (make.all_different([C, X]), Code.WRONG_KIND),
        (make.lookup("small", [C]), Code.LOOKUP_OUTSIDE_TABLE),
        (make.lookup("steps", [X]), Code.LOOKUP_OUTSIDE_TABLE),
        (make.lookup("steps", [X, Y]), Code.LOOKUP_OUTSIDE_TABLE),
        (make.lookup("price", [X]), Code.WRONG_KIND),
        (make.lookup("none", [X]), Code.UNKNOWN_NAME),
        (make.linear([(2**52, Y)]), Code.NUMBER_TOO_LARGE),
        (make.linear([(Decimal("0.000000000001"), Y), (2**40, X)]), Code.CANNOT_SCALE),
        (make.compare(make.linear([(2**40, Y)]), "<", Decimal("0.0001")), Code.CANNOT_SCALE),
        (Sum(coefs=(1, 2), args=(X,)), Code.WRONG_SHAPE),
        (deep(MAX_DEPTH), Code.TOO_DEEP),
    ],
)
def test_refused(node: Node, code: Code) -> None:
    assert infer(node)[1] == [code]


def test_the_deepest_allowed_expression_is_fine() -> None:
    assert infer(deep(MAX_DEPTH - 1)) == ("0..1", [])
