"""Home: what there is to choose, what the person has begun, and problems of her own."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.responses import Response

from pcl_app.studio.api import At, Who
from pcl_app.studio.desk import Desk
from pcl_app.studio.errors import Refused
from pcl_app.studio.pages.forms import Posted, check_token, token_of
from pcl_app.studio.pages.rendering import go, hidden, render, said_before
from pcl_app.studio.views import capital, picture_of, sentence

MOST_OWNED = 5
BOARDS = ("calendar", "cards", "floor", "plan", "cells")
"""The order of the catalogue: what everybody knows comes first."""
MOST_LINES = 400
MAX_BYTES = 2_000_000
router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request, desk: At, who: Who) -> Response:
    return await show_home(request, desk, who)


async def show_home(
    request: Request, desk: Desk, who: str, wrong: Mapping[str, Any] | None = None, status: int = 200
) -> Response:
    entries = []
    for it in await desk.problems(who):
        problem = await desk.problem(who, it["name"], it["uploaded"])
        board = (problem["display"] or {"board": "list"})["board"]
        entries.append({**it, "picture": picture_of(problem), "board": board})
    entries.sort(key=lambda it: (it["uploaded"] is None, BOARDS.index(it["board"]) if it["board"] in BOARDS else 9))
    owned = await _owned(desk, who)
    return render(
        request,
        "home.html",
        status,
        entries=entries,
        owned=owned[:MOST_OWNED],
        more=len(owned) if len(owned) > MOST_OWNED else 0,
        wrong=wrong,
        notices=said_before(request),
        hidden=lambda: hidden(token_of(request)),
    )


@router.get("/yours")
async def yours(request: Request, desk: At, who: Who) -> Response:
    """All elicitations of a person; home has the newest."""
    return render(request, "yours.html", owned=await _owned(desk, who))


async def _owned(desk: Desk, who: str) -> list[dict[str, Any]]:
    labels = {it["name"]: it["label"] for it in await desk.problems(who)}
    return [
        {
            **it,
            "title": it["title"] or labels.get(it["problem"], capital(it["problem"])),
            "when": time.strftime("%-d %B %Y, %H:%M", time.gmtime(it["created"])),
        }
        for it in await desk.elicitations(who)
    ]


@router.post("/new")
async def new(desk: At, who: Who, form: Posted) -> Response:
    made = await desk.create(who, form.one("problem"), uploaded=form.one("uploaded") or None)
    return go(f"/e/{made['id']}")


@router.post("/upload")
async def upload(request: Request, desk: At, who: Who) -> Response:
    """A problem file; whatever is wrong in it is shown at its line."""
    async with request.form(max_files=1, max_fields=8) as data:
        check_token(request, str(data.get("form_token") or ""))
        file = data.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            return go("/", bad={"text": "choose a file first"})
        name, content = file.filename[:120], await file.read(MAX_BYTES + 1)
    text = content.decode("utf-8", "replace")
    try:
        made = await desk.upload(who, name, text)
    except Refused as refusal:
        if refusal.status not in (413, 422, 503):
            raise
        return await show_home(request, desk, who, _findings(name, text, refusal.error), 422)
    return go("/", [f"{made['label']} was read; it is with the others below"])


def _findings(name: str, text: str, error: Mapping[str, Any]) -> dict[str, Any]:
    """The text with what is wrong at its lines."""
    issues: Sequence[Mapping[str, Any]] = error.get("issues") or [error]
    at: dict[int, list[str]] = {}
    general: list[str] = []
    for issue in issues:
        hint = f" ({issue['hint']})" if issue.get("hint") else ""
        said = sentence(f"{issue['message']}{hint}")
        line = issue.get("line")
        at.setdefault(line, []).append(said) if line else general.append(said)
    lines = text.splitlines()
    near = {number for line in at for number in range(line - 12, line + 13)}
    shown = [number for number in range(1, len(lines) + 1) if len(lines) <= MOST_LINES or number in near][:MOST_LINES]
    count = f"{len(issues)} {'thing is' if len(issues) == 1 else 'things are'} wrong"
    return {
        "name": name,
        "count": count,
        "general": general,
        "lines": [{"number": it, "text": lines[it - 1], "said": at.get(it, [])} for it in shown] if at else [],
    }
