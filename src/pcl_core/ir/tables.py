"""Tables of exact numbers, read at labels or whole numbers."""

import math
from functools import cached_property
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from pcl_core.errors import Code
from pcl_core.ir.domains import Name
from pcl_core.ir.nodes import Frozen, Key
from pcl_core.ir.numbers import Number, NumberField, places

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


def _wrong(code: Code, message: str) -> PydanticCustomError:
    return PydanticCustomError(code.value, "{reason}", {"reason": message})
