"""What the person is about to say: what it changes, where else that could be, and why it may not be possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pcl_app.studio.fields import written
from pcl_app.studio.forms import ChangeForm, QueryForm
from pcl_app.studio.views.figures import number
from pcl_app.studio.views.naming import OWN, Called, show
from pcl_core.json_form import Value


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
    """Empty where nothing is known of any of them."""
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


def swap_of(names: Called, change: ChangeForm) -> Swap:
    return swap(names, change["variable"], change["before"], change["after"])


def swap(names: Called, name: str, before: Value, after: Value, elsewhere: bool = False) -> Swap:
    where = f"{names.parts[names.part_of(name)]} {names.short(name)}" if elsewhere else names.short(name)
    return Swap(where, show(before), show(after))


def draft_of(names: Called, query: QueryForm, said: Mapping[str, Any]) -> DraftView:
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
        tuple(swap(names, name, standing[name], value, elsewhere=True) for name, value in moved.items()),
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
    near, drafted = preview["completion"] or preview["nearest"], preview["values"]
    keeps = near is not None and all(near[name] == value for name, value in preview["given"].items())
    changes = {name: value for name, value in (near or {}).items() if value != drafted[name]}
    fields = names.fields
    return ConflictView(
        (*pins, *dict.fromkeys(_rule_words(names, name) for name in rules)),
        preview["in_the_way"],
        tuple(swap(names, name, drafted[name], value) for name, value in changes.items()),
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
    found, stands = said.get("alternatives", ()), show(said.get("standing", ""))
    known = any(it["better"] for it in found)
    return tuple(_rank(names, it, stands, known) for it in found)


def _rank(names: Called, found: Mapping[str, Any], stands: str, known: bool) -> Rank:
    """What is known of none is not said of each; nor that there is one more of what is put there, and one less of the other."""
    value = show(found["value"])
    details = [
        f"{it['label']} {number(abs(it['by']))} {'more' if it['by'] > 0 else 'less'}"
        for it in found["figures"]
        if abs(it["by"]) != 1 or not any(text and text in it["label"] for text in (value, stands))
    ]
    details += [f"then {swap(names, it['variable'], it['before'], it['after']).words}" for it in found["changes"]]
    verdict = VERDICTS[found["better"]] if known else ""
    return Rank(written(found["value"]), value, verdict, found["better"], tuple(details))


def conflict_words(names: Called, rules: Sequence[str]) -> tuple[str, ...]:
    """Rules in conflict, as people say them."""
    return tuple(dict.fromkeys(_rule_words(names, name) for name in rules))
