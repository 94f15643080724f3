"""The functions that expressions may call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TypeAlias

from pcl_core.authoring.environment import Names, truth
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import Expanded, as_node, describe, simplified
from pcl_core.errors import Code, suggest
from pcl_core.ir import make
from pcl_core.ir.nodes import Node

MAX_LISTED = 100_000

Arguments: TypeAlias = Sequence[Expanded]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the language; `takes_many` ones also accept a list or `... for ... in ...`."""

    name: str
    apply: Callable[[Arguments], Expanded]
    takes_many: bool = False
    of_truths: bool = False
    """Whether its arguments are conditions."""
    number: bool = False
    """Whether it gives a number."""

    def __call__(self, values: Arguments, names: Names, number: bool) -> Expanded:
        """What it makes of arguments, of which one may be written as a number."""
        return self.apply([truth(value, self.name, names, number) for value in values] if self.of_truths else values)


def _nodes(values: Arguments, used_in: str) -> list[Node]:
    for value in values:
        if isinstance(value, (str, list, tuple, range)) and used_in != "all_different":
            raise ExpressionError(Code.WRONG_KIND, f"'{used_in}' cannot use {describe(value)}")
    return [as_node(value) for value in values]


def _all_different(values: Arguments) -> Expanded:
    if len({isinstance(value, str) for value in values if isinstance(value, (bool, int, Decimal, str))}) > 1:
        raise ExpressionError(Code.WRONG_KIND, "'all_different' takes all numbers or all labels, not both")
    return simplified(make.all_different(_nodes(values, "all_different")))


def _some(values: Arguments, used_in: str) -> list[Node]:
    if not values:
        raise ExpressionError(Code.EMPTY_DOMAIN, f"'{used_in}' of nothing has no value")
    return _nodes(values, used_in)


def _exactly(values: Arguments, count: int, used_in: str) -> None:
    if len(values) != count:
        raise ExpressionError(
            Code.BAD_EXPRESSION, f"'{used_in}' takes {count} argument{'s' * (count != 1)}, not {len(values)}"
        )


def _absolute(values: Arguments) -> Expanded:
    _exactly(values, 1, "abs")
    return simplified(make.absolute(_nodes(values, "abs")[0]))


def _implies(values: Arguments) -> Expanded:
    _exactly(values, 2, "implies")
    return simplified(make.implies(*_nodes(values, "implies")))


def _iff(values: Arguments) -> Expanded:
    _exactly(values, 2, "iff")
    return simplified(make.iff(*_nodes(values, "iff")))


def _members(values: Arguments, used_in: str) -> Sequence[Expanded]:
    _exactly(values, 1, used_in)
    if not isinstance(values[0], (list, range)):
        raise ExpressionError(Code.WRONG_KIND, f"'{used_in}' takes a set, a list or a range, not {describe(values[0])}")
    return values[0]


def _consecutive(values: Arguments) -> Expanded:
    members = _members(values, "consecutive")
    if len(members) > MAX_LISTED:
        raise ExpressionError(Code.TOO_MANY_NODES, f"'consecutive' takes at most {MAX_LISTED:,} members")
    return [(before, after) for before, after in pairwise(members)]


FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        Function("sum", lambda v: simplified(make.linear((1, n) for n in _nodes(v, "sum"))), True, number=True),
        Function("min", lambda v: simplified(make.minimum(_some(v, "min"))), True, number=True),
        Function("max", lambda v: simplified(make.maximum(_some(v, "max"))), True, number=True),
        Function("any", lambda v: simplified(make.disjunction(_nodes(v, "any"))), True, of_truths=True),
        Function("all", lambda v: simplified(make.conjunction(_nodes(v, "all"))), True, of_truths=True),
        Function("count", lambda v: simplified(make.count(_nodes(v, "count"))), True, of_truths=True, number=True),
        Function("all_different", _all_different, True),
        Function("abs", _absolute, number=True),
        Function("implies", _implies, of_truths=True),
        Function("iff", _iff, of_truths=True),
        Function("size", lambda v: len(_members(v, "size"))),
        Function("consecutive", _consecutive),
    )
}

OTHER_NAMES: dict[str, str] = {
    "range": "write a..b; both ends belong to it, so range(0, 5) is 0..4",
    "len": "write size(...)",
    "length": "write size(...)",
    "card": "write size(...)",
    "prod": "write a * b; only one factor may be a decision that is not Boolean",
    "product": "write a * b; only one factor may be a decision that is not Boolean",
    "pow": "powers of decisions are not linear; use a table",
    "sqrt": "use a table",
    "round": "numbers are exact; use // on whole numbers known in advance",
    "int": "numbers are exact; use // on whole numbers known in advance",
    "float": "leave it out; numbers are exact as written",
    "str": "write labels in quotes",
    "bool": "write a comparison, such as x >= 1",
    "set": "write a list [a, b]",
    "list": "write a list [a, b]",
    "tuple": "write (a, b)",
    "sorted": "sets keep the order in which they are written",
    "zip": "write a set of tuples [[a, b], ...] in the section `sets`",
    "enumerate": "write a range 1..size(A) and a table",
    "union": "write A | B",
    "intersection": "write A & B",
    "intersect": "write A & B",
    "difference": "write A - B",
    "diff": "write A - B",
    "forall": "write all(... for ... in ...)",
    "exists": "write any(... for ... in ...)",
    "alldifferent": "write all_different(...)",
    "alldiff": "write all_different(...)",
    "distinct": "write all_different(...)",
    "xor": "write p != q",
    "not_": "write not p",
    "if_then": "write implies(p, q)",
    "ite": "write a if p else b",
    "choose": "write a if p else b",
    "total": "write sum(...)",
    "mean": "write sum(...) and compare it with a multiple of the size",
    "avg": "write sum(...) and compare it with a multiple of the size",
    "any_of": "write any(...)",
    "all_of": "write all(...)",
    "smallest": "write min(...)",
    "minimum": "write min(...)",
    "largest": "write max(...)",
    "maximum": "write max(...)",
}
"""Functions of other languages, and of the Python builder, with what to write instead."""
_KNOWN = f"functions are {', '.join(FUNCTIONS)}"


def instead_of(name: str) -> str:
    """A hint for a function that the language does not have."""
    small = name.lower().replace("_", "")
    for known in FUNCTIONS:
        if small == known.replace("_", "") and name != known:
            return f"write {known}(...)"
    return OTHER_NAMES.get(name) or OTHER_NAMES.get(small) or suggest(name, FUNCTIONS) or _KNOWN
