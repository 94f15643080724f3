"""What an experiment leaves behind: `traces.parquet`, and `run.json` that says how it came about."""

import hashlib
import importlib.metadata
import json
import os
import platform
import shlex
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pcl_app.experiments.measures import ALWAYS, RECORDED_MEASURES
from pcl_app.experiments.plan.fields import STRATEGIES
from pcl_app.experiments.plan.settings import RunSettings
from pcl_app.experiments.record.runs import worse_answers
from pcl_app.experiments.record.traces import COLUMNS, CSV_NAME, FILE_NAME, RUN_FILE_NAME, write_traces
from pcl_app.experiments.run.cells import Cell
from pcl_app.experiments.run.tasks import Finished
from pcl_app.writing import remove_file, replacing
from pcl_core.model import Problem
from pcl_core.plugins import OwnFile
from pcl_core.version import VERSION

PACKAGES = (
    *("numpy", "pydantic", "ortools", "pulp", "cvxpy", "highspy", "joblib", "pyarrow", "scipy"),
    *("dask", "distributed", "ray"),
)

EARLIER = {name: measure.before for name, measure in RECORDED_MEASURES.items() if measure.before is not ALWAYS}
"""What kept results lack that are older than a measure."""


def write_outputs(
    out: Path,
    name: str,
    cells: Sequence[Cell],
    problems: dict[str, Problem],
    finished: Finished,
    damaged: Sequence[str],
    *,
    csv: bool,
) -> dict[str, Any]:
    """Write the data set and its description; returns the description."""
    columns: dict[str, list[Any]] = {column: [] for column in COLUMNS}
    for row in _rows(cells, finished):
        for column in COLUMNS:
            columns[column].append(row[column])
    # What stands there from before would contradict the description.
    stale = [FILE_NAME, CSV_NAME] if not columns["user"] else [] if csv else [CSV_NAME]
    for left in stale:
        remove_file(out / left)
    if columns["user"]:
        write_traces(out, columns, csv=csv)
    description = {
        **_description(out, name, cells, problems, finished, damaged),
        "rows": _rows_hash(columns),
        "worse_answers": worse_answers(columns["utility"], columns["utility_improved"]),
    }
    with replacing(out / RUN_FILE_NAME) as temporary:
        temporary.write_text(json.dumps(description, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return description


def _rows(cells: Sequence[Cell], finished: Finished) -> Iterator[dict[str, Any]]:
    """Rows in the order of the cells, whatever the order in which they were run."""
    for cell in cells:
        result = finished.results.get(cell.key)
        if result is None:
            continue
        known = {**EARLIER, "user": cell.user, **cell.settings.recorded(), "cell": cell.key}
        for row in result["rows"]:
            yield {**known, **row}


def _rows_hash(columns: dict[str, list[Any]]) -> str:
    """By which others see that they found the same. Only seconds differ from time to time."""
    same = {name: values for name, values in columns.items() if not name.startswith("seconds_")}
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()


def _description(
    out: Path,
    name: str,
    cells: Sequence[Cell],
    problems: dict[str, Problem],
    finished: Finished,
    damaged: Sequence[str],
) -> dict[str, Any]:
    settings = list(dict.fromkeys(cell.settings for cell in cells))
    unproven = sum(1 for _, utility, bound in finished.optima.values() if utility != bound)
    numbers = {setting: number for number, setting in enumerate(settings)}
    ends = [
        _end(cell, numbers[cell.settings], finished.results[cell.key]) for cell in cells if cell.key in finished.results
    ]
    failed = {cell.key: finished.results[cell.key]["failed"] for cell in cells if cell.key in finished.results}
    return {
        "experiment": name,
        "command": shlex.join(["pcl", *sys.argv[1:]]),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version(), **versions()},
        "machine": machine(),
        "problems": {
            source: {"name": found.name, "label": found.label, "hash": found.content_hash}
            for source, found in problems.items()
        },
        "seeds": sorted({setting.seed for setting in settings}),
        "settings": [{**setting.model_dump(), **setting.names()} for setting in settings],
        "sources": _sources(settings),
        "cells": {"all": len(cells), "done": len(finished.results), "kept": finished.kept, "damaged": list(damaged)},
        "optima": {"all": len(finished.optima), "unproven": unproven},
        "theory": {
            "checked": len(failed),
            "contradicted": {key: found for key, found in failed.items() if found},
        },
        "users": ends,
        "unsatisfied_certificates": sum(end["certified"] and end["satisfied"] is False for end in ends),
        "failures": [
            {
                "cell": outcome.cell.key,
                "error": outcome.error,
                "issues": [{"code": it.code, "message": it.message, "hint": it.hint} for it in outcome.issues],
                "exit_code": outcome.exit_code,
                "repeat": outcome.cell.command(out),
                "detail": outcome.detail,
            }
            for outcome in finished.failures
        ],
    }


def _sources(settings: Sequence[RunSettings]) -> list[dict[str, str]]:
    """The files with strategies, as they were: whoever has another file sees it by the hash."""
    said = (getattr(setting, name) for setting in settings for name in STRATEGIES)
    found = {(own.file, own.text): own for own in said if isinstance(own, OwnFile)}
    return [{"file": own.stem, "sha256": own.sha256, "text": own.text} for own in found.values()]


def _end(cell: Cell, settings: int, result: dict[str, Any]) -> dict[str, Any]:
    """How it ended for a user, by the number of her settings; whether she is satisfied is not known of everybody."""
    rows = result["rows"]
    certified = bool(rows) and rows[-1]["certified"]
    ended = {"certified": certified, "satisfied": result.get("satisfied")}
    return {"cell": cell.key, "settings": settings, "user": cell.user, **ended}


def versions() -> dict[str, str]:
    found = {"pcl": VERSION}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "processor": processor_name(), "system": platform.system()}


def processor_name() -> str:
    """What the system calls the processor; the architecture where it does not say."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
