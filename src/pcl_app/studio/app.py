"""The application: storage, workers, desk and routes, put together."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from pcl_app.studio import access, api
from pcl_app.studio.answers import answer_errors
from pcl_app.studio.desk import Desk
from pcl_app.studio.pages import add_pages
from pcl_app.studio.settings import StudioSettings
from pcl_app.studio.storage import Records, bring_up_to_date, opened
from pcl_app.studio.uploads import Uploads
from pcl_app.studio.watching import Watch
from pcl_app.studio.work import Crew
from pcl_core.version import VERSION


def create_app(settings: StudioSettings, crew: Crew | None = None) -> FastAPI:
    """A studio. The database is brought up to date at once; workers start with the server and end with it."""
    bring_up_to_date(settings.database)
    engine = opened(settings.database)
    records = Records(engine)
    crew = crew or Crew(settings.database, settings.workers, settings.command_seconds)
    watch = Watch(records)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        crew.start()
        reading = asyncio.create_task(app.state.desk.read_ahead())
        try:
            yield
        finally:
            reading.cancel()
            watch.close()
            crew.close()
            engine.dispose()

    app = FastAPI(
        title="pcl studio",
        version=VERSION,
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.desk = Desk(crew, engine, watch, Uploads(settings))
    app.state.streams = Counter()
    app.state.crew = crew
    app.state.doorkeeper = access.Doorkeeper(settings, records.secret("cookies"))
    app.add_middleware(access.Guard, doorkeeper=app.state.doorkeeper, settings=settings)
    answer_errors(app)
    app.include_router(access.router)
    app.include_router(api.router)
    add_pages(app)
    return app
