"""Experiments as data: a YAML file whose lists are multiplied out into conditions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pcl_app.experiments.cells import Conditions
from pcl_core.authoring.data import read_text
from pcl_core.authoring.load import load, placed
from pcl_core.authoring.yaml_source import Document, read_yaml
from pcl_core.errors import Code, Issue, Location, PclError, ProblemError, RequestError
from pcl_core.model.elements import Version
from pcl_core.model.problem import Problem
from pcl_core.model.shape import issues_from_validation

MAX_BYTES = 1_000_000
MAX_CELLS = 1_000_000

Count = Annotated[int, Field(ge=1, le=MAX_CELLS)]
USERS: TypeAdapter[int] = TypeAdapter(Count)
FIELDS = ("users", *Conditions.model_fields)


class ExperimentFile(BaseModel):
    """`defaults` hold for all runs; in a run each value may be a list, and all combinations are run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pcl: Version
    experiment: str = Field(min_length=1, max_length=200)
    description: str = ""
    defaults: dict[str, Any] = {}
    runs: list[dict[str, Any]] = Field(min_length=1)


@dataclass(frozen=True)
class Planned:
    """Conditions and how many users they are run with."""

    conditions: Conditions
    users: int


@dataclass(frozen=True)
class Plan:
    """A whole experiment, checked: every name in it exists, and every problem is loaded."""

    name: str
    entries: tuple[Planned, ...]
    problems: dict[str, Problem]

    @property
    def cells(self) -> int:
        return sum(entry.users for entry in self.entries)


def read_plan(path: Path, changes: Mapping[str, Any] | None = None) -> Plan:
    """The plan in a file, with some values changed for all runs. Findings have their line and column."""
    return parse_plan(read_text(path, str(path), MAX_BYTES), str(path), changes)


def parse_plan(text: str, file: str, changes: Mapping[str, Any] | None = None) -> Plan:
    document = read_yaml(text, file)
    if not isinstance(document.data, dict):
        message = "an experiment is a mapping with `pcl`, `experiment` and `runs`"
        raise RequestError(Issue(Code.WRONG_SHAPE, message, None, Location(file, 1, 1)))
    try:
        read = ExperimentFile.model_validate(document.data)
    except ValidationError as error:
        raise RequestError(placed(issues_from_validation(error, ExperimentFile.model_fields), document)) from None
    entries: dict[Conditions, Planned] = {}
    problems: dict[str, Problem] = {}
    issues: list[Issue] = []
    for number, block in enumerate(read.runs):
        for chosen in _combinations({**read.defaults, **block}):
            try:
                planned = _planned(chosen | dict(changes or {}))
                if planned.conditions.problem not in problems:
                    problems[planned.conditions.problem] = load(planned.conditions.problem)
                planned.conditions.check(problems[planned.conditions.problem])
            except ValidationError as error:
                issues += _placed_in_run(issues_from_validation(error, FIELDS), read, number, document)
                continue
            except PclError as error:
                if isinstance(error, ProblemError) and error.issues[0].location.file:
                    raise
                issues += _placed_in_run(error.issues, read, number, document)
                continue
            before = entries.get(planned.conditions)
            if before is None or before.users < planned.users:
                entries[planned.conditions] = planned
    if issues:
        raise RequestError(list(dict.fromkeys(issues)))
    plan = Plan(read.experiment, tuple(entries.values()), problems)
    if plan.cells > MAX_CELLS:
        message = f"the experiment has {plan.cells} cells, and at most {MAX_CELLS} are run"
        raise RequestError(Issue(Code.BAD_VALUE, message, "take fewer values or users", Location(file, 1, 1)))
    return plan


def _combinations(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    choices = [value if isinstance(value, list) else [value] for value in block.values()]
    for values in product(*choices):
        yield dict(zip(block, values, strict=True))


def _planned(chosen: dict[str, Any]) -> Planned:
    users = USERS.validate_python(chosen.pop("users", 20))
    return Planned(Conditions(**chosen), users)


def _placed_in_run(issues: Any, read: ExperimentFile, number: int, document: Document) -> list[Issue]:
    """A finding at the value it is about, wherever that stands: in the run, or in the defaults."""
    found = []
    for issue in issues:
        key = issue.path[0] if issue.path else None
        path: tuple[str | int, ...] = ("runs", number)
        if key is not None and key in read.runs[number]:
            path = ("runs", number, key)
        elif key is not None and key in read.defaults:
            path = ("defaults", key)
        where = document.location(path)
        found.append(Issue(issue.code, issue.message, issue.hint, where))
    return found
