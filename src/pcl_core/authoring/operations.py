"""What operators and indices do with values, static or not."""

import ast
import math
from collections.abc import Collection, Iterator
from decimal import Decimal
from itertools import product

from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.scope import Bindings, Budget, Expansion, as_members
from pcl_core.authoring.values import (
    Array,
    StaticTable,
    Value,
    as_node,
    describe,
    is_list,
    missing_key,
    same_sort,
    simplified,
)
from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.nodes import AllDifferent, And, Cmp, Iff, Implies, In, Key, Node, Not, Or, Relation, Var
from pcl_core.ir.numbers import exact

RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def numeric(value: Value, used_in: str) -> Node:
    if isinstance(value, (str, list, tuple, range)):
        raise ExpressionError(Code.WRONG_KIND, f"'{used_in}' needs numbers, not {describe(value)}")
    return as_node(value)


def times(left: Value, right: Value) -> Value:
    if type(left) is int and type(right) is int:
        return exact(left * right)
    return simplified(make.multiply(numeric(left, "*"), numeric(right, "*")))


def is_logical(value: Value, truths: Collection[str]) -> bool:
    """Whether a value is known to be true or false; a definition may be either sort and counts as a number."""
    if isinstance(value, Var):
        return value.name in truths
    return isinstance(value, (bool, Cmp, In, And, Or, Not, Implies, Iff, AllDifferent))


def compare(op: ast.cmpop, left: Value, right: Value) -> Value:
    if isinstance(op, (ast.In, ast.NotIn)):
        found = _contains(left, right)
        return found if isinstance(op, ast.In) else simplified(make.negation(as_node(found)))
    relation = RELATIONS[type(op)]
    fixed = isinstance(left, (bool, int, Decimal, str, tuple)) and isinstance(right, bool | int | Decimal | str | tuple)
    if not fixed:
        return simplified(make.compare(as_node(left), relation, as_node(right)))
    if not same_sort(left, right):
        raise ExpressionError(Code.WRONG_KIND, f"{describe(left)} is compared with {describe(right)}")
    if isinstance(left, (str, tuple)):
        if relation not in ("==", "!="):
            raise ExpressionError(Code.WRONG_KIND, f"labels have no order, so '{relation}' means nothing")
        return (left == right) is (relation == "==")
    return simplified(make.compare(as_node(left), relation, as_node(right)))


def _contains(item: Value, members: Value) -> Value:
    if isinstance(item, (bool, int, Decimal, str, tuple)):
        if isinstance(members, range):
            return item in members
        return item in as_members(members)
    if isinstance(members, range):
        inside = make.compare(as_node(item), ">=", members.start), make.compare(as_node(item), "<=", members.stop - 1)
        return simplified(make.conjunction(inside))
    keys: list[Key] = []
    for member in as_members(members):
        if isinstance(member, (bool, Decimal, tuple)):
            raise ExpressionError(
                Code.WRONG_KIND, f"a decision can be in a list of labels or whole numbers, not {describe(member)}"
            )
        keys.append(member)
    return simplified(make.member(as_node(item), keys))


def whole_range(low: Value, high: Value) -> range:
    if not (isinstance(low, int) and isinstance(high, int)):
        wrong = high if isinstance(low, int) else low
        code = Code.WRONG_KIND if isinstance(wrong, (Decimal, str, list, tuple, range)) else Code.NOT_STATIC
        raise ExpressionError(code, f"a range goes from one known whole number to another, not {describe(wrong)}")
    return range(low, high + 1)


def divide(left: Value, right: Value) -> tuple[int, int]:
    if not (isinstance(left, int) and isinstance(right, int)) or right == 0:
        raise ExpressionError(Code.NOT_STATIC, "// and % take known whole numbers, and not zero on the right")
    return divmod(left, right)


def read_table(table: StaticTable, keys: list[Expansion | None], env: Bindings, budget: Budget) -> Value:
    if len(keys) != len(table.axes):
        raise missing_key(table.name, table.axes, [0] * len(keys), Code.LOOKUP_OUTSIDE_TABLE)
    values: list[Value] = [
        list(axis) if key is None else key.run(env) for axis, key in zip(table.axes, keys, strict=True)
    ]
    if any(map(is_list, values)):
        return [_entry(table, list(choice)) for choice in _choices(values, budget)]
    return _entry(table, values)


def _entry(table: StaticTable, keys: list[Value]) -> Value:
    if all(isinstance(key, (bool, int, Decimal, str)) for key in keys):
        found = table.cells.get(tuple(keys))  # type: ignore[arg-type]
        if found is None:
            raise missing_key(table.name, table.axes, keys, Code.LOOKUP_OUTSIDE_TABLE)
        return found
    return make.lookup(table.name, [as_node(key) for key in keys])


def read_array(array: Array, keys: list[Expansion | None], env: Bindings, budget: Budget) -> Value:
    if len(keys) != len(array.axes):
        raise missing_key(array.name, array.axes, [0] * len(keys), Code.INDEX_OUTSIDE_SET)
    values: list[Value] = [
        list(axis) if key is None else key.run(env) for axis, key in zip(array.axes, keys, strict=True)
    ]
    try:
        return array.cells[tuple(values)]  # type: ignore[arg-type]
    except (KeyError, TypeError):  # a list of indices, or an index that is not there
        cells = [_cell(array, choice) for choice in _choices(values, budget)]
    return cells


def selected_variables(value: Value, used_in: str) -> list[str]:
    """The ground names of the variables that a selection such as plan[d, *] stands for."""
    nodes = value if isinstance(value, list) else [value]
    if not all(isinstance(node, Var) for node in nodes):
        raise ExpressionError(Code.WRONG_KIND, f"{used_in} selects variables", "write name[index, *]")
    return [node.name for node in nodes if isinstance(node, Var)]


def _choices(values: list[Value], budget: Budget) -> Iterator[tuple[Value, ...]]:
    budget.afford(math.prod(len(value) for value in values if isinstance(value, (list, range))))
    return product(*(value if isinstance(value, (list, range)) else (value,) for value in values))


def _cell(array: Array, key: tuple[Value, ...]) -> Value:
    if any(isinstance(part, (list, range)) for part in key):
        raise ExpressionError(
            Code.WRONG_KIND, f"an index of '{array.name}' is a list inside a list", "remove one pair of brackets"
        )
    found = array.cells.get(key)  # type: ignore[arg-type]
    if found is not None:
        return found
    if any(isinstance(part, tuple) for part in key):
        hint = "unpack it: `for a, b in ...`"
        raise ExpressionError(Code.WRONG_KIND, f"'{array.name}' cannot be indexed by a tuple", hint)
    if any(not isinstance(part, (bool, int, Decimal, str)) for part in key):
        hint = "sum over all indices with a comparison, or use a table"
        raise ExpressionError(Code.NOT_STATIC, f"'{array.name}' cannot be indexed by a decision", hint)
    raise missing_key(array.name, array.axes, key, Code.INDEX_OUTSIDE_SET)
