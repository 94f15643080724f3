"""Recorded runs, one for each setting, as curves that can be drawn and compared user by user."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, Location, RequestError, suggest

Floats = npt.NDArray[np.float64]
Column = npt.NDArray[np.generic]

TEXT_SETTINGS = (
    *("problem", "algorithm", "learner", "select", "order", "mode", "stop", "user_model"),
    *("weights", "start", "backend"),
)
NUMBER_SETTINGS = ("alpha", "time_limit")
SUMMED = frozenset(
    {"seconds", "seconds_infer", "seconds_update", "changed_variables", "shown_variables", "context_variables"}
)
CURVES = (
    "regret",
    "regret_bound",
    "conditional_regret",
    "utility",
    "utility_improved",
    "zeta",
    "satisfied",
    "certified",
    "seconds",
    "seconds_infer",
    "seconds_update",
    "changed_variables",
    "shown_variables",
    "context_variables",
)
NOISE = 1e-9
ONLY_PART_WISE = frozenset({"select", "order"})


@dataclass(frozen=True, slots=True)
class Setting:
    """What was run. An empty word, or no number, means that it is not known or has no meaning there."""

    problem: str = ""
    algorithm: str = ""
    learner: str = ""
    select: str = ""
    order: str = ""
    mode: str = ""
    stop: str = ""
    user_model: str = ""
    weights: str = ""
    start: str = ""
    backend: str = ""
    alpha: float | None = None
    time_limit: float | None = None
    seed: int | None = None

    @classmethod
    def of(cls, values: Mapping[str, object]) -> "Setting":
        words = {name: str(values[name]) for name in TEXT_SETTINGS if isinstance(values.get(name), str)}
        alpha, limit = (_number(values.get(name)) for name in NUMBER_SETTINGS)
        seed = values.get("seed")
        return cls(**words, alpha=alpha, time_limit=limit, seed=seed if isinstance(seed, int) else None)

    @property
    def family(self) -> str:
        """The problem's name without its parameters."""
        return self.problem.split(":")[0]

    def shown(self, name: str) -> str | None:
        """A field as a few words for a label; None where it means nothing for this setting."""
        if name in ONLY_PART_WISE and self.algorithm == "cl":
            return None
        value = getattr(self, name)
        if value is None or value == "":
            return None
        written = {
            "alpha": f"α = {value}",
            "seed": f"seed {value}",
            "order": f"{value} order",
            "weights": f"{value} weights",
            "start": f"{value} start",
            "time_limit": f"{value} s",
        }
        return written.get(name, str(value).upper() if name == "algorithm" else str(value))

    def data(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """All users of one setting, each from query 1 to the query at which that user's run ended."""

    setting: Setting
    source: str
    users: tuple[int, ...]
    """In rising order; the rows of every curve."""
    columns: Mapping[str, Column]
    """Sorted by user, then query."""
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    @classmethod
    def of(cls, setting: Setting, source: str, columns: Mapping[str, Column], where: Location) -> "Run":
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
            hint = "two cells of the same setting?" if twice else "queries count from 1"
            raise RequestError(Issue(Code.BAD_TRACES, f"user {user[at]} {said}", hint, where))
        return cls(setting, source, tuple(users.tolist()), columns, starts.astype(np.int64), lengths.astype(np.int64))

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
        names = ("seconds_infer", "seconds_update") if column == "seconds" else (column,)
        flat = np.sum([self.columns[name].astype(np.float64) for name in names], axis=0)
        starts, lengths = self.starts, self.lengths
        if users is not None:
            position = {user: row for row, user in enumerate(self.users)}
            rows = [position[user] for user in users]
            starts, lengths = starts[rows], lengths[rows]
        steps = np.arange(self.queries if queries is None else queries)
        found: Floats = flat[starts[:, None] + np.minimum(steps, lengths[:, None] - 1)]
        if column in SUMMED:
            found = np.cumsum(np.where(steps < lengths[:, None], found, 0.0), axis=1)
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Runs:
    """Several runs; iterating gives each of them."""

    runs: tuple[Run, ...]

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __add__(self, other: "Runs") -> "Runs":
        return Runs(self.runs + other.runs)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The distinct settings, in order of appearance."""
        return tuple(dict.fromkeys(run.setting for run in self.runs))

    def select(self, **wanted: object) -> "Runs":
        """The runs whose setting has the given values: `select(problem="grid", alpha=0.3)`; `family` works too."""
        for name in wanted:
            if not hasattr(Setting(), name):
                raise RequestError(Issue(Code.UNKNOWN_NAME, f"a setting has no '{name}'", suggest(name, SHOWN)))
        chosen = (run for run in self.runs if all(getattr(run.setting, key) == wanted[key] for key in wanted))
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
        labels = [", ".join(words) for words in self._differences()]
        if not any(labels) and len(set(self.runs)) == 1:
            only = self.runs[0]
            return (only.setting.shown("algorithm") or Path(only.source).name or "run",)
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
        for name in SHOWN:
            words = {run.setting.shown(name) for run in self.runs} - {None}
            if len(words) > 1:
                differ.append(name)
        # Each mode comes with its own way to stop; saying both is saying it twice.
        pairs = {(run.setting.mode, run.setting.stop) for run in self.runs}
        if {"mode", "stop"} <= set(differ) and len(pairs) == len({mode for mode, _ in pairs}):
            differ.remove("stop")
        return [[word for name in differ if (word := run.setting.shown(name)) is not None] for run in self.runs]


def worse_answers(shown: npt.ArrayLike, told: npt.ArrayLike) -> int:
    """How many answers have a lower true utility than what was shown; the last digits of a sum do not count."""
    before, after = np.asarray(shown, dtype=np.float64), np.asarray(told, dtype=np.float64)
    return int((after < before - NOISE * np.maximum(1.0, np.abs(before))).sum())


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and np.isfinite(value) else None


SHOWN = tuple(field.name for field in fields(Setting))
