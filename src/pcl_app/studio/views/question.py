"""The question: one part, what is proposed there, what the person is about to change, and what would come of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pcl_app.studio.forms import QueryForm, ValueForm, ViewForm
from pcl_app.studio.views.controls import Control, Fixed, controls_of
from pcl_app.studio.views.drafting import DraftView, Swap, draft_of, swap, swap_of
from pcl_app.studio.views.figures import Meter, meters_of
from pcl_app.studio.views.naming import Called, capital, show
from pcl_core.wording import in_a_row

MOST_AROUND = 10


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
    moved: tuple[Swap, ...]
    """What changed elsewhere before the question, where she had said nothing final."""
    draft: DraftView
    proven: bool
    looked: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    """In a last look: part, label and values of each."""
    together: str
    """In a last look: two parts that may gain by changing both; else empty."""
    remembered: bool
    """Whether a look is at what she ended with last time, before anything else."""

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
    kind = "part" if len(query["parts"]) == 1 else "pair" if query["pair"] else "look"
    preview = worked_out.get("preview")
    values: ValueForm = {**query["proposal"], **(preview["values"] if preview else {})}
    completed, draft = worked_out.get("completed", ()), draft_of(names, query, worked_out)
    own = {name: value for part in view["look"]["parts"] for name, value in part["own"].items()}
    controls, fixed = ((), ()) if kind == "look" else controls_of(
        names, query, values, worked_out.get("possible") or query["possible"], worked_out.get("forbidden", {}),
        completed, own, draft.tellable,
    )  # fmt: skip
    label = capital(query["label"])
    figures = preview["notable"] if preview else query["notable"]
    return Question(
        query["number"],
        kind,
        query["part"],
        label,
        _lead(kind, query, bool(preview)),
        controls,
        fixed,
        _around(names, {**query["context"], **_moved(query, preview)}),
        meters_of(figures, query["summary"] if preview else ()),
        sentence(query["why_text"]),
        sentence(query["why_suggested"]),
        tuple(swap(names, name, query["proposal"][name], value) for name, value in query["suggestion"].items()),
        tuple(map(swap_of, [names] * len(query["changes"]), query["changes"])),
        tuple(swap(names, it["variable"], it["before"], it["after"], elsewhere=True) for it in query["moved"]),
        draft,
        query["proven"],
        tuple((part, names.parts[part], _listed(names, part, query)) for part in query["parts"])
        if kind == "look"
        else (),
        in_a_row([names.parts[part] for part in query["together"]]),
        query["remembered"],
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


def _moved(query: QueryForm, preview: Mapping[str, Any] | None) -> ValueForm:
    """What changes around it to make room for a draft."""
    moved: ValueForm = (preview or {}).get("moved") or {}
    return {name: value for name, value in moved.items() if name in query["context"]}


def _around(names: Called, context: ValueForm) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    found: dict[str, list[tuple[str, str]]] = {}
    for name, value in context.items():
        found.setdefault(names.parts[names.part_of(name)], []).append((names.short(name), show(value)))
    return tuple((part, tuple(values)) for part, values in list(found.items())[:MOST_AROUND])
