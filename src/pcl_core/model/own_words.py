"""A person's rules in words: by labels, as she would say them."""

from collections.abc import Collection, Sequence

from pcl_core.model.assignment import fitting
from pcl_core.model.labels import Labels
from pcl_core.model.problem import Problem
from pcl_core.wording import in_a_row

MAX_LISTED = 3

Variables = str | tuple[str, ...]


def in_words(
    problem: Problem,
    kind: str,
    selection: Variables,
    names: Sequence[str],
    values: Sequence[object],
    number: int | None,
    by_part: bool,
) -> str:
    """`never running`, `at most 2 of running in sat`; where is left out if it is everywhere that such values can be."""
    labels, known = Labels(problem), problem.symbols.variables
    said = " or ".join(map(_said, values))
    could = {name for name, found in known.items() if any(fitting(found, value) is not None for value in values)}
    alone = any(isinstance(value, (bool, int)) for value in values)  # a number alone says nothing
    if alone and len({labels.short(name) for name in names}) == 1 and labels.short(names[0]) != names[0]:
        said, alone = f"{labels.short(names[0])} = {said}", False
        could = {name for name in could if labels.short(name) == labels.short(names[0])}
    text = f"{kind} {said}" if number is None else f"{kind.replace('_', ' ')} {number} of {said}"
    where = "" if could <= set(names) else _where(labels, names, could, selection)
    where = shown_selection(selection) if alone else where
    if number is not None and by_part:
        return f"{text} in each part" + (f" of {where}" if where else "")
    return f"{text} in {where}" if where else text


def constraint_name(words: str, values: Sequence[object], selection: Variables) -> str:
    """Of a rule as a constraint: with the selection, where the words do not say where."""
    if words.endswith("each part"):
        return f"yours: {words} of {shown_selection(selection)}"
    return f"yours: {words}" + (f" in {shown_selection(selection)}" if words.endswith(_said(values[-1])) else "")


def shown_selection(selection: Variables) -> str:
    if isinstance(selection, str):
        return selection
    more = f" and {len(selection) - MAX_LISTED} more" if len(selection) > MAX_LISTED else ""
    return ", ".join(selection[:MAX_LISTED]) + more


def _where(labels: Labels, names: Sequence[str], could: Collection[str], selection: Variables) -> str:
    """Parts of which nothing is left out, or the like places of all; else the selection as it was written."""
    parts = list(dict.fromkeys(labels.part_of(name).name for name in names))
    if all(name in names for name in could if labels.part_of(name).name in parts):
        return in_a_row([labels.parts[part] for part in parts])
    shorts = {labels.short(name) for name in names}
    alike = {name for name in could if labels.short(name) in shorts}
    return shorts.pop() if len(shorts) == 1 and alike <= set(names) else shown_selection(selection)


def _said(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
