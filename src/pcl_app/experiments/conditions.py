"""Conditions: what is simulated, checked before anything is run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pcl_app.inputs import parse_configuration, parse_weights, read_input
from pcl_core.elicitation.events import Mode
from pcl_core.elicitation.start import Start, check_start
from pcl_core.errors import Code, Issue, MissingDependencyError, PclError, RequestError
from pcl_core.learn.learners import LEARNERS
from pcl_core.learn.ordering import order_parts
from pcl_core.learn.selection import SELECTIONS
from pcl_core.learn.stopping import Stop
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.solve.acceptance import check_options
from pcl_core.solve.protocol import Options
from pcl_core.solve.registry import get_backend
from pcl_core.users.simulated import USERS, UserModel
from pcl_core.users.utility import sample_weights


class StartFile(BaseModel):
    """A file that learners start from, with what it says: whoever runs a cell may not have it, and it may change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    text: str

    @classmethod
    def read(cls, given: object) -> object:
        return cls(file=given, text=read_input(Path(given))) if isinstance(given, str) else given


FromFile = Annotated[StartFile, BeforeValidator(StartFile.read)]


class Conditions(BaseModel):
    """What is simulated; the same words as on the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    problem: str
    algorithm: Literal["pcl", "cl"] = "pcl"
    learner: str = "perceptron"
    select: str = "random"
    order: str = "degree"
    mode: Mode = "paper"
    stop: Stop = "certificate"
    user_model: str = "informative"
    alpha: Annotated[float, Field(gt=0, le=1)] = 0.1
    weights: str = "normal"
    start: str | None = None
    given: FromFile | None = None
    """A configuration to start from, instead of `start`."""
    start_weights: FromFile | None = None
    """What the learner knows at the start; nothing, if not given."""
    queries: Annotated[int, Field(ge=1, lt=2**31, strict=True)] = 100
    seed: Annotated[int, Field(ge=0, lt=2**63, strict=True)] = 0
    backend: str = "auto"
    time_limit: Annotated[float, Field(gt=0)] | None = None

    def user(self) -> UserModel:
        return USERS.make(self.user_model, alpha=self.alpha)

    @property
    def start_words(self) -> str:
        """Where the learner starts; empty: as by default, with weights of zero."""
        given = self.given.file if self.given else ""
        weights = f"weights of {self.start_weights.file}" if self.start_weights else ""
        return ", ".join(filter(None, (self.start, given, weights)))

    def first_configuration(self, problem: Problem) -> Start | None:
        return self.start if self.given is None else parse_configuration(problem, self.given.text, self.given.file)

    def first_weights(self, problem: Problem) -> Vector | None:
        read = self.start_weights
        return None if read is None else parse_weights(problem, read.text, read.file)

    def check(self, problem: Problem) -> None:
        """Refuse what cannot be run before anything is run; findings say which field they are about."""
        generator = np.random.default_rng(0)
        attempts: dict[str, Callable[[], object]] = {
            "user_model": self.user,
            "learner": lambda: LEARNERS.make(self.learner),
            "select": lambda: SELECTIONS.make(self.select),
            "order": lambda: order_parts(problem, self.order, generator),
            "weights": lambda: sample_weights(problem, self.weights, generator),
            "start": lambda: None if self.start is None else check_start(problem, self.start),
            "given": lambda: self._check_given(problem),
            "start_weights": lambda: self.first_weights(problem),
            "backend": lambda: _check_backend(self.backend, self.time_limit),
        }
        found: list[PclError] = []
        for field, attempt in attempts.items():
            try:
                attempt()
            except PclError as error:
                found.append(type(error)([replace(issue, path=(field,)) for issue in error.issues]))
        if found:
            raise together(found)

    def _check_given(self, problem: Problem) -> None:
        self.first_configuration(problem)
        if self.start is not None and self.given is not None:
            issue = Issue(Code.BAD_VALUE, "'start' and 'given' are two places to start from", "give one")
            raise RequestError(issue)


def together(errors: Sequence[PclError]) -> PclError:
    """Several errors as one; it is about something missing if all of them are."""
    missing = all(isinstance(error, MissingDependencyError) for error in errors)
    issues = list(dict.fromkeys(issue for error in errors for issue in error.issues))
    return MissingDependencyError(issues) if missing else RequestError(issues)


@cache
def _check_backend(name: str, time_limit: float | None) -> None:
    """Whether a backend can run and takes a time limit; looking for it reads what is installed, so only once."""
    check_options(get_backend(name), Options(time_limit=time_limit))


def read_conditions(given: Mapping[str, Any]) -> Conditions:
    """Conditions from words and numbers. Without an alpha it is the user's own, and no other may be given."""
    read = Conditions(**given)
    try:
        own = read.user().alpha
    except PclError as error:
        raise RequestError([replace(issue, path=("user_model",)) for issue in error.issues]) from None
    if given.get("alpha") is not None and own != read.alpha:
        message = f"user '{read.user_model:.60}' has alpha {own:g}, not {read.alpha:g}"
        raise RequestError(Issue(Code.BAD_VALUE, message, "leave it out", path=("alpha",)))
    return read.model_copy(update={"alpha": own})
