"""All pages, and the files they need."""

import os

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pcl_app.studio.answers import as_error, headers_of
from pcl_app.studio.errors import Refused
from pcl_app.studio.pages import eliciting, home, results, simulating
from pcl_app.studio.pages.rendering import HERE, render


class Files(StaticFiles):
    """Files whose address has what they hold in it: nobody needs to ask for them twice."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = (
            "public, max-age=31536000, immutable" if scope["query_string"] else "no-cache"
        )
        return response


HEADINGS = {401: "Who are you?", 403: "Not from here", 404: "Not found", 409: "Changed meanwhile", 503: "Try again"}


def add_pages(app: FastAPI) -> None:
    """Pages beside the API. What is refused on a page is a page."""
    for router in (home.router, eliciting.router, results.router, simulating.router):
        app.include_router(router)
    app.mount("/static", Files(directory=HERE / "static"))

    @app.exception_handler(Refused)
    async def refused(request: Request, found: Refused) -> Response:
        if request.url.path.startswith("/api/"):
            return as_error(found)
        error = found.error
        heading = HEADINGS.get(found.status, "That cannot be")
        said = {"heading": heading, "message": error["message"], "hint": error.get("hint")}
        page = render(request, "refused.html", found.status, **said)
        page.headers.update(headers_of(found))
        return page
