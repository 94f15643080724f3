"""Expressions in Python: what operators and functions make of variables.

Operators build expressions: + - * on numbers, == != < <= > >= compare, & | ~ combine truth values. An expression
has no value before solving, so whatever Python would decide at once (`if`, `and`, `in`, max, sorted, a chain of
comparisons) raises a sentence instead of deciding. Its hash is its identity, so it can be a key of a mapping.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, overload

from pcl_core.authoring import arguments
from pcl_core.authoring.refusing import REFUSED, refuse
from pcl_core.errors import Code, Issue, MisuseError
from pcl_core.ir import make
from pcl_core.ir.domains import Kind
from pcl_core.ir.nodes import Key, Node, Relation
from pcl_core.ir.text import render

Plain: TypeAlias = bool | int | float | Decimal | str
NO_TRUTH_VALUE: Final = Issue(
    Code.NOT_STATIC,
    "an expression has no truth value before solving, so Python cannot decide on it",
    "for and, or, not write & | ~ with each comparison in brackets; for 1 <= x <= 3 write (x >= 1) & (x <= 3); "
    "for if, in, min, max, all, any write choose, is_in, smallest, largest, all_of, any_of",
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expression:
    """An expression under construction."""

    node: Node
    kind: Kind = Kind.UNKNOWN
    """What sort of value it has, by how it was made: a sum of one truth value is a number although the node is not."""

    described: ClassVar[str] = "an expression"
    __array_ufunc__: ClassVar[None] = None  # numpy leaves operators with one of its numbers to us

    def __repr__(self) -> str:
        return f"Expression({render(self.node)})"

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __bool__(self) -> bool:
        raise MisuseError(NO_TRUTH_VALUE)

    def __eq__(self, other: "Operand") -> "Expression":  # type: ignore[override]
        return self._compared("==", other)

    def __ne__(self, other: "Operand") -> "Expression":  # type: ignore[override]
        return self._compared("!=", other)

    def __lt__(self, other: "Operand") -> "Expression":
        return self._compared("<", other)

    def __le__(self, other: "Operand") -> "Expression":
        return self._compared("<=", other)

    def __gt__(self, other: "Operand") -> "Expression":
        return self._compared(">", other)

    def __ge__(self, other: "Operand") -> "Expression":
        return self._compared(">=", other)

    def _compared(self, relation: Relation, other: "Operand") -> "Expression":
        return _made(Kind.TRUTH, make.compare, self.node, relation, _operand(other, f"`{relation}`"))

    def equals(self, other: "Operand") -> "Expression":
        """The same as `==`."""
        return self == other

    def differs(self, other: "Operand") -> "Expression":
        """The same as `!=`."""
        return self != other

    def __add__(self, other: "Operand") -> "Expression":
        return _made(Kind.NUMBER, make.add, self.node, _number(other, "`+`"))

    def __radd__(self, other: Plain) -> "Expression":
        return _made(Kind.NUMBER, make.add, _number(other, "`+`"), self.node)

    def __sub__(self, other: "Operand") -> "Expression":
        return _made(Kind.NUMBER, make.subtract, self.node, _number(other, "`-`"))

    def __rsub__(self, other: Plain) -> "Expression":
        return _made(Kind.NUMBER, make.subtract, _number(other, "`-`"), self.node)

    def __mul__(self, other: "Operand") -> "Expression":
        return _made(Kind.NUMBER, make.multiply, self.node, _number(other, "`*`"))

    def __rmul__(self, other: Plain) -> "Expression":
        return _made(Kind.NUMBER, make.multiply, _number(other, "`*`"), self.node)

    def __neg__(self) -> "Expression":
        return _made(Kind.NUMBER, make.linear, ((-1, self.node),))

    def __pos__(self) -> "Expression":
        return Expression(self.node, Kind.NUMBER) if self.kind is Kind.TRUTH else self

    def __abs__(self) -> "Expression":
        return _made(Kind.NUMBER, make.absolute, self.node)

    def __and__(self, other: "Expression") -> "Expression":
        return _made(Kind.TRUTH, make.conjunction, (truth(self, "`&`"), truth(other, "`&`")))

    def __or__(self, other: "Expression") -> "Expression":
        return _made(Kind.TRUTH, make.disjunction, (truth(self, "`|`"), truth(other, "`|`")))

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> "Expression":
        return _made(Kind.TRUTH, make.negation, truth(self, "`~`"))

    def is_in(self, values: Iterable[Key]) -> "Expression":
        """Whether it is one of these labels or whole numbers."""
        members = list(values) if isinstance(values, dict) else arguments.listed(values, "is_in", "known values")
        if any(isinstance(member, Expression) for member in members):
            hint = "write any_of(x == y for y in ...)"
            raise arguments.misuse("is_in takes values that are known before solving, not an expression", hint)
        return _made(
            Kind.TRUTH, make.member, self.node, [arguments.key(member, "a member of is_in") for member in members]
        )

    def implies(self, other: "Expression") -> "Expression":
        return _made(Kind.TRUTH, make.implies, truth(self, "implies"), truth(other, "implies"))

    def iff(self, other: "Expression") -> "Expression":
        return _made(Kind.TRUTH, make.iff, truth(self, "iff"), truth(other, "iff"))


Operand: TypeAlias = Expression | Plain

if not TYPE_CHECKING:
    for symbol, (methods, instead) in REFUSED.items():
        refuse(Expression, methods, f"an expression has no {symbol}", instead)


def _made(kind: Kind, constructor: Callable[..., Node], *operands: object) -> Expression:
    with arguments.findings():
        return Expression(constructor(*operands), kind)


def _operand(value: object, used_in: str) -> Node:
    if isinstance(value, Expression):
        return value.node
    found = arguments.plain(value)
    if found is None:
        raise arguments.misuse(f"{used_in} needs expressions, numbers or labels, not {arguments.described(value)}")
    return make.node(found)


def _number(value: object, used_in: str) -> Node:
    if isinstance(value, str):
        hint = "a label can be compared, or a table read at it"
        raise arguments.misuse(f"{used_in} needs numbers, not {arguments.described(value)}", hint)
    return _operand(value, used_in)


def truth(value: object, used_in: str) -> Node:
    """A condition; a truth value of Python is refused, because it is a comparison gone wrong.

    A number is refused before anything is made of it: folding would take it for 0 or 1.
    """
    if isinstance(value, Expression):
        if value.kind in (Kind.NUMBER, Kind.LABEL):
            raise arguments.misuse(f"{used_in} needs truth values, not {value.kind}", "compare it with something")
        return value.node
    hint = arguments.TRUTH_HINT if isinstance(value, arguments.Truths) else "compare it with something"
    raise arguments.misuse(
        f"{used_in} needs an expression that is true or false, not {arguments.described(value)}", hint
    )


def term(value: object, used_in: str) -> Node:
    """A number that is to be a feature or a definition; a truth value of Python is refused here too."""
    return truth(value, used_in) if isinstance(value, arguments.Truths) else _number(value, used_in)


def kind_of(value: object) -> Kind:
    """What sort of value something is that was accepted as an operand."""
    if isinstance(value, Expression):
        return value.kind
    if isinstance(value, arguments.Truths):
        return Kind.TRUTH
    return Kind.LABEL if isinstance(value, str) else Kind.NUMBER


def constant(value: Plain) -> Expression:
    """A known value as an expression, where it is meant: `constant(False)` is a constraint that nothing satisfies."""
    return Expression(_operand(value, "constant"), kind_of(value))


@overload
def total(operands: Iterable[Operand], /) -> Expression: ...
@overload
def total(first: Operand, second: Operand, /, *others: Operand) -> Expression: ...
def total(*operands: Operand | Iterable[Operand]) -> Expression:
    """The sum of numbers; Python's own `sum` works too, one step at a time."""
    return _made(Kind.NUMBER, make.linear, [(1, node) for node in _numbers(operands, "total")])


@overload
def smallest(operands: Iterable[Operand], /) -> Expression: ...
@overload
def smallest(first: Operand, second: Operand, /, *others: Operand) -> Expression: ...
def smallest(*operands: Operand | Iterable[Operand]) -> Expression:
    return _made(Kind.NUMBER, make.minimum, _some(_numbers(operands, "smallest"), "smallest"))


@overload
def largest(operands: Iterable[Operand], /) -> Expression: ...
@overload
def largest(first: Operand, second: Operand, /, *others: Operand) -> Expression: ...
def largest(*operands: Operand | Iterable[Operand]) -> Expression:
    return _made(Kind.NUMBER, make.maximum, _some(_numbers(operands, "largest"), "largest"))


@overload
def all_different(operands: Iterable[Operand], /) -> Expression: ...
@overload
def all_different(first: Operand, second: Operand, /, *others: Operand) -> Expression: ...
def all_different(*operands: Operand | Iterable[Operand]) -> Expression:
    """Whether no two are equal; all numbers or all labels."""
    listed = _several(operands, "all_different", "expressions")
    return _made(Kind.TRUTH, make.all_different, [_operand(operand, "all_different") for operand in listed])


@overload
def any_of(operands: Iterable[Expression], /) -> Expression: ...
@overload
def any_of(first: Expression, second: Expression, /, *others: Expression) -> Expression: ...
def any_of(*operands: Expression | Iterable[Expression]) -> Expression:
    return _made(Kind.TRUTH, make.disjunction, _truths(operands, "any_of"))


@overload
def all_of(operands: Iterable[Expression], /) -> Expression: ...
@overload
def all_of(first: Expression, second: Expression, /, *others: Expression) -> Expression: ...
def all_of(*operands: Expression | Iterable[Expression]) -> Expression:
    return _made(Kind.TRUTH, make.conjunction, _truths(operands, "all_of"))


@overload
def count(operands: Iterable[Expression], /) -> Expression: ...
@overload
def count(first: Expression, second: Expression, /, *others: Expression) -> Expression: ...
def count(*operands: Expression | Iterable[Expression]) -> Expression:
    """How many are true."""
    return _made(Kind.NUMBER, make.count, _truths(operands, "count"))


def choose(condition: Expression, yes: Operand, no: Operand) -> Expression:
    """`yes` where the condition holds, else `no`."""
    return _made(Kind.NUMBER, make.choose, truth(condition, "choose"), _number(yes, "choose"), _number(no, "choose"))


def _numbers(operands: tuple[object, ...], used_in: str) -> list[Node]:
    return [_number(operand, used_in) for operand in _several(operands, used_in, "numbers")]


def _truths(operands: tuple[object, ...], used_in: str) -> list[Node]:
    return [truth(operand, used_in) for operand in _several(operands, used_in, "conditions")]


def _several(operands: tuple[object, ...], used_in: str, of: str) -> list[object]:
    """What a function is called with: one list, or several arguments."""
    if not operands:
        raise arguments.misuse(f"{used_in} takes {of}, and none are given", "give one list, or several of them")
    return arguments.listed(operands[0], used_in, of) if len(operands) == 1 else list(operands)


def _some(nodes: list[Node], used_in: str) -> list[Node]:
    if not nodes:
        raise arguments.wrong(Code.EMPTY_DOMAIN, f"{used_in} of nothing has no value")
    return nodes
