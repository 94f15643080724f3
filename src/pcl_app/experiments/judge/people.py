"""How recipes serve people: the questions they need, the values they have typed and undone, and how good the end is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from pcl_app.experiments.judge.statistics import (
    Estimate,
    QueriesNeeded,
    bootstrap,
    mean_estimate,
    ratio_of_means,
)
from pcl_app.experiments.judge.tables import ResultTable, TableEntry, shown
from pcl_app.experiments.record.ends import Satisfied
from pcl_app.experiments.record.runs import Floats, Run, Runs
from pcl_core.elicitation import RECIPES
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.users import DEFINITE, WISHERS

RECIPE_WORDS = {
    "people": "for people",
    "form": "a plain form",
    "keep": "improvements kept",
    "paper": "the paper's",
}
AT_RANDOM = {
    "exact": "exactly one, at random",
    "rules": "rules at random",
    "neighbours": "wishes about neighbours",
}
ANSWERS = {
    "informative": "answers that gain little",
    "best": "best answers",
    "smallest-edit": "smallest edits",
    "satisficing": "good is good enough",
    "expected": "informative on average",
    "noisy": "mistakes",
}
CHECKPOINTS = (50, 100)
TO_THE_POINT = 100.0


@dataclass(frozen=True, eq=False)
class Served:
    """Some people, served by one recipe."""

    recipe: str
    run: Run
    users: tuple[int, ...]
    """Those that every recipe served."""
    satisfied: dict[int, bool]
    """Of those who can say so."""
    limit: int
    """The most questions that anybody of them was asked by any recipe."""

    @cached_property
    def questions(self) -> QueriesNeeded:
        """For each of them the question with whose answer it was certified."""
        certified = self.curve("certified") > 0
        return QueriesNeeded(tuple(int(np.argmax(row)) + 1 if row.any() else None for row in certified))

    @property
    def finished(self) -> str:
        return f"{self.questions.reached} of {len(self.users)}"

    @property
    def unsatisfied(self) -> int:
        """Certified, and not satisfied with the whole."""
        reached = zip(self.users, self.questions.queries, strict=True)
        return sum(query is not None and self.satisfied.get(user) is False for user, query in reached)

    @property
    def median(self) -> TableEntry:
        """Of the questions, with an interval; more than were asked, where most of them were not finished."""
        counts = np.array([np.inf if query is None else query for query in self.questions.queries])
        found = bootstrap([counts], lambda drawn: np.median(drawn, axis=-1))
        return found if np.isfinite(found.value) else f"over {self.limit}"

    @property
    def mean(self) -> TableEntry:
        """The mean of those who are finished, which says nothing where questions ran out for somebody."""
        asked = dict(zip(self.run.users, self.run.lengths.tolist(), strict=True))
        reached = dict(zip(self.users, self.questions.queries, strict=True))
        if any(query is None and asked[user] >= self.limit for user, query in reached.items()):
            return f"over {self.limit}"
        return mean_estimate(np.array([query for query in reached.values() if query is not None], dtype=np.float64))

    def total(self, column: str) -> Estimate:
        """A mean over people of something that adds up over all questions."""
        return mean_estimate(self.curve(column)[:, -1])

    def queries_to(self, share: float) -> int | str:
        """The first query at which the mean regret is down to a share of the first."""
        mean = self.curve("regret").mean(axis=0)
        below = np.flatnonzero(mean <= share * mean[0] + 1e-9)
        return int(below[0]) + 1 if below.size else "–"

    def left(self, query: int | None = None) -> Estimate:
        """The regret at a query, or at the end, in percent of the first."""
        regret = self.curve("regret", query)
        share = ratio_of_means(regret[:, -1], regret[:, 0])
        return Estimate(100 * share.value, 100 * share.low, 100 * share.high)

    def curve(self, column: str, queries: int | None = None) -> Floats:
        return self.run.curve(column, queries, self.users)


Columns: TypeAlias = Mapping[str, Callable[[Served], TableEntry]]
"""What stands in a table about people who were served, by its title."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """The same people, served by several recipes."""

    who: str
    problem: str
    definite: bool
    usual: bool
    """Linear people as the paper simulates them."""
    alpha: float | None
    served: tuple[Served, ...]

    def by(self, recipe: str) -> Served | None:
        return next((one for one in self.served if one.recipe == recipe), None)

    @property
    def title(self) -> str:
        if self.who in DEFINITE:
            return self.who
        return f"{self.problem}, {self.who}" if self.usual else f"{self.who} ({self.problem})"


def crowds_of(runs: Runs, satisfied: Satisfied) -> list[Crowd]:
    """Runs of recipes by whom they serve, recipes in their order; those that look further than a recipe does are left out."""
    groups: dict[tuple[object, ...], list[Run]] = {}
    for run in runs:
        if run.settings.recipe and not run.settings["look_further"]:
            key = tuple(run.settings[name] for name in ("problem", "user_model", "weights", "alpha", "seed"))
            groups.setdefault(key, []).append(run)
    if not groups:
        message = "none of these runs is by a recipe"
        raise RequestError(Issue(Code.BAD_VALUE, message, f"recipes are {', '.join(RECIPES)}"))
    found = []
    for group in groups.values():
        by_recipe = {run.settings.recipe: run for run in group}
        users = tuple(sorted(set.intersection(*(set(run.users) for run in group))))
        if not users:  # nobody was served by all of them
            continue
        limit = max(run.queries for run in group)
        served = [
            Served(name, by_recipe[name], users, dict(satisfied.get(by_recipe[name].settings, {})), limit)
            for name in RECIPE_WORDS
            if name in by_recipe
        ]
        said = group[0].settings
        model, weights = str(said["user_model"]), str(said["weights"])
        definite = model in WISHERS
        usual = not definite and model == "informative" and weights == "normal"
        found.append(Crowd(_who(model, weights, said.alpha), said.problem, definite, usual, said.alpha, tuple(served)))
    return found


def _who(model: str, weights: str, alpha: float | None) -> str:
    if model in WISHERS:
        return AT_RANDOM.get(model, model)
    name, _, options = model.partition(":")
    words = ANSWERS.get(name, name)
    if name == "noisy":
        share = next((float(one[2:]) for one in options.split(",") if one.startswith("p=")), 0.1)
        words = f"{100 * share:.0f} % mistakes"
    if weights != "normal":
        words = f"{weights} weights"
    return words if name != "informative" or weights != "normal" else f"α = {alpha:g}"


EFFORT: Columns = {
    "values typed [95 %]": lambda one: one.total("values_typed"),
    "undone [95 %]": lambda one: one.total("values_undone"),
}


def definite_table(crowds: Sequence[Crowd], caption: str) -> ResultTable:
    """People who want something definite."""
    columns: Columns = {
        "questions [95 %]": lambda one: one.mean,
        **EFFORT,
        "not satisfied": lambda one: one.unsatisfied,
    }
    return _table(caption, crowds, columns)


def linear_table(crowds: Sequence[Crowd], caption: str) -> ResultTable:
    """People with a linear utility."""
    columns: Columns = {
        "questions, median [95 %]": lambda one: one.median,
        "to 10 %": lambda one: one.queries_to(0.1),
        "to 1 %": lambda one: one.queries_to(0.01),
        "left at the end, % [95 %]": lambda one: one.left(),
        **EFFORT,
    }
    return _table(caption, crowds, columns)


def others_table(crowds: Sequence[Crowd], caption: str) -> ResultTable:
    """People who answer otherwise, by the regret that is left after so many questions."""
    columns: Columns = {
        "questions, median [95 %]": lambda one: one.median,
        **{f"left at {query}, % [95 %]": partial(Served.left, query=query) for query in CHECKPOINTS},
    }
    return _table(caption, crowds, columns)


def _table(caption: str, crowds: Sequence[Crowd], columns: Columns) -> ResultTable:
    rows = [
        (crowd.title, one.recipe, one.finished, *(column(one) for column in columns.values()))
        for crowd in crowds
        for one in crowd.served
    ]
    return ResultTable(caption, ("who", "recipe", "finished", *columns), rows)


def definite_in_short(crowds: Sequence[Crowd]) -> ResultTable:
    """A row for each kind of people, a column for each recipe: questions / values typed / undone."""
    return _in_short(
        "People who want something definite: questions / values typed / of these undone later",
        crowds,
        lambda one: " / ".join(
            (_short(one.mean), *(_short(one.total(name)) for name in ("values_typed", "values_undone")))
        ),
    )


def linear_in_short(crowds: Sequence[Crowd]) -> ResultTable:
    """The same for linear people: questions, and what is left."""
    return _in_short(
        "People with a linear utility: questions (median) / what is left to gain at the end, % of the first",
        crowds,
        lambda one: f"{_short(one.median)} / {_short(one.left())}",
    )


def _in_short(caption: str, crowds: Sequence[Crowd], words: Callable[[Served], str]) -> ResultTable:
    rows = [
        (crowd.title, *("–" if (one := crowd.by(recipe)) is None else words(one) for recipe in RECIPE_WORDS))
        for crowd in crowds
    ]
    return ResultTable(caption, ("who", *RECIPE_WORDS.values()), rows)


def _short(entry: TableEntry) -> str:
    """Without its interval, and with one digit after the point where there is something to say with it."""
    if not isinstance(entry, Estimate):
        return shown(entry)
    return f"{entry.value:.1f}".removesuffix(".0") if entry.value < TO_THE_POINT else f"{entry.value:.0f}"
