"""What types can say of a problem: names that differ only in indices, what may stand under them, and kinds of parts.

`plan[mon,1]` to `plan[sun,5]` are one family with two axes. Parts whose variables are the same but for the indices that name
the part are of one kind.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable
from pcl_core.ir.nodes import Key
from pcl_core.model.names import element, split_name
from pcl_core.model.problem import Problem

AxisMembers: TypeAlias = tuple[Key, ...]
IndexTexts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """Names with the same text before their brackets and as many indices; one name, if it has none."""

    base: str
    axes: tuple[AxisMembers, ...]
    """For each place what can stand there, in the order of the names: whole numbers where all are."""
    names: tuple[str, ...]


@dataclass(frozen=True)
class FieldOfPart:
    """A family in the parts of one kind."""

    family: Family
    places: tuple[int | AxisMembers, ...]
    """What can stand at each place: always that index of the part's own name, or one of several."""


@dataclass(frozen=True)
class PartKind:
    """Parts of which the same can be said."""

    parts: tuple[str, ...]
    fields: tuple[FieldOfPart, ...]


def families(names: Iterable[str]) -> tuple[Family, ...]:
    """The families of names, in the order in which they begin."""
    found: dict[tuple[str, int], list[str]] = {}
    for name in names:
        base, indices = _split(name)
        found.setdefault((base, len(indices)), []).append(name)
    return tuple(
        Family(base, _axes([_split(name)[1] for name in own], count), tuple(own))
        for (base, count), own in found.items()
    )


def part_kinds(problem: Problem, variables: Sequence[Family]) -> tuple[PartKind, ...]:
    """The kinds of parts, in the order in which they begin."""
    family_of = {name: family for family in variables for name in family.names}
    alike: dict[tuple[tuple[Family, tuple[int | None, ...]], ...], list[str]] = {}
    rows: dict[tuple[str, Family], list[IndexTexts]] = {}
    for part in problem.parts:
        for name in part.variables:
            rows.setdefault((part.name, family_of[name]), []).append(_split(name)[1])
        inside = dict.fromkeys(family_of[name] for name in part.variables)
        shape = tuple((family, _own(part.name, rows[part.name, family])) for family in inside)
        alike.setdefault(shape, []).append(part.name)
    return tuple(
        PartKind(
            tuple(parts),
            tuple(_field(family, own, [row for part in parts for row in rows[part, family]]) for family, own in shape),
        )
        for shape, parts in alike.items()
    )


def _field(family: Family, own: Sequence[int | None], rows: Sequence[IndexTexts]) -> FieldOfPart:
    axes = _axes(rows, len(own))
    return FieldOfPart(family, tuple(axis if at is None else at for axis, at in zip(axes, own, strict=True)))


def _own(part: str, rows: Sequence[IndexTexts]) -> tuple[int | None, ...]:
    """For each place which index of the part's name always stands there, if one does."""
    own = indices_of_part(part)
    found: list[int | None] = []
    for texts in map(set, zip(*rows, strict=True)):
        found.append(own.index(*texts) if len(texts) == 1 and texts <= set(own) else None)
    return tuple(found)


def indices_of_part(part: str) -> IndexTexts:
    """The indices in a part's name, 0 and 1 of `block[0,1]`; a name without any is an index itself, as `mon` is."""
    return split_name(part)[1] or (part,)


@dataclass(frozen=True)
class Allowed:
    """What may stand somewhere: labels, whole numbers, truth values, or several of these."""

    labels: tuple[str, ...] = ()
    numbers: Sequence[int] = range(0)
    truth: bool = False


def allowed(variables: Iterable[AnyVariable]) -> Allowed:
    """What some of the variables may be; of whole numbers, all from the smallest to the largest."""
    labels: dict[str, None] = {}
    numbers, truth = range(0), False
    for variable in variables:
        if isinstance(variable, BoolVariable):
            truth = True
        elif isinstance(variable, CategoricalVariable):
            labels |= dict.fromkeys(variable.labels)
        else:
            own = variable.values()
            numbers = range(min(own.start, numbers.start), max(own.stop, numbers.stop)) if numbers else own
    return Allowed(tuple(labels), numbers, truth)


def _split(name: str) -> tuple[str, IndexTexts]:
    """A name whose indices do not give it back, such as `x[a, b]` with a space, is taken as it is."""
    base, indices = split_name(name)
    return (base, indices) if element(base, indices) == name else (name, ())


def _axes(rows: Sequence[IndexTexts], count: int) -> tuple[AxisMembers, ...]:
    return tuple(_members(dict.fromkeys(row[at] for row in rows)) for at in range(count))


def _members(texts: Iterable[str]) -> AxisMembers:
    listed = tuple(texts)
    numbers = all(text.removeprefix("-").isdecimal() and text.isascii() and str(int(text)) == text for text in listed)
    return tuple(map(int, listed)) if numbers else listed
