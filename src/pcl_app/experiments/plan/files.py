"""Experiments as data: a YAML file whose lists are multiplied out into settings of runs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pcl_app.experiments.plan.settings import RunSettings, read_settings, together
from pcl_core.authoring import load
from pcl_core.documents import KEY, Document, issues_from_validation, read_text, read_yaml
from pcl_core.errors import (
    MAX_FINDINGS,
    Code,
    Issue,
    Location,
    MissingDependencyError,
    PclError,
    ProblemError,
    RequestError,
)
from pcl_core.model import Problem, Version

MAX_BYTES = 1_000_000
MAX_CELLS = 1_000_000
MAX_CONDITIONS = 20_000

UserCount = Annotated[int, Field(ge=1, le=MAX_CELLS, strict=True)]
USERS: TypeAdapter[int] = TypeAdapter(UserCount)
FIELDS = ("users", "recipe", *RunSettings.model_fields)


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
    """Settings, and how many users they are run with."""

    settings: RunSettings
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


def read_plan(path: Path) -> Plan:
    """The plan in a file. Findings have their line and column."""
    return parse_plan(read_text(path, str(path), MAX_BYTES), str(path))


def parse_plan(text: str, file: str, changes: Mapping[str, Any] | None = None) -> Plan:
    """The same of a text, with some values changed for all runs."""
    document = read_yaml(text, file)
    if not isinstance(document.data, dict):
        message = "an experiment is a mapping with `pcl`, `experiment` and `runs`"
        raise RequestError(Issue(Code.WRONG_SHAPE, message, None, Location(file, 1, 1)))
    try:
        read = ExperimentFile.model_validate(document.data)
    except ValidationError as error:
        raise RequestError(document.located(issues_from_validation(error, ExperimentFile.model_fields))) from None
    reading = _Reading(read, document, dict(changes or {}))
    entries: dict[RunSettings, Planned] = {}
    for number in range(len(read.runs)):
        for chosen in reading.combinations(number):
            planned = reading.planned(number, chosen)
            if len(reading.errors) > MAX_FINDINGS:
                raise together(reading.errors)
            before = None if planned is None else entries.get(planned.settings)
            if planned is not None and (before is None or before.users < planned.users):
                entries[planned.settings] = planned
    if reading.errors:
        raise together(reading.errors)
    plan = Plan(read.experiment, tuple(entries.values()), reading.problems)
    if plan.cells > MAX_CELLS:
        raise _too_many(plan.cells, Location(file, 1, 1))
    return plan


def _too_many(cells: int, where: Location) -> RequestError:
    message = f"the experiment has {cells:,} cells, and at most {MAX_CELLS:,} are run"
    return RequestError(Issue(Code.BAD_VALUE, message, "take fewer values or users", where))


class _Reading:
    """Runs of a file, and what is wrong with them."""

    def __init__(self, read: ExperimentFile, document: Document, changes: dict[str, Any]) -> None:
        self.read, self.document, self.changes = read, document, changes
        self.folder = Path(document.file).parent
        """Strategies in files lie beside the experiment, wherever it is started from."""
        self.problems: dict[str, Problem] = {}
        self.errors: list[PclError] = []
        self._combined = 0
        self._lengths: dict[RunSettings, int] = {}

    def combinations(self, number: int) -> Iterator[dict[str, tuple[Any, int | None]]]:
        """All combinations of a run's values, each with its position in the list that it comes from."""
        block = {**self.read.defaults, **self.read.runs[number]}
        choices = [
            [(value, position) for position, value in enumerate(values)]
            if isinstance(values, list)
            else [(values, None)]
            for values in block.values()
        ]
        for name, values in zip(block, choices, strict=True):
            if not values:
                issue = Issue(Code.WRONG_SHAPE, "at least one entry is needed", None, Location(), (name,))
                self._wrong(RequestError(issue), number, {})
        self._combined += math.prod(map(len, choices))
        if self._combined > MAX_CELLS:
            raise _too_many(self._combined, self.document.location(("runs", number)))
        if self._combined > MAX_CONDITIONS:
            message = f"the experiment has {self._combined:,} conditions, and at most {MAX_CONDITIONS:,} are planned"
            where = self.document.location(("runs", number))
            raise RequestError(Issue(Code.BAD_VALUE, message, "take fewer values", where))
        for chosen in product(*choices):
            yield dict(zip(block, chosen, strict=True))

    def planned(self, number: int, chosen: Mapping[str, tuple[Any, int | None]]) -> Planned | None:
        """One combination, or None if something is wrong with it."""
        try:
            return self._checked({name: value for name, (value, _) in chosen.items()} | self.changes)
        except ValidationError as error:
            self._wrong(RequestError(issues_from_validation(error, FIELDS)), number, chosen)
        except PclError as error:
            if isinstance(error, ProblemError) and error.issues[0].location.line is not None:
                raise  # the problem's own file says where
            self._wrong(error, number, chosen)
        return None

    def _checked(self, given: dict[str, Any]) -> Planned:
        users = given.pop("users", 20)
        try:
            users = USERS.validate_python(users)
        except ValidationError as error:
            raise RequestError(
                [replace(issue, path=("users",)) for issue in issues_from_validation(error)],
            ) from None
        settings = read_settings(given, self.folder)
        name = settings.problem
        if name not in self.problems:
            try:
                self.problems[name] = load(name)
            except PclError as error:
                raise type(error)([replace(issue, path=("problem",)) for issue in error.issues]) from None
        settings.check(self.problems[name])
        length = self._lengths.setdefault(settings.model_copy(update={"queries": 0}), settings.queries)
        if length != settings.queries:
            message = f"the same run has {length} queries and {settings.queries} queries"
            raise RequestError(Issue(Code.BAD_VALUE, message, "the longer one holds the other", path=("queries",)))
        return Planned(settings, users)

    def _wrong(self, error: PclError, number: int, chosen: Mapping[str, tuple[Any, int | None]]) -> None:
        """Note a finding at the value it is about, wherever that stands: in the run, or in the defaults."""
        placed = [self._placed(issue, number, chosen) for issue in error.issues]
        missing = isinstance(error, MissingDependencyError)
        self.errors.append(MissingDependencyError(placed) if missing else RequestError(placed))

    def _placed(self, issue: Issue, number: int, chosen: Mapping[str, tuple[Any, int | None]]) -> Issue:
        key = issue.path[0] if issue.path else None
        path: tuple[str | int, ...] = ("runs", number)
        if isinstance(key, str) and key in self.read.runs[number]:
            path = ("runs", number, key)
        elif isinstance(key, str) and key in self.read.defaults:
            path = ("defaults", key)
        if isinstance(key, str) and key not in FIELDS:
            path = (*path, KEY)
        elif isinstance(key, str) and chosen.get(key, (None, None))[1] is not None:
            path = (*path, chosen[key][1] or 0)
        message = f"{issue.location}: {issue.message}" if issue.location.file else issue.message
        return Issue(issue.code, message, issue.hint, self.document.location(path))
