"""The shop's pages: forms that work without a script, drawn on the server."""

from collections.abc import Iterable
from html import escape
from urllib.parse import quote, unquote, urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

import pcl_core as pcl

from .service import STARTS, Shop, Visit

CUSTOMER = "shop_customer"
STYLE = """
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; color: #223; }
label { display: flex; justify-content: space-between; gap: 1rem; margin: .6rem 0; }
select, input, button { font: inherit; padding: .3rem .6rem; }
button { margin: .6rem .4rem .2rem 0; border: 1px solid #357; border-radius: .4rem; background: #fff; color: #357; }
button.first { background: #357; color: #fff; }
dl { display: grid; grid-template-columns: auto auto; gap: .1rem 1rem; border-top: 1px solid #ccd; padding-top: 1rem; }
dd { margin: 0; } .said { color: #a40; }
"""


def pages(shop: Shop) -> Starlette:
    """The application: what a web server runs."""

    def home(request: Request) -> Response:
        starts = "".join(f"<option>{escape(start)}</option>" for start in ("the cheapest", *STARTS))
        return _page(
            "A computer of your own",
            '<form method="post" action="/enter"><label>Your name <input name="customer" required></label>',
            f'<label>Begin with one <select name="start">{starts}</select></label>{_button("enter", "Come in", True)}</form>',
        )

    async def enter(request: Request) -> Response:
        form = await _said(request)
        answer = RedirectResponse("/computer?" + urlencode({"start": form.get("start", "")}), 303)
        answer.set_cookie(CUSTOMER, quote(form.get("customer", "").strip()[:60]), httponly=True, samesite="lax")
        return answer

    def question(request: Request) -> Response:
        customer = _customer(request)
        if not customer:
            return RedirectResponse("/", 303)
        with shop.visit(customer, request.query_params.get("start")) as visit:
            return _page(f"A computer for {customer}", *_asked(visit), *_whole(visit), _order(visit))

    async def answer(request: Request) -> Response:
        form = await _said(request)
        say, number = form.pop("say", "skip"), int(form.pop("query", "0"))
        try:
            with shop.visit(_customer(request)) as visit:
                visit.answer(number, say, form)
        except pcl.PclError as error:
            return _page(
                "That is not possible", *_refused(error), '<p><a href="/computer">Back to your computer</a></p>'
            )
        return RedirectResponse("/computer", 303)

    async def order(request: Request) -> Response:
        number = int((await _said(request)).get("visit", "0"))
        with shop.visit(_customer(request)) as visit:
            if visit.number != number:  # it is ordered already
                return RedirectResponse("/computer", 303)
            shop.order(visit)
            thanks = f"<p>It is sent to you in {visit.box}.</p>"
            return _page("Thank you", thanks, *_whole(visit), '<p><a href="/computer">Another one</a></p>')

    return Starlette(
        routes=[
            Route("/", home),
            Route("/enter", enter, methods=["POST"]),
            Route("/computer", question),
            Route("/answer", answer, methods=["POST"]),
            Route("/order", order, methods=["POST"]),
        ]
    )


def _asked(visit: Visit) -> Iterable[str]:
    """The next question as a form: what is proposed, and what else is possible."""
    query = visit.elicitation.ask()
    if query is None:
        yield "<p>There is nothing left to ask: no single part of it can be made better for you.</p>"
        return
    labels = {variable.name: variable.label for variable in visit.elicitation.problem.variables}
    yield f'<h2>{escape(query.label)}</h2><form method="post" action="/answer">'
    yield _hidden("query", query.number)
    if query.plain.why_text:
        yield f"<p>{escape(query.plain.why_text)}</p>"
    for name, value in query.proposal.ground().items():
        possible = (str(it) for it in query.plain.possible[name])
        options = "".join(f"<option{' selected' * (it == value)}>{escape(it)}</option>" for it in possible)
        yield f'<label>{escape(labels[name])} <select name="{escape(name)}">{options}</select></label>'
    yield (
        _button("right", "That is how I want it", True)
        + _button("better", "Better so")
        + _button("skip", "I do not mind")
    )
    yield "</form>"


def _whole(visit: Visit) -> Iterable[str]:
    """The computer as it stands, and what it costs."""
    problem, computer = visit.elicitation.problem, visit.computer.ground()
    rows = [(variable.label, str(computer[variable.name])) for variable in problem.variables]
    rows.append(("price", f"{pcl.assess(problem, computer).features[0]} euros"))
    yield "<dl>" + "".join(f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in rows) + "</dl>"


def _order(visit: Visit) -> str:
    hidden = _hidden("visit", visit.number)
    return f'<form method="post" action="/order">{hidden}{_button("order", "Order it as it stands")}</form>'


async def _said(request: Request) -> dict[str, str]:
    return {name: str(value) for name, value in (await request.form()).items()}


def _customer(request: Request) -> str:
    return unquote(request.cookies.get(CUSTOMER, ""))


def _hidden(name: str, value: int) -> str:
    return f'<input type="hidden" name="{name}" value="{value}">'


def _refused(error: pcl.PclError) -> Iterable[str]:
    return (f'<p class="said">{escape(issue.message)}</p>' for issue in error.issues)


def _button(value: str, text: str, first: bool = False) -> str:
    return f'<button name="say" value="{value}"{" class=first" * first}>{text}</button>'


def _page(title: str, *pieces: str) -> HTMLResponse:
    shown = f'<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return HTMLResponse(f"{shown}<style>{STYLE}</style><h1>{escape(title)}</h1>{''.join(pieces)}</html>")
