"""Logs of former versions are read, and go on in the version of today."""

import json
import shutil
from pathlib import Path

import pytest
from tests.core.elicitation.logs import refused, resumed
from tests.core.elicitation.sessions import next_queries, seen

from pcl_core import Code, Elicitation
from pcl_core.elicitation import Event, codec, read_events
from pcl_core.elicitation.events import EVENT

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A log that version 1 wrote, with all events there are."""
    return Path(shutil.copy(GOLDEN / "version-1.jsonl", tmp_path))


def assert_as_it_was(live: Elicitation) -> None:
    expected = json.loads((GOLDEN / "version-1.json").read_text())
    query = live.ask()
    assert query is not None
    found = {
        "configuration": live.configuration,
        "weights": live.weights.tolist(),
        "queries": live.queries,
        "pins": live.pins,
        "confirmed": live.confirmed,
        "open": query.part,
    }
    assert found == expected


def kinds(log: Path) -> set[str]:
    return {event.event for event in read_events(log)}


def test_a_log_of_version_1_goes_on_where_it_was(golden: Path) -> None:
    assert kinds(golden) == {"started", "asked", "answered", "pinned", "unpinned", "undone", "stopped"}
    before = golden.read_bytes()
    live = resumed(golden)
    assert_as_it_was(live)
    assert golden.read_bytes() == before
    next_queries(live, 2)
    live.close()
    assert golden.read_bytes().startswith(before)
    assert seen(resumed(golden)) == seen(live)


def of_the_future(text: str) -> Event:
    """In version 3 an answer is called a reply."""
    return EVENT.validate_json(text.replace("replied", "answered"))


def test_a_later_version_reads_this_one_and_goes_on_in_its_own(golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions in one log: each event has its own reader, and nothing is written again."""
    before = golden.read_bytes()
    with monkeypatch.context() as later:
        later.setattr(codec, "LOG_VERSION", 3)
        later.setitem(codec.READERS, 3, of_the_future)
        live = resumed(golden)
        assert_as_it_was(live)
        next_queries(live, 2)
        live.close()
        added = golden.read_bytes().removeprefix(before).splitlines()
        assert [json.loads(line)["version"] for line in added] == [3] * len(added)
        golden.write_bytes(before + b"\n".join(added).replace(b'"event":"answered"', b'"event":"replied"') + b"\n")
        assert seen(resumed(golden)) == seen(live)
        assert next_queries(resumed(golden), 1)
    error = refused(lambda: resumed(golden))
    assert (error.code, error.issues[0].hint) == (Code.WRONG_VERSION, "use a newer pcl")
    assert error.issues[0].location.line == before.count(b"\n") + 1


def test_a_reader_for_an_older_version_is_all_that_old_logs_need(golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Say that in version 0 parts were called rooms."""
    old = golden.read_bytes().replace(b'"part":', b'"room":').replace(b'"version":1', b'"version":0')
    golden.write_bytes(old)
    assert refused(lambda: resumed(golden)).code is Code.WRONG_VERSION
    monkeypatch.setitem(codec.READERS, 0, lambda text: codec.READERS[1](text.replace('"room":', '"part":')))
    live = resumed(golden)
    assert_as_it_was(live)
    next_queries(live, 2)
    live.close()
    assert golden.read_bytes().startswith(old)
    assert seen(resumed(golden)) == seen(live)


@pytest.mark.parametrize("version", ['"1"', "null", "[]", "1.5", "{}"])
def test_a_version_that_is_none_is_refused_in_a_sentence(golden: Path, version: str) -> None:
    lines = golden.read_text().splitlines()
    for position in (0, 2):
        spoilt = lines.copy()
        spoilt[position] = lines[position].replace('"version":1', f'"version":{version}')
        if position:
            spoilt[position] = f'{{"version":{version},{lines[position][1:]}'
        golden.write_text("\n".join(spoilt) + "\n")
        error = refused(lambda: resumed(golden))
        assert (error.code, error.issues[0].location.line) == (Code.WRONG_VERSION, position + 1)


def test_a_variable_may_be_called_version(golden: Path) -> None:
    """The word alone makes no version."""
    lines = golden.read_text().splitlines()
    lines[1] = lines[1].replace('"changes":{}', '"changes":{"version":7}')
    golden.write_text("\n".join(lines) + "\n")
    error = refused(lambda: resumed(golden))
    assert (error.code, error.issues[0].location.line) == (Code.LOG_BROKEN, 2)
