"""One finding for each cause: what is wrong in one place and shows in many is said once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pcl_core.errors import Code, Issue, Location

MAX_PLACES = 5


def once(issues: Sequence[Issue]) -> list[Issue]:
    """The findings, those that say the same as one; it stands at the first place and names the others.

    A name that is misspelt where it is declared is unknown wherever it is used; a typing error in a number makes
    everything too large that reads it.
    """
    groups: dict[tuple[Code, str], list[Issue]] = {}
    for issue in issues:
        groups.setdefault((issue.code, issue.message), []).append(issue)
    return [_merged(group) for group in groups.values()]


def _merged(group: list[Issue]) -> Issue:
    first, *others = group
    shown = _lines(first.location, (issue.location for issue in others))
    return replace(first, message=f"{first.message} (also {shown})") if shown else first


def _lines(first: Location, others: Iterable[Location]) -> str:
    places = [_line(first, other) for other in others if (other.file, other.line) != (first.file, first.line)]
    distinct = list(dict.fromkeys(place for place in places if place))
    more = len(distinct) - MAX_PLACES
    return ", ".join(distinct[:MAX_PLACES]) + (f" and in {more} more" if more > 0 else "")


def _line(first: Location, other: Location) -> str:
    if other.line is None:
        return ""
    return f"in line {other.line}" if other.file == first.file else f"in {other.file}:{other.line}"


def first_of_each(issues: Iterable[Issue], origin: dict[str, list[tuple[str | int, ...]]]) -> list[Issue]:
    """Of the objects that one entry of a file expands to, the first finding of each sort.

    They share their text, and so what is wrong with it; and what is wrong with one name in it shows wherever the
    text uses the name.
    """
    found: list[Issue] = []
    said: set[tuple[tuple[str | int, ...], Code]] = set()
    for issue in issues:
        sort, position = (*issue.path, None, None)[:2]
        entries = origin.get(str(sort), [])
        if isinstance(position, int) and position < len(entries):
            if (entries[position], issue.code) in said:
                continue
            said.add((entries[position], issue.code))
        found.append(issue)
    return found
