"""Events by SSE: who watches an elicitation learns when it changes, in whatever window or program that happens."""

import json
from collections import Counter
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.responses import StreamingResponse

from pcl_app.studio.access import too_often
from pcl_app.studio.api.routes import At, Who
from pcl_app.studio.desk import Desk

KEEP_ALIVE_SECONDS = 15.0
MOST_STREAMS = 40
"""Of one person at a time."""

router = APIRouter()


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "`changed` with the number of events"}},
)
async def events(request: Request, desk: At, who: Who, id: str) -> StreamingResponse:
    """A stream of `changed` events, the first at once: `data: {"events": 12}`."""
    await desk.look(who, id)
    streams: Counter[str] = request.app.state.streams
    if streams[who] >= MOST_STREAMS:
        raise too_often()
    return StreamingResponse(_stream(desk, id, who, streams), media_type="text/event-stream")


async def _stream(desk: Desk, id: str, who: str, streams: Counter[str]) -> AsyncIterator[str]:
    streams[who] += 1
    try:
        async for length in desk.watch.lengths(id, KEEP_ALIVE_SECONDS):
            told = json.dumps({"events": length})
            yield ": still here\n\n" if length is None else f"event: changed\ndata: {told}\n\n"
    finally:
        streams[who] -= 1
