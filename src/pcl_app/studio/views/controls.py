"""A control for each variable of the part in question: what it is, what it may be, and whose value it has."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pcl_app.studio.fields import written
from pcl_app.studio.forms import QueryForm, ValueForm, VariableForm
from pcl_app.studio.views.naming import Called, show
from pcl_core.json_form import Value

FEW, SHORT = 9, 140
"""Labels that stand side by side as buttons, and of how many characters they may be if they are more; of many, so many
that are possible stand beside a list of the others."""
PossibleValues = Mapping[str, list[Value] | dict[str, int] | None]
Forbidden = Mapping[str, Mapping[str, Sequence[str]]]
"""By variable and by value as a field holds it: names of the rules that forbid it as things stand."""


@dataclass(frozen=True)
class Option:
    """A value that can be chosen, or the reason why it cannot."""

    id: str
    value: str
    text: str
    chosen: bool
    possible: bool
    suggested: bool
    reason: str
    """Which rule forbids it; empty where it is possible."""
    near: bool
    """Of many: whether it stands beside the list. What a draft makes impossible stays where it was."""


@dataclass(frozen=True)
class Control:
    """One variable."""

    field: str
    variable: str
    label: str
    part: str
    kind: str
    """`choice`, `search`, `number` or `switch`."""
    value: str
    text: str
    options: tuple[Option, ...]
    """All values of labels; of a switch both; none of a number."""
    least: int | None
    greatest: int | None
    unit: str
    pinned: bool
    own: bool
    """Whether the value is the person's own word."""
    note: str
    """What became of it: `was running`, `filled in, was rest`."""
    drafted: bool
    """Whether the person is about to change it; what a completion changes is not hers."""
    suggestion: str
    """What the machine would rather have, in words; empty without one."""
    limits: str
    """Of a number: why it cannot be more, or less."""

    @property
    def near(self) -> tuple[Option, ...]:
        """Of many: what stands there, what is suggested, and some that are possible."""
        return tuple(it for it in self.options if it.near or it.chosen or it.suggested)

    @property
    def rest(self) -> tuple[Option, ...]:
        return tuple(it for it in self.options if not (it.near or it.chosen or it.suggested))


@dataclass(frozen=True)
class Fixed:
    """A variable with one possible value: nothing to choose."""

    label: str
    text: str
    reason: str


def controls_of(
    names: Called,
    query: QueryForm,
    values: ValueForm,
    possible: PossibleValues,
    forbidden: Forbidden,
    completed: Sequence[str] = (),
    own: ValueForm | None = None,
    tellable: bool = False,
) -> tuple[tuple[Control, ...], tuple[Fixed, ...]]:
    """Controls of what can be chosen, and what cannot. `values` are those of the draft, or of the proposal.

    In a draft that is `tellable`, no value that was chosen is forbidden: room is made for it elsewhere.
    """
    before = {it["variable"]: it["before"] for it in query["changes"]}
    hers = set(map(show, (own or {}).values()))
    fields, controls, fixed = names.fields, list[Control](), list[Fixed]()
    for name, proposed in query["proposal"].items():
        variable, value, allowed = names.variables[name], values[name], possible.get(name)
        why = {key: "; ".join(map(names.rule, rules)) for key, rules in forbidden.get(name, {}).items()}
        pinned = name in query["pins"]
        if _only(allowed, value) and value == proposed and not pinned:
            fixed.append(Fixed(variable["short"], show(value), next(iter(why.values()), "")))
            continue
        note = f"was {show(before[name])}" if name in before else ""
        if value != proposed:
            note = f"filled in, was {show(proposed)}" if name in completed else f"was {show(proposed)}"
        suggested = query["suggestion"].get(name) if value == proposed else None
        least, greatest = _ends(variable, allowed)
        controls.append(
            Control(
                fields[name],
                name,
                variable["short"],
                variable["part"],
                _kind(variable),
                written(value),
                show(value),
                _options(
                    variable,
                    fields[name],
                    value,
                    allowed,
                    suggested,
                    why,
                    tellable,
                    _offered(variable, query["possible"].get(name), hers),
                ),
                least,
                greatest,
                variable["unit"],
                pinned,
                name in (own or {}) or (value != proposed and name not in completed),
                note,
                value != proposed and name not in completed,
                "" if suggested is None else show(suggested),
                "; ".join(dict.fromkeys(why.values())) if variable["kind"] == "number" else "",
            )
        )
    return tuple(controls), tuple(fixed)


def _kind(variable: VariableForm) -> str:
    if variable["kind"] == "truth":
        return "switch"
    if variable["kind"] == "number":
        return "number"
    texts = [show(value) for value in variable["values"] or ()]
    return "choice" if len(texts) <= FEW or sum(len(text) + 4 for text in texts) <= SHORT else "search"


def _only(allowed: list[Value] | dict[str, int] | None, value: Value) -> bool:
    if isinstance(allowed, dict):
        return allowed["least"] == allowed["greatest"] == value
    return allowed is not None and list(allowed) == [value]


def _ends(variable: VariableForm, allowed: list[Value] | dict[str, int] | None) -> tuple[int | None, int | None]:
    """Of a number what it may be at least and at most as things stand."""
    if variable["kind"] != "number":
        return None, None
    if isinstance(allowed, dict):
        return allowed["least"], allowed["greatest"]
    if allowed:
        return min(map(int, allowed)), max(map(int, allowed))
    return variable["least"], variable["greatest"]


def _offered(
    variable: VariableForm, allowed: list[Value] | dict[str, int] | None, hers: Collection[str]
) -> Collection[str]:
    """Of many labels, what stands beside the list: as much of what is possible as fits, what she chose elsewhere first."""
    possible = [show(value) for value in (allowed if isinstance(allowed, list) else variable["values"] or ())]
    found: list[str] = []
    for text in sorted(possible, key=lambda text: text not in hers):
        if len(found) == FEW or sum(len(it) + 4 for it in [*found, text]) > SHORT:
            break
        found.append(text)
    return found


def _options(
    variable: VariableForm,
    field: str,
    value: Value,
    allowed: list[Value] | dict[str, int] | None,
    suggested: Value | None,
    why: Mapping[str, str],
    tellable: bool,
    offered: Collection[str],
) -> tuple[Option, ...]:
    known = variable["values"] or []
    can_be = known if not isinstance(allowed, list) else allowed
    return tuple(
        Option(
            f"{field}-{at}",
            written(each),
            show(each),
            each == value,
            each in can_be or each == value,
            suggested is not None and each == suggested,
            ""
            if each in can_be or (each == value and tellable)
            else why.get(written(each), "not possible as things stand"),
            show(each) in offered,
        )
        for at, each in enumerate(known)
    )
