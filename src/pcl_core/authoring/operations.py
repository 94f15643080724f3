"""What operators and indices do with values, static or not."""

import ast
import math
from collections.abc import Collection, Iterator
from decimal import Decimal
from itertools import product
from typing import cast

from pcl_core.authoring.environment import Bindings, Budget, Expansion, Names, as_members
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import (
    Array,
    Expanded,
    Members,
    StaticTable,
    as_node,
    describe,
    is_list,
    missing_key,
    same_sort,
    shape_of,
    simplified,
)
from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.domains import Kind
from pcl_core.ir.evaluate import RELATIONS as HOLDS
from pcl_core.ir.infer import TWO_NUMBERS
from pcl_core.ir.nodes import Key, Node, Ref, Relation, Sum, Var
from pcl_core.ir.numbers import Number, exact, to_exact

RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_TUPLES = "a tuple (a, b) can be in a set of tuples, a label in a set of labels, a number in one of numbers"
_FOR_SETS = {
    "|": "for truth values write `or`",
    "&": "for truth values write `and`",
    "-": "write a set on both sides, with a range in brackets: A - (1..3)",
}


def numeric(value: Expanded, used_in: str) -> Node:
    if isinstance(value, (str, list, tuple, range)):
        raise ExpressionError(Code.WRONG_KIND, f"'{used_in}' needs numbers, not {describe(value)}")
    return as_node(value)


def times(left: Expanded, right: Expanded, varying: Collection[str] = ()) -> Expanded:
    if type(left) is int and type(right) is int:
        return exact(left * right)
    if _varies(left, varying) and _varies(right, varying):  # any other product is found once bounds are known
        raise ExpressionError(Code.PRODUCT_OF_VARIABLES, *TWO_NUMBERS)
    return simplified(make.multiply(numeric(left, "*"), numeric(right, "*")))


def _varies(value: Expanded, varying: Collection[str]) -> bool:
    """Whether a value is certainly a number with more than the values 0 and 1: a variable, or a multiple of one."""
    if isinstance(value, Sum) and value.constant == 0 and len(value.args) == 1 and value.coefs[0] >= 1:
        value = value.args[0]
    return isinstance(value, Var) and value.name in varying


def is_truth(value: Expanded, names: Names) -> bool:
    """Whether a value is known to be true or false; a definition may be either sort and counts as a number."""
    if not isinstance(value, Node):
        return isinstance(value, bool)
    return not isinstance(value, Ref) and names.kind(value) is Kind.TRUTH


def compare(op: ast.cmpop, left: Expanded, right: Expanded) -> Expanded:
    if isinstance(op, (ast.In, ast.NotIn)):
        found = _contains(left, right)
        if isinstance(found, bool):
            return found is isinstance(op, ast.In)
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
    return HOLDS[relation](to_exact(cast(Number, left)), to_exact(cast(Number, right)))


def _contains(item: Expanded, members: Expanded) -> Expanded:
    if isinstance(item, (bool, int, Decimal, str, tuple)):
        known = as_members(members)
        found = item in (known.lookup if isinstance(known, Members) else known)
        shapes = known.shapes if isinstance(known, Members) else map(shape_of, known)
        if not found and known and shape_of(item) not in shapes:
            raise ExpressionError(Code.WRONG_KIND, f"{describe(item)} is looked for among {_sorts(known[0])}", _TUPLES)
        return found
    if isinstance(members, range):
        inside = make.compare(as_node(item), ">=", members.start), make.compare(as_node(item), "<=", members.stop - 1)
        return simplified(make.conjunction(inside))
    keys: list[Key] = []
    for member in as_members(members):
        if isinstance(member, (bool, Decimal, tuple)):
            message = f"a decision can be in a list of labels or whole numbers, not {describe(member)}"
            raise ExpressionError(Code.WRONG_KIND, message, "write any(x == a for a, b in ...)")
        keys.append(member)
    return simplified(make.member(as_node(item), keys))


def _sorts(value: Expanded) -> str:
    if isinstance(value, tuple):
        return f"tuples of {len(value)}"
    return "labels" if isinstance(value, str) else "numbers"


def whole_range(low: Expanded, high: Expanded) -> range:
    if not (isinstance(low, int) and isinstance(high, int)):
        wrong = high if isinstance(low, int) else low
        static = isinstance(wrong, (Decimal, str, list, tuple, range))
        hint = "to compare with decisions write low <= x <= high"
        if is_list(wrong):
            hint = "put brackets around each range: (1..3) - (2..4)"
        code = Code.WRONG_KIND if static else Code.NOT_STATIC
        message = f"a range goes from one known whole number to another, not {describe(wrong)}"
        raise ExpressionError(code, message, hint if is_list(wrong) or not static else None)
    return range(low, high + 1)


def combine_sets(sign: str, left: Expanded, right: Expanded, budget: Budget) -> Expanded:
    """A | B, A & B or A - B: members in the order of the first set, then of the second, each once."""
    for value in (left, right):
        if not isinstance(value, (list, range)):
            raise ExpressionError(Code.WRONG_KIND, f"`{sign}` is for sets, not {describe(value)}", _FOR_SETS[sign])
    first, second = as_members(left), as_members(right)
    budget.spend(len(first) + (len(second) if sign == "|" else 0))
    if sign == "|":
        return list(dict.fromkeys((*first, *second)))
    others = second if isinstance(second, range) else frozenset(second)
    return list(dict.fromkeys(member for member in first if (member in others) is (sign == "&")))


def distinct(values: list[Expanded]) -> Expanded:
    """A set in braces: each known member once."""
    return values if any(isinstance(value, Node) for value in values) else list(dict.fromkeys(as_members(values)))


def difference(terms: list[tuple[int, Expanded]], budget: Budget) -> Expanded:
    """A - B - C of sets, where a sum of numbers is read in the same way."""
    if any(sign > 0 for sign, _ in terms[1:]):
        raise ExpressionError(Code.WRONG_KIND, "`+` adds numbers, not sets", "write A | B for the union of two sets")
    value = terms[0][1]
    for _, taken in terms[1:]:
        value = combine_sets("-", value, taken, budget)
    return value


def divide(left: Expanded, right: Expanded) -> tuple[int, int]:
    if not (isinstance(left, int) and isinstance(right, int)) or right == 0:
        decided = isinstance(left, Node) or isinstance(right, Node)
        hint = "multiply the other side instead, or use a table" if decided else None
        raise ExpressionError(Code.NOT_STATIC, "// and % take known whole numbers, and not zero on the right", hint)
    return divmod(left, right)


def read_table(table: StaticTable, keys: list[Expansion | None], env: Bindings, budget: Budget) -> Expanded:
    if len(keys) != len(table.axes):
        raise missing_key(table.name, table.axes, [0] * len(keys), Code.LOOKUP_OUTSIDE_TABLE)
    values: list[Expanded] = [
        list(axis) if key is None else key.run(env) for axis, key in zip(table.axes, keys, strict=True)
    ]
    if any(map(is_list, values)):
        return [_entry(table, list(choice)) for choice in _choices(values, budget)]
    return _entry(table, values)


def _entry(table: StaticTable, keys: list[Expanded]) -> Expanded:
    if all(isinstance(key, (bool, int, Decimal, str)) for key in keys):
        found = table.cells.get(tuple(keys))  # type: ignore[arg-type]
        if found is None:
            raise missing_key(table.name, table.axes, keys, Code.LOOKUP_OUTSIDE_TABLE)
        return found
    return make.lookup(table.name, [as_node(key) for key in keys])


def read_array(array: Array, keys: list[Expansion | None], env: Bindings, budget: Budget) -> Expanded:
    if len(keys) != len(array.axes):
        raise missing_key(array.name, array.axes, [0] * len(keys), Code.INDEX_OUTSIDE_SET)
    values: list[Expanded] = [
        list(axis) if key is None else key.run(env) for axis, key in zip(array.axes, keys, strict=True)
    ]
    try:
        return array.cells[tuple(values)]  # type: ignore[arg-type]
    except (KeyError, TypeError):  # a list of indices, or an index that is not there
        cells = [_cell(array, choice) for choice in _choices(values, budget)]
    return cells


def selected_variables(value: Expanded, used_in: str) -> list[str]:
    """The ground names of the variables that a selection such as plan[d, *] stands for."""
    nodes = value if isinstance(value, list) else [value]
    if not all(isinstance(node, Var) for node in nodes):
        raise ExpressionError(Code.WRONG_KIND, f"{used_in} selects variables", "write name[index, *]")
    return [node.name for node in nodes if isinstance(node, Var)]


def _choices(values: list[Expanded], budget: Budget) -> Iterator[tuple[Expanded, ...]]:
    budget.afford(math.prod(len(value) for value in values if isinstance(value, (list, range))))
    return product(*(value if isinstance(value, (list, range)) else (value,) for value in values))


def _cell(array: Array, key: tuple[Expanded, ...]) -> Expanded:
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
