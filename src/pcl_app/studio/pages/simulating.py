"""A simulated person: her answers one by one or running, with her regret beside the board."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from pcl_app.studio.api import At, Who
from pcl_app.studio.desk import Desk
from pcl_app.studio.pages.rendering import environment, render
from pcl_app.studio.settings import MOST_ANSWERS
from pcl_app.studio.views import Called, board_of, capital, curve_of, sentence, standings_of

AXIS = 12
"""Answers that fit on the axis before it grows."""
PACE = 0.5
"""Seconds between answers that run."""
FIRST = 5
"""Whose wishes are shown first."""
router = APIRouter(include_in_schema=False)
Seed = Annotated[int, Query(ge=0, le=9999)]
Answers = Annotated[int, Query(ge=0, le=MOST_ANSWERS)]


@router.get("/simulate/{name}")
async def simulate(request: Request, desk: At, who: Who, name: str, seed: Seed = FIRST, step: Answers = 0) -> Response:
    problem = await desk.problem(who, name)
    found = await desk.simulate(who, name, seed, step)
    return render(request, "simulate.html", label=problem["label"], **_shown(Called(problem), name, seed, found, step))


@router.get("/simulate/{name}/run")
async def run(request: Request, desk: At, who: Who, name: str, seed: Seed = FIRST, step: Answers = 0) -> Response:
    """All answers from a step on, one after the other, as parts of the page."""
    names = Called(await desk.problem(who, name))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_steps(request, desk, who, names, name, seed, step), 200, headers, "text/event-stream")


async def _steps(
    request: Request, desk: Desk, who: str, names: Called, name: str, seed: int, step: int
) -> AsyncIterator[str]:
    template = environment().get_template("_simulated_part.html")
    for at in range(step + 1, MOST_ANSWERS + 1):
        found, _ = await asyncio.gather(desk.simulate(who, name, seed, at), asyncio.sleep(PACE))
        if len(found["frames"]) <= at or await request.is_disconnected():
            break
        html = template.render(label=names.problem["label"], **_shown(names, name, seed, found, at))
        yield "event: step\n" + "".join(f"data: {line}\n" for line in html.splitlines()) + "\n"
        if found["finished"]:
            break
    yield "event: end\ndata: end\n\n"


def _shown(names: Called, name: str, seed: int, found: dict[str, Any], step: int) -> dict[str, Any]:
    frames = found["frames"][: step + 1]
    at, now = len(frames) - 1, frames[-1]
    ended = found["finished"] or at >= MOST_ANSWERS
    before = frames[-2]["configuration"] if at else now["configuration"]
    regrets = [frame["regret"] for frame in frames]
    most = max(AXIS, at + 1)
    return {
        "name": name,
        "seed": seed,
        "step": at,
        "most": MOST_ANSWERS,
        "ended": ended,
        "now": f"{now['regret']:.3g}",
        "board": board_of(
            names,
            now["configuration"],
            standings_of(now["parts"]),
            changed={it for it, value in now["configuration"].items() if value != before[it]},
            fixed={it for it, variable in names.variables.items() if not variable["free"]},
        ),
        "curve": curve_of(regrets, [frame["satisfied"] for frame in frames[1:]], most),
        "sentence_now": _sentence(names, frames, ended, found["certified"]),
    }


def _sentence(names: Called, frames: list[dict[str, Any]], ended: bool, certified: bool) -> str:
    if len(frames) == 1:
        return "This is where it starts: nobody has said anything yet."
    if ended and certified:
        where = (
            "the best there is for her"
            if frames[-1]["regret"] < 1e-6
            else "as good as changing one part at a time gets"
        )
        return f"She has confirmed every part, after {len(frames) - 1} answers: this is {where}."
    told = frames[-1]["told"]
    if told is None:
        return "She answers."
    parts = ", ".join(names.parts[part] for part in told["parts"])
    if told["kind"] == "accepted":
        return f"Of {parts} she says: nothing here could be better."
    return sentence(f"she changes {capital(told['words'])}")
