"""What of a scope does not depend on its points: terms, constraints, and what they need of the context."""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from pcl_backends.table.tabulate import Tabulation
from pcl_core.ir import Operation, value_at
from pcl_core.solve import Scope


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
