"""What of a scope does not depend on its points: terms, constraints, and registers over the few variables they mention.

A register that mentions two variables of eight values has a table of 64 entries, made once by combining the tables
of what it is computed from. Where a table would be too large, the register is computed point by point instead.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pcl_core.ir import AnyVariable, Operation, value_at
from pcl_core.ir.vector import COMPARISONS, REDUCTIONS, Integers
from pcl_core.solve import Scope

MAX_TABLE = 2**14

Points = npt.NDArray[np.integer[Any]]
"""Configurations as places in the domains (see `pcl_core.ir.coding`): a row for each own variable, a column for each configuration."""


class Tabulation:
    """The registers of one scope: which own variables each depends on, and its table over them."""

    def __init__(self, scope: Scope) -> None:
        shared = scope.registers
        self.registers, self.features, self.constraints = shared.registers.copied(), shared.features, shared.constraints
        self.variables: tuple[AnyVariable, ...] = scope.variables
        self.sizes = [variable.size for variable in scope.variables]
        self.position = {variable.name: at for at, variable in enumerate(scope.variables)}
        self._context = 1 << len(self.variables)
        self._bits: list[int] = []
        self._supports: dict[int, tuple[int, ...]] = {}
        self._cells: dict[tuple[int, ...], int] = {}
        self._tables: dict[int, Integers] = {}
        # Variables with one value have no axis, so there are never more axes than numpy takes.
        self._axes = [at for at, size in enumerate(self.sizes) if size > 1]
        self._keys = np.array(self.registers.key_offsets, dtype=np.int64)
        self._entries = np.array(self.registers.entries, dtype=np.int64)

    def _mentions(self, number: int) -> int:
        """A bit for each own variable that a register depends on, and one more for the context."""
        bits = self._bits
        if len(bits) <= number:
            registers = self.registers.items
            names = {register: name for name, register in self.registers.variables.items()}
            for register in registers[len(bits) :]:
                found = 0
                if register.operation is Operation.VARIABLE:
                    position = self.position.get(names.get(register.number, ""))
                    found = self._context if position is None else 1 << position
                for arg in register.args:
                    found |= bits[arg]
                bits.append(found)
        return bits[number]

    def mentions_context(self, number: int) -> bool:
        return self._mentions(number) >= self._context

    def support(self, number: int) -> tuple[int, ...]:
        """The own variables a register depends on, by position."""
        bits = self._mentions(number) & (self._context - 1)
        if bits not in self._supports:
            self._supports[bits] = tuple(at for at in range(len(self.variables)) if bits >> at & 1)
        return self._supports[bits]

    def by_support(self, numbers: Iterable[int]) -> dict[tuple[int, ...], list[int]]:
        """Registers that depend on the same own variables, together."""
        found: dict[tuple[int, ...], list[int]] = {}
        for number in numbers:
            found.setdefault(self.support(number), []).append(number)
        return found

    def cells(self, positions: tuple[int, ...]) -> int:
        """How many combinations of values some variables have."""
        if positions not in self._cells:
            self._cells[positions] = math.prod([self.sizes[at] for at in positions])
        return self._cells[positions]

    def fits(self, positions: tuple[int, ...]) -> bool:
        """Whether a table over some variables is small enough to be made."""
        return self.cells(positions) <= MAX_TABLE

    def table(self, number: int) -> Integers:
        """A register over all values of its support: as many axes as there are, of length 1 where it does not depend."""
        found = self._tables.get(number)
        if found is None:
            register = self.registers.items[number]
            if register.operation is Operation.VARIABLE:
                position = self.support(number)[0]
                shape = [self.sizes[at] if at == position else 1 for at in self._axes]
                codes = self.registers.coding.domain(self.variables[position])
                found = np.array(codes, dtype=np.int64).reshape(shape)
            else:
                found = self.computed(number, [self.table(arg) for arg in register.args])
            self._tables[number] = found
        return found

    def computed(self, number: int, args: Sequence[Integers]) -> Integers:
        """A register from what it is computed from (see `pcl_core.ir.registers`)."""
        _, operation, _, factors, offset, *_ = self.registers.items[number]
        if operation is Operation.CONSTANT:
            return np.array(offset, dtype=np.int64)
        if operation is Operation.LINEAR:
            total = np.array(offset, dtype=np.int64)
            for factor, arg in zip(factors, args, strict=True):
                total = total + (arg if factor == 1 else arg * factor)
            return total
        if operation is Operation.LOOKUP:
            entry = self._keys[args[0] + factors[0]]
            for factor, arg in zip(factors[1:], args[1:], strict=True):
                entry = entry + self._keys[arg + factor]
            return self._entries[entry]
        if operation in COMPARISONS:
            return COMPARISONS[operation](args[0], args[1]).astype(np.int64)
        found = args[0]
        for arg in args[1:]:
            found = REDUCTIONS[operation](found, arg)
        return found


class Term(NamedTuple):
    """factor · register, in the units of the feature it belongs to."""

    feature: int
    factor: int
    register: int


class Layout(Tabulation):
    """A conjunction is many constraints: each is tested as soon as its own variables have values."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.context = [self.registers.variables[name] for name in context_names(scope)]
        """The registers of what the context fixes."""
        conjuncts = list(dict.fromkeys(part for number in self.constraints for part in self._conjuncts(number)))
        self.static_constraints = [number for number in conjuncts if not self.mentions_context(number)]
        self.mixed_constraints = [number for number in conjuncts if self.mentions_context(number)]
        self.terms = [term for at, number in enumerate(self.features) for term in self._terms(at, number)]

    def numbers(self, count: float) -> float:
        """How many numbers the tables hold at most that make the utility of so many points: a solve multiplies each once."""
        features: dict[tuple[int, ...], set[int]] = {}
        for term in self.terms:
            features.setdefault(self.support(term.register), set()).add(term.feature)
        return sum(min(count, self.cells(positions)) * len(found) for positions, found in features.items())

    def _conjuncts(self, root: int) -> Iterator[int]:
        """The constraints that all hold where a constraint holds: truth values are 0 or 1, and `and` is the minimum."""
        register = self.registers.items[root]
        if register.operation is not Operation.MIN:
            yield root
            return
        for arg in register.args:
            yield from self._conjuncts(arg)

    def _terms(self, feature: int, root: int) -> Iterator[Term]:
        register = self.registers.items[root]
        if register.operation is not Operation.LINEAR:
            yield Term(feature, 1, root)
            return
        if register.offset:
            yield Term(feature, register.offset, self.registers.one)
        for factor, arg in zip(register.factors, register.args, strict=True):
            yield Term(feature, factor, arg)


def context_names(scope: Scope) -> list[str]:
    """What the context fixes and an expression of the scope reads."""
    known = scope.registers.registers.variables
    return [value.variable.name for value in scope.context if value.variable.name in known]


def likeness(scope: Scope) -> Hashable:
    """Equal for scopes that differ in names alone: what is listed for one serves the other."""
    shared = scope.registers
    registers = shared.registers
    place = {name: -1 - at for at, name in enumerate(context_names(scope))}
    place |= {variable.name: at for at, variable in enumerate(scope.variables)}
    codes: list[Hashable] = []
    for variable in scope.variables:
        if variable.name in registers.variables and registers.is_labelled(variable.name):
            codes.append(tuple(registers.coding.domain(variable)))
        else:  # a first value and a number of them, never all: there may be billions
            codes.append((value_at(variable, 0), variable.size))
    return (
        tuple(codes),
        tuple((number, place[name]) for name, number in registers.variables.items()),
        tuple(registers.items),
        tuple(registers.key_offsets),
        tuple(registers.entries),
        shared.roots,
        len(shared.features),
    )


class Sample:
    """Some points, and the values that registers have there."""

    def __init__(self, tabulation: Tabulation, points: Points) -> None:
        self._tabulation, self._points = tabulation, points
        self._keys: dict[tuple[int, ...], npt.NDArray[np.intp]] = {}
        self._known: dict[int, Integers] = {}

    def _key(self, positions: tuple[int, ...]) -> npt.NDArray[np.intp]:
        if positions not in self._keys:
            self._keys[positions] = dense_keys(self._points, positions, self._tabulation.sizes)
        return self._keys[positions]

    def values(self, number: int) -> Integers:
        """What a register without context is at each point."""
        tabulation = self._tabulation
        support, args = tabulation.support(number), tabulation.registers.items[number].args
        if not args or tabulation.fits(support):
            return tabulation.table(number).reshape(-1)[self._key(support)]
        if number not in self._known:
            self._known[number] = tabulation.computed(number, [self.values(arg) for arg in args])
        return self._known[number]


def dense_keys(points: Points, positions: tuple[int, ...], sizes: Sequence[int]) -> npt.NDArray[np.intp]:
    """A number for each point that tells apart what it has at some variables: its place in a table over them."""
    if not positions:
        return np.zeros(points.shape[1], dtype=np.intp)
    key: npt.NDArray[np.intp] = points[positions[0]].astype(np.intp)
    for position in positions[1:]:
        key *= sizes[position]
        key += points[position]
    return key
