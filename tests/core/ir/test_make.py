"""The constructors' normal forms, as text: what goes in, what comes out."""

from decimal import Decimal

import pytest

from pcl_core.ir import make
from pcl_core.ir.nodes import Node, Var
from pcl_core.ir.numbers import NumberError
from pcl_core.ir.text import render

A, B, X, Y = (Var(name=name) for name in "abxy")


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (make.add(X, make.add(Y, 2), 3), "x + y + 5"),
        (make.subtract(make.add(X, 1), make.multiply(2, make.add(Y, 1))), "x - 2 * y - 1"),
        (make.multiply(Decimal("0.5"), make.add(X, 4)), "0.5 * x + 2"),
        (make.multiply(0, X), "0 * x"),
        (make.add(X), "x"),
        (make.add(1, True), "2"),
        (make.multiply(A, make.multiply(B, X)), "a * b * x"),
        (make.multiply(make.multiply(2, A), X), "2 * a * x"),
        (make.choose(A, 1, -1), "2 * a - 1"),
        (make.choose(A, X, Y), "a * (x - y) + y"),
        (make.compare(1, "<", 2), "true"),
        (make.compare(X, "!=", "red"), "x != 'red'"),
        (make.conjunction([A, True, make.conjunction([B, A])]), "a and b and a"),
        (make.conjunction([A, False]), "a and false"),
        (make.conjunction([]), "true"),
        (make.disjunction([False, A]), "a"),
        (make.disjunction([False, True]), "true"),
        (make.negation(make.compare(X, "<", Y)), "x >= y"),
        (make.negation(make.negation(A)), "a"),
        (make.implies(True, A), "a"),
        (make.implies(A, False), "not a"),
        (make.implies(False, A), "implies(false, a)"),
        (make.iff(A, False), "not a"),
        (make.count([A, True, False, B]), "count(a, b) + 1"),
        (make.minimum([3, 1]), "1"),
        (make.maximum([X, Y]), "max(x, y)"),
        (make.absolute(-3), "3"),
        (make.member(X, [1, 2, 1]), "x in [1, 2]"),
        (make.member("red", ["red"]), "true"),
        (make.all_different([X]), "true"),
        (make.lookup("t", [X, "red"]), "t[x, 'red']"),
        (make.disjunction([make.conjunction([A, B]), make.negation(A)]), "a and b or not a"),
        (make.multiply(make.add(X, Y), A), "(x + y) * a"),
    ],
)
def test_normal_form(node: Node, text: str) -> None:
    assert render(node) == text


def test_constants_beyond_the_limit_are_refused() -> None:
    with pytest.raises(NumberError, match=r"2\^53"):
        make.multiply(2**52, 4)
