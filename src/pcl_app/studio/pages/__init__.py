"""The studio's pages: routes that ask the desk, make view models of what it says, and fill in templates."""

from pcl_app.studio.pages.routes import add_pages

__all__ = ["add_pages"]
