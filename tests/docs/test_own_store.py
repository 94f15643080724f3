"""The store that the page on stores shows is held to the kit as the page says."""

import os
from pathlib import Path

from tests.docs.pages import DOCS, blocks

from pcl_core.elicitation import EventStore
from pcl_core.testing.stores import StoreConformance

PAGE = DOCS / "how-to" / "add-a-store.md"


def classes_of_the_page() -> dict[str, type]:
    """The blocks that define a store and its tests; those between elicit with it."""
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(PAGE):
        if block.language == "python" and "\nclass " in block.text:
            exec(compile(block.text, str(PAGE), "exec"), names)
    return {name: found for name, found in names.items() if isinstance(found, type)}


FOUND = classes_of_the_page()
TestSqliteStore = FOUND["TestSqliteStore"]


def test_the_page_shows_a_store_and_its_tests(tmp_path: Path) -> None:
    assert issubclass(TestSqliteStore, StoreConformance)
    store = FOUND["SqliteStore"](tmp_path / "events.db", "anna")
    assert isinstance(store, EventStore)
    store.close()
    assert os.listdir(tmp_path) == ["events.db"]


def test_elicitations_in_one_database_are_apart(tmp_path: Path) -> None:
    anna, bela = (FOUND["SqliteStore"](tmp_path / "events.db", name) for name in ("anna", "bela"))
    anna.append("{}", 0)
    assert (anna.count(), bela.count()) == (1, 0)
    bela.append('{"b": 1}', 0)
    assert (anna.read(), bela.read()) == (["{}"], ['{"b": 1}'])
    anna.close()
    bela.close()
