"""What each version of the log has, and a log of each that has all of it.

An older pcl can say "use a newer pcl" of an event only if the event says a version that it does not know. So what a version
has does not change: a new kind, field or choice makes a new version.
"""

import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from tests.core.elicitation.logs import resumed
from tests.core.elicitation.sessions import TRIP, next_queries, seen
from tests.core.elicitation.test_replay import Refuses
from tests.core.elicitation.test_versions import GOLDEN

from pcl_core import Elicitation
from pcl_core.elicitation import events, read_events
from pcl_core.elicitation.codec import LOG_VERSION, READERS, to_text
from pcl_core.elicitation.settings import Settings
from pcl_core.solve.oracle import Oracle

PLAIN = "order select learner seed"
WRITTEN: dict[int, dict[str, str]] = {
    1: {
        "settings": f"{PLAIN} mode=keep|paper stop=two-pass|certificate|never",
        "started": "version problem problem_hash settings configuration weights",
        "asked": "query part changes proven",
        "answered": "query answer=improved|accepted|skipped changes",
        "pinned": "query variable value changes proven",
        "unpinned": "variable",
        "undone": "",
        "stopped": "",
    },
    2: {
        "settings": f"{PLAIN} mode=people|keep|paper stop=two-pass|certificate|never",
        "started": "version problem problem_hash settings configuration weights deviations remembered",
        "asked": "query part parts changes proven suggestion moved guesses together",
        "answered": "query answer=improved|accepted|skipped changes final completed kept moved cuts back foretold",
        "confirmed": "query parts cuts",
        "repeated": "query values",
        "withdrawn": "query",
        "pinned": "query values changes proven",
        "unpinned": "variable",
        "rule-added": "kind=never|always|at_most|at_least variables values count each=part|all changes carried",
        "rule-removed": "number",
        "further": "most",
        "undone": "",
        "stopped": "",
    },
}
"""For each version the kinds of events and their fields, with the choices of a field that has few; all have `at` as well.

Until the first release the last row may change, and its golden log with it. From then on rows are added.
"""
CHANGED = (
    f"what is written is not what version {LOG_VERSION} has: raise LOG_VERSION and add a reader of the version before to "
    "READERS (docs/reference/event-log.md, Versions), then a row to this table, and a golden log"
)
Fields = dict[str, set[str]]


def has(row: dict[str, str]) -> Fields:
    """For each kind its fields, and `field=choice` for each choice."""
    found: Fields = {}
    for kind, fields in row.items():
        found[kind] = set() if kind == "settings" else {"at"}
        for field in fields.split():
            name, _, choices = field.partition("=")
            found[kind] |= {name, *(f"{name}={choice}" for choice in choices.split("|") if choice)}
    return found


def of_today() -> Fields:
    """The same of the classes."""
    found = {"settings": _of_class(Settings)}
    for event in get_args(get_args(events.Event)[0]):
        (kind,) = get_args(event.model_fields["event"].annotation)
        found[kind] = {field for field in _of_class(event) if field.partition("=")[0] != "event"}
    return found


def _of_class(model: type[BaseModel]) -> set[str]:
    found = set(model.model_fields)
    for name, field in model.model_fields.items():
        if get_origin(field.annotation) is Literal:
            found |= {f"{name}={choice}" for choice in get_args(field.annotation)}
    return found


def lines(version: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"version-{version}.jsonl").read_text().splitlines()]


def told_in(log: list[dict[str, Any]]) -> Fields:
    """The same of what stands in a log. What is null, false or empty tells nothing: it is as if it were not there."""
    found: Fields = defaultdict(set)
    for line in log:
        for kind, fields in [(line["event"], line), *([("settings", line["settings"])] if "settings" in line else [])]:
            for name, value in fields.items():
                if name != "event" and value is not None and value is not False and value not in ([], {}):
                    found[kind] |= {name, f"{name}={value}"}
    return found


def choices_of_one_log(fields: Fields) -> Fields:
    """All of them, but that a log has the settings of one elicitation: one mode, and one way to stop."""
    return {**fields, "settings": {field for field in fields["settings"] if "=" not in field}}


def test_a_kind_a_field_or_a_choice_that_is_new_or_gone_needs_a_new_version() -> None:
    assert set(READERS) == set(WRITTEN), CHANGED
    assert of_today() == has(WRITTEN[LOG_VERSION]), CHANGED


@pytest.mark.parametrize("version", WRITTEN)
def test_the_golden_log_of_a_version_has_all_that_the_version_has(version: int) -> None:
    """Nothing is left out. `proven` is true in all of it: false takes a solver that a limit stopped."""
    log = lines(version)
    assert log[0]["version"] == version
    told, expected = told_in(log), has(WRITTEN[version])
    missing = {
        kind: sorted(left) for kind, fields in choices_of_one_log(expected).items() if (left := fields - told[kind])
    }
    assert missing == {}
    assert set(told) == set(expected)
    unknown = {kind: {name for name in fields if "=" not in name} - expected[kind] for kind, fields in told.items()}
    assert not any(unknown.values())


def test_what_this_version_wrote_is_written_the_same() -> None:
    log = lines(LOG_VERSION)
    found = read_events(GOLDEN / f"version-{LOG_VERSION}.jsonl")
    assert [json.loads(to_text(event, LOG_VERSION)) for event in found] == log


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A log that version 2 wrote, of somebody with a taste who did everything that can be done."""
    return Path(shutil.copy(GOLDEN / "version-2.jsonl", tmp_path))


def now(live: Elicitation) -> dict[str, object]:
    """What follows from what she said, and not from what is believed of her: that a later pcl may reckon otherwise."""
    waiting, certificate = live.waiting, live.certificate
    return {
        "configuration": live.configuration,
        "queries": live.queries,
        "pins": live.pins,
        "confirmed": live.confirmed,
        "rules": [rule.words for rule in live.rules],
        "open": waiting and waiting.part,
        "certificate": certificate
        and {
            "how": dict(certificate.how),
            "unchanged_since": certificate.unchanged_since,
            "pairs": [list(pair) for pair in certificate.pairs],
        },
    }


def test_a_log_of_version_2_is_resumed_to_what_she_said_without_solving(golden: Path) -> None:
    """After a pin and an improvement that made room elsewhere, with rules of hers, and with the certificate at the end."""
    oracle, written = Oracle(TRIP, Refuses()), golden.read_text().splitlines(keepends=True)
    for number, expected in json.loads((GOLDEN / "version-2.json").read_text()).items():
        golden.write_text("".join(written[: int(number)]))
        live = Elicitation.resume(golden, TRIP, oracle=oracle)
        assert now(live) == expected
        live.close()
    assert golden.read_text().splitlines(keepends=True) == written
    assert live.certificate is not None


def test_a_log_of_version_2_goes_on_where_it_was(golden: Path) -> None:
    before = golden.read_bytes()
    live = resumed(golden)
    live.undo()
    live.remove_rule(0)
    query = live.ask("one")
    assert query is not None
    live.tell(query.improve({"nights[one]": 2}))
    assert next_queries(live, 2)
    live.close()
    assert golden.read_bytes().startswith(before)
    assert (b'"version"' in golden.read_bytes().removeprefix(before)) == (LOG_VERSION != 2)
    assert seen(resumed(golden)) == seen(live)
