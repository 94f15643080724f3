"""The studio: elicitation on web pages and over HTTP, on one server. Other programs use the client."""

from pcl_app.studio.access import add_user
from pcl_app.studio.app import create_app
from pcl_app.studio.client import RemoteElicitation, StudioClient
from pcl_app.studio.errors import Refused
from pcl_app.studio.server import run_server
from pcl_app.studio.settings import StudioSettings
from pcl_app.studio.storage import default_address

__all__ = [
    "Refused",
    "RemoteElicitation",
    "StudioClient",
    "StudioSettings",
    "add_user",
    "create_app",
    "default_address",
    "run_server",
]
