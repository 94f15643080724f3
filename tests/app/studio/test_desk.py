"""The desk: what it reads before anybody asks."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from pcl_app.studio import desk
from pcl_app.studio.settings import StudioSettings
from pcl_app.studio.storage import Records, bring_up_to_date, opened
from pcl_app.studio.uploads import Uploads
from pcl_app.studio.watching import Watch
from pcl_app.studio.work import Crew, Errand

PROBLEM = {"label": "Some", "parts": [], "variables": [], "features": 0, "display": None, "description": None}


class Remembering:
    """Workers who remember what they were asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.waited: list[str] = []

    async def idle(self, key: str) -> None:
        self.waited.append(key)

    async def do(self, task: Errand) -> object:
        self.asked.append(task.command)
        return ["one", "two"] if task.command == "catalogue" else PROBLEM


def finished(work: Coroutine[Any, Any, object]) -> None:
    """In a thread of its own: a browser in the same process may have a loop that runs."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def test_the_catalogue_is_read_once_and_before_anybody_opens_the_first_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "UNDISTURBED", 0.0)
    address = f"sqlite:///{tmp_path / 'studio.db'}"
    bring_up_to_date(address)
    engine = opened(address)
    crew = Remembering()
    try:
        it = desk.Desk(cast(Crew, crew), engine, Watch(Records(engine)), Uploads(StudioSettings(database=address)))
        finished(it.read_ahead())
        assert sorted(crew.asked) == ["catalogue", "describe", "describe"]
        assert sorted(crew.waited) == ["one", "two"]
        finished(it.problem("somebody", "two"))
        assert len(crew.asked) == 3
    finally:
        engine.dispose()
