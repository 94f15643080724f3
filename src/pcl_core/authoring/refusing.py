"""What looks like an expression in Python and is none: operators that raise a sentence instead of deciding."""

from collections.abc import Iterable
from typing import Final

from pcl_core.errors import Code, Issue, MisuseError

REFUSED: Final = {
    "/": (("truediv", "rtruediv"), "division is not exact; multiply the other side instead"),
    "//": (("floordiv", "rfloordiv", "divmod", "rdivmod"), "read a table at it"),
    "%": (("mod", "rmod"), "read a table at it"),
    "**": (("pow", "rpow"), "powers are not linear; read a table at it"),
    "@": (("matmul", "rmatmul"), "write total(a * b for ...)"),
    "<< and >>": (("lshift", "rlshift", "rshift", "rrshift"), "write (~p) | q or p.implies(q)"),
    "^": (("xor", "rxor"), "for exactly one of two truth values write p != q"),
    "index or slice": (("getitem",), "only arrays and tables have one"),
    "members that Python could look for with `in`": (
        ("contains",),
        "for one of several known values write x.is_in([...]); to compare write x == value",
    ),
    "length, and cannot be looped over": (("len", "iter", "reversed"), "put it in a list: [...]"),
    "call": (("call",), "an index goes in square brackets"),
    "number before solving": (
        ("int", "float", "complex", "index", "round", "trunc", "floor", "ceil"),
        "use it inside expressions; an array cannot be indexed by a decision, but a table can be read at one",
    ),
}
"""What is refused, by the names of Python's methods, and what to write instead."""


def refuse(kind: type, methods: Iterable[str], message: str, hint: str) -> None:
    """Let methods of a class raise a sentence; type checkers do not see them, and so refuse them by themselves."""

    def refused(self: object, *others: object, **named: object) -> object:
        raise MisuseError(Issue(Code.BAD_EXPRESSION, message, hint))

    for method in methods:
        setattr(kind, f"__{method}__", refused)


_BUILDING: Final = (
    "add", "radd", "sub", "rsub", "mul", "rmul", "neg", "pos", "abs",
    "and", "rand", "or", "ror", "invert", "eq", "ne", "lt", "le", "gt", "ge",
)  # fmt: skip
"""The operators that make expressions of expressions."""


def refuse_operators(kind: type, name: str, instead: str) -> None:
    """Arrays and tables take part in no operation; Python would decide == and != by itself."""
    symbols = [method for symbol in ("/", "//", "%", "**", "@", "<< and >>", "^") for method in REFUSED[symbol][0]]
    refuse(kind, [*_BUILDING, *symbols, "bool", "call"], f"{name} stands where a single value is needed", instead)
    kind.__hash__ = object.__hash__  # type: ignore[assignment]
