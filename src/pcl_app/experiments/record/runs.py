"""Recorded runs, one for each choice of settings, as curves that can be drawn and compared user by user."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pcl_app.experiments.measures import CURVES, MEASURES
from pcl_app.experiments.plan.settings import RECORDED, SETTINGS
from pcl_core.elicitation import RECIPES
from pcl_core.errors import Code, Issue, Location, RequestError, suggest

Floats = npt.NDArray[np.float64]
ColumnValues = npt.NDArray[np.generic]

NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class RecordedSettings:
    """What traces say of a run's settings. An empty word, or no number: it is not known or has no meaning there."""

    values: tuple[str | float | int | None, ...]
    """In the order of their columns."""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> "RecordedSettings":
        return cls(tuple(READERS[kind](values.get(name)) for name, kind in RECORDED.items()))

    def __getitem__(self, name: str) -> str | float | int | None:
        return dict(zip(RECORDED, self.values, strict=True))[name]

    @property
    def problem(self) -> str:
        return str(self["problem"])

    @property
    def family(self) -> str:
        """The problem's name without its parameters."""
        return self.problem.split(":")[0]

    @property
    def alpha(self) -> float | None:
        return _number(self["alpha"])

    @property
    def seed(self) -> int | None:
        value = self["seed"]
        return value if isinstance(value, int) else None

    @property
    def recipe(self) -> str:
        """The word for how it was elicited; empty where no recipe says just this."""
        known = RECIPES if self["algorithm"] == "pcl" else {}
        return next((name for name, said in known.items() if all(self[key] == said[key] for key in said)), "")

    def shown(self, name: str) -> str | None:
        """A setting as a few words for a label; None where it means nothing for this run."""
        about, value = SETTINGS[name], self[name]
        if value is None or value == "" or (about.part_wise and self["algorithm"] == "cl"):
            return None
        return about.words(value)

    def data(self) -> dict[str, object]:
        return dict(zip(RECORDED, self.values, strict=True))


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """All users with the same settings, each from query 1 to the query at which that user's run ended."""

    settings: RecordedSettings
    source: str
    users: tuple[int, ...]
    """In rising order; the rows of every curve."""
    columns: Mapping[str, ColumnValues]
    """Sorted by user, then query."""
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    @classmethod
    def of(cls, settings: RecordedSettings, source: str, columns: Mapping[str, ColumnValues], where: Location) -> "Run":
        """From rows in any order; each user must have each query once, from 1 without a gap."""
        user, query = columns["user"], columns["query"]
        order = np.lexsort((query, user))
        columns = {name: column[order] for name, column in columns.items()}
        user, query = columns["user"].astype(np.int64), columns["query"].astype(np.int64)
        users, starts, lengths = np.unique(user, return_index=True, return_counts=True)
        wrong = np.flatnonzero(query != np.arange(len(query)) - np.repeat(starts, lengths) + 1)
        if users[0] < 0:
            raise RequestError(Issue(Code.BAD_TRACES, f"user {users[0]} is negative; users count from 0", None, where))
        if wrong.size:
            at = wrong[0]
            twice = at > 0 and user[at] == user[at - 1] and query[at] == query[at - 1]
            said = f"has query {query[at]} twice" if twice else f"has query {query[at]} but not all before it"
            hint = "two cells with the same settings?" if twice else "queries count from 1"
            raise RequestError(Issue(Code.BAD_TRACES, f"user {user[at]} {said}", hint, where))
        return cls(settings, source, tuple(users.tolist()), columns, starts.astype(np.int64), lengths.astype(np.int64))

    def has(self, name: str, value: object) -> bool:
        """Whether a setting has a value; the family of its problem counts as one."""
        return (self.settings.family if name == "family" else self.settings[name]) == value

    @property
    def queries(self) -> int:
        """The most queries that any user was asked."""
        return int(self.lengths.max())

    @property
    def answers(self) -> int:
        return len(self.columns["user"])

    @property
    def worse_answers(self) -> int:
        return worse_answers(self.columns["utility"], self.columns["utility_improved"])

    @property
    def cut(self) -> bool:
        """Whether some user's run ended unsatisfied, so that more queries might have changed the result."""
        last = self.starts + self.lengths - 1
        longest = self.lengths == self.lengths.max()
        ended = self.columns["certified"][last].astype(bool) | self.columns["satisfied"][last].astype(bool)
        return bool((longest & ~ended).any())

    def curve(self, column: str, queries: int | None = None, users: Sequence[int] | None = None) -> Floats:
        """Users × queries. Where a run has stopped, its last value is carried on.

        Seconds and numbers of variables are summed up from the first query, and a run that has stopped adds nothing.
        The column `seconds` is all of the learner's time: inference and update.
        """
        if column not in CURVES:
            message = f"'{column:.80}' is not a column that makes a curve"
            raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(column, CURVES) or "such as regret"))
        measure = MEASURES[column]
        flat = np.sum([self.columns[name].astype(np.float64) for name in measure.parts or (column,)], axis=0)
        starts, lengths = self.starts, self.lengths
        if users is not None:
            position = {user: row for row, user in enumerate(self.users)}
            rows = [position[user] for user in users]
            starts, lengths = starts[rows], lengths[rows]
        steps = np.arange(self.queries if queries is None else queries)
        found: Floats = flat[starts[:, None] + np.minimum(steps, lengths[:, None] - 1)]
        if measure.summed:
            found = np.cumsum(np.where(steps < lengths[:, None], found, 0.0), axis=1)
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Runs:
    """Several runs; iterating gives each of them."""

    runs: tuple[Run, ...]
    names: tuple[str, ...] = ()
    """What somebody calls each of them; where nobody does, what differs says which is which."""

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __add__(self, other: "Runs") -> "Runs":
        return Runs(self.runs + other.runs)

    @property
    def all_settings(self) -> tuple[RecordedSettings, ...]:
        """The distinct settings, in order of appearance."""
        return tuple(dict.fromkeys(run.settings for run in self.runs))

    def select(self, **wanted: object) -> "Runs":
        """The runs whose settings have the given values: `select(problem="grid", alpha=0.3)`; `family` works too."""
        for name in wanted:
            if name not in (*RECORDED, "family"):
                raise RequestError(Issue(Code.UNKNOWN_NAME, f"a setting has no '{name}'", suggest(name, RECORDED)))
        chosen = (run for run in self.runs if all(run.has(key, wanted[key]) for key in wanted))
        return Runs(tuple(chosen))

    def one(self) -> Run:
        """The only run."""
        if len(self.runs) != 1:
            raise RequestError(Issue(Code.BAD_VALUE, f"one run is needed, and there are {len(self.runs)}"))
        return self.runs[0]

    @property
    def queries(self) -> int:
        """How far the runs can be compared: as far as the longest, but not beyond one that was cut short."""
        longest = max(run.queries for run in self.runs)
        return min([longest, *(run.queries for run in self.runs if run.cut)])

    def curve(self, column: str, queries: int | None = None) -> Floats:
        """The curve of the only run."""
        return self.one().curve(column, queries)

    def labels(self) -> tuple[str, ...]:
        """A few words for each run that name only what differs: "α = 0.3", "PCL, ucb1", "CL"."""
        if self.names:
            return self.names
        labels = [", ".join(words) for words in self._differences()]
        if not any(labels) and len(set(self.runs)) == 1:
            only = self.runs[0]
            return (only.settings.shown("algorithm") or Path(only.source).name or "run",)
        for names in ([Path(run.source).name for run in self.runs], [run.source for run in self.runs]):
            unclear = [not label or labels.count(label) > 1 for label in labels]
            labels = [
                ", ".join(filter(None, (label, name))) if more else label
                for label, name, more in zip(labels, names, unclear, strict=True)
            ]
        return tuple(
            f"{label} ({labels[: position + 1].count(label)})" if labels.count(label) > 1 else label
            for position, label in enumerate(labels)
        )

    def _differences(self) -> list[list[str]]:
        differ = []
        for name in RECORDED:
            words = {run.settings.shown(name) for run in self.runs} - {None}
            if len(words) > 1:
                differ.append(name)
        recipes = {run.settings.recipe for run in self.runs}
        by_recipe = len(recipes) > 1 and "" not in recipes
        if by_recipe:  # one word says all of that
            differ = [name for name in differ if name not in RECIPES["people"]]
        # Each mode comes with its own way to stop; saying both is saying it twice.
        pairs = {(run.settings["mode"], run.settings["stop"]) for run in self.runs}
        if {"mode", "stop"} <= set(differ) and len(pairs) == len({mode for mode, _ in pairs}):
            differ.remove("stop")
        return [
            [word for name in differ if (word := run.settings.shown(name)) is not None]
            + [run.settings.recipe] * by_recipe
            for run in self.runs
        ]


def worse_answers(shown: npt.ArrayLike, told: npt.ArrayLike) -> int:
    """How many answers have a lower true utility than what was shown; the last digits of a sum do not count."""
    before, after = np.asarray(shown, dtype=np.float64), np.asarray(told, dtype=np.float64)
    return int((after < before - NOISE * np.maximum(1.0, np.abs(before))).sum())


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and np.isfinite(value) else None


READERS: dict[str, Callable[[object], str | float | int | None]] = {
    "string": lambda value: value if isinstance(value, str) else "",
    "float64": _number,
    "int64": lambda value: value if isinstance(value, int) else None,
}
"""By the type of a column: a value of it from whatever stands there."""
