"""Names, loop variables and loops: what an expression is expanded in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from pcl_core.authoring.infix import ExpressionError, Path
from pcl_core.authoring.values import Array, Member, Scalar, StaticTable, Value, as_node, describe
from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.nodes import Node

MAX_EXPANSION = 2_000_000
MAX_LOOPS = 20
"""Loops inside each other, in one `foreach` or one `sum(...)`."""

Bindings: TypeAlias = dict[str, Member]


@dataclass
class Budget:
    """How much a file may still expand to; loops and nodes both count."""

    left: int = MAX_EXPANSION
    limit: int = MAX_EXPANSION

    def spend(self, amount: int = 1) -> None:
        self.left -= amount
        if self.left < 0:
            message = f"the file expands to more than {self.limit:,} nodes"
            raise ExpressionError(Code.TOO_MANY_NODES, message, "use smaller sets, or raise the limit")


@dataclass
class Names:
    """What the names in a file stand for. `broken` ones were reported already and are not reported again."""

    values: dict[str, Scalar] = field(default_factory=dict)
    sets: dict[str, tuple[Member, ...]] = field(default_factory=dict)
    tables: dict[str, StaticTable] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    truths: set[str] = field(default_factory=set)
    """Ground names of Boolean variables."""
    varying: set[str] = field(default_factory=set)
    """Ground names of variables that are numbers and can be something else than 0 and 1."""
    broken: set[str] = field(default_factory=set)
    budget: Budget = field(default_factory=Budget)

    def all(self) -> Iterator[str]:
        for names in (self.values, self.sets, self.tables, self.arrays):
            yield from names


class AlreadyReportedError(Exception):
    """The expression uses something that was reported as wrong already."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """An expression ready to be expanded; `static` when no decision variable can occur in it."""

    run: Callable[[Bindings], Value]
    static: bool


@dataclass(frozen=True, slots=True)
class Loop:
    """`for targets in members if conditions`"""

    targets: tuple[str, ...]
    members: Expansion
    conditions: list[Expansion]
    path: Path | None = None
    """Where in the file it is written, for loops that have a place of their own."""


def bindings(loops: list[Loop], env: Bindings, budget: Budget, depth: int = 0) -> Iterator[Bindings]:
    """Every binding of the loop variables, outermost first; `env` is updated in place."""
    if depth == len(loops):
        yield env
        return
    loop = loops[depth]
    for member in as_members(loop.members.run(env)):
        budget.spend()
        try:
            bind(loop.targets, member, env)
        except ExpressionError as error:
            error.path = error.path or loop.path
            raise
        if all(known_truth(condition.run(env), "if") for condition in loop.conditions):
            yield from bindings(loops, env, budget, depth + 1)


def bind(targets: tuple[str, ...], member: Member, env: Bindings) -> None:
    if len(targets) == 1:
        env[targets[0]] = member
        return
    if not isinstance(member, tuple) or len(member) != len(targets):
        raise ExpressionError(Code.WRONG_KIND, f"{describe(member)} does not unpack into {', '.join(targets)}")
    env.update(zip(targets, member, strict=True))


def as_members(value: Value) -> list[Member] | range:
    """What a loop can run over: a list whose elements are known."""
    if isinstance(value, range):
        return value
    if not isinstance(value, list):
        raise ExpressionError(
            Code.WRONG_KIND, f"cannot loop over {describe(value)}", "use a set, a list or a range a..b"
        )
    return [member(item) for item in value]


def member(value: Value) -> Member:
    if isinstance(value, (bool, int, Decimal, str)):
        return value
    if isinstance(value, tuple):
        return tuple(scalar(item) for item in value)
    raise ExpressionError(Code.NOT_STATIC, f"{describe(value)} stands where a known value is needed")


def scalar(value: Value) -> Scalar:
    if isinstance(value, (bool, int, Decimal, str)):
        return value
    message = f"{describe(value)} stands where a known single value is needed"
    hint = "a tuple (a, b) holds known values; for decisions write any(x == a and y == b for a, b in ...)"
    raise ExpressionError(Code.NOT_STATIC, message, hint)


def truth(value: Value, used_in: str) -> Node:
    """A truth value; the numbers 0 and 1 from data count as one."""
    if isinstance(value, int) and not isinstance(value, bool) and value in (0, 1):
        return make.node(bool(value))
    if isinstance(value, (int, Decimal, str, list, tuple, range)) and not isinstance(value, bool):
        raise ExpressionError(Code.WRONG_KIND, f"'{used_in}' needs truth values, not {describe(value)}")
    return as_node(value)


def known_truth(value: Value, used_in: str) -> bool:
    """A truth value that decides something while the file is read; what is not known is never taken for false."""
    known = make.truth(truth(value, used_in))
    if known is None:
        raise ExpressionError(Code.NOT_STATIC, f"'{used_in}' needs a truth value that is known before solving")
    return known
