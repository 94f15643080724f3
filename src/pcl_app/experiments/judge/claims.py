"""What a claim is: a sentence, how it is tested, the findings, and the verdict that follows from them.

A claim is split into findings: one for each strategy, each α, each problem it speaks of. A finding is *yes*, *no* or
*open*, by a rule that looks at a whole 95 % confidence interval and not at its middle. A claim *holds* if all findings
are yes, *does not hold* if all are no, and *holds in part* otherwise, also where the data cannot decide. Without the
runs that it needs it is *not tested*.

What claims measure is here too: paired differences, shares of the first regret, times.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pcl_app.experiments.judge.statistics import Estimate, mean_difference, ratio_of_means, scipy_stats, wilcoxon
from pcl_app.experiments.judge.tables import PValue, ResultTable, Verdict, shown
from pcl_app.experiments.record.runs import Floats, Run, Runs
from pcl_app.experiments.run.scaling import Scaling


class Judgement(StrEnum):
    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """One number behind a claim, what it was held against, and the answer."""

    about: str
    measure: str
    estimate: Estimate
    threshold: float
    ruling: Judgement
    p_value: float | None = None

    def __str__(self) -> str:
        return f"{self.about}: {self.measure} = {shown(self.estimate)}"


@dataclass(frozen=True, slots=True)
class Claim:
    key: str
    sentence: str
    test: str
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        rulings = {finding.ruling for finding in self.findings}
        if not rulings:
            return Verdict.UNTESTED
        if rulings == {Judgement.YES}:
            return Verdict.HOLDS
        return Verdict.FAILS if rulings == {Judgement.NO} else Verdict.IN_PART

    @property
    def numbers(self) -> str:
        return "\n".join(map(str, self.findings)) or "the runs it speaks of are not there"

    def data(self) -> dict[str, object]:
        return {
            "key": self.key,
            "sentence": self.sentence,
            "test": self.test,
            "verdict": self.verdict.value,
            "findings": [
                {
                    "about": finding.about,
                    "measure": finding.measure,
                    "value": finding.estimate.value,
                    "low": finding.estimate.low,
                    "high": finding.estimate.high,
                    "threshold": finding.threshold,
                    "p_value": finding.p_value,
                    "answer": finding.ruling.value,
                }
                for finding in self.findings
            ],
        }


def ruled_at_most(estimate: Estimate, threshold: float, optimistic: Estimate | None = None) -> Judgement:
    """Yes if the whole interval is at or below the threshold; no if the (optimistic) interval is above; else open.

    Without an interval (a single user) nothing is decided.
    """
    if estimate.high <= threshold:
        return Judgement.YES
    return Judgement.NO if (optimistic or estimate).low > threshold else Judgement.OPEN


def ruled_at_least(estimate: Estimate, threshold: float) -> Judgement:
    """Yes if the whole interval is at or above the threshold, no if it is below, else open."""
    if estimate.low >= threshold:
        return Judgement.YES
    return Judgement.NO if estimate.high < threshold else Judgement.OPEN


def ruled_within(estimate: Estimate, margin: float) -> Judgement:
    """Yes if the whole interval lies within ± the margin, no if it lies outside, else open."""
    if -margin <= estimate.low and estimate.high <= margin:
        return Judgement.YES
    return Judgement.NO if estimate.low > margin or estimate.high < -margin else Judgement.OPEN


def claims_table(claims: Sequence[Claim]) -> ResultTable:
    rows = [(claim.sentence, claim.verdict, claim.numbers, claim.test) for claim in claims]
    caption = "The paper's claims and our numbers"
    return ResultTable(caption, ("claim", "verdict", "our numbers", "how tested"), rows)


def findings_table(claims: Sequence[Claim]) -> ResultTable:
    rows = [
        (
            claim.key,
            finding.about,
            finding.measure,
            finding.estimate,
            finding.threshold,
            None if finding.p_value is None else PValue(finding.p_value),
            finding.ruling.value,
        )
        for claim in claims
        for finding in claim.findings
    ]
    titles = ("claim", "about", "measure", "value [95 % interval]", "held against", "p (Wilcoxon)", "answer")
    return ResultTable("Every finding behind the verdicts", titles, rows)


COMPARABLE = 0.05
VERY_LOW = 0.1


def compared(about: str, run: Run, other: Run, measure: str, reduce: Callable[[Floats], Floats]) -> Finding | None:
    """run − other over common users, against the margin; None where no user is in both."""
    users = common_users(run, other)
    if not users:
        return None
    length = Runs((run, other)).queries
    first, second = (each.curve("regret", length, users) for each in (run, other))
    margin = COMPARABLE * float(np.mean(second[:, 0]))
    change = mean_difference(reduce(first), reduce(second))
    p_value = wilcoxon(reduce(first), reduce(second)).p_value
    return Finding(about, measure, change, margin, ruled_at_most(change, margin), p_value)


def shares(runs: Runs, query: int) -> tuple[Finding, ...]:
    """For each α, the mean regret at a query as a share of the first; runs cut before that query are left out."""
    findings = []
    for run in by_alpha(runs):
        if run.queries < query and run.cut:
            continue
        regret, bound = run.curve("regret", query), run.curve("regret_bound", query)
        # The optimum stands above and below the line, and the share is monotone in it: both ends are tried.
        ends = [ratio_of_means(values[:, -1], values[:, 0]) for values in (regret, bound)]
        best, worst = sorted(ends, key=lambda share: share.value)
        ruling = ruled_at_most(worst, VERY_LOW, best)
        name = f"α = {run.settings.alpha}" if run.settings.alpha is not None else "PCL"
        findings.append(Finding(name, f"regret at {query} / at 1", worst, VERY_LOW, ruling))
    return tuple(findings)


def by_alpha(runs: Runs) -> list[Run]:
    return sorted(runs, key=lambda run: run.settings.alpha or 0.0)


def strategies(runs: Runs) -> list[tuple[Run, Run]]:
    """(random, other) for each other strategy on the grid."""
    grid = runs.select(family="grid", algorithm="pcl")
    return [(random, other) for random in grid.select(select="random") for other in grid if other is not random]


def common_users(first: Run, second: Run) -> tuple[int, ...]:
    if any(first.settings[name] != second.settings[name] for name in ("seed", "weights")):
        return ()  # other seeds, other users
    return tuple(sorted(set(first.users) & set(second.users)))


def strategy_name(run: Run) -> str:
    return run.settings.shown("select") or "PCL"


def last(curve: Floats) -> Floats:
    """At the last query, for each user."""
    return curve[:, -1]


def mean(curve: Floats) -> Floats:
    """Over all queries, for each user."""
    found: Floats = np.mean(curve, axis=1)
    return found


def seconds_a_query(run: Run, users: Sequence[int]) -> Floats:
    """Inference time for each query that a user was really asked."""
    asked = dict(zip(run.users, run.lengths.tolist(), strict=True))
    total = run.curve("seconds_infer", run.queries, users)[:, -1]
    found: Floats = total / np.array([asked[user] for user in users])
    return found


def full_times(scaling: Sequence[Scaling], side: int) -> list[float]:
    return [entry.seconds_full for entry in scaling if entry.side == side]


def median_ratio(scaling: Sequence[Scaling], side: int) -> float:
    part = float(np.median([entry.seconds_part for entry in scaling if entry.side == side]))
    return float(np.median(full_times(scaling, side))) / part


def log_slope(x: Floats, y: Floats) -> Estimate:
    found = scipy_stats().linregress(x, y)
    half = float(scipy_stats().t.ppf(0.975, len(x) - 2)) * float(found.stderr)
    return Estimate(float(found.slope), float(found.slope) - half, float(found.slope) + half)
