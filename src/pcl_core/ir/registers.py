"""Expressions as registers of whole numbers: nine operations carry the whole language.

    x < y, x <= y, x == y, x != y     comparisons, after both sides are brought to the same decimal places
    offset + Σ factor · x             sums; also negation and changes of decimal places
    Π x, min x, max x                 products; `and` is min, `or` is max
    entries[Σ keys[factor + x]]       table look-ups; `factor` is where an axis' keys start

Values are coded as `pcl_core.ir.coding` says. Equal registers are shared.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from pcl_core.ir.coding import Coding
from pcl_core.ir.domains import is_labelled
from pcl_core.ir.language import decomposed
from pcl_core.ir.nodes import And, Cmp, Const, In, Label, Lookup, Max, Min, Node, Not, Or, Product, Ref, Sum, Var
from pcl_core.ir.numbers import Number, places, scaled
from pcl_core.ir.symbols import Symbols, Table


class Operation(IntEnum):
    VARIABLE = 0
    CONSTANT = 1
    LINEAR = 2
    PRODUCT = 3
    MIN = 4
    MAX = 5
    EQ = 6
    NE = 7
    LT = 8
    LE = 9
    LOOKUP = 10


class Register(NamedTuple):
    """One whole number computed from others; `height` is how many steps it is away from the variables."""

    number: int
    operation: Operation
    args: tuple[int, ...] = ()
    factors: tuple[int, ...] = ()
    offset: int = 0
    places: int = 0
    height: int = 0

    @property
    def group(self) -> tuple[int, Operation, int]:
        """Registers of one group are computed together; look-ups only with as many keys."""
        return self.height, self.operation, len(self.args) if self.operation is Operation.LOOKUP else 0


_REGROUPED = (Operation.LINEAR, Operation.PRODUCT, Operation.MIN, Operation.MAX)
_MIRRORED = {">": Operation.LT, ">=": Operation.LE}
_DIRECT = {"==": Operation.EQ, "!=": Operation.NE, "<": Operation.LT, "<=": Operation.LE}


class Registers:
    """Collects the registers of several expressions of one problem."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.items: list[Register] = []
        self.variables: dict[str, int] = {}
        self.names: dict[int, str] = {}
        """The variables by their numbers."""
        self.coding = Coding()
        self.key_offsets: list[int] = []
        self.entries: list[int] = []
        self._known: dict[tuple[object, ...], int] = {}
        self._seen: dict[int, tuple[Node, int]] = {}
        self._definitions: dict[str, int] = {}
        self._axes: dict[tuple[str, int], int] = {}
        self._tables: dict[str, int] = {}
        self._lookups: dict[tuple[str, tuple[int, ...]], int] = {}

    def copied(self) -> "Registers":
        """One that knows all that this one knows, and learns more on its own."""
        made = Registers(self._symbols)
        made.items, made.variables, made.coding = [*self.items], {**self.variables}, self.coding.copied()
        made.names = {**self.names}
        made.key_offsets, made.entries = [*self.key_offsets], [*self.entries]
        made._known, made._definitions = {**self._known}, {**self._definitions}
        made._axes, made._tables, made._lookups = {**self._axes}, {**self._tables}, {**self._lookups}
        return made

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_seen": {}}  # identities mean nothing in another process

    def reached(self, roots: Sequence[int], inputs: Iterable[int] = ()) -> list[Register]:
        """The registers that the roots are computed from, in order; nothing below the inputs is looked at."""
        found, pending, given = set(roots), [*roots], set(inputs)
        while pending:
            number = pending.pop()
            if number not in given:
                new = [arg for arg in self.items[number].args if arg not in found]
                found.update(new)
                pending.extend(new)
        return [self.items[number] for number in sorted(found)]

    def separated(self, roots: Sequence[int], early: Callable[[int], bool]) -> tuple[list[int], list[int]]:
        """Registers of the same values, and the early ones they are computed from.

        All early arguments of a sum, product, minimum or maximum become one.
        """
        made: dict[int, int] = {}
        inputs: dict[int, None] = {}
        for register in self.reached(roots):
            number, operation, args, factors, offset, digits, _ = register
            if early(number) or not args:
                made[number] = number
                continue
            first = [at for at, arg in enumerate(args) if early(arg)]
            if len(first) > 1 and operation in _REGROUPED:
                some, rest = [args[at] for at in first], [at for at in range(len(args)) if at not in first]
                within = digits
                if operation is Operation.PRODUCT:
                    within = sum(self.items[arg].places for arg in some)
                one = self._new(operation, some, [factors[at] for at in first] if factors else (), 0, within)
                args = (one, *(args[at] for at in rest))
                factors = (1, *(factors[at] for at in rest)) if factors else ()
                made[one] = one
            inputs.update((arg, None) for arg in args if early(arg) and not self._is_constant(arg))
            made[number] = self._new(operation, [made[arg] for arg in args], factors, offset, digits)
        return [made[root] for root in roots], list(inputs)

    def add(self, node: Node) -> int:
        """The number of the register that holds the expression's value; a shared node is added once."""
        if isinstance(node, Var):
            number = self.variables.get(node.name)
            return self._variable(node.name) if number is None else number
        found = self._seen.get(id(node))
        if found is None:
            found = (node, self._added(node))  # the node stays alive, so that its identity is not used again
            self._seen[id(node)] = found
        return found[1]

    def _added(self, node: Node) -> int:
        match node:  # the usual kinds first: every kind that a node is not takes time
            case Lookup():
                return self._lookup(node)
            case Label():
                return self._new(Operation.CONSTANT, offset=self.coding.code(node.value))
            case Cmp():
                left, right = self.add(node.left), self.add(node.right)
                if node.rel in _MIRRORED:
                    return self._compare(_MIRRORED[node.rel], right, left)
                return self._compare(_DIRECT[node.rel], left, right)
            case Const():
                return self._constant(int(node.value) if isinstance(node.value, bool) else node.value)
            case Ref():
                if node.name not in self._definitions:
                    self._definitions[node.name] = self.add(self._symbols.definitions[node.name])
                return self._definitions[node.name]
            case Var():
                raise AssertionError("`add` has answered this already")
            case Sum():
                return self._linear(node.coefs, [self.add(arg) for arg in node.args], node.constant)
            case Not():
                return self._negation(self.add(node.arg))
            case Product():
                args = [self.add(arg) for arg in node.args]
                return self._new(Operation.PRODUCT, args, places=sum(self.items[a].places for a in args))
            case Min() | And():
                return self._reduce(Operation.MIN, [self.add(arg) for arg in node.args])
            case Max() | Or():
                return self._reduce(Operation.MAX, [self.add(arg) for arg in node.args])
            case In():
                arg = self.add(node.arg)
                wanted = [self._constant(v) if isinstance(v, int) else self.add(Label(value=v)) for v in node.values]
                return self._reduce(Operation.MAX, [self._compare(Operation.EQ, arg, value) for value in wanted])
            case _:
                return self.add(decomposed(node))

    def _new(
        self,
        operation: Operation,
        args: Sequence[int] = (),
        factors: Sequence[int] = (),
        offset: int = 0,
        places: int = 0,
    ) -> int:
        key = (operation, tuple(args), tuple(factors), offset, places)
        found = self._known.get(key)
        if found is None:
            height = 1 + max([self.items[arg].height for arg in args]) if args else 0
            found = len(self.items)
            # Added first, then known: whatever an interrupt leaves behind, nothing refers to what is not there.
            self.items.append(Register(found, *key, height))
            self._known[key] = found
        return found

    @property
    def one(self) -> int:
        """The register that is always 1."""
        return self._constant(1)

    def _constant(self, value: Number) -> int:
        return self._new(Operation.CONSTANT, offset=scaled(value, places(value)), places=places(value))

    def _variable(self, name: str) -> int:
        if self.is_labelled(name):
            self.coding.domain(self._symbols.variables[name])
        number = len(self.items)
        self.items.append(Register(number, Operation.VARIABLE))
        self.names[number] = name  # first: after an interrupt, what counts as a variable has its name
        self.variables[name] = number
        return number

    def _is_constant(self, number: int) -> bool:
        return self.items[number].operation is Operation.CONSTANT

    def is_labelled(self, name: str) -> bool:
        return is_labelled(self._symbols.variables[name])

    def _linear(self, coefs: Sequence[Number], args: Sequence[int], constant: Number = 0) -> int:
        held = [self.items[arg].places for arg in args]
        digits = max([places(constant), *[places(c) + p for c, p in zip(coefs, held, strict=True)]])
        factors = [scaled(coef, digits - p) for coef, p in zip(coefs, held, strict=True)]
        return self._new(Operation.LINEAR, args, factors, scaled(constant, digits), digits)

    def _negation(self, arg: int) -> int:
        return self._linear([-1], [arg], 1)

    def _aligned(self, args: Sequence[int]) -> tuple[list[int], int]:
        held = [self.items[arg].places for arg in args]
        digits = max(held)
        return [
            arg if at == digits else self._at_places(arg, digits) for arg, at in zip(args, held, strict=True)
        ], digits

    def _at_places(self, arg: int, digits: int) -> int:
        return self._new(Operation.LINEAR, [arg], [10 ** (digits - self.items[arg].places)], 0, digits)

    def _reduce(self, operation: Operation, args: Sequence[int]) -> int:
        aligned, digits = self._aligned(args)
        return aligned[0] if len(aligned) == 1 else self._new(operation, aligned, places=digits)

    def _compare(self, operation: Operation, left: int, right: int) -> int:
        return self._new(operation, self._aligned((left, right))[0])

    def _lookup(self, node: Lookup) -> int:
        keys = tuple([self.add(key) for key in node.keys])
        found = self._lookups.get((node.table, keys))
        if found is None:
            table = self._symbols.tables[node.table]
            base = self._entry_base(table)
            factors = [self._axis(table, axis) for axis in range(len(keys))]
            found = self._new(Operation.LOOKUP, keys, factors, base, table.places)
            self._lookups[node.table, keys] = found
        return found

    def _entry_base(self, table: Table) -> int:
        if table.name not in self._tables:
            base = len(self.entries)
            self.entries.extend([scaled(value, table.places) for value in table.values])
            self._tables[table.name] = base
        return self._tables[table.name]

    def _axis(self, table: Table, axis: int) -> int:
        """Where `key_offsets` holds this axis: entry (start + key) says where the key's table entries begin."""
        if (table.name, axis) not in self._axes:
            starts = {self.coding.code(key): at for key, at in table.positions[axis].items()}
            lowest, highest = min(starts), max(starts)
            first, base = len(self.key_offsets) - lowest, self._tables[table.name] if axis == 0 else 0
            self.key_offsets.extend([starts.get(key, 0) + base for key in range(lowest, highest + 1)])
            self._axes[table.name, axis] = first
        return self._axes[table.name, axis]
