"""Plain data that was read from a file, and where in the file each of its values stands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, TypeAlias

from pcl_core.documents.validation import merged
from pcl_core.errors import DataPath, Issue, Location

Data: TypeAlias = "bool | int | Decimal | str | list[Data] | dict[str, Data] | None"

MAX_DIGITS = 40
"""Of a whole number; no number that a problem may have needs more."""

KEY = "\0"
"""Ends the path of a mapping's key, where its value's path has nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a value starts; `inside` is how far its text is from there, None when it spans lines."""

    line: int
    column: int
    inside: int | None = 0


Marks: TypeAlias = Mapping[DataPath, Mark]


@dataclass
class Document:
    """Plain data and the marks of its values by path.

    A reader that does not mark what it reads gives `find_marks` instead, which marks these values and all around them.
    """

    file: str
    data: Data
    marks: Marks = field(default_factory=dict)
    find_marks: Callable[[Iterable[DataPath]], Marks] | None = None

    def location(self, path: DataPath, offset: int = 0, subject: str | None = None) -> Location:
        """The line and column of a path, or of the nearest thing around it."""
        while path not in self.marks and path:
            path, offset = path[:-1], 0
        mark = self.marks.get(path, Mark(1, 1))
        column = mark.column if mark.inside is None else mark.column + mark.inside + offset
        return Location(self.file, mark.line, column if offset else mark.column, subject)

    def located(self, issues: Sequence[Issue]) -> list[Issue]:
        """Findings with line and column. Where a value fits none of several forms, one finding says so."""
        groups: dict[DataPath, list[Issue]] = {}
        for issue in issues:
            groups.setdefault(_inside(self.data, issue.path), []).append(issue)
        if self.find_marks is not None:
            self.marks = self.find_marks(groups)
        found: list[Issue] = []
        for path, group in groups.items():
            # A value may be read in several ways; the way that got furthest says best what is wrong with it.
            deeper = any(len(other) > len(path) and other[: len(path)] == path for other in groups)
            kept = (issue for issue in merged(group) if not (deeper and issue.one_of_several))
            found += [replace(issue, location=self._location_of(issue, path)) for issue in kept]
        return found

    def _location_of(self, issue: Issue, path: DataPath) -> Location:
        key = issue.message.startswith("there is no field")
        # Paths into the data say less than the line and column do; names of objects say more.
        subject = issue.location.subject
        return self.location((*path, KEY) if key else path, 0, subject if subject and " " in subject else None)


def _inside(data: Any, path: DataPath) -> DataPath:
    """A path from Pydantic without the names of union members that it puts in."""
    kept: list[str | int] = []
    for step in path:
        if isinstance(data, dict) and step in data:
            data = data[str(step)]
            kept.append(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
            kept.append(step)
    return tuple(kept)
