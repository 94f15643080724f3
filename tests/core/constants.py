"""Random expressions of every node kind, spelled out with the node classes so that nothing is simplified.

Leaves are variables and constants. `known` replaces the variables by values and rebuilds the expression through
the constructors; `spelled` replaces them and changes nothing else.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from random import Random
from typing import Any, Final

from pcl_core.ir import make
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, IntVariable, Value
from pcl_core.ir.language import children
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
from pcl_core.ir.symbols import Symbols, Table

LABELS: Final = ("red", "green", "blue")
NUMBERS: Final = (-1, 0, 1, 2)
RELATIONS: Final[tuple[Relation, ...]] = ("==", "!=", "<", "<=", ">", ">=")
VARIABLES: Final[tuple[AnyVariable, ...]] = (
    BoolVariable(name="b"),
    BoolVariable(name="a"),
    IntVariable(name="n", lower=-1, upper=2),
    IntVariable(name="m", lower=-1, upper=2),
    CategoricalVariable(name="c", labels=LABELS),
    CategoricalVariable(name="d", labels=LABELS),
)
TABLES: Final = (
    Table(name="shade", axes=(LABELS,), values=(1, Decimal("-0.5"), 3)),
    Table(name="step", axes=(NUMBERS,), values=(4, 0, 4, -2)),
    Table(name="both", axes=(LABELS, NUMBERS), values=tuple(range(12))),
)
DEFINITIONS: Final[dict[str, Node]] = {
    "twice": Sum(coefs=(2,), args=(Var(name="n"),), constant=1),
    "either": Or(args=(Var(name="b"), Cmp(rel=">", left=Var(name="n"), right=Const(value=0)))),
    "favourite": Var(name="c"),
}
SYMBOLS: Final = Symbols({v.name: v for v in VARIABLES}, {t.name: t for t in TABLES}, DEFINITIONS)


class Trees:
    """Draws expressions; `free` is how often a leaf is a variable instead of a constant."""

    def __init__(self, random: Random, free: float = 0.5) -> None:
        self._random = random
        self._free = free

    def _leaf(self, variables: tuple[str, ...], constant: Node) -> Node:
        return Var(name=self._random.choice(variables)) if self._random.random() < self._free else constant

    def _some(self, draw: Callable[[], Node], least: int = 1) -> tuple[Node, ...]:
        return tuple(draw() for _ in range(self._random.randint(least, 3)))

    def _number_constant(self) -> int | Decimal:
        return self._random.choice((-2, -1, 0, 1, 2, 5, Decimal("0.5"), Decimal("-1.2")))

    def label(self, depth: int) -> Node:
        if depth and self._random.random() < 0.2 * self._free:
            return Ref(name="favourite")
        return self._leaf(("c", "d"), Label(value=self._random.choice(LABELS)))

    def key(self) -> Node:
        return self._leaf(("n", "m"), Const(value=self._random.choice(NUMBERS)))

    def number(self, depth: int) -> Node:
        if depth == 0:
            return self._leaf(("n", "m"), Const(value=self._number_constant()))
        inner: Callable[[], Node] = lambda: self.number(depth - 1)  # noqa: E731
        match self._random.randrange(10):
            case 0:
                args = self._some(inner)
                return Sum(
                    coefs=tuple(self._number_constant() for _ in args), args=args, constant=self._number_constant()
                )
            case 1:
                return Product(args=(self.truth(depth - 1), inner()))
            case 2:
                return Product(args=(Const(value=self._number_constant()), inner(), self.truth(depth - 1)))
            case 3:
                return Min(args=self._some(inner))
            case 4:
                return Max(args=self._some(inner))
            case 5:
                return Abs(arg=inner())
            case 6:
                return Count(args=self._some(lambda: self.truth(depth - 1)))
            case 7:
                keys = {"shade": (self.label(depth),), "step": (self.key(),), "both": (self.label(depth), self.key())}
                table = self._random.choice(list(keys))
                return Lookup(table=table, keys=keys[table])
            case 8:
                return self.truth(depth - 1)
            case _:
                return Ref(name="twice") if self._random.random() < self._free else inner()

    def truth(self, depth: int) -> Node:
        if depth == 0:
            return self._leaf(("a", "b"), Const(value=self._random.random() < 0.5))
        inner: Callable[[], Node] = lambda: self.truth(depth - 1)  # noqa: E731
        match self._random.randrange(12):
            case 0:
                return And(args=self._some(inner))
            case 1:
                return Or(args=self._some(inner))
            case 2:
                return Not(arg=inner())
            case 3:
                return Implies(left=inner(), right=inner())
            case 4:
                return Iff(left=inner(), right=inner())
            case 5:
                return In(arg=self.label(depth), values=tuple(self._random.sample(LABELS, self._random.randint(1, 3))))
            case 6:
                values = tuple(self._random.sample(NUMBERS, self._random.randint(1, 3)))
                return In(arg=self.number(depth - 1), values=values)
            case 7:
                return AllDifferent(args=self._some(lambda: self.label(depth), 1))
            case 8:
                return AllDifferent(args=self._some(lambda: self.number(depth - 1), 1))
            case 9:
                rel = self._random.choice(RELATIONS[:2])
                return Cmp(rel=rel, left=self.label(depth), right=self.label(depth))
            case 10:
                return Ref(name="either") if self._random.random() < self._free else inner()
            case _:
                rel = self._random.choice(RELATIONS)
                return Cmp(rel=rel, left=self.number(depth - 1), right=self.number(depth - 1))


def kinds(node: Node) -> set[type[Any]]:
    return {type(node)}.union(*map(kinds, children(node)))


Rebuild = Callable[[Any, list[Node], Mapping[str, Value]], Node]

REBUILT: dict[type[Any], Rebuild] = {
    Const: lambda node, below, values: make.node(node.value),
    Label: lambda node, below, values: make.node(node.value),
    Var: lambda node, below, values: make.node(values[node.name]),
    Ref: lambda node, below, values: known(DEFINITIONS[node.name], values),
    Sum: lambda node, below, values: make.linear(zip(node.coefs, below, strict=True), node.constant),
    Product: lambda node, below, values: _product(below),
    Lookup: lambda node, below, values: make.node(SYMBOLS.tables[node.table].at(tuple(map(_key, below)))),
    Min: lambda node, below, values: make.minimum(below),
    Max: lambda node, below, values: make.maximum(below),
    Abs: lambda node, below, values: make.absolute(*below),
    Count: lambda node, below, values: make.count(below),
    Cmp: lambda node, below, values: make.compare(below[0], node.rel, below[1]),
    In: lambda node, below, values: make.member(below[0], node.values),
    And: lambda node, below, values: make.conjunction(below),
    Or: lambda node, below, values: make.disjunction(below),
    Not: lambda node, below, values: make.negation(*below),
    Implies: lambda node, below, values: make.implies(*below),
    Iff: lambda node, below, values: make.iff(*below),
    AllDifferent: lambda node, below, values: make.all_different(below),
}
"""How each kind of node is built by the constructors; a new kind must be added."""


def _product(factors: list[Node]) -> Node:
    first, *rest = factors
    for factor in rest:
        first = make.multiply(first, factor)
    return first


def _key(node: Node) -> int | str:
    assert isinstance(node, (Const, Label))
    return node.value if isinstance(node.value, str) else int(node.value)


def known(node: Node, values: Mapping[str, Value]) -> Node:
    """The expression with its variables replaced by values, built by the constructors."""
    return REBUILT[type(node)](node, [known(child, values) for child in children(node)], values)


def spelled(node: Node, values: Mapping[str, Value]) -> Node:
    """The expression with variables and definitions replaced by constants, and nothing computed."""
    if isinstance(node, (Var, Ref)):
        return REBUILT[type(node)](node, [], values)
    inner = [spelled(child, values) for child in children(node)]
    match node:
        case Cmp() | Implies() | Iff():
            return node.model_copy(update={"left": inner[0], "right": inner[1]})
        case Abs() | In() | Not():
            return node.model_copy(update={"arg": inner[0]})
        case Lookup():
            return node.model_copy(update={"keys": tuple(inner)})
        case Const() | Label():
            return node
        case _:
            return node.model_copy(update={"args": tuple(inner)})
