"""Home: what there is to choose, what the person has begun, and problems of her own."""

import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from pcl_app.studio.api import At, Who
from pcl_app.studio.desk import Desk
from pcl_app.studio.pages.forms import Posted, token_of
from pcl_app.studio.pages.rendering import go, hidden, render, said_before
from pcl_app.studio.views import capital, picture_of

MOST_OWNED = 12
router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request, desk: At, who: Who) -> Response:
    return await show_home(request, desk, who)


async def show_home(
    request: Request, desk: Desk, who: str, wrong: Mapping[str, Any] | None = None, status: int = 200
) -> Response:
    entries = [
        {**it, "picture": picture_of(await desk.problem(who, it["name"], it["uploaded"]))}
        for it in await desk.problems(who)
    ]
    labels = {it["name"]: it["label"] for it in entries}
    owned = [
        {
            **it,
            "title": it["title"] or labels.get(it["problem"], capital(it["problem"])),
            "when": time.strftime("%-d %B %Y, %H:%M", time.gmtime(it["created"])),
        }
        for it in (await desk.elicitations(who))[:MOST_OWNED]
    ]
    return render(
        request,
        "home.html",
        status,
        entries=entries,
        owned=owned,
        wrong=wrong,
        notices=said_before(request),
        hidden=lambda: hidden(token_of(request)),
    )


@router.post("/new")
async def new(desk: At, who: Who, form: Posted) -> Response:
    made = await desk.create(who, form.one("problem"), uploaded=form.one("uploaded") or None)
    return go(f"/e/{made['id']}")
