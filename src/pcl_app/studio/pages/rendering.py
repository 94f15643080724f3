"""From view models to HTML: templates that escape every label, and files that never change under their address."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pcl_app.studio.views import capital, sentence

HERE = Path(__file__).parent.parent
SAID = "pcl_said"
MAX_SAID = 1500


@cache
def static_address(name: str) -> str:
    """The address of a file, with what it holds in it: a browser may keep it for ever."""
    return f"/static/{name}?{hashlib.sha256((HERE / 'static' / name).read_bytes()).hexdigest()[:10]}"


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"capital": capital, "sentence": sentence}
    made.globals["static"] = static_address
    return made


def render(request: Request, template: str, status: int = 200, **shown: Any) -> Response:
    """A page, or only what changes of it for who fetches a fragment."""
    fragment = request.headers.get("x-fragment") == "1"
    defaults: dict[str, Any] = {"say": "", "watch": "", "events": 0, "notices": (), "ruling": None, "look": None}
    context = {**defaults, **shown, "fragment": fragment}
    html = environment().get_template(template).render(context)
    response = HTMLResponse(html, status)
    if SAID in request.cookies:
        response.delete_cookie(SAID)
    return response


def hidden(token: str, seen: int | None = None) -> Markup:
    """Fields that every form has: that it is ours, and what its reader had seen."""
    known = "" if seen is None else Markup('<input type="hidden" name="seen" value="{}">').format(seen)
    return Markup('<input type="hidden" name="form_token" value="{}">').format(token) + known


def draft_address(id: str, part: str, fields: Mapping[str, str], completed: Sequence[str] = (), **more: str) -> str:
    """A page with a draft in it: the draft is in the address, so a reload keeps it."""
    pairs = [("part", part), *fields.items(), *(("c", each) for each in completed), *more.items()]
    return f"/e/{quote(id)}?{urlencode(pairs)}"


def go(address: str, said: Sequence[str] = (), bad: Mapping[str, Any] | None = None) -> Response:
    """On to another page, with sentences that it shows once. They wait in a cookie, since servers remember nothing."""
    response = RedirectResponse(address, 303)
    notices: list[dict[str, Any]] = [{"text": text} for text in said]
    if bad is not None:
        notices.append({"bad": True, **bad})
    if notices:
        text = json.dumps(notices, separators=(",", ":"))
        if len(text) > MAX_SAID:
            text = json.dumps(
                [{**it, "text": it["text"][:300], "rules": it.get("rules", [])[:4]} for it in notices[:3]]
            )
        response.set_cookie(SAID, quote(text), max_age=30, httponly=True, samesite="strict")
    return response


def said_before(request: Request) -> list[dict[str, Any]]:
    """The sentences that wait."""
    try:
        found = json.loads(unquote(request.cookies.get(SAID, "[]")))
    except (ValueError, RecursionError):
        return []
    known = (
        [it for it in found if isinstance(it, dict) and isinstance(it.get("text"), str)]
        if isinstance(found, list)
        else []
    )
    return [
        {
            "text": sentence(it["text"]),
            "bad": bool(it.get("bad")),
            "rules": [str(rule) for rule in it.get("rules") or ()],
        }
        for it in known
    ]
