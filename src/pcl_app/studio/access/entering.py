"""Signing in and out: the page for whoever has no cookie yet."""

from html import escape
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pcl_app.studio.access.guard import with_cookie
from pcl_app.studio.access.people import COOKIE, Doorkeeper

router = APIRouter(include_in_schema=False)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in: pcl studio</title><link rel="stylesheet" href="/static/studio.css">
</head>
<body class="signing-in">
<main>
<h1>pcl studio</h1>
<p>{intro}</p>
{wrong}
<form method="post" action="/login">
<input type="hidden" name="next" value="{next}">
{name}
<p><label for="password">{secret}</label> <input id="password" name="password" type="password" required
 autocomplete="current-password"></p>
<p><button type="submit">Sign in</button></p>
</form>
</main>
</body>
</html>
"""
NAME_FIELD = """<p><label for="name">Name</label> <input id="name" name="name" autocomplete="username" autofocus></p>"""


@router.get("/login")
async def sign_in_page(request: Request, next: Annotated[str, Query(max_length=2000)] = "/") -> Response:
    return _page(_doorkeeper(request), next, "")


@router.post("/login")
async def sign_in(
    request: Request,
    password: Annotated[str, Form(max_length=1000)],
    name: Annotated[str, Form(max_length=100)] = "",
    next: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Exchange a password, or the token, for a cookie."""
    doorkeeper = _doorkeeper(request)
    person = await doorkeeper.admitted(request, lambda: doorkeeper.by_password(name.strip().lower(), password))
    if person is None:
        return _page(doorkeeper, next, "This is not right. Try again.", 401)
    return with_cookie(RedirectResponse(_here(next), 303), doorkeeper, person)


@router.post("/logout")
async def sign_out() -> Response:
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE)
    return answer


def _doorkeeper(request: Request) -> Doorkeeper:
    found = request.app.state.doorkeeper
    assert isinstance(found, Doorkeeper)
    return found


def _page(doorkeeper: Doorkeeper, next: str, wrong: str, status: int = 200) -> Response:
    intro = "The link that opened the studio works once, in one browser. Here is the way in for another."
    users = doorkeeper.has_users
    page = PAGE.format(
        intro="Please sign in." if users else intro,
        wrong=f'<p role="alert">{escape(wrong)}</p>' if wrong else "",
        next=escape(_here(next)),
        name=NAME_FIELD if users else "",
        secret="Password" if users else "Token (it is in the link)",
    )
    return HTMLResponse(page, status)


def _here(target: str) -> str:
    """A page of ours, whatever was asked for: nobody is sent to another site."""
    parts = urlsplit(target)
    local = not parts.scheme and not parts.netloc and target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if local and target.isprintable() else "/"
