"""Values that are known before solving: exact numbers, truth values, labels, tuples and lists of these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TypeAlias, cast

from pcl_core.authoring.infix import ExpressionError
from pcl_core.errors import Code, suggest
from pcl_core.ir import make
from pcl_core.ir.nodes import Const, Label, Node

Scalar: TypeAlias = bool | int | Decimal | str
Member: TypeAlias = Scalar | tuple[Scalar, ...]
Expanded: TypeAlias = Member | Node | Sequence["Expanded"]
"""What an expression can be while a file is expanded; a node where it depends on decision variables."""


@dataclass(frozen=True)
class Array:
    """Nodes by index: a variable array, or a named definition for each index."""

    name: str
    axes: tuple[tuple[Member, ...], ...]
    cells: Mapping[tuple[Member, ...], Node]


@dataclass(frozen=True)
class StaticTable:
    """Numbers by index; read at decision variables it becomes a look-up."""

    name: str
    axes: tuple[tuple[Member, ...], ...]
    cells: Mapping[tuple[Member, ...], int | Decimal]


class Members(list[Member]):
    """The members of a named set, in order; whether something is one of them is found without looking at each."""

    @cached_property
    def lookup(self) -> frozenset[Member]:
        return frozenset(self)

    @cached_property
    def shapes(self) -> frozenset[object]:
        return frozenset(map(shape_of, self))


def shape_of(value: Expanded) -> object:
    """What must agree for two known values to be comparable: labels, numbers, or tuples of one length."""
    return len(value) if isinstance(value, tuple) else isinstance(value, str) and "label"


def is_list(value: object) -> bool:
    return isinstance(value, (list, range))


def as_node(value: Expanded) -> Node:
    """The value as an expression; lists and tuples have no place in one."""
    if isinstance(value, (list, tuple, range)):
        raise ExpressionError(Code.WRONG_KIND, "a list stands where a single value is needed", "use sum, min, any, ...")
    return make.node(cast(make.NodeLike, value))


def simplified(node: Node) -> Expanded:
    """A constant node as the value it is, so that it can be used where a value must be known."""
    return node.value if isinstance(node, (Const, Label)) else node


def describe(value: Expanded) -> str:
    match value:
        case bool():
            return f"the truth value {str(value).lower()}"
        case int() | Decimal():
            return f"the number {value}"
        case str():
            return f"the label '{value}'"
        case tuple():
            return "a tuple"
        case list() | range():
            return "a list"
        case _:
            return "a decision"


def shown(value: Expanded) -> str:
    """A value in a name or label."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int)) or (not isinstance(value, (list, tuple, range)) and hasattr(value, "as_tuple")):
        return str(value)
    raise ExpressionError(Code.NOT_STATIC, f"a name or label can show numbers and labels, not {describe(value)}")


def same_sort(left: Expanded, right: Expanded) -> bool:
    """Whether two static values can sensibly be compared."""
    return isinstance(left, str) == isinstance(right, str) and isinstance(left, tuple) == isinstance(right, tuple)


def _unquoted(key: Expanded, axis: Sequence[Member]) -> str | None:
    """What to write where a number stands in quotes and must not, or the other way round."""
    if isinstance(key, str):
        return next((f"write {other} without quotes" for other in axis if is_number(other) and str(other) == key), None)
    return f"write '{key}' in quotes" if is_number(key) and str(key) in axis else None


def is_number(value: Expanded) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def missing_key(name: str, axes: Sequence[Sequence[Member]], keys: Sequence[Expanded], code: Code) -> ExpressionError:
    """Why an array or table cannot be read at these keys."""
    if len(keys) != len(axes):
        return ExpressionError(code, f"'{name}' has {len(axes)} indices, not {len(keys)}")
    for axis, key in zip(axes, keys, strict=True):
        if key not in axis:
            hint = _unquoted(key, axis) or suggest(str(key), map(str, axis))
            hint = hint or f"indices go from {axis[0]} to {axis[-1]}"
            shown = f"'{key:.60}'" if isinstance(key, str) and hint.endswith("quotes") else f"{key!s:.60}"
            return ExpressionError(code, f"'{name}' has no index {shown}", hint)
    return ExpressionError(code, f"'{name}' has no value at this index")


def indexed(name: str, key: Sequence[Member]) -> str:
    """`name[a,b]`, the ground name of an array's element."""
    return f"{name}[{','.join(map(str, key))}]" if key else name


def axes_of(cells: Mapping[tuple[Member, ...], Node]) -> tuple[tuple[Member, ...], ...]:
    """The axes of an array, from the keys of its elements."""
    keys = list(cells)
    return tuple(tuple(dict.fromkeys(axis)) for axis in zip(*keys, strict=True)) if keys and keys[0] else ()


def matching(patterns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Feature names, with * for any text; a pattern that matches nothing is kept and so reported."""
    found: dict[str, None] = {}
    for pattern in patterns:
        matched = [name for name in names if _fits(pattern, name)]
        found.update(dict.fromkeys(matched or [pattern]))
    return tuple(found)


def _fits(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern with * for any text, in one pass over the name."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == name
    if not name.startswith(first):
        return False
    at = len(first)
    for piece in rest[:-1]:
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(name) - len(rest[-1]) >= at and name.endswith(rest[-1])
