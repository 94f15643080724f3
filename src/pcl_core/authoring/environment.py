"""What an expression is expanded in: names, loop variables, loops, and how much a file may expand to, so that every file is
answered in bounded time.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol, TypeAlias

from pcl_core.authoring.spelling import ExpressionError
from pcl_core.authoring.values import Array, Expanded, Member, Members, Scalar, StaticTable, describe
from pcl_core.errors import Code, DataPath
from pcl_core.ir import make
from pcl_core.ir.domains import Kind
from pcl_core.ir.language import kind_of
from pcl_core.ir.nodes import Node, Ref

MAX_EXPANSION = 200_000
"""Nodes; as many take about three seconds and 300 MB to expand and check."""

STEPS_A_NODE = 32
STEPS_A_PARSE = 3 * STEPS_A_NODE
LETTERS_A_STEP = 4


class Budget:
    """How much a file may still expand to, counted while it happens.

    What costs is counted in steps: one to compute a part of an expression, more to make something that stays. A node
    is some thirty of them, and what the limit is said in.
    """

    def __init__(self, limit: int = MAX_EXPANSION) -> None:
        self.limit = limit
        self.left = limit * STEPS_A_NODE

    @property
    def spent(self) -> int:
        """Steps."""
        return self.limit * STEPS_A_NODE - self.left

    def afford(self, steps: int) -> None:
        """Refuse what would be too much before any of it is done."""
        if steps > self.left:
            message = f"the file expands to more than the limit of {self.limit:,} nodes"
            hint = "use smaller sets or shorter texts, or raise the limit"
            raise ExpressionError(Code.TOO_MANY_NODES, message, hint)

    def spend(self, steps: int = 1) -> None:
        if steps > self.left:
            self.afford(steps)
        self.left -= steps

    def node(self) -> None:
        self.spend(STEPS_A_NODE)

    def text(self, text: str) -> str:
        """The text, which is kept."""
        self.spend(1 + len(text) // LETTERS_A_STEP)
        return text


MAX_LOOPS = 20
"""Loops inside each other, in one `foreach` or one `sum(...)`."""

Bindings: TypeAlias = dict[str, Member]


@dataclass
class Names:
    """What the names in a file stand for. `broken` ones were reported already and are not reported again."""

    values: dict[str, Scalar] = field(default_factory=dict)
    sets: dict[str, tuple[Member, ...]] = field(default_factory=dict)
    tables: dict[str, StaticTable] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    """By ground name of a variable: what it is."""
    varying: set[str] = field(default_factory=set)
    """Ground names of variables that are numbers and can be something else than 0 and 1."""
    defined: dict[str, Kind | Ref] = field(default_factory=dict)
    """By ground name of a definition: what it is, or the definition that it stands for."""
    undecided: bool = False
    """Whether a definition was used as a condition before it was known what it is."""
    broken: set[str] = field(default_factory=set)
    budget: Budget = field(default_factory=Budget)
    _lists: dict[str, Members] = field(default_factory=dict)

    def members(self, name: str) -> Members:
        """A set's members as expressions use them: one list, however many expressions do."""
        if name not in self._lists:
            self._lists[name] = Members(self.sets[name])
        return self._lists[name]

    def kind(self, node: Node) -> Kind:
        """What sort of value a node has; unknown for a definition that is not made yet."""
        return kind_of(
            node, lambda named: self._kind_defined(named) if isinstance(named, Ref) else self.kinds[named.name]
        )

    def _kind_defined(self, ref: Ref) -> Kind:
        """Along a chain of definitions that only name each other, which is then made short for whoever asks next."""
        passed: dict[str, Ref] = {}
        found: Kind | Ref | None = ref
        while isinstance(found, Ref) and found.name not in passed:
            passed[found.name] = found
            found = self.defined.get(found.name)
        if found is None:
            _, last = passed.popitem()
            self.defined.update(dict.fromkeys(passed, last))
            return Kind.UNKNOWN
        kind = found if isinstance(found, Kind) else Kind.UNKNOWN  # a circle, which is reported elsewhere
        self.defined.update(dict.fromkeys(passed, kind))
        return kind

    def define(self, name: str, node: Node, number: bool) -> None:
        """Note what a definition is, for those who use it as a condition."""
        if number:
            self.defined[name] = Kind.NUMBER
        elif isinstance(node, Ref):
            self.defined[name] = self.defined.get(node.name, node)
        else:
            self.defined[name] = self.kind(node)

    def has(self, name: str) -> bool:
        return any(name in names for names in (self.values, self.sets, self.tables, self.arrays))

    def all(self) -> Iterator[str]:
        for names in (self.values, self.sets, self.tables, self.arrays):
            yield from names


class AlreadyReportedError(Exception):
    """The expression uses something that was reported as wrong already."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """An expression ready to be expanded; `static` when no decision variable can occur in it."""

    run: Callable[[Bindings], Expanded]
    static: bool
    number: bool = False
    """Whether it is written as a number and not static: a sum is one even where its only term is a truth value."""


class Narrowed(Protocol):
    """A way to the members that can pass the conditions of a loop."""

    def __call__(self, env: Bindings) -> Sequence[Member] | None: ...

    @property
    def helps(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Loop:
    """`for targets in members if conditions`"""

    targets: tuple[str, ...]
    members: Expansion
    conditions: list[Expansion]
    path: DataPath | None = None
    """Where in the file it is written, for loops that have a place of their own."""
    cost: int = 1
    """Steps that each turn takes: how much is computed in it."""
    size: int | None = None
    """How many turns it has, where that is known before any loop around it runs."""
    narrowed: Narrowed | None = None
    """Finds the members that can pass the conditions, where that needs no test of each."""


def bindings(loops: list[Loop], env: Bindings, budget: Budget, depth: int = 0) -> Iterator[Bindings]:
    """Every binding of the loop variables, outermost first; `env` is updated in place."""
    if depth == len(loops):
        yield env
        return
    loop = loops[depth]
    members: Sequence[Member] | None = loop.narrowed(env) if loop.narrowed is not None else None
    if members is None:
        members = as_members(loop.members.run(env))
    budget.afford(len(members) * loop.cost)
    for member in members:
        budget.spend(loop.cost)
        try:
            bind(loop.targets, member, env)
        except ExpressionError as error:
            error.path = error.path or loop.path
            raise
        if all(known_truth(condition.run(env), "if") for condition in loop.conditions):
            yield from bindings(loops, env, budget, depth + 1)


def afford_turns(loops: list[Loop], budget: Budget) -> None:
    """Refuse too many turns from the sizes of the loops alone; each makes something, unless an `if` may say no.

    An `if` that looks up whom it lets pass costs little for all others, but not nothing: sets may be that large.
    """
    sizes = [loop.size for loop in loops if loop.size is not None]
    if len(sizes) == len(loops):
        turns = math.prod(sizes)
        if any(loop.narrowed is not None and loop.narrowed.helps for loop in loops):
            budget.afford(turns // STEPS_A_NODE)
        else:
            budget.afford(turns if any(loop.conditions for loop in loops) else turns * STEPS_A_NODE)


def bind(targets: tuple[str, ...], member: Member, env: Bindings) -> None:
    if len(targets) == 1:
        env[targets[0]] = member
        return
    if not isinstance(member, tuple) or len(member) != len(targets):
        raise ExpressionError(Code.WRONG_KIND, f"{describe(member)} does not unpack into {', '.join(targets)}")
    env.update(zip(targets, member, strict=True))


def as_members(value: Expanded) -> list[Member] | Members | range:
    """What a loop can run over: a list whose elements are known."""
    if isinstance(value, (range, Members)):
        return value
    if not isinstance(value, list):
        raise ExpressionError(
            Code.WRONG_KIND, f"cannot loop over {describe(value)}", "use a set, a list or a range a..b"
        )
    return [member(item) for item in value]


def member(value: Expanded) -> Member:
    if isinstance(value, (bool, int, Decimal, str)):
        return value
    if isinstance(value, tuple):
        return tuple(scalar(item) for item in value)
    raise ExpressionError(Code.NOT_STATIC, f"{describe(value)} stands where a known value is needed")


def scalar(value: Expanded) -> Scalar:
    if isinstance(value, (bool, int, Decimal, str)):
        return value
    message = f"{describe(value)} stands where a known single value is needed"
    hint = "a tuple (a, b) holds known values; for decisions write any(x == a and y == b for a, b in ...)"
    raise ExpressionError(Code.NOT_STATIC, message, hint)


def truth(value: Expanded, used_in: str, names: Names, number: bool = False) -> Node:
    """A truth value; the numbers 0 and 1 from data count as one. `number` says that it is written as a number.

    Folding multiplies with a condition and unwraps what stands alone, so what is wanted as a truth value is looked at
    here, before anything is made of it.
    """
    if not number and isinstance(value, bool | int) and value in (0, 1):
        return make.node(bool(value))
    if not isinstance(value, Node):
        raise _no_truth(used_in, describe(value))
    kind = Kind.NUMBER if number else names.kind(value)
    if kind in (Kind.NUMBER, Kind.LABEL):
        raise _no_truth(used_in, kind)
    names.undecided |= kind is Kind.UNKNOWN
    return value


def known_truth(value: Expanded, used_in: str) -> bool:
    """A truth value that decides something while the file is read; what is not known is never taken for false."""
    if isinstance(value, Node):
        raise ExpressionError(Code.NOT_STATIC, f"'{used_in}' needs a truth value that is known before solving")
    if isinstance(value, bool | int) and value in (0, 1):
        return bool(value)
    raise _no_truth(used_in, describe(value))


def _no_truth(used_in: str, given: str) -> ExpressionError:
    return ExpressionError(Code.WRONG_KIND, f"'{used_in}' needs truth values, not {given}", "compare it with something")
