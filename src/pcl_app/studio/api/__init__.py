"""The HTTP API."""

from pcl_app.studio.api.answers import answer_errors, as_error, as_json
from pcl_app.studio.api.routes import At, Who, desk_of, router

__all__ = ["At", "Who", "answer_errors", "as_error", "as_json", "desk_of", "router"]
