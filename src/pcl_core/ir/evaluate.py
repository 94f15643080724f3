"""The reference evaluator: what every node means, in plain Python and exact arithmetic.

Everything else that computes with expressions (the vectorised evaluator, every solver) is checked against
this file. It favours being obviously right over being fast.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias, cast

from pcl_core.ir.domains import Value
from pcl_core.ir.nodes import (
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
    Relation,
    Sum,
    Var,
)
from pcl_core.ir.numbers import Exact, magnitude, to_exact
from pcl_core.ir.symbols import Symbols

Result: TypeAlias = bool | int | Fraction | str

RELATIONS: dict[Relation, Callable[[Exact, Exact], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


class Evaluation:
    """Values of expressions under one configuration; each definition is computed once."""

    def __init__(self, symbols: Symbols, configuration: Mapping[str, Value]) -> None:
        self._symbols = symbols
        self._configuration = configuration
        self._definitions: dict[str, Result] = {}

    def value(self, node: Node) -> Result:
        match node:  # the usual kinds first: every kind that a node is not takes time
            case Label():
                return node.value
            case Var():
                return self._configuration[node.name]
            case Lookup():
                keys = tuple(cast("int | str", _plain(self.value(key))) for key in node.keys)
                return to_exact(self._symbols.tables[node.table].at(keys))
            case Sum():
                terms = zip(node.coefs, node.args, strict=True)
                return _whole(sum((to_exact(c) * self.number(a) for c, a in terms), to_exact(node.constant)))
            case Cmp():
                left, right = self.value(node.left), self.value(node.right)
                return RELATIONS[node.rel](cast(Exact, left), cast(Exact, right))
            case Const():
                return node.value if isinstance(node.value, bool) else to_exact(node.value)
            case Ref():
                if node.name not in self._definitions:
                    self._definitions[node.name] = self.value(self._symbols.definitions[node.name])
                return self._definitions[node.name]
            case Product():
                return _whole(math.prod(self.number(arg) for arg in node.args))
            case Min():
                return min(self.number(arg) for arg in node.args)
            case Max():
                return max(self.number(arg) for arg in node.args)
            case Abs():
                return magnitude(self.number(node.arg))
            case Count():
                return sum(self.truth(arg) for arg in node.args)
            case In():
                return self.value(node.arg) in node.values
            case And():
                return all(self.truth(arg) for arg in node.args)
            case Or():
                return any(self.truth(arg) for arg in node.args)
            case Not():
                return not self.truth(node.arg)
            case Implies():
                return not self.truth(node.left) or self.truth(node.right)
            case Iff():
                return self.truth(node.left) == self.truth(node.right)
            case AllDifferent():
                found = [self.value(arg) for arg in node.args]
                return len(set(found)) == len(found)

    def number(self, node: Node) -> Exact:
        value = self.value(node)
        assert not isinstance(value, str), "kinds are checked when a problem is made"
        return int(value) if isinstance(value, bool) else value

    def truth(self, node: Node) -> bool:
        value = self.value(node)
        assert isinstance(value, bool), "kinds are checked when a problem is made"
        return value


def _whole(value: Exact) -> Exact:
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def _plain(value: Result) -> Result:
    return int(value) if isinstance(value, bool) else value
