"""What the names in an expression stand for: variables, tables of exact numbers, definitions; and what follows from names."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from pcl_core.errors import Code
from pcl_core.ir.domains import AnyVariable, Name
from pcl_core.ir.language import children
from pcl_core.ir.nodes import Frozen, Key, Node, Ref, Var
from pcl_core.ir.numbers import Number, NumberField, places, scaled

MAX_AXIS_SPAN = 1_000_000
"""Evaluators keep one entry for every whole number between an axis' smallest and largest key."""


Axis = Annotated[tuple[Key, ...], Field(fail_fast=True)]


class Table(Frozen):
    """Numbers for every combination of keys, one tuple of keys an axis; the last axis varies fastest."""

    name: Name
    axes: tuple[Axis, ...] = Field(min_length=1, fail_fast=True)
    values: tuple[NumberField, ...] = Field(fail_fast=True)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for position, axis in enumerate(self.axes):
            if not axis:
                raise _wrong(Code.EMPTY_DOMAIN, f"axis {position + 1} of table '{self.name}' has no keys")
            if len(set(axis)) < len(axis):
                raise _wrong(Code.DUPLICATE_NAME, f"axis {position + 1} of table '{self.name}' lists a key twice")
            if len({type(key) for key in axis}) > 1:
                raise _wrong(Code.WRONG_KIND, f"axis {position + 1} of table '{self.name}' mixes labels and numbers")
            numbers = [key for key in axis if isinstance(key, int)]
            if numbers and max(numbers) - min(numbers) > MAX_AXIS_SPAN:
                message = (
                    f"the keys of axis {position + 1} of table '{self.name}' lie more than {MAX_AXIS_SPAN:,} apart"
                )
                raise _wrong(Code.TABLE_DATA, message)
        expected = math.prod(len(axis) for axis in self.axes)
        if len(self.values) != expected:
            raise _wrong(
                Code.TABLE_DATA, f"table '{self.name}' needs {expected} values for its axes, got {len(self.values)}"
            )
        return self

    @cached_property
    def positions(self) -> tuple[dict[Key, int], ...]:
        """For each axis, where a key's entries start in `values`."""
        stride, found = len(self.values), []
        for axis in self.axes:
            stride //= len(axis)
            found.append({key: index * stride for index, key in enumerate(axis)})
        return tuple(found)

    @cached_property
    def places(self) -> int:
        """Decimal places that hold every entry exactly."""
        return max(places(value) for value in self.values)

    def at(self, keys: tuple[Key, ...]) -> Number:
        """The entry at the given keys; a key that an axis does not have is a KeyError."""
        return self.values[sum(axis[key] for axis, key in zip(self.positions, keys, strict=True))]

    def entry_bounds(self, possible: Sequence[Collection[Key]]) -> tuple[int, int]:
        """The smallest and largest entry, in units, that the possible keys of each axis can reach; () is all keys."""
        reach = [0]
        for axis, keys in zip(self.positions, possible, strict=bool(possible)):
            starts = [axis[key] for key in keys if key in axis] or list(axis.values())
            reach = [before + start for before in reach for start in starts]
        entries = [self.values[index] for index in reach] if possible else self.values
        units = [scaled(entry, self.places) for entry in entries]
        return min(units), max(units)


def _wrong(code: Code, message: str) -> PydanticCustomError:
    return PydanticCustomError(code.value, "{reason}", {"reason": message})


@dataclass(frozen=True)
class Symbols:
    """The variables, tables and definitions that expressions of one problem may name."""

    variables: Mapping[str, AnyVariable] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    definitions: Mapping[str, Node] = field(default_factory=dict)
    _free_in_definition: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Where each variable comes among all of them."""
        return {name: at for at, name in enumerate(self.variables)}

    @cached_property
    def references(self) -> Mapping[str, frozenset[str]]:
        """The definitions that each definition names directly."""
        return {name: referenced_definitions(value) for name, value in self.definitions.items()}

    @cached_property
    def definition_order(self) -> tuple[str, ...]:
        """Definitions, each after the ones it refers to."""
        return tuple(TopologicalSorter(self.references).static_order())

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
