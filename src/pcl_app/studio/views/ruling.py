"""Rules of a person's own: those that a page offers, and what a new one would change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pcl_app.studio.fields import written
from pcl_app.studio.forms import ProblemForm, QueryForm, VariableForm
from pcl_app.studio.views.drafting import Swap, swap_of
from pcl_app.studio.views.naming import Called, show
from pcl_core.json_form import Value
from pcl_core.wording import ANY, element, split_name

MOST_QUICK = 4
PLACE = "place:"
"""Where a rule holds, if it is at the like places of all parts."""


@dataclass(frozen=True)
class RuleChoice:
    """What a rule can be about: a value, and the variables that can have it."""

    key: str
    """As a field of the form holds it: position of the selection, and the value."""
    text: str


@dataclass(frozen=True)
class QuickRule:
    """A rule with one click, after an edit."""

    kind: str
    about: str
    where: str
    words: str


@dataclass(frozen=True)
class RulingView:
    """A rule that would change something, before it is said."""

    words: str
    changes: tuple[Swap, ...]
    against: bool
    """Whether that is against what she said before."""
    fields: Mapping[str, str]


def rule_choices(problem: ProblemForm) -> tuple[RuleChoice, ...]:
    """Everything that a rule can be about: labels by their name, numbers and yes or no with what they are of."""
    found: dict[str, str] = {}
    for variable in problem["variables"]:
        if variable["kind"] == "label":
            found.update({f"={value}": show(value) for value in variable["values"] or ()})
    for variable in problem["variables"]:
        array, indices = split_name(variable["name"])
        if variable["kind"] == "number":
            called = variable["short"] if indices else variable["label"]
            for value in range(
                variable["least"] or 0, min(variable["greatest"] or 0, (variable["least"] or 0) + 8) + 1
            ):
                found.setdefault(f"{array}={value}", f"{called} = {value}")
        elif variable["kind"] == "truth":
            called = array if indices else variable["label"]
            found.setdefault(f"{array}=true", f"{called}: yes")
            found.setdefault(f"{array}=false", f"{called}: no")
    return tuple(RuleChoice(key, text) for key, text in found.items())


def rule_of(names: Called, fields: Mapping[str, str]) -> dict[str, Any]:
    """A rule as the core takes it, from the fields of the form: `kind`, `about`, `where`, `count`, `each`."""
    array, _, said = fields.get("about", "").partition("=")
    where, found = fields.get("where", ""), list[str]()
    chosen: Value | None = None
    for name, variable in names.variables.items():
        if not _is_there(variable, where) or (array and split_name(name)[0] != array):
            continue
        fits = [it for it in _values(variable) if written(it) == said]
        if fits and (array or variable["kind"] == "label"):
            found.append(name)
            chosen = fits[0]
    kind = fields.get("kind", "never")
    counted = kind in ("at_most", "at_least")
    count = fields.get("count", "")
    return {
        "kind": kind,
        "variables": _pattern(names, found),
        "values": [] if chosen is None else [chosen],
        "count": (int(count) if count.isdecimal() and len(count) < 7 else None) if counted else None,
        "each": "part" if counted and fields.get("each") == "part" else "all",
    }


def _is_there(variable: VariableForm, where: str) -> bool:
    """In a part, or at a like place of any where there is something to choose, or anywhere."""
    if where.startswith(PLACE):
        return variable["short"] == where.removeprefix(PLACE) and variable["free"]
    return not where or variable["part"] == where


def _values(variable: VariableForm) -> list[Value]:
    if variable["values"] is not None:
        return list(variable["values"])
    least, greatest = variable["least"] or 0, variable["greatest"] or 0
    return list(range(least, min(greatest, least + 64) + 1))


def _pattern(names: Called, variables: list[str]) -> str | list[str]:
    """`plan[*,*]` instead of a list, where that means the same: it is what the rule is called."""
    split = [split_name(name) for name in variables]
    if len({(array, len(indices)) for array, indices in split}) == 1 and len(variables) > 1:
        array, columns = split[0][0], zip(*(indices for _, indices in split), strict=True)
        indices = [column[0] if len(set(column)) == 1 else ANY for column in columns]
        like = [
            name
            for name in names.variables
            if split_name(name)[0] == array
            and all(want in (ANY, has) for want, has in zip(indices, split_name(name)[1], strict=True))
        ]
        if like == variables:
            return element(array, indices)
    return variables


def quick_rules(names: Called, query: QueryForm, changes: list[Mapping[str, Any]]) -> tuple[QuickRule, ...]:
    """After an edit: never what was taken out; always what was put in, where it was put; at most so often."""
    found: list[QuickRule] = []
    part = query["part"]
    for change in changes:
        variable = names.variables[change["variable"]]
        if variable["kind"] != "label":
            continue
        out, put, place = show(change["before"]), show(change["after"]), variable["short"]
        taken, given = f"={written(change['before'])}", f"={written(change['after'])}"
        found.append(QuickRule("never", taken, "", f"Never {out} again"))
        found.append(QuickRule("never", taken, part, f"Never {out} on {names.parts[part]}"))
        found.append(QuickRule("always", given, f"{PLACE}{place}", f"Always {put} in {place}"))
        found.append(QuickRule("at_most", taken, "", f"At most 1 {out} in all"))
    return tuple(dict.fromkeys(found))[:MOST_QUICK]


def ruling_of(names: Called, found: Mapping[str, Any], fields: Mapping[str, str]) -> RulingView:
    """What a rule would change."""
    changes = tuple(
        Swap(f"{names.parts[names.part_of(it['variable'])]} {swap.where}", swap.before, swap.after)
        for it in found["changes"]
        for swap in [swap_of(names, it)]
    )
    return RulingView(found["rule"]["words"], changes, bool(found["against"]), dict(fields))
