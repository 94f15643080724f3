"""What a problem means, apart from how it is presented to people.

Each side has a canonical text and a hash of its own. A field is meaning unless its type says that it is `Outside`, and a
field that has its default is not written: a new optional field changes no hash of a problem that does not use it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from pcl_core.ir.domains import Name, Outside, Text
from pcl_core.ir.nodes import Frozen
from pcl_core.ir.numbers import serialize_number
from pcl_core.model.elements import NameList

KINDS = frozenset({"op", "domain"})
"""Fields that tell what sort of thing this is. Each sort has its own default, which is written all the same."""


class Shown(Frozen):
    """What people see of one element."""

    label: Text = ""
    unit: Text = ""


class Lane(Frozen):
    """A row or a column of a board, and the variables that stand in it."""

    label: Text = ""
    variables: NameList


class Display(Frozen):
    """How a problem is laid out for people. A variable stands where its row and its column meet."""

    board: Name
    """What sort of board it is, such as `calendar`; who does not know it shows the parts one by one."""
    rows: tuple[Lane, ...] = ()
    columns: tuple[Lane, ...] = ()


class Presentation(Frozen):
    """What people see of a problem. Elements of which nothing is said are left out: they are shown by their names."""

    label: Text = ""
    description: Text = ""
    display: Display | None = None
    variables: Mapping[str, Shown] = {}
    definitions: Mapping[str, Shown] = {}
    constraints: Mapping[str, Shown] = {}
    features: Mapping[str, Shown] = {}
    parts: Mapping[str, Shown] = {}


def presentation_of(problem: Frozen, sections: Mapping[str, Iterable[Any]]) -> Presentation:
    """What is shown of a problem and of the named elements in its sections."""
    shown = {
        section: {element.name: Shown(**said) for element in elements if (said := _said(element, Outside.SHOWN))}
        for section, elements in sections.items()
    }
    return Presentation(**_said(problem, Outside.SHOWN), **shown)


def hash_of(fields: Mapping[str, object]) -> str:
    """SHA-256 of the meaning of fields as JSON: keys sorted, no spaces, ASCII, decimals as text."""
    text = json.dumps(fields, default=_plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def meaning_of(thing: Frozen) -> dict[str, object]:
    """The fields that carry meaning and do not have their defaults."""
    return _said(thing, None)


def _plain(thing: object) -> object:
    if isinstance(thing, Frozen):
        return _said(thing, None)
    assert isinstance(thing, Decimal)
    return serialize_number(thing)


def _said(thing: Frozen, side: Outside | None) -> dict[str, Any]:
    values = vars(thing)
    always, optional = _fields(type(thing), side)
    if len(always) == len(values):  # most nodes: there is nothing to leave out
        return values
    found = {name: values[name] for name in always}
    for name, default in optional:
        if values[name] != default:
            found[name] = values[name]
    return found


@cache
def _fields(kind: type[Frozen], side: Outside | None) -> tuple[tuple[str, ...], tuple[tuple[str, object], ...]]:
    """The fields on one side (None is meaning): those that are always written, and those that may have their default."""
    own = {
        name: info
        for name, info in kind.model_fields.items()
        if next((mark for mark in info.metadata if isinstance(mark, Outside)), None) is side
    }
    always = tuple(name for name, info in own.items() if name in KINDS or info.is_required())
    return always, tuple(
        (name, info.get_default(call_default_factory=True)) for name, info in own.items() if name not in always
    )
