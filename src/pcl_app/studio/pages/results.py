"""The result: the whole, what is certain about it, what was learned, what was said, and all of it to take away."""

import csv
import io
import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from pcl_app.studio.api import At, Who
from pcl_app.studio.pages.forms import Posted, token_of
from pcl_app.studio.pages.rendering import go, hidden, render, said_before
from pcl_app.studio.views import Called, board_of, likings_of, meaning_of, meters_of, show, standings_of, widest

router = APIRouter(include_in_schema=False)
MOST_METERS = 8


@router.get("/e/{id}/result")
async def result(request: Request, desk: At, who: Who, id: str) -> Response:
    look = await desk.look(who, id)
    names = Called(await desk.problem(who, look["problem"], look["uploaded"]))
    standings = standings_of([{**part, "asked": False} for part in look["parts"]])
    likings = likings_of(names.problem, await desk.taste(who, id), await desk.unsure_at_first(who, id))
    fixed = {name for name, variable in names.variables.items() if not variable["free"]}
    return render(
        request,
        "result.html",
        look=look,
        board=board_of(names, look["configuration"], standings, fixed=fixed),
        meters=meters_of([it for it in look["summary"] if it["value"]], most=MOST_METERS),
        likings=likings,
        widest=widest(likings),
        meaning=meaning_of(look),
        notices=said_before(request),
        hidden=lambda: hidden(token_of(request)),
    )


@router.post("/e/{id}/again")
async def again(desk: At, who: Who, id: str, form: Posted) -> Response:
    """A new elicitation that starts from what was learned in this one."""
    look, taste = await desk.look(who, id), await desk.taste(who, id)
    made = await desk.create(who, look["problem"], uploaded=look["uploaded"], title=look["title"], taste=taste)
    return go(f"/e/{made['id']}", ["this starts from what you told me last time"])


@router.get("/e/{id}/result/{file}")
async def download(desk: At, who: Who, id: str, file: str) -> Response:
    look = await desk.look(who, id)
    kind = {"json": "application/json", "csv": "text/csv", "jsonl": "application/x-ndjson"}.get(
        file.rpartition(".")[2], ""
    )
    match file:
        case "configuration.json":
            text = _json(look["configuration"])
        case "configuration.csv":
            names = Called(await desk.problem(who, look["problem"], look["uploaded"]))
            text = _table(names, look["configuration"])
        case "log.jsonl":
            text = "".join(f"{event}\n" for event in await desk.log(who, id))
        case "weights.json":
            features = {it["name"] for it in (await desk.problem(who, look["problem"], look["uploaded"]))["features"]}
            weights = (await desk.taste(who, id))["weights"]
            text = _json({name: weight for name, weight in weights.items() if name in features})
        case "taste.json":
            text = _json(await desk.taste(who, id))
        case _:
            return Response("there is no such file", 404, media_type="text/plain")
    name = f"{look['problem'].partition(':')[0]}-{file}"
    plain = "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in name if letter.isascii())
    headers = {"Content-Disposition": f'attachment; filename="{plain}"', "Cache-Control": "no-store"}
    return Response(text, media_type=kind, headers=headers)


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _table(names: Called, configuration: dict[str, Any]) -> str:
    """A row for each variable. A text that a spreadsheet would take for a formula is kept from that."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(["part", "variable", "label", "value"])
    for name, value in configuration.items():
        variable = names.variables[name]
        row = [names.parts[variable["part"]], name, variable["label"], show(value)]
        table.writerow([f"'{it}" if it[:1] in ("=", "+", "@", "\t", "\r") else it for it in row])
    return out.getvalue()
