"""The HTTP API."""

from pcl_app.studio.api import events
from pcl_app.studio.api.routes import At, Who, desk_of, one, router

one.include_router(events.router)
router.include_router(one)

__all__ = ["At", "Who", "desk_of", "router"]
