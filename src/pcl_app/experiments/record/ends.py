"""How it ended for simulated people: whether they are satisfied with what they got. Traces are about queries alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pcl_app.experiments.plan.settings import RunSettings
from pcl_app.experiments.record.runs import RecordedSettings
from pcl_app.experiments.record.traces import MAX_DESCRIPTION, RUN_FILE_NAME
from pcl_core.documents import read_json, read_text
from pcl_core.errors import Code, Issue, Location, RequestError

Satisfied = Mapping[RecordedSettings, Mapping[int, bool]]
"""For each run and each of its users who can say so, whether she is satisfied with the whole at the end."""


def read_description(folder: Path) -> dict[str, Any]:
    """What `run.json` says of an experiment."""
    path = folder / RUN_FILE_NAME
    document = read_json(read_text(path, str(path), MAX_DESCRIPTION), str(path), float).data
    if not isinstance(document, dict):
        raise _silent(path)
    return document


def problem_labels(folder: Path) -> dict[str, str]:
    """What the problems of an experiment are called for people; nothing where nobody recorded that."""
    if not (folder / RUN_FILE_NAME).exists():
        return {}
    found = read_description(folder).get("problems")
    problems = found if isinstance(found, dict) else {}
    labels = {name: about.get("label") for name, about in problems.items() if isinstance(about, dict)}
    return {name: label for name, label in labels.items() if isinstance(label, str) and label}


def read_satisfied(folder: Path) -> Satisfied:
    """From the description of an experiment."""
    found: dict[RecordedSettings, dict[int, bool]] = {}
    document = read_description(folder)
    try:
        settings = [RecordedSettings.of(RunSettings(**said).recorded()) for said in document["settings"]]
        for end in document["users"]:
            if end["satisfied"] is not None:
                found.setdefault(settings[end["settings"]], {})[end["user"]] = end["satisfied"]
    except (KeyError, IndexError, TypeError, ValidationError):
        raise _silent(folder / RUN_FILE_NAME) from None
    return found


def _silent(path: Path) -> RequestError:
    hint = "run the same command again: what is finished is kept"
    return RequestError(Issue(Code.BAD_TRACES, "it does not say how it ended for whom", hint, Location(str(path))))
