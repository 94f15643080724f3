"""kill -9 of the server while people answer: what was acknowledged is there, once, and it is served again."""

from pathlib import Path
from random import Random

import pytest
from tests.app.commands import Commands
from tests.app.studio.databases import engine_at
from tests.app.studio.killing import killed_under_load
from tests.app.studio.servers import sqlite_in

from pcl_app.studio import StudioSettings
from pcl_app.studio.storage import bring_up_to_date
from pcl_app.studio.work.live import Lives
from pcl_app.studio.work.taking_over import taken_over
from pcl_core import Elicitation, load
from pcl_core.errors import RequestError


def test_a_server_that_is_killed_under_load_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    acknowledged, restarts = killed_under_load(sqlite_in(tmp_path), 2, Random(0), "grid")
    assert acknowledged > 0
    assert len(restarts) == 2


def test_a_log_of_the_terminal_opens_in_the_studio_and_is_not_taken_twice(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = Elicitation(load("training"), log=log)
    week.confirm(["mon"])
    week.close()
    database = sqlite_in(tmp_path)
    bring_up_to_date(database)
    settings = StudioSettings(database, "anything")
    ids = {taken_over(settings, "anna", log) for _ in range(2)}
    (id,) = ids
    assert taken_over(settings, "bert", log) != id, "it is not told by its id whose log it was"
    with engine_at(database) as engine:
        live = Lives(engine).of(id, "anna")
        assert (live.kept.title, list(live.elicitation.confirmed)) == ("week", ["mon"])
    log.write_text("{}\n", encoding="utf-8")
    with pytest.raises(RequestError):
        taken_over(settings, "anna", log)


def test_without_the_extra_one_sentence_says_how_to_get_it(pcl: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    assert "pip install 'pcl-elicit[studio]'" in pcl("serve", code=5)
