"""Answers of the API: JSON, and one form for whatever is refused."""

import json
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pcl_app.studio.errors import RETRY_SECONDS, Refused, a_bug, nothing_there, unreadable
from pcl_core.errors import Code


class ErrorForm(BaseModel):
    """What is wrong, how to mend it, and the names of constraints that cannot hold together."""

    code: str
    message: str
    hint: str | None
    conflict: list[str]


def as_json(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Data that a worker made of JSON forms: it is written as it is, without being checked again."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(text.encode("utf-8", "replace"), status, dict(headers or {}), "application/json")


def as_error(found: Refused) -> Response:
    return as_json(found.error, found.status, headers_of(found))


def headers_of(found: Refused) -> dict[str, str]:
    """When to come back, and how to say who one is: also where what is refused is a page."""
    headers = {"Retry-After": str(RETRY_SECONDS)} if found.status in (429, 503) else {}
    return headers | ({"WWW-Authenticate": "Bearer"} if found.status == 401 else {})


def answer_errors(app: FastAPI) -> None:
    """Whatever goes wrong has the same form, and never a stack trace."""

    @app.exception_handler(Refused)
    async def refused(_: Request, found: Refused) -> Response:
        return as_error(found)

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: RequestValidationError) -> Response:
        first: Any = error.errors()[0]
        if first["type"] == "json_invalid" or isinstance(error.body, bytes):
            return as_error(unreadable())
        where = ".".join(str(step) for step in first["loc"][1:])
        said = str(first["msg"]).removeprefix("Value error, ")
        message = f"{where}: {said}" if where else said
        return as_json({"code": Code.WRONG_SHAPE, "message": message[:300], "hint": None, "conflict": []}, 422)

    @app.exception_handler(RecursionError)
    async def deep(_: Request, error: RecursionError) -> Response:
        return as_json({"code": Code.WRONG_SHAPE, "message": "too deep", "hint": None, "conflict": []}, 422)

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        if error.status_code in (404, 405):
            found = nothing_there(request.method, request.url.path, allowed=(error.headers or {}).get("Allow"))
            return as_json(found.error, error.status_code, error.headers)
        code = {400: Code.WRONG_SHAPE.value, 413: Code.FILE_TOO_LARGE.value}.get(error.status_code, "refused")
        said: dict[str, Any] = {"code": code, "message": str(error.detail), "hint": None, "conflict": []}
        return as_json(said, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def bug(_: Request, error: Exception) -> Response:
        return as_error(a_bug())
