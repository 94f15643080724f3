"""Rules of a person's own: those that a page offers, and what a new one would change."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from pcl_app.studio.fields import written
from pcl_app.studio.forms import ProblemForm, VariableForm
from pcl_app.studio.views.drafting import Swap, swap_of
from pcl_app.studio.views.naming import Called, capital, show
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


def quick_rules(names: Called, draft: Mapping[str, Any], standing: Mapping[str, Value]) -> tuple[QuickRule, ...]:
    """After an edit, one click each, for every change the likeliest first: only what would say something, and can be."""
    preview = draft["preview"]
    values = {**standing, **preview["values"]}
    hers = [change for change in preview["changes"] if change["variable"] not in draft["completed"]]
    chosen = {change["after"] for change in hers}  # what only went somewhere else is nothing that she is against
    offers = [_quick(names, it, values, draft.get("like")) for it in hers if it["before"] not in chosen]
    by_turns = [rule for turn in zip_longest(*offers) for rule in turn if rule is not None]
    return tuple(dict.fromkeys(by_turns))[:MOST_QUICK]


def _quick(
    names: Called, change: Mapping[str, Any], values: Mapping[str, Value], like: Mapping[str, Any] | None
) -> list[QuickRule]:
    """Never what was taken out; always what was put in, where it was put; what was taken out not more than once."""
    variable = names.variables[change["variable"]]
    if variable["kind"] != "label":
        return []
    out, place, part = change["before"], variable["short"], variable["part"]
    taken, at_place = f"={written(out)}", f"{PLACE}{variable['short']}"
    can_be = [it for it in names.variables.values() if it["free"] and out in (it["values"] or ())]
    places = [it for it in can_be if it["short"] == place]
    found = [QuickRule("never", taken, "", f"Never {show(out)} again")]
    if len(can_be) > 1 and len(places) == 1:
        found.insert(0, QuickRule("never", taken, at_place, f"{capital(place)}: never {show(out)}"))
    elif len(can_be) > 1:
        if _can_be_always(names, place, like):
            put = change["after"]
            found.append(QuickRule("always", f"={written(put)}", at_place, f"{capital(place)}: always {show(put)}"))
        found.append(QuickRule("never", taken, part, f"{names.parts[part]}: never {show(out)}"))
        if any(values[it["name"]] == out for it in can_be):
            found.append(QuickRule("at_most", taken, "", capital(f"{show(out)} at most once")))
    return found


def _can_be_always(names: Called, place: str, like: Mapping[str, Any] | None) -> bool:
    """Whether nothing forbids the same wherever there is something to choose at like places."""
    there = {it["part"] for it in names.variables.values() if it["short"] == place and it["free"]}
    places = [it for it in (like or {}).get("places", ()) if it["part"] in there]
    return bool(places) and not any(it["refused"] for it in places)


def rule_places(problem: ProblemForm) -> tuple[RuleChoice, ...]:
    """Like places of several parts, where a rule about labels may hold: every lunch."""
    parts: dict[str, set[str]] = {}
    for variable in problem["variables"]:
        if variable["kind"] == "label" and variable["free"]:
            parts.setdefault(variable["short"], set()).add(variable["part"])
    return tuple(RuleChoice(f"{PLACE}{short}", f"every {short}") for short, where in parts.items() if len(where) > 1)


def ruling_of(names: Called, found: Mapping[str, Any], fields: Mapping[str, str]) -> RulingView:
    """What a rule would change."""
    changes = tuple(
        Swap(f"{names.parts[names.part_of(it['variable'])]} {swap.where}", swap.before, swap.after)
        for it in found["changes"]
        for swap in [swap_of(names, it)]
    )
    return RulingView(found["rule"]["words"], changes, bool(found["against"]), dict(fields))
