"""What claims measure: paired differences, shares of the first regret, times."""

from collections.abc import Callable, Sequence

import numpy as np

from pcl_app.experiments.judge.claims import Finding, ruled_at_most
from pcl_app.experiments.judge.statistics import Estimate, mean_difference, ratio_of_means, scipy_stats, wilcoxon
from pcl_app.experiments.record.runs import Floats, Run, Runs
from pcl_app.experiments.run.scaling import Scaling

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
