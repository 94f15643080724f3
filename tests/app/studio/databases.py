"""Databases for tests, with somebody in them."""

from sqlalchemy import Engine

from pcl_app.studio.storage import Records, SqlStore, opened

ROW = {"owner": "anna", "problem": "training", "uploaded": None, "title": "", "created": 0.0, "settings": "{}"}


def begun(address: str, elicitation: str) -> SqlStore:
    """A store for a new elicitation of a person who is known."""
    engine: Engine = opened(address)
    Records(engine).know("anna")
    return SqlStore(engine, elicitation, {"id": elicitation, **ROW})
