"""Constructors that give each meaning one spelling.

Files and the Python builder both make their nodes here, which is why the same problem written either way is
the same ground problem, byte for byte. Only folding that is obvious to a reader is done: constants are
computed, nested sums and conjunctions are flattened, single-element lists are unwrapped. No folding drops a
variable: which features depend on a part is read off the variables they mention, so `0 * x` still mentions x.

Whatever is built from constants alone is a constant, for every kind of node, and equal to what the reference
evaluator says; so a node that is no constant is not known, and must never be taken for false. Two cases stay
nodes although nothing varies in them: what has no meaning (labels with an order, labels mixed with numbers), so
that the checks of a problem can report it, and a look-up, whose table is not known here.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TypeAlias

from pcl_core.ir.domains import Kind
from pcl_core.ir.evaluate import RELATIONS, Evaluation
from pcl_core.ir.language import TABLE, children, kind_of
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
    Key,
    Label,
    Lookup,
    Max,
    Min,
    Node,
    Not,
    Or,
    Product,
    Relation,
    Sum,
)
from pcl_core.ir.numbers import Exact, Number, exact, from_fraction, to_exact
from pcl_core.ir.symbols import Symbols

NodeLike: TypeAlias = Node | bool | int | float | Decimal | str
"""What the constructors accept: a node, or a plain value that stands for a constant."""

TRUE = Const(value=True)
FALSE = Const(value=False)

OPPOSITE: dict[Relation, Relation] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def node(operand: NodeLike) -> Node:
    """A node from a node or a plain value; text is a label."""
    if isinstance(operand, Frozen):
        return operand
    if isinstance(operand, bool):
        return TRUE if operand else FALSE
    if isinstance(operand, (int, float, Decimal)):
        return Const(value=exact(operand))
    return Label(value=operand)


def constant(operand: Node) -> Exact | None:
    """The number a node always has, or None; a constant truth value counts as 0 or 1."""
    if not isinstance(operand, Const):
        return None
    return int(operand.value) if isinstance(operand.value, bool) else to_exact(operand.value)


def truth(operand: Node) -> bool | None:
    """The truth value a node always has, or None."""
    return operand.value if isinstance(operand, Const) and isinstance(operand.value, bool) else None


def number(value: Exact) -> Number:
    """An exact result as a number that may stand in a problem (checked for size)."""
    return exact(from_fraction(value))


def folded(made: Node) -> Node:
    """A node of any kind, or the constant that the reference evaluator makes of it where all below it is constant.

    What has no meaning stays as it is: labels among numbers, and numbers or labels in the place of truth values.
    """
    below = children(made)
    if not all(isinstance(child, (Const, Label)) for child in below):
        return made
    kinds = {kind_of(child, lambda _: Kind.UNKNOWN) for child in below}
    takes = TABLE[type(made)].takes
    if (Kind.LABEL in kinds and (takes is Kind.NUMBER or len(kinds) > 1)) or (takes is Kind.TRUTH and kinds != {takes}):
        return made
    value = Evaluation(Symbols(), {}).value(made)
    return node(value) if isinstance(value, bool | str) else Const(value=number(value))


def linear(terms: Iterable[tuple[Number, Node]], offset: Number = 0) -> Node:
    """offset + Σ coefficient · node, flattened; a term that is itself a sum is merged."""
    total: Exact = to_exact(offset)
    coefs: list[Number] = []
    args: list[Node] = []
    for coef, term in terms:
        fixed = constant(term)
        if fixed is not None:
            total += to_exact(coef) * fixed
        elif isinstance(term, Sum):
            total += to_exact(coef) * to_exact(term.constant)
            coefs.extend(term.coefs if coef == 1 else (_times(coef, inner) for inner in term.coefs))
            args.extend(term.args)
        else:
            coefs.append(coef)
            args.append(term)
    if not args:
        return Const(value=number(total))
    if total == 0 and coefs == [1]:
        return args[0]
    return Sum(coefs=tuple(coefs), args=tuple(args), constant=number(total))


def _times(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return exact(left * right)
    return number(to_exact(left) * to_exact(right))


def add(*operands: NodeLike) -> Node:
    return linear((1, node(operand)) for operand in operands)


def subtract(left: NodeLike, right: NodeLike) -> Node:
    return linear(((1, node(left)), (-1, node(right))))


def multiply(left: NodeLike, right: NodeLike) -> Node:
    """A product; a constant factor becomes a coefficient."""
    first, second = node(left), node(right)
    for factor, other in ((first, second), (second, first)):
        fixed = constant(factor)
        if fixed is not None:
            return linear(((number(fixed), other),))
    for factor, other in ((first, second), (second, first)):
        if isinstance(factor, Sum) and len(factor.args) == 1 and factor.constant == 0:  # (2·a)·x is 2·(a·x)
            return linear(((factor.coefs[0], multiply(factor.args[0], other)),))
    args = [inner for arg in (first, second) for inner in (arg.args if isinstance(arg, Product) else (arg,))]
    return Product(args=tuple(args))


def compare(left: NodeLike, rel: Relation, right: NodeLike) -> Node:
    first, second = node(left), node(right)
    if isinstance(first, Label) and isinstance(second, Label) and rel in ("==", "!="):
        return node((first.value == second.value) is (rel == "=="))
    a, b = constant(first), constant(second)
    if a is not None and b is not None:
        return node(RELATIONS[rel](a, b))
    return Cmp(rel=rel, left=first, right=second)


def conjunction(operands: Iterable[NodeLike]) -> Node:
    return _combine(operands, And, neutral=True)


def disjunction(operands: Iterable[NodeLike]) -> Node:
    return _combine(operands, Or, neutral=False)


def _combine(operands: Iterable[NodeLike], kind: type[And] | type[Or], neutral: bool) -> Node:
    args: list[Node] = []
    for operand in map(node, operands):
        if truth(operand) is not neutral:
            args.extend(operand.args if isinstance(operand, kind) else (operand,))
    if all(truth(arg) is not None for arg in args):
        return node(not neutral if args else neutral)
    return args[0] if len(args) == 1 else kind(args=tuple(args))


def negation(operand: NodeLike) -> Node:
    inner = node(operand)
    known = truth(inner)
    if known is not None:
        return node(not known)
    if isinstance(inner, Not):
        return inner.arg
    if isinstance(inner, Cmp):
        return Cmp(rel=OPPOSITE[inner.rel], left=inner.left, right=inner.right)
    return Not(arg=inner)


def implies(left: NodeLike, right: NodeLike) -> Node:
    first, second = node(left), node(right)
    match truth(first), truth(second):
        case (True, _):
            return second
        case (_, False):
            return negation(first)
        case (False, True):
            return TRUE
        case _:
            return Implies(left=first, right=second)


def iff(left: NodeLike, right: NodeLike) -> Node:
    first, second = node(left), node(right)
    for known, other in ((truth(first), second), (truth(second), first)):
        if known is not None:
            return other if known else negation(other)
    return Iff(left=first, right=second)


def choose(condition: NodeLike, yes: NodeLike, no: NodeLike) -> Node:
    """`yes` where the condition holds, `no` elsewhere, for numbers: no + condition · (yes − no)."""
    test, first, second = node(condition), node(yes), node(no)
    known = truth(test)
    if known is not None:
        return first if known else second
    a, b = constant(first), constant(second)
    if a is not None and b is not None:
        return linear(((number(a - b), test),), number(b))
    return linear(((1, multiply(test, subtract(first, second))), (1, second)))


def count(operands: Iterable[NodeLike]) -> Node:
    args = [node(operand) for operand in operands]
    known = sum(1 for arg in args if truth(arg))
    free = tuple(arg for arg in args if truth(arg) is None)
    if not free:
        return Const(value=known)
    counted = Count(args=free)
    return counted if known == 0 else Sum(coefs=(1,), args=(counted,), constant=known)


def minimum(operands: Sequence[NodeLike]) -> Node:
    return _extreme(operands, Min)


def maximum(operands: Sequence[NodeLike]) -> Node:
    return _extreme(operands, Max)


def _extreme(operands: Sequence[NodeLike], kind: type[Min] | type[Max]) -> Node:
    args = tuple(node(operand) for operand in operands)
    return args[0] if len(args) == 1 and constant(args[0]) is None else folded(kind(args=args))


def absolute(operand: NodeLike) -> Node:
    return folded(Abs(arg=node(operand)))


def member(operand: NodeLike, values: Iterable[Key]) -> Node:
    inner = node(operand)
    listed = tuple(dict.fromkeys(values))
    if not listed:
        return FALSE
    made = In(arg=inner, values=listed)
    return made if any(isinstance(value, str) is not isinstance(inner, Label) for value in listed) else folded(made)


def all_different(operands: Iterable[NodeLike]) -> Node:
    args = tuple(node(operand) for operand in operands)
    return TRUE if len(args) < 2 else folded(AllDifferent(args=args))


def lookup(table: str, keys: Iterable[NodeLike]) -> Node:
    return Lookup(table=table, keys=tuple(node(key) for key in keys))
