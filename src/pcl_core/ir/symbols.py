"""What the names in an expression stand for, and what follows from names alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import TopologicalSorter

from pcl_core.ir.domains import AnyVariable
from pcl_core.ir.language import children
from pcl_core.ir.nodes import Node, Ref, Var
from pcl_core.ir.tables import Table


@dataclass(frozen=True)
class Symbols:
    """The variables, tables and definitions that expressions of one problem may name."""

    variables: Mapping[str, AnyVariable] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    definitions: Mapping[str, Node] = field(default_factory=dict)
    _free_in_definition: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def definition_order(self) -> tuple[str, ...]:
        """Definitions, each after the ones it refers to."""
        graph = {name: referenced_definitions(value) for name, value in self.definitions.items()}
        return tuple(TopologicalSorter(graph).static_order())

    def free_variables(self, node: Node) -> frozenset[str]:
        """The variables an expression mentions, definitions expanded. Definitions must not be cyclic."""
        found: set[str] = set()
        pending = [node]
        while pending:
            current = pending.pop()
            if isinstance(current, Var):
                found.add(current.name)
            elif isinstance(current, Ref):
                found |= self.free_in_definition(current.name)
            else:
                pending.extend(children(current))
        return frozenset(found)

    def free_in_definition(self, name: str) -> frozenset[str]:
        """The variables a definition mentions."""
        found = self._free_in_definition.get(name)
        if found is None:
            found = self._free_in_definition[name] = self.free_variables(self.definitions[name])
        return found


def referenced_definitions(node: Node) -> frozenset[str]:
    """The definitions an expression names directly."""
    found, pending = set(), [node]
    while pending:
        current = pending.pop()
        if isinstance(current, Ref):
            found.add(current.name)
        pending.extend(children(current))
    return frozenset(found)
