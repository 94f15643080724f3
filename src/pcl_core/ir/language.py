"""The table of nodes: what everyone but the reference evaluator needs to know of each kind.

A kind that can be put in terms of others has a decomposition, and needs no more: bounds, text, registers, columns and the
split of contexts follow from its entry. Some decompositions are passed over where something better is known, such as a
flat `all_different` for a solver that has one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from pcl_core.ir.domains import Kind
from pcl_core.ir.nodes import (
    Abs,
    AllDifferent,
    And,
    Cmp,
    Const,
    Count,
    Frozen,
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

Interval: TypeAlias = tuple[int, int]
"""The smallest and the largest value, in whole units."""


@dataclass(frozen=True)
class Entry:
    """One kind of node."""

    gives: Kind
    """What it is, if that follows from the kind: not for constants, variables and definitions."""
    below: str = ""
    """The fields that hold expressions: `args`, `keys`, `arg`, or `left right`."""
    takes: Kind | None = None
    """What these must be; UNKNOWN for all labels or all numbers, None where the kind has rules of its own."""
    bounds: Callable[[Sequence[Interval]], Interval] | None = None
    """Its interval from those of its arguments, at the places that they share."""
    decompose: Callable[[Any], Node] | None = None
    """The same in terms of other kinds."""
    regroups: bool = False
    """Whether f(a, b, c) is f(a, f(b, c)), so that arguments may be put together."""


def _smallest(args: Sequence[Interval]) -> Interval:
    return min([low for low, _ in args]), min([high for _, high in args])


def _largest(args: Sequence[Interval]) -> Interval:
    return max([low for low, _ in args]), max([high for _, high in args])


def _opposite(args: Sequence[Interval]) -> Interval:
    [(low, high)] = args
    return 1 - high, 1 - low


def _size(args: Sequence[Interval]) -> Interval:
    [(low, high)] = args
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def _equal(args: Sequence[Interval]) -> Interval:
    (a, b), (c, d) = args
    return int(a == b == c == d), int(b >= c and a <= d)


def _apart(node: AllDifferent) -> Node:
    pairs = tuple([Cmp(rel="!=", left=left, right=right) for left, right in combinations(node.args, 2)])
    return And(args=pairs) if pairs else Const(value=True)


TABLE: dict[type[Frozen], Entry] = {
    Const: Entry(Kind.UNKNOWN),
    Label: Entry(Kind.LABEL),
    Var: Entry(Kind.UNKNOWN),
    Ref: Entry(Kind.UNKNOWN),
    Sum: Entry(Kind.NUMBER, "args"),
    Product: Entry(Kind.NUMBER, "args", regroups=True),
    Lookup: Entry(Kind.NUMBER, "keys"),
    Min: Entry(Kind.NUMBER, "args", Kind.NUMBER, _smallest, regroups=True),
    Max: Entry(Kind.NUMBER, "args", Kind.NUMBER, _largest, regroups=True),
    Abs: Entry(
        Kind.NUMBER, "arg", Kind.NUMBER, _size, lambda node: Max(args=(node.arg, Sum(coefs=(-1,), args=(node.arg,))))
    ),
    Count: Entry(
        Kind.NUMBER,
        "args",
        Kind.TRUTH,
        lambda args: (sum([low for low, _ in args]), sum([high for _, high in args])),
        lambda node: Sum(coefs=(1,) * len(node.args), args=node.args),
    ),
    Cmp: Entry(Kind.TRUTH, "left right"),
    In: Entry(Kind.TRUTH, "arg"),
    And: Entry(Kind.TRUTH, "args", Kind.TRUTH, _smallest, regroups=True),
    Or: Entry(Kind.TRUTH, "args", Kind.TRUTH, _largest, regroups=True),
    Not: Entry(Kind.TRUTH, "arg", Kind.TRUTH, _opposite),
    Implies: Entry(
        Kind.TRUTH,
        "left right",
        Kind.TRUTH,
        lambda args: _largest([_opposite(args[:1]), args[1]]),
        lambda node: Or(args=(Not(arg=node.left), node.right)),
    ),
    Iff: Entry(
        Kind.TRUTH, "left right", Kind.TRUTH, _equal, lambda node: Cmp(rel="==", left=node.left, right=node.right)
    ),
    AllDifferent: Entry(Kind.TRUTH, "args", Kind.UNKNOWN, lambda args: (0, 1), _apart),
}

_CHILDREN: dict[str, Callable[[Any], tuple[Node, ...]]] = {
    "": lambda node: (),
    "args": lambda node: node.args,
    "keys": lambda node: node.keys,
    "arg": lambda node: (node.arg,),
    "left right": lambda node: (node.left, node.right),
}


class _Below(dict[type[Any], Callable[[Any], tuple[Node, ...]]]):
    """The same by kind of node: every walk asks for it at every node."""

    def __missing__(self, kind: type[Any]) -> Callable[[Any], tuple[Node, ...]]:
        found = self[kind] = _CHILDREN[TABLE[kind].below]
        return found


_BELOW = _Below()


def children(node: Node) -> tuple[Node, ...]:
    """The expressions directly below a node, in reading order."""
    return _BELOW[type(node)](node)


def with_children(node: Node, found: tuple[Node, ...]) -> Node:
    """The node over other expressions, as many as it has."""
    below = TABLE[type(node)].below
    changed = {below: found} if below in ("args", "keys") else dict(zip(below.split(), found, strict=True))
    return node.model_copy(update=changed)


def decomposed(node: Node) -> Node:
    """The same expression, with its topmost node in terms of other kinds."""
    decompose = TABLE[type(node)].decompose
    assert decompose is not None, f"a node `{node.op}` has neither a decomposition nor a meaning of its own here"
    return decompose(node)


def kind_of(node: Node, declared: Callable[[Var | Ref], Kind]) -> Kind:
    """What sort of value a node has; `declared` says it of variables and definitions."""
    if isinstance(node, Const):
        return Kind.TRUTH if isinstance(node.value, bool) else Kind.NUMBER
    return declared(node) if isinstance(node, (Var, Ref)) else TABLE[type(node)].gives


def is_logical(node: Node) -> bool:
    """Whether a node is true or false whatever it is made of."""
    return TABLE[type(node)].gives is Kind.TRUTH
