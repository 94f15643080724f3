"""Runs against each other: where they end, how fast they get there, and whether the difference is more than chance."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pcl_app.experiments.judge.claims import last, mean
from pcl_app.experiments.judge.naming import Naming
from pcl_app.experiments.judge.statistics import (
    Estimate,
    QueriesNeeded,
    holm,
    mean_difference,
    mean_estimate,
    queries_to_reach,
    standard_deviation,
    wilcoxon,
)
from pcl_app.experiments.judge.tables import PValue, ResultTable, TableEntry
from pcl_app.experiments.measures import MEASURES
from pcl_app.experiments.record.runs import Run, Runs
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.users import WISHERS

REDUCTIONS = {"last": (last, "at the last query"), "mean": (mean, "mean over all queries")}
"""A curve as one number for each user, and how that is called."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run in numbers; the column that is compared, and always what regret and time did."""

    label: str
    run: Run
    last: Estimate
    deviation: float
    mean: Estimate
    tenth: QueriesNeeded
    hundredth: QueriesNeeded
    seconds: float

    def row(self) -> tuple[TableEntry, ...]:
        users = len(self.tenth.queries)
        return (
            self.label,
            self.last,
            self.deviation,
            self.mean,
            self.tenth.median,
            f"{self.tenth.reached} of {users}",
            self.hundredth.median,
            f"{self.hundredth.reached} of {users}",
            self.seconds,
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """first − second over the same users."""

    first: str
    second: str
    measure: str
    estimate: Estimate
    p_value: float
    corrected: float
    """Holm's correction over all differences of one comparison."""
    effect: float

    def row(self) -> tuple[TableEntry, ...]:
        words = REDUCTIONS[self.measure][1]
        values = (self.estimate, PValue(self.p_value), PValue(self.corrected), self.effect)
        return (self.first, self.second, words, *values)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs on the same problem with the same users."""

    runs: Runs
    column: str
    queries: int
    users: tuple[int, ...]
    summaries: tuple[RunSummary, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    heading: str = ""
    """What a figure is headed by, where somebody says it or the problem has a label."""

    @property
    def title(self) -> str:
        said = self.runs.runs[0].settings
        return (self.heading or said.problem or "unnamed problem") + (
            "" if said.seed is None else f", seed {said.seed}"
        )

    def summary_table(self) -> ResultTable:
        about = MEASURES[self.column].label
        caption = f"{self.title}: {about}, {len(self.users)} users, {self.queries} queries"
        titles = (
            "run",
            "last [95 %]",
            "sd",
            "mean over queries [95 %]",
            "queries to 10 %",
            "reached 10 %",
            "queries to 1 %",
            "reached 1 %",
            "seconds",
        )
        return ResultTable(caption, titles, [summary.row() for summary in self.summaries])

    def difference_table(self) -> ResultTable:
        caption = f"{self.title}: differences (first − second), Wilcoxon signed-rank tests over users"
        titles = ("first", "second", "measure", "difference [95 %]", "p", "p (Holm)", "effect (rank-biserial)")
        return ResultTable(caption, titles, [difference.row() for difference in self.differences])

    def data(self) -> dict[str, object]:
        """For programs; a number that cannot be said is null."""
        return {
            "problem": self.runs.runs[0].settings.problem,
            "title": self.heading or self.title,
            "seed": self.runs.runs[0].settings.seed,
            "column": self.column,
            "queries": self.queries,
            "users": list(self.users),
            "runs": [
                {
                    "label": summary.label,
                    "source": summary.run.source,
                    "setting": summary.run.settings.data(),
                    "last": _interval(summary.last) | {"sd": summary.deviation},
                    "mean": _interval(summary.mean),
                    "queries_to_10_percent": _reach(summary.tenth),
                    "queries_to_1_percent": _reach(summary.hundredth),
                    "seconds": summary.seconds,
                }
                for summary in self.summaries
            ],
            "differences": [
                {
                    "first": difference.first,
                    "second": difference.second,
                    "measure": difference.measure,
                    "difference": _interval(difference.estimate),
                    "p": difference.p_value,
                    "p_holm": difference.corrected,
                    "effect": difference.effect,
                }
                for difference in self.differences
            ],
            "notes": list(self.notes),
        }


def compare(
    runs: Runs, column: str = "regret", queries: int | None = None, naming: Naming | None = None
) -> tuple[list[Comparison], list[str]]:
    """Compare the runs on each problem; also returns a sentence for each run that nothing can be compared with.

    Runs are comparable if they are on the same problem and have the same seed and weights, and so the same users.
    """
    groups: dict[tuple[str, int | None, str], list[Run]] = {}
    for run in runs:
        wishes = str(run.settings["user_model"])
        drawn = wishes if wishes in WISHERS else str(run.settings["weights"])
        groups.setdefault((run.settings.problem, run.settings.seed, drawn), []).append(run)
    together = [group for group in groups.values() if len(group) > 1]
    if not together:
        raise RequestError(_nothing_to_compare(runs, list(groups)))
    naming = naming or Naming()
    made = [
        replace(compare_group(group, column, queries), heading=naming.titles.get(group.runs[0].settings.problem, ""))
        for group in naming.of(together)
    ]
    alone = [
        f"'{group[0].source}' has one run on {problem or 'an unnamed problem'} with seed {seed}, "
        "and nothing to compare it with; it is left out"
        for (problem, seed, _), group in groups.items()
        if len(group) == 1
    ]
    return made, alone


def _nothing_to_compare(runs: Runs, groups: Sequence[tuple[str, int | None, str]]) -> Issue:
    problems = list(dict.fromkeys(problem or "an unnamed problem" for problem, _, _ in groups))
    if len(runs) == 1:
        return Issue(Code.BAD_VALUE, "there is only one run, and nothing to compare it with", "name a second folder")
    if len(problems) > 1:
        message = f"the runs are on different problems ({', '.join(problems[:6])}), so their regrets cannot be compared"
        return Issue(Code.BAD_VALUE, message, "give runs on the same problem")
    if len({seed for _, seed, _ in groups}) == 1:
        laws = ", ".join(weights or "unknown" for _, _, weights in groups[:6])
        message = f"the runs have different users: their weights were drawn as {laws}"
        return Issue(Code.BAD_VALUE, message, "give runs with the same --weights, or users with the same wishes")
    seeds = ", ".join(str(seed) for _, seed, _ in groups[:6])
    message = f"the runs have different users: they were drawn with seeds {seeds}"
    return Issue(Code.BAD_VALUE, message, "give runs with the same --seed")


def compare_group(runs: Runs, column: str = "regret", queries: int | None = None) -> Comparison:
    """Compare runs on one problem with the same users."""
    labels = runs.labels()
    users = tuple(sorted(set.intersection(*(set(run.users) for run in runs))))
    if not users:
        message = "the runs have no user in common, so nothing can be compared user by user"
        raise RequestError(Issue(Code.BAD_VALUE, message, "give runs with the same --seed and --users"))
    if any(np.isnan(run.curve(column, 1)).any() for run in runs):
        hint = "people with definite wishes have no utility; compare values_typed" if column != "values_typed" else None
        raise RequestError(Issue(Code.BAD_VALUE, f"'{column}' is not known of everybody in these runs", hint))
    length = runs.queries if queries is None else queries
    summaries = tuple(_summary(label, run, column, length, users) for label, run in zip(labels, runs, strict=True))
    return Comparison(
        runs,
        column,
        length,
        users,
        summaries,
        _differences(labels, runs, column, length, users),
        tuple(_notes(labels, runs, length, users)),
    )


def _summary(label: str, run: Run, column: str, queries: int, users: Sequence[int]) -> RunSummary:
    curve, regret = run.curve(column, queries, users), run.curve("regret", queries, users)
    return RunSummary(
        label,
        run,
        mean_estimate(last(curve)),
        float(standard_deviation(last(curve))),
        mean_estimate(mean(curve)),
        queries_to_reach(regret, 0.1),
        queries_to_reach(regret, 0.01),
        float(run.curve("seconds", queries, users)[:, -1].mean()),
    )


def _differences(
    labels: Sequence[str], runs: Runs, column: str, queries: int, users: Sequence[int]
) -> tuple[Difference, ...]:
    curves = dict(zip(labels, (run.curve(column, queries, users) for run in runs), strict=True))
    # The mean over queries of something that is summed up already says nothing new.
    measures = ("last",) if MEASURES[column].summed else ("last", "mean")
    found = []
    for measure in measures:
        for first, second in itertools.combinations(labels, 2):
            above, below = (REDUCTIONS[measure][0](curves[label]) for label in (first, second))
            test = wilcoxon(above, below)
            change = mean_difference(above, below)
            found.append(Difference(first, second, measure, change, test.p_value, test.p_value, test.effect))
    corrected = holm([difference.p_value for difference in found])
    return tuple(replace(difference, corrected=value) for difference, value in zip(found, corrected, strict=True))


def _notes(labels: Sequence[str], runs: Runs, queries: int, users: Sequence[int]) -> list[str]:
    notes = []
    most = max(len(run.users) for run in runs)
    if most > len(users):
        notes.append(f"Only the {len(users)} users that all runs have in common are compared.")
    if queries < max(run.queries for run in runs):
        notes.append(f"Only the first {queries} queries are compared; some run was asked more.")
    for label, run in zip(labels, runs, strict=True):
        if run.cut and run.queries < queries:
            notes.append(
                f"'{label}' ends at query {run.queries} with unsatisfied users; its last values are carried on."
            )
        gap = (run.curve("regret_bound", 1) - run.curve("regret", 1))[:, 0]
        if (gap > 1e-6).any():
            notes.append(
                f"'{label}': the optima of {int((gap > 1e-6).sum())} users are not proven; their regret may be "
                f"higher by up to {gap.max():.3g} (mean {gap.mean():.3g})."
            )
    if len(users) < 6:
        notes.append(f"With {len(users)} users a paired test can hardly find anything.")
    return notes


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _interval(estimate: Estimate) -> dict[str, object]:
    return {"value": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high)}


def _reach(reach: QueriesNeeded) -> dict[str, object]:
    return {"median": reach.median, "reached": reach.reached, "users": len(reach.queries)}
