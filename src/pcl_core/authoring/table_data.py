"""Tables from Python data: nested mappings, or lists in the order of the axes."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from pcl_core.authoring import arguments
from pcl_core.errors import Code, suggest
from pcl_core.ir.nodes import Key
from pcl_core.ir.numbers import Number
from pcl_core.ir.symbols import Table

TableData: TypeAlias = "Mapping[Any, Any] | Sequence[Any] | int | float | Decimal"
Axes: TypeAlias = tuple[tuple[Key, ...], ...]


def table_of(name: str, data: TableData, given: tuple[Sequence[Key], ...]) -> Table:
    """A table with an entry for every combination of keys.

    With axes, a level of the data is a mapping that holds the keys of its axis, or a list in their order. Without,
    the keys of the mappings are the axes, and every mapping of a level has the same keys.
    """
    owner = f"table '{name}'"
    axes = tuple(arguments.keys(axis, f"an axis of {owner}", "labels or whole numbers") for axis in given)
    if not axes:
        axes = tuple(_derived(data, owner))
        _check_even(data, axes, owner, ())
    values = tuple(_entry(data, axes, keys, owner) for keys in product(*axes))
    with arguments.findings(owner):
        return Table(name=name, axes=axes, values=values)


def _derived(data: object, owner: str) -> Iterator[tuple[Key, ...]]:
    if not isinstance(data, Mapping):
        hint = "give a mapping, or the axes: build.table(name, data, axis)"
        raise arguments.misuse(f"the data of {owner} is a mapping from keys to numbers, not {_shape(data)}", hint)
    while isinstance(data, Mapping):
        if any(isinstance(key, tuple) for key in data):
            hint = "nest the mappings: {'a': {'b': 1}} for ('a', 'b')"
            raise arguments.misuse(f"{owner} has tuples as keys", hint)
        yield arguments.keys(data, f"the keys of {owner}", "keys")
        data = next(iter(data.values()))


def _check_even(data: object, axes: Axes, owner: str, above: tuple[Key, ...]) -> None:
    """Nothing may be left over: a key that only some of the mappings have would be dropped without a word."""
    if not axes or not isinstance(data, Mapping):
        return
    for key in data:
        if key not in axes[0]:
            message = f"{owner} has an entry at {_place((*above, key))}, but other rows have none for '{key}'"
            raise arguments.wrong(Code.TABLE_DATA, message, suggest(str(key), map(str, axes[0])))
        _check_even(data[key], axes[1:], owner, (*above, key))


def _entry(data: object, axes: Axes, keys: tuple[Key, ...], owner: str) -> Number:
    for depth, (axis, key) in enumerate(zip(axes, keys, strict=True)):
        if isinstance(data, Mapping):
            if key not in data:
                message = f"{owner} has no value for {_place(keys[: depth + 1])}"
                raise arguments.wrong(
                    Code.TABLE_DATA, message, suggest(str(key), map(str, data)) or "add it to the data"
                )
            data = data[key]
        elif isinstance(data, (list, tuple, np.ndarray)) and np.ndim(data) != 0:
            if len(data) != len(axis):
                message = f"{owner} has {len(data)} values for the {len(axis)} keys of axis {depth + 1}"
                raise arguments.wrong(Code.TABLE_DATA, message, "give one for each key, in the order of the axis")
            data = data[axis.index(key)]
        else:
            message = (
                f"the data of {owner} has {depth} levels at {_place(keys[:depth])}, but the table {len(axes)} axes"
            )
            raise arguments.wrong(Code.TABLE_DATA, message)
    if isinstance(data, (Mapping, list, tuple, np.ndarray)):
        message = f"the data of {owner} has more levels at {_place(keys)} than the table has axes ({len(axes)})"
        raise arguments.wrong(Code.TABLE_DATA, message, "give an axis for each level")
    return arguments.number(data, f"the entry of {owner} at {_place(keys)}")


def _place(keys: tuple[object, ...]) -> str:
    return f"[{', '.join(map(str, keys))}]"


def _shape(data: object) -> str:
    return "a list" if isinstance(data, (list, tuple, np.ndarray)) else arguments.described(data)
