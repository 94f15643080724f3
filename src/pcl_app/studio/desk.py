"""The desk: what a person can do in the studio. Pages and the HTTP API both come here, and nothing else does the work.

Every method says who asks. What is not hers is not there for her. What cannot be is raised as `Refused`.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from pcl_app.studio.errors import Refused, try_again
from pcl_app.studio.forms import (
    AnsweredForm,
    Completed,
    ElsewhereForm,
    Look,
    Offered,
    OutcomeForm,
    Owned,
    PageForm,
    PinnedForm,
    PossibleForm,
    PreviewForm,
    ProblemForm,
    QueryForm,
    RepeatedForm,
    Ruled,
    RulingForm,
    TasteForm,
    ViewForm,
)
from pcl_app.studio.storage import Records, Uploaded, new_id
from pcl_app.studio.uploads import Uploads
from pcl_app.studio.watching import Watch
from pcl_app.studio.work import Crew, Errand

UNDISTURBED = 0.1
"""Seconds after the start that are for whoever is there already, before the catalogue is read for those who come."""


class Desk:
    """The service behind pages and API."""

    def __init__(self, crew: Crew, engine: Engine, watch: Watch, uploads: Uploads) -> None:
        self.watch = watch
        self._uploads = uploads
        self._crew = crew
        self._records = Records(engine)
        self._known: set[str] = set()
        self._described: dict[str, ProblemForm] = {}
        """Problems of the catalogue: these do not change while the server runs."""
        self._names: list[str] = []

    async def read_ahead(self) -> None:
        """Read the catalogue before anybody opens the first page. What fails here is told to who asks for it."""
        await asyncio.sleep(UNDISTURBED)
        with suppress(Refused):
            await asyncio.gather(*(self._read(name) for name in await self._catalogue()))

    async def _read(self, name: str) -> None:
        """One after the other, while nobody needs the worker: whoever comes meanwhile waits for one at most."""
        await self._crew.idle(name)
        await self.problem("", name)

    async def problems(self, person: str) -> list[Offered]:
        """The catalogue, and then what she uploaded."""
        names = await self._catalogue()
        described = await asyncio.gather(*(self.problem(person, name) for name in names))
        found = [_entry(name, it) for name, it in zip(names, described, strict=True)]
        uploaded = await self._records_say(self._records.problems_of, person)
        return found + [_uploaded(it) for it in uploaded]

    async def upload(self, person: str, name: str, text: str) -> Offered:
        """A problem file of hers, from now on among what she can choose; whatever is wrong in it is raised with its lines."""
        await self._know(person)
        found = await self._uploads.read(name, text)
        return _uploaded(await self._records_say(partial(self._records.keep_problem, person, **found)))

    async def problem(self, person: str, name: str, uploaded: str | None = None) -> ProblemForm:
        if uploaded is None and name in self._described:
            return self._described[name]
        task = Errand("describe", person, arguments={"problem": name, "uploaded": uploaded})
        found = cast(ProblemForm, await self._crew.do(task))
        if uploaded is None and name in await self._catalogue():
            self._described[name] = found
        return found

    async def _catalogue(self) -> list[str]:
        """Workers know it: what reads problems is not imported here."""
        self._names = self._names or cast(list[str], await self._crew.do(Errand("catalogue", "")))
        return self._names

    async def elicitations(self, person: str) -> list[Owned]:
        """Hers, the newest first."""
        found = await self._records_say(self._records.elicitations_of, person)
        return [
            {
                "id": kept.id,
                "problem": kept.problem,
                "uploaded": kept.uploaded,
                "title": kept.title,
                "created": kept.created,
                "events": events,
            }
            for kept, events in found
        ]

    async def create(
        self,
        person: str,
        problem: str = "",
        *,
        uploaded: str | None = None,
        title: str = "",
        recipe: str = "people",
        settings: Mapping[str, Any] | None = None,
        taste: Mapping[str, Any] | None = None,
        events: Sequence[str] | None = None,
    ) -> Look:
        """A new elicitation; with `events` one that was begun elsewhere, such as in `pcl elicit`."""
        await self._know(person)
        given = {
            "problem": problem,
            "uploaded": uploaded,
            "title": title,
            "recipe": recipe,
            "settings": dict(settings or {}),
            "taste": taste,
            "events": None if events is None else list(events),
        }
        return cast(Look, await self._crew.do(Errand("create", person, new_id(), given)))

    async def look(self, person: str, id: str) -> Look:
        return cast(Look, await self._do("look", person, id))

    async def ask(self, person: str, id: str, part: str | None = None) -> QueryForm | None:
        """The open query, or the next one; about `part` if that is given. None when there is nothing to ask."""
        return cast(QueryForm | None, await self._do("ask", person, id, part=part))

    async def view(self, person: str, id: str, part: str | None = None) -> ViewForm:
        """`ask` and then `look`, in one go."""
        return cast(ViewForm, await self._do("view", person, id, part=part))

    async def page(
        self,
        person: str,
        id: str,
        part: str | None,
        fields: Mapping[str, str],
        completed: Sequence[str],
        ranked: str | None,
    ) -> PageForm:
        """`view`, and what comes of the draft that the fields of a page hold."""
        given = {"part": part, "fields": dict(fields), "completed": list(completed), "ranked": ranked}
        return cast(PageForm, await self._do("page", person, id, None, **given))

    async def answer(self, person: str, id: str, said: Mapping[str, Any], seen: int | None = None) -> AnsweredForm:
        """An answer in the core's form: `query`, `kind`, `values`, `final`, `completed`, `shown`."""
        return cast(AnsweredForm, await self._do("answer", person, id, seen, said=dict(said)))

    async def confirm(self, person: str, id: str, parts: list[str] | None, seen: int | None = None) -> OutcomeForm:
        return cast(OutcomeForm, await self._do("confirm", person, id, seen, parts=parts))

    async def add_rule(self, person: str, id: str, rule: Mapping[str, Any], seen: int | None = None) -> Ruled:
        """`kind`, `variables`, `values`, and `count` and `each` where something is counted."""
        return cast(Ruled, await self._do("add_rule", person, id, seen, rule=dict(rule)))

    async def preview_rule(self, person: str, id: str, rule: Mapping[str, Any]) -> RulingForm:
        return cast(RulingForm, await self._do("preview_rule", person, id, rule=dict(rule)))

    async def remove_rule(self, person: str, id: str, number: int, seen: int | None = None) -> OutcomeForm:
        return cast(OutcomeForm, await self._do("remove_rule", person, id, seen, number=number))

    async def pin(self, person: str, id: str, values: Mapping[str, Any], seen: int | None = None) -> PinnedForm:
        return cast(PinnedForm, await self._do("pin", person, id, seen, values=dict(values)))

    async def unpin(self, person: str, id: str, variable: str, seen: int | None = None) -> OutcomeForm:
        return cast(OutcomeForm, await self._do("unpin", person, id, seen, variable=variable))

    async def complete(self, person: str, id: str, values: Mapping[str, Any]) -> Completed:
        return cast(Completed, await self._do("complete", person, id, values=dict(values)))

    async def preview(
        self, person: str, id: str, values: Mapping[str, Any], completed: Mapping[str, Any] | None = None
    ) -> PreviewForm:
        draft = {"values": dict(values), "completed": dict(completed or {})}
        return cast(PreviewForm, await self._do("preview", person, id, None, **draft))

    async def possible(
        self, person: str, id: str, values: Mapping[str, Any], variable: str | None = None
    ) -> PossibleForm:
        return cast(PossibleForm, await self._do("possible", person, id, values=dict(values), variable=variable))

    async def like(
        self, person: str, id: str, values: Mapping[str, Any] | None = None, only: list[str] | None = None
    ) -> ElsewhereForm:
        """What `everywhere` would do."""
        return cast(ElsewhereForm, await self._do("like", person, id, values=values, only=only))

    async def everywhere(
        self,
        person: str,
        id: str,
        values: Mapping[str, Any] | None = None,
        only: list[str] | None = None,
        seen: int | None = None,
    ) -> RepeatedForm:
        """Do the same elsewhere: her last correction, or these values, at like places of other parts."""
        return cast(RepeatedForm, await self._do("everywhere", person, id, seen, values=values, only=only))

    async def undo(self, person: str, id: str, seen: int | None = None) -> OutcomeForm:
        return cast(OutcomeForm, await self._do("undo", person, id, seen))

    async def stop(self, person: str, id: str, seen: int | None = None) -> OutcomeForm:
        return cast(OutcomeForm, await self._do("stop", person, id, seen))

    async def look_further(self, person: str, id: str, most: int = 10, seen: int | None = None) -> OutcomeForm:
        return cast(OutcomeForm, await self._do("look_further", person, id, seen, most=most))

    async def taste(self, person: str, id: str) -> TasteForm:
        return cast(TasteForm, await self._do("taste", person, id))

    async def unsure_at_first(self, person: str, id: str) -> dict[str, float]:
        """How far from nothing each weight could be before the person said anything."""
        return cast(dict[str, float], await self._do("unsure_at_first", person, id))

    async def simulate(self, person: str, problem: str, seed: int, answers: int) -> dict[str, Any]:
        """A simulated person's first answers to a problem of the catalogue."""
        task = Errand("simulate", person, arguments={"problem": problem, "seed": seed, "answers": answers})
        while (found := cast(dict[str, Any], await self._crew.do(task)))["unfinished"]:
            continue
        return found

    async def log(self, person: str, id: str) -> list[str]:
        """The events as JSON texts: what `pcl elicit --resume` reads, one a line."""
        found = cast(dict[str, list[str]], await self._do("log", person, id))
        return found["events"]

    async def _do(self, command: str, person: str, id: str, seen: int | None = None, **arguments: Any) -> object:
        found = await self._crew.do(Errand(command, person, id, arguments, seen))
        self.watch.changed(id)
        return found

    async def _know(self, person: str) -> None:
        if person not in self._known:
            await self._records_say(self._records.know, person)
            self._known.add(person)

    async def _records_say(self, question: Any, *arguments: Any) -> Any:
        """The database may take its time, and the event loop must not."""
        try:
            return await asyncio.to_thread(question, *arguments)
        except DBAPIError:
            raise try_again("the database did not answer") from None


def _uploaded(it: Uploaded) -> Offered:
    return {
        "name": it.name,
        "label": it.label,
        "description": it.description,
        "parts": it.parts,
        "variables": it.variables,
        "features": it.features,
        "uploaded": it.id,
    }


def _entry(name: str, problem: ProblemForm) -> Offered:
    return {
        "name": name,
        "label": problem["label"],
        "description": problem["description"],
        "parts": len(problem["parts"]),
        "variables": len(problem["variables"]),
        "features": len(problem["features"]),
        "uploaded": None,
    }
