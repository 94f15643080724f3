"""What each node means, by example, for the reference and the vectorised evaluator alike."""

from decimal import Decimal
from fractions import Fraction

import pytest

from pcl_core.ir.domains import BoolVariable, CategoricalVariable, IntVariable, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.nodes import (
    NODE_TYPES,
    Abs,
    AllDifferent,
    And,
    Cmp,
    Const,
    Count,
    Iff,
    Implies,
    In,
    Label,
    Lookup,
    Max,
    Min,
    Node,
    Not,
    Or,
    Product,
    Ref,
    Sum,
    Var,
)
from pcl_core.ir.symbols import Symbols, Table
from pcl_core.ir.vector import VectorEvaluator

SYMBOLS = Symbols(
    {
        "yes": BoolVariable(name="yes"),
        "no": BoolVariable(name="no"),
        "three": IntVariable(name="three", lower=-5, upper=5),
        "minus": IntVariable(name="minus", lower=-5, upper=5),
        "colour": CategoricalVariable(name="colour", labels=("red", "blue")),
        "other": CategoricalVariable(name="other", labels=("blue", "green")),
    },
    {
        "price": Table(name="price", axes=(("red", "blue"),), values=(Decimal("1.5"), 4)),
        "grid": Table(name="grid", axes=(("red", "blue"), tuple(range(-5, 6))), values=tuple(range(22))),
    },
    {"twice": Sum(coefs=(2,), args=(Var(name="three"),), constant=0)},
)
X: dict[str, Value] = {"yes": True, "no": False, "three": 3, "minus": -2, "colour": "blue", "other": "blue"}

YES, NO, THREE, MINUS = Var(name="yes"), Var(name="no"), Var(name="three"), Var(name="minus")
COLOUR, OTHER = Var(name="colour"), Var(name="other")

EXAMPLES: list[tuple[Node, Value | Fraction]] = [
    (Const(value=7), 7),
    (Const(value=Decimal("0.5")), Fraction(1, 2)),
    (Const(value=True), True),
    (THREE, 3),
    (Ref(name="twice"), 6),
    (Sum(coefs=(2, Decimal("-0.5")), args=(THREE, MINUS), constant=1), 8),
    (Sum(coefs=(1, 1), args=(YES, THREE), constant=0), 4),
    (Sum(coefs=(Decimal("0.1"),), args=(THREE,), constant=0), Fraction(3, 10)),
    (Product(args=(YES, THREE, Const(value=2))), 6),
    (Product(args=(NO, THREE)), 0),
    (Lookup(table="price", keys=(COLOUR,)), 4),
    (Lookup(table="price", keys=(Label(value="red"),)), Fraction(3, 2)),
    (Lookup(table="grid", keys=(COLOUR, MINUS)), 14),
    (Min(args=(THREE, MINUS, Const(value=Decimal("-2.5")))), Fraction(-5, 2)),
    (Max(args=(THREE, MINUS)), 3),
    (Abs(arg=MINUS), 2),
    (Count(args=(YES, NO, YES)), 2),
    (Cmp(rel="<=", left=MINUS, right=THREE), True),
    (Cmp(rel=">", left=MINUS, right=Const(value=Decimal("-1.5"))), False),
    (Cmp(rel="==", left=COLOUR, right=OTHER), True),
    (Cmp(rel="!=", left=COLOUR, right=Label(value="red")), True),
    (Cmp(rel="==", left=YES, right=Const(value=1)), True),
    (In(arg=COLOUR, values=("red",)), False),
    (In(arg=THREE, values=(1, 3)), True),
    (And(args=(YES, NO)), False),
    (Or(args=(YES, NO)), True),
    (Not(arg=NO), True),
    (Implies(left=YES, right=NO), False),
    (Implies(left=NO, right=NO), True),
    (Iff(left=NO, right=NO), True),
    (AllDifferent(args=(THREE, MINUS, Const(value=3))), False),
    (AllDifferent(args=(COLOUR, Label(value="red"))), True),
]


@pytest.mark.parametrize(("node", "expected"), EXAMPLES, ids=lambda value: getattr(value, "op", str(value)))
def test_meaning(node: Node, expected: Value | Fraction) -> None:
    found = Evaluation(SYMBOLS, X).value(node)
    assert found == expected
    assert isinstance(found, bool) == isinstance(expected, bool)
    vector = VectorEvaluator.of(SYMBOLS, [node])
    assert Fraction(int(vector.one(X)[0]), 10 ** vector.places[0]) == expected


def test_every_node_kind_has_an_example() -> None:
    pending, seen = [node for node, _ in EXAMPLES], set()
    while pending:
        node = pending.pop()
        seen.add(type(node))
        pending += [value for value in vars(node).values() if isinstance(value, NODE_TYPES)]
        pending += [
            item
            for value in vars(node).values()
            if isinstance(value, tuple)
            for item in value
            if isinstance(item, NODE_TYPES)
        ]
    assert seen == set(NODE_TYPES)
