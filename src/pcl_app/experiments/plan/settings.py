"""Settings of a run: what is simulated. Each is defined once, here: its type, default, words and where it is recorded.

From this table follow the options of `pcl simulate`, the fields of experiment files, what of a cell is hashed, the
columns of traces that tell runs apart, and the labels of runs in comparisons. A new setting is one line of it; what has
its default is not part of a hash, so that results kept before are found.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from pcl_app.experiments.plan.fields import IN_A_FILE, STRATEGIES, About, FromFile, listed
from pcl_app.inputs import parse_configuration, parse_weights
from pcl_app.own_strategies import check_learner, read_own_file, strategies_in_files
from pcl_core.elicitation import RECIPES, STARTS, Mode, Settings, Start, Strategies, check_start, expanded
from pcl_core.errors import Code, Issue, MissingDependencyError, PclError, RequestError
from pcl_core.learn import LEARNERS, ORDERINGS, SELECTIONS, STOPS, LearnerKind, Stop, order_parts
from pcl_core.model import Problem, Vector
from pcl_core.plugins import OwnFile, is_own_file
from pcl_core.solve import Options, check_options, get_backend
from pcl_core.users import USERS, WEIGHT_LAWS, WISHERS, UserModel, check_wisher, sample_weights


class RunSettings(BaseModel):
    """What is simulated; the same words as on the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    problem: Annotated[str, About("what is elicited", column="string")]
    algorithm: Annotated[
        Literal["pcl", "cl"],
        About("by parts, or on complete configurations", "pcl|cl", column="string", words=lambda it: str(it).upper()),
    ] = "pcl"
    learner: Annotated[
        str | OwnFile,
        About(listed(LEARNERS.own_names) + IN_A_FILE + "; options as name:key=value", column="string"),
    ] = "perceptron"
    select: Annotated[
        str | OwnFile,
        About("which part to ask about: " + listed(SELECTIONS.own_names) + IN_A_FILE, column="string", part_wise=True),
    ] = "random"
    order: Annotated[
        str | OwnFile,
        About(
            listed(ORDERINGS) + IN_A_FILE + ", or all parts, separated by commas",
            column="string",
            words="{} order".format,
            part_wise=True,
        ),
    ] = "degree"
    mode: Annotated[Mode, About("what stays of what people say", "|".join(get_args(Mode)), column="string")] = "paper"
    stop: Annotated[Stop, About("when to stop before the last query", "|".join(STOPS), column="string")] = "certificate"
    look_further: Annotated[
        int,
        Field(ge=0, lt=2**31, strict=True),
        About(
            "after a certificate in mode people, up to so many questions about two parts at once",
            "N",
            column="int64",
            words="{} about two parts".format,
            part_wise=True,
            before=0,
        ),
    ] = 0
    user_model: Annotated[
        str | OwnFile,
        About(
            listed((*USERS.own_names, *WISHERS)) + IN_A_FILE + "; options as name:key=value",
            option="user",
            column="string",
        ),
    ] = "informative"
    alpha: Annotated[
        float,
        Field(gt=0, le=1),
        About(
            "how informative they are, above 0, up to 1; 0.1 if not said", "A", column="float64", words="α = {}".format
        ),
    ] = 0.1
    weights: Annotated[
        str, About("how their weights are drawn: " + listed(WEIGHT_LAWS), column="string", words="{} weights".format)
    ] = "normal"
    start: Annotated[
        str | None, About("where the learner starts", "|".join(STARTS), column="string", words="{} start".format)
    ] = None
    given: Annotated[FromFile | None, About("start from this configuration", "X.json")] = None
    start_weights: Annotated[FromFile | None, About("weights that the learner starts from; default zero", "W.json")] = (
        None
    )
    queries: Annotated[int, Field(ge=1, lt=2**31, strict=True), About("how many queries each gets at most", "T")] = 100
    seed: Annotated[
        int,
        Field(ge=0, lt=2**63, strict=True),
        About("the same seed gives the same users and answers", column="int64", words="seed {}".format),
    ] = 0
    backend: Annotated[str, About("see `pcl backends`", "NAME[:SOLVER]", column="string")] = "auto"
    time_limit: Annotated[
        Annotated[float, Field(gt=0)] | None,
        About("for each inference of the learner, and each optimum", "SECONDS", column="float64", words="{} s".format),
    ] = None

    def elicitation(self, **changes: Any) -> Settings:
        """How to elicit: those settings that an elicitation has, too."""
        everything = {name: getattr(self, name) for name in SETTINGS} | self.names()
        return Settings(
            **{name: value for name, value in everything.items() if name in Settings.model_fields} | changes
        )

    def names(self) -> dict[str, str]:
        """The strategies by name; what is in a file has the hash of the file in its name."""
        return {name: str(getattr(self, name)) for name in STRATEGIES}

    def strategies(self) -> Strategies:
        """Those for an elicitation that are in files, as objects."""
        return strategies_in_files(self.learner, self.select, self.order)

    def recorded(self) -> dict[str, object]:
        """The values in the columns of traces: the user's own alpha, and the files that the learner starts from."""
        values = {name: getattr(self, name) for name in RECORDED} | self.names()
        return {**values, "start": self.start_words, "alpha": self._own_alpha() if self.by_utility else None}

    def _own_alpha(self) -> float:
        """A user in a file is not asked: what was recorded is read without running anything, and `read_settings` did ask."""
        return self.alpha if is_own_file(str(self.user_model)) else self.user().alpha

    @property
    def by_utility(self) -> bool:
        """Whether users answer by weights of their own; otherwise they have definite wishes."""
        return self.user_model not in WISHERS

    def user(self) -> UserModel:
        return USERS.make(self.user_model, alpha=self.alpha)

    def learner_kind(self) -> LearnerKind:
        return LEARNERS.make(self.learner)

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
            "user_model": lambda: self._check_user(problem),
            "learner": lambda: check_learner(self.learner, problem),
            "select": lambda: SELECTIONS.make(self.select),
            "order": lambda: order_parts(problem, self.order, generator),
            "weights": lambda: sample_weights(problem, self.weights, generator),
            "start": lambda: None if self.start is None else check_start(problem, self.start),
            "given": lambda: self._check_given(problem),
            "start_weights": lambda: self.first_weights(problem),
            "look_further": self._check_looking_further,
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

    def _check_user(self, problem: Problem) -> None:
        if self.by_utility:
            self.user()
            return
        check_wisher(str(self.user_model), problem)
        if self.algorithm == "cl":
            message = f"coactive learning is fed with gains, and user '{self.user_model}' has no utility"
            raise RequestError(Issue(Code.BAD_VALUE, message, "take algorithm 'pcl'"))

    def _check_looking_further(self) -> None:
        if self.look_further and (self.mode, self.stop, self.algorithm) != ("people", "certificate", "pcl"):
            message = "looking further begins with a certificate in the mode 'people'"
            raise RequestError(Issue(Code.BAD_VALUE, message, "take the recipe 'people' or 'form', or leave it out"))

    def _check_given(self, problem: Problem) -> None:
        self.first_configuration(problem)
        if self.start is not None and self.given is not None:
            issue = Issue(Code.BAD_VALUE, "'start' and 'given' are two places to start from", "give one")
            raise RequestError(issue)


SETTINGS: dict[str, About] = {
    name: next(entry for entry in field.metadata if isinstance(entry, About))
    for name, field in RunSettings.model_fields.items()
}
"""The table: what is known of each setting, by name."""

RECORDED: dict[str, str] = {
    name: about.column
    for kind in ("string", "float64", "int64")
    for name, about in SETTINGS.items()
    if about.column == kind
}
"""The columns of traces that tell runs apart, with their types: words first, then numbers."""


def option_of(name: str) -> str:
    """A setting as an option of `pcl simulate`."""
    return "--" + (SETTINGS[name].option or name).replace("_", "-")


def together(errors: Sequence[PclError]) -> PclError:
    """Several errors as one; it is about something missing if all of them are."""
    missing = all(isinstance(error, MissingDependencyError) for error in errors)
    issues = list(dict.fromkeys(issue for error in errors for issue in error.issues))
    return MissingDependencyError(issues) if missing else RequestError(issues)


@cache
def _check_backend(name: str, time_limit: float | None) -> None:
    """Whether a backend can run and takes a time limit; looking for it reads what is installed, so only once."""
    check_options(get_backend(name), Options(time_limit=time_limit))


RECIPE = About("learner, select, order, mode and stop in one word; each may still be said", "|".join(RECIPES))


def read_settings(given: Mapping[str, Any], folder: Path = Path()) -> RunSettings:
    """RunSettings from words and numbers; what a `recipe` says is overridden by what is said beside it.

    Without an alpha it is the user's own, and no other may be given. Strategies in files are looked for in the folder.
    """
    fields = {name: value for name, value in given.items() if name != "recipe"}
    for name in STRATEGIES:
        if isinstance(said := fields.get(name), str):
            with _about(name):
                fields[name] = read_own_file(said, folder)
    recipe = given.get("recipe")
    read = RunSettings(**(fields if recipe is None else expanded(recipe, fields)))
    if not read.by_utility:
        if given.get("alpha") is not None:
            message = f"user '{read.user_model}' has definite wishes, and no alpha"
            raise RequestError(Issue(Code.BAD_VALUE, message, "leave it out", path=("alpha",)))
        return read
    with _about("user_model"):
        own = read.user().alpha
    if given.get("alpha") is not None and own != read.alpha:
        message = f"user '{read.user_model!s:.60}' has alpha {own:g}, not {read.alpha:g}"
        raise RequestError(Issue(Code.BAD_VALUE, message, "leave it out", path=("alpha",)))
    return read.model_copy(update={"alpha": own})


@contextmanager
def _about(field: str) -> Iterator[None]:
    try:
        yield
    except PclError as error:
        raise RequestError([replace(issue, path=(field,)) for issue in error.issues]) from None
