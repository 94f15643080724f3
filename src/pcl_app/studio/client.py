"""A small typed client: an elicitation in a studio, from another program.

with StudioClient("http://127.0.0.1:8765", token) as studio:
    week = studio.begin("training")
    while (query := week.ask()) is not None:
        week.accept(query["number"])
"""

import json
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast

import httpx

from pcl_app.studio.errors import RETRY_SECONDS, Refused
from pcl_app.studio.forms import (
    AnsweredForm,
    Completed,
    ElsewhereForm,
    Look,
    Offered,
    OutcomeForm,
    Owned,
    PinnedForm,
    PossibleForm,
    PreviewForm,
    ProblemForm,
    QueryForm,
    RepeatedForm,
    Ruled,
    RulingForm,
    TasteForm,
)

ATTEMPTS = 4
"""How often something is tried that the studio asks to try again; posting an answer twice counts once."""


class StudioClient:
    """A studio, as one person. What it refuses is raised as `Refused`, with `status` and `error`."""

    def __init__(self, address: str, token: str, timeout: float = 60.0) -> None:
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=timeout
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def problems(self) -> list[Offered]:
        return cast(list[Offered], self.call("GET", "/problems"))

    def problem(self, name: str, uploaded: str | None = None) -> ProblemForm:
        given = {} if uploaded is None else {"uploaded": uploaded}
        return cast(ProblemForm, self.call("GET", f"/problems/{name}", parameters=given))

    def upload(self, name: str, text: str) -> Offered:
        return cast(Offered, self.call("POST", "/problems", {"name": name, "text": text}))

    def elicitations(self) -> list[Owned]:
        return cast(list[Owned], self.call("GET", "/elicitations"))

    def begin(self, problem: str = "", **more: Any) -> "RemoteElicitation":
        """A new one; `uploaded`, `title`, `recipe`, `settings`, `taste` and `log` as in the API."""
        made = cast(Look, self.call("POST", "/elicitations", {"problem": problem, **more}))
        return self.elicitation(made["id"])

    def elicitation(self, id: str) -> "RemoteElicitation":
        return RemoteElicitation(self, id)

    def call(self, method: str, path: str, body: Any = None, parameters: Mapping[str, str] | None = None) -> Any:
        """What a route answers; None where there is nothing."""
        reply = self.reply(method, path, body, parameters)
        return None if reply.status_code == 204 else reply.json()

    def reply(self, method: str, path: str, body: Any, parameters: Mapping[str, str] | None = None) -> httpx.Response:
        for attempt in range(1, ATTEMPTS + 1):
            reply = self._http.request(method, path, json=body, params=dict(parameters or {}))
            if reply.status_code != 503 or attempt == ATTEMPTS:
                break
            time.sleep(float(reply.headers.get("Retry-After", RETRY_SECONDS)))
        if reply.is_error:
            raise Refused(reply.status_code, reply.json())
        return reply

    def lines(self, path: str) -> Iterator[str]:
        """The lines of an answer that does not end by itself."""
        with self._http.stream("GET", path, timeout=None) as reply:
            if reply.is_error:
                reply.read()
                raise Refused(reply.status_code, reply.json())
            yield from reply.iter_lines()


class RemoteElicitation:
    """One elicitation in a studio."""

    def __init__(self, studio: StudioClient, id: str) -> None:
        self.id = id
        self._studio = studio

    def look(self) -> Look:
        return cast(Look, self._get(""))

    def ask(self, part: str | None = None) -> QueryForm | None:
        return cast(QueryForm | None, self._get("/query", {} if part is None else {"part": part}))

    def improve(
        self, query: int, values: Mapping[str, Any], *, final: bool = False, completed: Sequence[str] = ()
    ) -> AnsweredForm:
        return self._answer(query, "improved", values=dict(values), final=final, completed=list(completed))

    def accept(self, query: int) -> AnsweredForm:
        return self._answer(query, "accepted")

    def skip(self, query: int) -> AnsweredForm:
        return self._answer(query, "skipped")

    def take(self, query: int) -> AnsweredForm:
        return self._answer(query, "taken")

    def confirm(self, parts: Sequence[str] | None = None) -> OutcomeForm:
        return cast(OutcomeForm, self._post("/confirm", {"parts": None if parts is None else list(parts)}))

    def add_rule(
        self, kind: str, variables: str | list[str], values: list[Any], count: int | None = None, each: str = "all"
    ) -> Ruled:
        return cast(Ruled, self._post("/rules", _rule(kind, variables, values, count, each)))

    def preview_rule(
        self, kind: str, variables: str | list[str], values: list[Any], count: int | None = None, each: str = "all"
    ) -> RulingForm:
        return cast(RulingForm, self._post("/rules/preview", _rule(kind, variables, values, count, each)))

    def remove_rule(self, number: int) -> OutcomeForm:
        return cast(OutcomeForm, self._studio.call("DELETE", self._at(f"/rules/{number}")))

    def pin(self, values: Mapping[str, Any]) -> PinnedForm:
        return cast(PinnedForm, self._post("/pins", {"values": dict(values)}))

    def unpin(self, variable: str) -> OutcomeForm:
        return cast(OutcomeForm, self._studio.call("DELETE", self._at("/pins"), parameters={"variable": variable}))

    def complete(self, values: Mapping[str, Any]) -> Completed:
        return cast(Completed, self._post("/complete", {"values": dict(values)}))

    def preview(self, values: Mapping[str, Any]) -> PreviewForm:
        return cast(PreviewForm, self._post("/preview", {"values": dict(values)}))

    def possible(self, values: Mapping[str, Any] | None = None) -> PossibleForm:
        return cast(PossibleForm, self._post("/possible", {"values": dict(values or {})}))

    def like(self, values: Mapping[str, Any] | None = None, only: Sequence[str] | None = None) -> ElsewhereForm:
        return cast(ElsewhereForm, self._post("/everywhere/preview", _elsewhere(values, only)))

    def everywhere(self, values: Mapping[str, Any] | None = None, only: Sequence[str] | None = None) -> RepeatedForm:
        return cast(RepeatedForm, self._post("/everywhere", _elsewhere(values, only)))

    def undo(self) -> OutcomeForm:
        return cast(OutcomeForm, self._post("/undo", {}))

    def stop(self) -> OutcomeForm:
        return cast(OutcomeForm, self._post("/stop", {}))

    def look_further(self, most: int = 10) -> OutcomeForm:
        return cast(OutcomeForm, self._post("/further", {"most": most}))

    def taste(self) -> TasteForm:
        return cast(TasteForm, self._get("/taste"))

    def log(self) -> list[str]:
        """The events, as `pcl elicit --resume` reads them."""
        return self._studio.reply("GET", self._at("/log"), None).text.split("\n")[:-1]

    def lengths(self) -> Generator[int, None, None]:
        """How many events there are, now and whenever that changes; it ends when the caller does."""
        for line in self._studio.lines(self._at("/events")):
            if line.startswith("data: "):
                yield int(json.loads(line.removeprefix("data: "))["events"])

    def _answer(self, query: int, kind: str, **more: Any) -> AnsweredForm:
        return cast(AnsweredForm, self._post("/answers", {"query": query, "kind": kind, **more}))

    def _get(self, path: str, parameters: Mapping[str, str] | None = None) -> Any:
        return self._studio.call("GET", self._at(path), parameters=parameters)

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._studio.call("POST", self._at(path), dict(body))

    def _at(self, path: str) -> str:
        return f"/elicitations/{self.id}{path}"


def _rule(kind: str, variables: str | list[str], values: list[Any], count: int | None, each: str) -> dict[str, Any]:
    return {"kind": kind, "variables": variables, "values": values, "count": count, "each": each}


def _elsewhere(values: Mapping[str, Any] | None, only: Sequence[str] | None) -> dict[str, Any]:
    return {"values": None if values is None else dict(values), "only": None if only is None else list(only)}
