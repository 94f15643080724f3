"""The studio: elicitation on web pages and over HTTP, on one server. Other programs use the client."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pcl_app.studio.access import add_user as add_user
    from pcl_app.studio.app import create_app as create_app
    from pcl_app.studio.client import RemoteElicitation as RemoteElicitation
    from pcl_app.studio.client import StudioClient as StudioClient
    from pcl_app.studio.errors import Refused as Refused
    from pcl_app.studio.server import run_server as run_server
    from pcl_app.studio.settings import StudioSettings as StudioSettings
    from pcl_app.studio.storage import default_address as default_address

_HOME = {
    "Refused": "errors",
    "RemoteElicitation": "client",
    "StudioClient": "client",
    "StudioSettings": "settings",
    "add_user": "access",
    "create_app": "app",
    "default_address": "storage",
    "run_server": "server",
}
"""Where each name comes from. It is imported when it is first used: a worker needs no web server, and a client no database."""

__all__ = sorted(_HOME)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
