"""What a problem means, apart from how it is presented to people.

Each side has a canonical text and a hash of its own. A field is meaning unless its type says that it is `Outside`, and a
field that has its default is not written: a new optional field changes no hash of a problem that does not use it.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from json.encoder import encode_basestring_ascii as quoted
from types import NoneType
from typing import Any, TypeAlias, get_origin

from pydantic import SerializerFunctionWrapHandler, model_serializer

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
    """A row or a column of a board, and the variables that stand in it; or the labels: who takes one stands there."""

    label: Text = ""
    variables: NameList
    values: NameList = ()

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Labels are written where there are any: who does not know them reads all other files."""
        found: dict[str, object] = write(self)
        return found if self.values else {name: it for name, it in found.items() if name != "values"}


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
    return hashlib.sha256(_text_of_mapping(fields).encode()).hexdigest()


def meaning_of(thing: Frozen) -> dict[str, object]:
    """The fields that carry meaning and do not have their defaults."""
    return _said(thing, None)


_Writer: TypeAlias = Callable[[Any], str]


class _Writers(dict[type[Any], _Writer]):
    """What makes canonical JSON of things of each type, in one pass: `json` would ask back for every node."""

    def __missing__(self, kind: type[Frozen]) -> _Writer:
        found = self[kind] = _writer_of(kind, *_fields(kind, None))
        return found


def _writer_of(kind: type[Frozen], fields: Sequence[str], optional: Sequence[tuple[str, object]]) -> _Writer:
    """What writes some fields of things of a kind, and those optional ones that do not have their defaults."""
    if optional:
        (name, default), *rest = optional
        said, unsaid = _writer_of(kind, (*fields, name), rest), _writer_of(kind, fields, rest)
        return lambda thing: (said if thing.__dict__[name] != default else unsaid)(thing)
    known = kind.model_fields
    keys = [f"{quoted(it)}:{quoted(known[it].default) if it in KINDS else '%s'}" for it in sorted(fields)]
    template = f"{{{','.join(keys)}}}"
    own = [(it, _of_field(known[it].annotation)) for it in sorted(fields) if it not in KINDS]
    match own:  # most have few, and a loop over them takes as long as writing them
        case [(a, first)]:
            before, after = template.split("%s")
            return lambda thing: before + first(thing.__dict__[a]) + after
        case [(a, first), (b, second)]:
            return lambda thing: template % (first(thing.__dict__[a]), second(thing.__dict__[b]))
        case [(a, first), (b, second), (c, third)]:
            return lambda it: template % (first(it.__dict__[a]), second(it.__dict__[b]), third(it.__dict__[c]))
    return lambda thing: template % tuple([write(thing.__dict__[it]) for it, write in own])


def _of_field(annotation: object) -> _Writer:
    """What writes a field; where its type is known, nobody looks at what is in it."""
    if annotation is str:
        return quoted
    return _text_of_list if get_origin(annotation) is tuple else _text


def _text(thing: object) -> str:
    return _WRITERS[type(thing)](thing)


def _text_of_mapping(things: Mapping[str, object]) -> str:
    said = [f"{quoted(name)}:{_WRITERS[type(thing)](thing)}" for name, thing in sorted(things.items())]
    return f"{{{','.join(said)}}}"


def _text_of_list(things: Iterable[object]) -> str:
    return f"[{','.join([_WRITERS[type(thing)](thing) for thing in things])}]"


_PLAIN: dict[type[Any], _Writer] = {
    str: quoted,
    int: repr,
    bool: lambda truth: "true" if truth else "false",
    NoneType: lambda nothing: "null",
    Decimal: lambda number: quoted(str(serialize_number(number))),
    tuple: _text_of_list,
    list: _text_of_list,
    dict: _text_of_mapping,
}
_WRITERS = _Writers(_PLAIN)


def _said(thing: Frozen, side: Outside | None) -> dict[str, Any]:
    values = vars(thing)
    always, optional = _fields(type(thing), side)
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
