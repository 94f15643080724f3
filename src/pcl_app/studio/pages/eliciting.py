"""The page on which a person works: the whole, the part in question, and everything that she can say."""

import json
from collections.abc import Mapping
from typing import Any, cast

from fastapi import APIRouter, Request
from starlette.responses import Response

from pcl_app.studio.api import At, Who
from pcl_app.studio.desk import Desk
from pcl_app.studio.errors import Refused, refused
from pcl_app.studio.fields import read_all, written
from pcl_app.studio.forms import Look, ViewForm
from pcl_app.studio.pages.forms import Posted, PostedForm, token_of
from pcl_app.studio.pages.rendering import draft_address, go, hidden, render, said_before
from pcl_app.studio.views import (
    Called,
    board_of,
    conflict_words,
    meaning_of,
    meters_of,
    progress_of,
    question_of,
    quick_rules,
    rule_choices,
    rule_of,
    rule_places,
    ruling_of,
    standings_of,
)
from pcl_core.errors import Code

MOST_FURTHER = 10
router = APIRouter(include_in_schema=False)


@router.get("/e/{id}")
async def elicit(request: Request, desk: At, who: Who, id: str) -> Response:
    """The question that is open, or the next one; with a draft, if the address has one."""
    asked = request.query_params
    fields = {key: value for key, value in asked.items() if key.startswith("v") and key[1:].isdecimal()}
    try:
        found = await desk.page(who, id, asked.get("part"), fields, asked.getlist("c"), asked.get("rank"))
    except Refused as refusal:
        if asked.get("part") is None or refusal.status not in (409, 422):
            raise
        return go(f"/e/{id}", bad={"text": refusal.error["message"]})
    return await show(request, desk, who, found, said_before(request))


async def show(
    request: Request,
    desk: Desk,
    who: str,
    found: Mapping[str, Any],
    notices: list[dict[str, Any]],
    ruling: Any = None,
    status: int = 200,
) -> Response:
    """The page of what the desk found."""
    look: Look = found["look"]
    names = Called(await desk.problem(who, look["problem"], look["uploaded"]), look["rules"])
    draft = found["draft"]
    if "refused" in draft:
        notices = [*notices, {"text": draft["refused"]["message"], "bad": True}]
    question = question_of(names, cast(ViewForm, found), draft)
    standings = standings_of(look["parts"])
    values = dict(look["configuration"])
    preview = draft.get("preview")
    if preview:
        values |= preview["values"] | (preview["moved"] or {})
    query = found["query"]
    before = {it["variable"] for it in query["changes"]} if query else set()
    changed = {name for name, value in values.items() if value != look["configuration"][name]} | before
    fixed = {name for name, variable in names.variables.items() if not variable["free"]}
    progress = progress_of(standings)
    board = board_of(names, values, standings, changed=changed, around=query["context"] if query else (), fixed=fixed)
    limited = [it for it in look["summary"] if it["limit"] is not None and it["value"]]
    meters = question.meters if question and question.meters else meters_of(limited)
    meters += meters_of(draft.get("limits", []))
    notices = [{"rules": [], "bad": False, **it} for it in notices]
    return render(
        request,
        "elicit.html",
        status,
        look=look,
        names=names,
        question=question,
        board=board,
        progress=progress,
        meters=meters,
        again=sum(it.state == "again" for it in progress.parts),
        changes_shown=bool(changed),
        choices=rule_choices(names.problem),
        places=rule_places(names.problem),
        ruling=ruling,
        quick=quick_rules(names, draft, look["configuration"]) if preview else (),
        shown=json.dumps(query["proposal"]) if query else "",
        meaning=meaning_of(look),
        notices=notices,
        say=" ".join(it["text"] for it in notices)
        or (question.label + ". " + question.lead if question else "Finished."),
        hidden=lambda: hidden(token_of(request), look["events"]),
        draft_url=lambda part, fields, filled: draft_address(look["id"], part, fields, filled),
        watch=f"/api/v1/elicitations/{look['id']}/events",
        events=look["events"],
    )


@router.post("/e/{id}/say")
async def say(request: Request, desk: At, who: Who, id: str, form: Posted) -> Response:
    """Everything that a person can say on the page: the button that was pressed is the field `do`."""
    here = f"/e/{id}"
    do, _, about = form.one("do").partition(":")
    try:
        look = await desk.look(who, id)
        names = Called(await desk.problem(who, look["problem"], look["uploaded"]), look["rules"])
        return await _Said(request, desk, who, id, form, look, names).do(do, about)
    except Refused as refusal:
        if refusal.status not in (409, 422, 503):
            raise
        rules = list(conflict_words(names, refusal.error.get("conflict") or ())) if refusal.status == 422 else []
        text = _without_listing(refusal.error) if rules else refusal.error["message"]
        if refusal.status == 409 and refusal.error["code"] != Code.NOTHING_TO_UNDO:
            text = "This was changed in another tab, so your last click did not count. Here it is as it stands now"
        back = here if refusal.status == 409 else _address(id, form)
        return go(back, bad={"text": text, "rules": rules})


def _without_listing(error: Mapping[str, Any]) -> str:
    """The message without the names of constraints at its end, which are said beside it in words."""
    return str(error["message"]).partition(f": {error['conflict'][0]}")[0]


def _address(id: str, form: PostedForm, **more: str) -> str:
    """The page again with the draft that the form has."""
    part = form.one("part")
    return draft_address(id, part, form.drafted, form.all("c"), **more) if part else f"/e/{id}"


class _Said:
    """One thing that was said, and what follows from it."""

    def __init__(
        self, request: Request, desk: Desk, who: str, id: str, form: PostedForm, look: Look, names: Called
    ) -> None:
        self.request, self.desk, self.who, self.id, self.form = request, desk, who, id, form
        self.look, self.names = look, names
        self.seen = form.number("seen")
        values = read_all(names.problem["variables"], form.drafted)
        self.values = {name: value for name, value in values.items() if value != look["configuration"].get(name)}
        by_field = {field: name for name, field in names.fields.items()}
        self.by_field = by_field
        self.completed = [by_field[field] for field in form.all("c") if by_field.get(field) in self.values]

    async def do(self, do: str, about: str) -> Response:
        desk, who, id, here = self.desk, self.who, self.id, f"/e/{self.id}"
        match do:
            case "final" | "better" | "take" | "skip":
                return go(here, await self.answer(do))
            case "elsewhere":
                values = dict(self.values)
                said = await self.answer("final")
                if not self.form.all("only"):
                    return go(here, said)
                found = await desk.everywhere(who, id, values, self.form.all("only"))
                places = [self.names.parts[it["part"]] for it in found["places"] if it["changes"]]
                return go(here, [*said, f"the same is now at {', '.join(places)}", *found["said"]])
            case "complete":
                given = {name: value for name, value in self.values.items() if name not in self.completed}
                found_values = (await desk.complete(who, id, given))["values"]
                fields = self._fields(found_values)
                filled = [self.names.fields[name] for name in found_values if name not in given]
                filled = [it for it in filled if it in fields]
                said = [] if filled else ["the rest is already as I would fill it in"]
                if not given and not self.look["pins"]:
                    said = ["choose or keep something first: the rest is filled in around it"]
                return go(draft_address(id, self.form.one("part"), fields, filled), said)
            case "undo":
                if self.values:
                    return go(f"{here}?part={self.form.one('part')}", ["your change is dropped"])
                outcome = await desk.undo(who, id, self.seen)
                return go(here, ["taken back", *outcome["said"]])
            case "confirm":
                again = [it["part"] for it in self.look["parts"] if it["standing"] == "open" and not it["asked"]]
                return go(here, (await desk.confirm(who, id, again, self.seen))["said"])
            case "stop":
                return go(f"{here}/result", (await desk.stop(who, id, self.seen))["said"])
            case "further":
                outcome = await desk.look_further(who, id, MOST_FURTHER, self.seen)
                view = await desk.view(who, id)
                some = f"at most {MOST_FURTHER} questions about two parts at once; skip what you do not care for"
                none = "looked further: by what I know, no two parts changed together gain"
                return go(here, [*outcome["said"], some if view["query"] else none])
            case "pin":
                name = self._named(about)
                values = read_all(self.names.problem["variables"], self.form.drafted)
                await desk.pin(who, id, {name: values.get(name, self.look["configuration"][name])}, self.seen)
                return go(self._without(name), [f"{self.names.short(name)} is kept as it is from now on"])
            case "unpin":
                name = self._named(about)
                outcome = await desk.unpin(who, id, name, self.seen)
                return go(_address(id, self.form), [f"{self.names.short(name)} may change again", *outcome["said"]])
            case "rank":
                return go(_address(id, self.form, rank=about))
            case "set":
                field, _, value = about.partition("=")
                fields = {**self._changed_fields(), field: value}
                left = [each for each in self.form.all("c") if each != field]
                return go(draft_address(id, self.form.one("part"), fields, left))
            case "rule" | "quick":
                return await self.rule(about)
            case "unrule":
                number = int(about) if about.isdecimal() else -1
                words = self.look["rules"][number]["words"] if 0 <= number < len(self.look["rules"]) else ""
                outcome = await desk.remove_rule(who, id, number, self.seen)
                return go(here, [f"no longer: {words}", *outcome["said"]])
            case _:
                return go(_address(id, self.form))

    def _named(self, field: str) -> str:
        if field not in self.by_field:
            raise refused(422, Code.UNKNOWN_NAME, "there is no such value here", "reload the page, and try again")
        return self.by_field[field]

    async def answer(self, do: str) -> list[str]:
        kind = {"take": "taken", "skip": "skipped"}.get(do, "improved" if self.values else "accepted")
        try:
            shown = json.loads(self.form.one("shown") or "null")
        except (ValueError, RecursionError):  # no page of ours sends it: the answer is then to what is proposed now
            shown = None
        said = {
            "query": self.form.number("query") or 0,
            "kind": kind,
            "values": self.values if kind == "improved" else {},
            "final": do == "final" and kind == "improved",
            "completed": self.completed,
            "shown": shown if isinstance(shown, dict) else None,
        }
        return (await self.desk.answer(self.who, self.id, said))["said"]

    async def rule(self, about: str) -> Response:
        """A rule that changes something is shown first, and said when she is sure."""
        fields = {key: self.form.one(key) for key in ("kind", "about", "where", "count", "each")}
        if about:
            fields = dict(zip(("kind", "about", "where"), about.split("|", 2), strict=False)) | {"count": "1"}
        rule = rule_of(self.names, fields)
        if not self.form.one("sure"):
            found = await self.desk.preview_rule(self.who, self.id, rule)
            if found["changes"]:
                page = await self.desk.page(self.who, self.id, None, self._changed_fields(), self.form.all("c"), None)
                kept = {**fields, "part": self.form.one("part"), **self._changed_fields()}
                return await show(self.request, self.desk, self.who, page, [], ruling_of(self.names, found, kept))
        ruled = await self.desk.add_rule(self.who, self.id, rule, self.seen)
        part = self.form.one("part")
        back = draft_address(self.id, part, self._changed_fields(), self.form.all("c")) if part else f"/e/{self.id}"
        return go(back, [f"from now on: {ruled['rule']['words']}", *ruled["said"]])

    def _fields(self, values: Mapping[str, Any]) -> dict[str, str]:
        return {
            self.names.fields[name]: written(value)
            for name, value in values.items()
            if value != self.look["configuration"].get(name)
        }

    def _changed_fields(self) -> dict[str, str]:
        return self._fields(self.values)

    def _without(self, name: str) -> str:
        fields = {field: value for field, value in self._changed_fields().items() if field != self.names.fields[name]}
        return draft_address(self.id, self.form.one("part"), fields, self.form.all("c"))
