"""What the studio refuses: an answer of HTTP with the fields that every error of pcl has."""

from collections.abc import Mapping
from typing import Any

from pcl_core.errors import Code

STATUS: Mapping[str, int] = {
    Code.STALE_ANSWER: 409,
    Code.LOG_MOVED_ON: 409,
    Code.NOTHING_TO_UNDO: 409,
    Code.CANNOT_WRITE: 503,
    Code.LIMIT_REACHED: 503,
    Code.FILE_TOO_LARGE: 413,
}
"""What is not listed is a request that cannot be met as it is: 422."""

RETRY_SECONDS = 1


class Refused(Exception):  # noqa: N818 - it is an answer, and nothing went wrong
    """An answer of HTTP that is not the one asked for."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.status = status
        self.error = dict(error)


def refused(status: int, code: str, message: str, hint: str | None = None) -> Refused:
    return Refused(status, {"code": code, "message": message, "hint": hint, "conflict": []})


def refused_by_core(error: Mapping[str, Any]) -> Refused:
    """An error of the core, in its JSON form. Where in a database or on a disk it was found is nobody's business."""
    issues = [{**issue, "file": None} for issue in error.get("issues", ())]
    return Refused(STATUS.get(error["code"], 422), {**error, "issues": issues})


def not_found() -> Refused:
    """What is not there, and what is somebody else's: nobody learns which."""
    return refused(404, "not-found", "there is no such elicitation", "it may be another person's; your own are listed")


def nothing_there(method: str, path: str, allowed: str | None) -> Refused:
    """A path that is not ours, or a method that it does not take: those that are allowed are known."""
    where = path if len(path) <= 100 else path[:99] + "…"
    if allowed is None:
        return refused(404, "not-found", f"there is nothing at {where}", "the API is described in /api/v1/openapi.json")
    return refused(405, "not-allowed", f"{where} does not take {method[:20]}", f"it takes {allowed}")


def unreadable() -> Refused:
    hint = "send JSON, with the header Content-Type: application/json"
    return refused(400, Code.WRONG_SHAPE, "what was sent cannot be read as JSON", hint)


def try_again(message: str = "this could not be worked out just now") -> Refused:
    return refused(503, "try-again", message, "nothing is lost; try again")


def a_bug() -> Refused:
    return refused(500, "bug", "something went wrong that should not", "please report what you did")
