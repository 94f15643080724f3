"""One finding for each cause: what is wrong in one place and shows in many is said once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pcl_core.documents import OUT_OF_PLACE
from pcl_core.errors import Code, DataPath, Issue, Location

MAX_LINES = 5


def once(issues: Sequence[Issue]) -> list[Issue]:
    """The findings, those that say the same as one; it stands at the first line and names the others.

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
    lines = [_line(first, other) for other in others if (other.file, other.line) != (first.file, first.line)]
    distinct = list(dict.fromkeys(line for line in lines if line))
    more = len(distinct) - MAX_LINES
    return ", ".join(distinct[:MAX_LINES]) + (f" and in {more} more" if more > 0 else "")


def _line(first: Location, other: Location) -> str:
    if other.line is None:
        return ""
    return f"in line {other.line}" if other.file == first.file else f"in {other.file}:{other.line}"


def first_of_each(issues: Iterable[Issue], origin: dict[str, list[DataPath]]) -> list[Issue]:
    """Of the objects that one entry of a file expands to, the first finding of each sort.

    They share their text, and so what is wrong with it; and what is wrong with one name in it shows wherever the
    text uses the name.
    """
    found: list[Issue] = []
    said: set[tuple[DataPath, Code]] = set()
    for issue in issues:
        sort, position = (*issue.path, None, None)[:2]
        entries = origin.get(str(sort), [])
        if isinstance(position, int) and position < len(entries):
            if (entries[position], issue.code) in said:
                continue
            said.add((entries[position], issue.code))
        found.append(issue)
    return found


def out_of_place(issues: Sequence[Issue], sections: Mapping[str, frozenset[str]]) -> list[Issue]:
    """Entries that stand in a section of others, because the line with the name of their own is missing, said once."""
    moved: dict[DataPath, list[Issue]] = {}
    for issue in issues:
        if issue.hint == OUT_OF_PLACE:
            moved.setdefault(issue.path[: len(issue.path) > 1], []).append(issue)
    absent = {
        issue.message.split("'")[1]: issue for issue in issues if not issue.path and "is missing" in issue.message
    }
    dropped: list[Issue] = []
    said: dict[int, Issue] = {}
    for group in moved.values():
        fields = {str(issue.path[-1]) for issue in group}
        owners = [section for section in sections if fields <= sections[section]]
        certain = [section for section in owners if section in absent]
        if len({issue.path[:2] for issue in group}) < 2 and not certain:
            said[id(group[0])] = _belongs(group[0], owners)
            continue
        entries = {issue.path[:2] for issue in group}  # whatever else is wrong with them has the same cause
        like = [issue for issue in issues if issue.path[:2] in entries]
        dropped += [*like, *(absent[section] for section in certain)]
        more = f", and {len(group) - 1} more like it" if len(group) > 1 else ""
        first = replace(group[0], message=group[0].message + more)
        said[id(group[0])] = _belongs(first, certain or owners)
    gone = {id(issue) for issue in dropped}
    return [said.get(id(issue), issue) for issue in issues if id(issue) in said or id(issue) not in gone]


def _belongs(issue: Issue, sections: Sequence[str]) -> Issue:
    if not sections:
        return issue
    named = " or ".join(f"`{section}:`" for section in sections)
    return replace(issue, hint=f"it belongs in {named}; is that line missing above?")
