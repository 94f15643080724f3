"""The studio: elicitation on web pages and over HTTP, on one server."""

from pcl_app.studio.app import create_app
from pcl_app.studio.server import run_server
from pcl_app.studio.settings import StudioSettings
from pcl_app.studio.storage import default_address

__all__ = ["StudioSettings", "create_app", "default_address", "run_server"]
