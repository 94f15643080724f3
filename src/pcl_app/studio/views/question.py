"""The question: one part, what is proposed there, what the person is about to change, and what would come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pcl_app.studio.fields import written
from pcl_app.studio.forms import ChangeForm, QueryForm, ValueForm, ViewForm
from pcl_app.studio.views.controls import Control, Fixed, controls_of
from pcl_app.studio.views.figures import Meter, meters_of, number
from pcl_app.studio.views.naming import OWN, Called, capital, show
from pcl_core.ir import Value

MOST_AROUND = 10


@dataclass(frozen=True)
class Swap:
    """A value that becomes another, in words."""

    where: str
    before: str
    after: str

    @property
    def words(self) -> str:
        return f"{self.where}: {self.before} → {self.after}"


@dataclass(frozen=True)
class PlaceView:
    """Another part where the same could be done."""

    part: str
    label: str
    changes: tuple[Swap, ...]
    refused: str


@dataclass(frozen=True)
class ConflictView:
    """Why a draft is not possible as it stands, and the way out."""

    rules: tuple[str, ...]
    in_the_way: str
    nearest: tuple[Swap, ...]
    """What the nearest possible part changes in the draft."""
    fields: Mapping[str, str]
    """The same as fields of the form."""
    filled: tuple[str, ...]
    """Those of the fields that are not the person's own."""
    keeps: bool
    """Whether all values of the person stay in it."""


@dataclass(frozen=True)
class Rank:
    """Another value for a variable, and what it would mean."""

    value: str
    text: str
    verdict: str
    better: int
    """1: better by what is known, 0: as good, -1: worse."""
    details: tuple[str, ...]


@dataclass(frozen=True)
class DraftView:
    """What the person is about to say."""

    changes: tuple[Swap, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    completed: tuple[str, ...] = ()
    """Fields that a completion filled in."""
    conflict: ConflictView | None = None
    moved: tuple[Swap, ...] = ()
    """What changes elsewhere to make room."""
    places: tuple[PlaceView, ...] = ()
    ranks: tuple[Rank, ...] = ()
    ranked: str = ""
    """The field that alternatives are shown of."""

    @property
    def tellable(self) -> bool:
        return self.conflict is None


@dataclass(frozen=True)
class Question:
    """All that the page shows of the question."""

    number: int
    kind: str
    """`part`, `pair` or `look`."""
    part: str
    label: str
    lead: str
    controls: tuple[Control, ...]
    fixed: tuple[Fixed, ...]
    around: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """ValueForm in other parts that matter here, by part."""
    meters: tuple[Meter, ...]
    why: str
    why_suggested: str
    suggestion: tuple[Swap, ...]
    changes: tuple[Swap, ...]
    draft: DraftView
    proven: bool
    looked: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    """In a last look: part, label and values of each."""

    @property
    def takes(self) -> bool:
        return bool(self.suggestion) and not self.draft.changes


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".!?" else f"{text}."


def question_of(names: Called, view: ViewForm, worked_out: Mapping[str, Any]) -> Question | None:
    """`worked_out` is what the desk says of a draft, which may be empty; None where nothing is asked."""
    query = view["query"]
    if query is None:
        return None
    kind = "part" if len(query["parts"]) == 1 else "pair" if "together" in query["label"] else "look"
    preview = worked_out.get("preview")
    values: ValueForm = {**query["proposal"], **(preview["values"] if preview else {})}
    completed = worked_out.get("completed", ())
    own = {name: value for part in view["look"]["parts"] for name, value in part["own"].items()}
    controls, fixed = ((), ()) if kind == "look" else controls_of(
        names, query, values, worked_out.get("possible") or query["possible"], worked_out.get("forbidden", {}),
        completed, own,
    )  # fmt: skip
    label = "Everything once more" if kind == "look" else capital(query["label"])
    figures = preview["notable"] if preview else query["notable"]
    return Question(
        query["number"],
        kind,
        query["part"],
        label,
        _lead(kind, query, bool(preview)),
        controls,
        fixed,
        _around(names, query),
        meters_of(figures, query["summary"] if preview else ()),
        sentence(query["why_text"]),
        sentence(query["why_suggested"]),
        tuple(_swap(names, name, query["proposal"][name], value) for name, value in query["suggestion"].items()),
        tuple(map(swap_of, [names] * len(query["changes"]), query["changes"])),
        _draft(names, query, worked_out),
        query["proven"],
        tuple((part, names.parts[part], _listed(names, part, query)) for part in query["parts"])
        if kind == "look"
        else (),
    )


def _lead(kind: str, query: QueryForm, drafted: bool) -> str:
    if kind == "look":
        return "Is all of it right?"
    if kind == "pair":
        return "Would changing both be better?"
    if drafted:
        return "Your change, before you tell it"
    if query["suggestion"]:
        return "Yours stays; I have a suggestion"
    return "Is this how you want it?"


def _listed(names: Called, part: str, query: QueryForm) -> tuple[tuple[str, str], ...]:
    return tuple((names.short(name), show(query["configuration"][name])) for name in names.members[part])


def _around(names: Called, query: QueryForm) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    found: dict[str, list[tuple[str, str]]] = {}
    for name, value in query["context"].items():
        found.setdefault(names.parts[names.part_of(name)], []).append((names.short(name), show(value)))
    return tuple((part, tuple(values)) for part, values in list(found.items())[:MOST_AROUND])


def swap_of(names: Called, change: ChangeForm) -> Swap:
    return _swap(names, change["variable"], change["before"], change["after"])


def _swap(names: Called, name: str, before: Value, after: Value, elsewhere: bool = False) -> Swap:
    where = f"{names.parts[names.part_of(name)]} {names.short(name)}" if elsewhere else names.short(name)
    return Swap(where, show(before), show(after))


def _draft(names: Called, query: QueryForm, said: Mapping[str, Any]) -> DraftView:
    preview, fields = said.get("preview"), names.fields
    ranks, ranked = _ranks(names, said), fields.get(said.get("ranked", ""), "")
    if not preview or not preview["changes"]:
        return DraftView(ranks=ranks, ranked=ranked)
    moved = preview["moved"] or {}
    standing = query["configuration"]
    return DraftView(
        tuple(swap_of(names, it) for it in preview["changes"]),
        {fields[it["variable"]]: written(it["after"]) for it in preview["changes"]},
        tuple(fields[name] for name in said.get("completed", ())),
        _conflict(names, query, preview, said),
        tuple(_swap(names, name, standing[name], value, elsewhere=True) for name, value in moved.items()),
        _places(names, said.get("like")),
        ranks,
        ranked,
    )


def _conflict(
    names: Called, query: QueryForm, preview: Mapping[str, Any], said: Mapping[str, Any]
) -> ConflictView | None:
    """None where it can be told: as it stands, or with room made elsewhere."""
    if not preview["moved_pins"] and preview["moved"] is not None:
        return None
    labels = {it["name"]: it["label"] for it in preview["broken"]}
    rules = said.get("conflict") or list(labels)
    pins = [f"you keep {names.short(name)} as it is" for name in preview["moved_pins"]]
    keeps = preview["completion"] is not None
    near = preview["completion"] if keeps else preview["nearest"]
    drafted = preview["values"]
    changes = {name: value for name, value in (near or {}).items() if value != drafted[name]}
    fields = names.fields
    return ConflictView(
        (*pins, *dict.fromkeys(_rule_words(names, name) for name in rules)),
        preview["in_the_way"],
        tuple(_swap(names, name, drafted[name], value) for name, value in changes.items()),
        {fields[name]: written(value) for name, value in (near or {}).items() if value != query["proposal"][name]},
        tuple(fields[name] for name, value in (near or {}).items() if preview["given"].get(name) != value),
        keeps,
    )


def _rule_words(names: Called, name: str) -> str:
    """A rule of hers is said to be hers."""
    return f"your rule: {names.rule(name)}" if name.startswith(OWN) else names.rule(name)


def _places(names: Called, like: Mapping[str, Any] | None) -> tuple[PlaceView, ...]:
    if like is None:
        return ()
    return tuple(
        PlaceView(
            it["part"],
            names.parts[it["part"]],
            tuple(swap_of(names, change) for change in it["changes"]),
            it["refused"],
        )
        for it in like["places"]
        if it["changes"] or it["refused"]
    )


VERDICTS = {1: "better by what I know of you", 0: "as good by what I know", -1: "worse by what I know of you"}


def _ranks(names: Called, said: Mapping[str, Any]) -> tuple[Rank, ...]:
    return tuple(_rank(names, it) for it in said.get("alternatives", ()))


def _rank(names: Called, found: Mapping[str, Any]) -> Rank:
    details = [f"{it['label']} {number(abs(it['by']))} {'more' if it['by'] > 0 else 'less'}" for it in found["figures"]]
    details += [f"then {_swap(names, it['variable'], it['before'], it['after']).words}" for it in found["changes"]]
    return Rank(
        written(found["value"]), show(found["value"]), VERDICTS[found["better"]], found["better"], tuple(details)
    )


def conflict_words(names: Called, rules: Sequence[str]) -> tuple[str, ...]:
    """Rules in conflict, as people say them."""
    return tuple(dict.fromkeys(_rule_words(names, name) for name in rules))
