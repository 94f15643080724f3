"""Events as JSON texts, and back. Old logs stay readable: each version of the format has its reader.

A log says its version in its first event. An event that a later version of pcl wrote to it says its own, in a field
`version`; all others are of the version of the first. So a log can be resumed by one version after another, and what
is there already is never written again.

To change the format, raise `LOG_VERSION`, and put a reader of the old one into `READERS`. A new kind of event, field or choice
is such a change, from the first release on.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pcl_core.elicitation.events import EVENT, Event, Started
from pcl_core.elicitation.file_store import Log
from pcl_core.elicitation.log_lines import read_lines
from pcl_core.elicitation.store import EventStore
from pcl_core.errors import Code, Issue, Location, RequestError

LOG_VERSION = 2
"""The version that is written."""


def _of_version_1(text: str) -> Event:
    """Values were pinned one at a time, a `variable` to a `value`."""
    try:
        found = json.loads(text) if '"pinned"' in text else None
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and found.get("event") == "pinned" and isinstance(found.get("variable"), str):
        found["values"] = {found.pop("variable"): found.pop("value", None)}
        text = json.dumps(found)
    return EVENT.validate_json(text)


READERS: dict[int, Callable[[str], Event]] = {1: _of_version_1, 2: EVENT.validate_json}
"""The versions that are read. A reader makes today's event of the text of an old one; what is no event it refuses with
a `ValidationError` or a `RequestError`. It leaves the `version` of `started` as it is."""


def read_events(log: Log) -> list[Event]:
    """The events of a log, without resuming it; a file is read although somebody else has it."""
    if isinstance(log, EventStore):
        return from_texts(log.read(), log.place)
    return from_texts(read_lines(Path(log)), str(log))


def to_text(event: Event, log_version: int) -> str:
    """An event for a log whose first event has this version. What is empty is not written: most of an event is."""
    fields = type(event).model_fields.items()
    empty = {name for name, field in fields if field.default_factory is not None and not getattr(event, name)}
    text = event.model_dump_json(exclude=empty)
    if log_version == LOG_VERSION or isinstance(event, Started):
        return text
    return f'{{"version":{LOG_VERSION},{text[1:]}'


def from_texts(texts: Iterable[str], place: str, before: Sequence[Event] = ()) -> list[Event]:
    """The events that stand in a log after those `before`."""
    events = list(before)
    for text in texts:
        first = events[0] if events else None
        if isinstance(first, Started) and '"version"' not in text:
            version = first.version
        else:
            text, version = _with_its_version(text, events, place)
        try:
            events.append(READERS[version](text))
        except (ValidationError, RequestError) as error:
            raise _not_an_event(error, Location(place, len(events) + 1, 1)) from None
        if isinstance(events[-1], Started) != (len(events) == 1):
            where = Location(place, len(events), 1)
            raise RequestError(Issue(Code.LOG_BROKEN, "a log starts once, in its first line", None, where))
    if not events:
        hint = "nothing is in it; start anew"
        raise RequestError(Issue(Code.LOG_BROKEN, "the log has no first event", hint, Location(place, 1, 1)))
    return events[len(before) :]


def _with_its_version(text: str, before: Sequence[Event], place: str) -> tuple[str, int]:
    """What a reader gets, and which; an event may be unreadable just because it is of a version that nobody knows."""
    first = before[0] if before else None
    of_the_log = first.version if isinstance(first, Started) else LOG_VERSION
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text, of_the_log
    if not isinstance(found, dict) or (found.get("event") == "started") != (first is None):
        return text, of_the_log
    stated = found.get("version")
    if first is not None:
        if "version" not in found:
            return text, of_the_log
        del found["version"]
        text = json.dumps(found)
    if not isinstance(stated, int) or stated not in READERS:
        known = ", ".join(map(str, READERS))
        message = f"the log is of a version that this pcl does not read; it reads version {known}"
        hint = "use a newer pcl" if isinstance(stated, int) and stated > LOG_VERSION else "is it a log of pcl?"
        raise RequestError(Issue(Code.WRONG_VERSION, message, hint, Location(place, len(before) + 1, 1)))
    return text, stated


def _not_an_event(error: ValidationError | RequestError, where: Location) -> RequestError:
    if isinstance(error, RequestError):
        said, hint = error.issues[0].message, error.issues[0].hint
    else:
        detail: Any = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in detail["loc"])
        said = f"{place or 'the line'}: {str(detail['msg']).removeprefix('Value error, ')}"
        hint = "is it a log of pcl?"
    return RequestError(Issue(Code.LOG_BROKEN, f"not an event of an elicitation: {said}", hint, where))
