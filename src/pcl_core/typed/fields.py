"""The attributes of sheets: names of variables or features, with or without indices, and by their types what these can be.

On a class, `Configuration.plan["tue", 2]` is a name that checkers of types know; on a sheet it is the value there.
"""

from collections.abc import Iterator, MutableMapping
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar, cast, overload

from pcl_core.model.names import ANY, element, split_name

Content = TypeVar("Content")
IndexT = TypeVar("IndexT")
IndexKind: TypeAlias = type[str] | type[int] | int
"""An index is text, a whole number, or that index of the part's own name."""


class Holder(Protocol):
    """What has such attributes: a sheet."""

    _own: tuple[str, ...]
    """The indices of its part, if it is about one: `mon` of part `mon`, 0 and 1 of `block[0,1]`."""
    _held: dict[str, Any]

    def _get(self, name: str) -> Any: ...
    def _put(self, name: str, value: object) -> None: ...


class TypedName(str, Generic[Content]):
    """A ground name, and by its type what stands under it."""


class Single(TypedName[Content]):
    """A name without indices, or whose indices are those of its part."""

    _indices: tuple[int, ...]

    def __new__(cls, name: str, *indices: int) -> Self:
        made = super().__new__(cls, name)
        made._indices = indices
        return made

    @overload
    def __get__(self, sheet: None, owner: type[object]) -> TypedName[Content]: ...
    @overload
    def __get__(self, sheet: Holder, owner: type[object]) -> Content: ...
    def __get__(self, sheet: Holder | None, owner: type[object]) -> TypedName[Content] | Content:
        return self if sheet is None else cast(Content, sheet._get(self._name(sheet)))

    def __set__(self, sheet: Holder, value: Content) -> None:
        sheet._put(self._name(sheet), value)

    def _name(self, sheet: Holder) -> str:
        return element(self, [sheet._own[at] for at in self._indices])


class Many(Generic[IndexT, Content]):
    """Names with indices."""

    def __init__(self, name: str, *indices: IndexKind) -> None:
        self._name, self._indices = name, indices

    @overload
    def __get__(self, sheet: None, owner: type[object]) -> "Many[IndexT, Content]": ...
    @overload
    def __get__(self, sheet: Holder, owner: type[object]) -> "Entries[IndexT, Content]": ...
    def __get__(self, sheet: Holder | None, owner: type[object]) -> "Many[IndexT, Content] | Entries[IndexT, Content]":
        return self if sheet is None else Entries(self, sheet)

    def __getitem__(self, at: IndexT) -> TypedName[Content]:
        return TypedName(self.name_at(at, ()))

    @property
    def pattern(self) -> str:
        """All of them, as rules speak of them: `plan[*,*]`."""
        return element(self._name, [ANY] * len(self._indices))

    def name_at(self, at: IndexT, own: tuple[str, ...]) -> str:
        """The ground name; `own` are the indices of the part."""
        given = iter(at if isinstance(at, tuple) else (at,))
        indices = [own[index] if isinstance(index, int) else str(next(given, ANY)) for index in self._indices]
        return element(self._name, [*indices, *map(str, given)])

    def place_of(self, name: str, own: tuple[str, ...]) -> IndexT | None:
        """The inverse of `name_at`; None for a name that is none of these."""
        base, indices = split_name(name)
        if base != self._name or len(indices) != len(self._indices):
            return None
        found: list[str | int] = []
        for kind, index in zip(self._indices, indices, strict=True):
            if not isinstance(kind, int):
                found.append(kind(index))
            elif own[kind] != index:
                return None
        return cast(IndexT, found[0] if len(found) == 1 else tuple(found))


class Entries(MutableMapping[IndexT, Content]):
    """What a sheet holds under names with indices."""

    def __init__(self, names: Many[IndexT, Content], sheet: Holder) -> None:
        self._names, self._sheet = names, sheet

    def __getitem__(self, at: IndexT) -> Content:
        return cast(Content, self._sheet._get(self._names.name_at(at, self._sheet._own)))

    def __setitem__(self, at: IndexT, value: Content) -> None:
        self._sheet._put(self._names.name_at(at, self._sheet._own), value)

    def __delitem__(self, at: IndexT) -> None:
        self[at]
        del self._sheet._held[self._names.name_at(at, self._sheet._own)]

    def __iter__(self) -> Iterator[IndexT]:
        places = (self._names.place_of(name, self._sheet._own) for name in self._sheet._held)
        return iter([place for place in places if place is not None])

    def __len__(self) -> int:
        return sum(1 for _ in self)
