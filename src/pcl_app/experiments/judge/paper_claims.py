"""The paper's empirical claims, each put to a test that can come out either way.

Words without a number get one here: two regrets are "comparable" if they differ by at most 5 % of the mean regret at
the first query; "very low" and "an order of magnitude" mean 10 % of the first regret; a time gap is "clear" from 20 %;
an inference is "impractical" from 10 s, which nobody waits for between two questions.

Differences of regrets do not depend on the optimum. Claims about the regret itself do: where optima are not proven, a
finding is yes only if it is yes for the upper bound of the regret, and no only if it is no for the regret against the
best known configuration.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pcl_app.experiments.judge.claims import (
    Claim,
    Finding,
    Judgement,
    by_alpha,
    common_users,
    compared,
    full_times,
    last,
    log_slope,
    mean,
    median_ratio,
    ruled_at_least,
    ruled_within,
    seconds_a_query,
    shares,
    strategies,
    strategy_name,
)
from pcl_app.experiments.judge.statistics import Estimate, bootstrap, mean_difference, ratio_of_means, wilcoxon
from pcl_app.experiments.record.runs import Runs
from pcl_app.experiments.run.scaling import Scaling

CLEAR_GAP = 1.2
IMPRACTICAL_SECONDS = 10.0
SWIFT_SECONDS = 1.0
TRAINING_QUERY = 50
HOTEL_QUERY = 100


def check_claims(runs: Runs, scaling: Sequence[Scaling] = ()) -> list[Claim]:
    """All claims, in the paper's order. Give the runs of one mode: `runs.select(mode="paper")`."""
    checks: Sequence[Callable[[Runs], Claim]] = (
        grid_quality,
        random_at_least_as_good,
        strategies_close,
        part_wise_time,
        lambda _: growing_gap(scaling),
        lambda _: full_impractical(scaling),
        training_low,
        alpha_matters,
        hotel_hard,
        hotel_magnitude,
        alpha_enough,
    )
    return [check(runs) for check in checks]


def grid_quality(runs: Runs) -> Claim:
    """Yes for a strategy if its last regret exceeds that of CL by at most 5 % of the first regret (interval below).

    No if the whole interval of the difference is above that margin.
    """
    grid = runs.select(family="grid")
    findings = [
        finding
        for full in grid.select(algorithm="cl")
        for run in grid.select(algorithm="pcl")
        for finding in [compared(strategy_name(run), run, full, "last regret − that of CL", last)]
        if finding is not None
    ]
    return Claim(
        "grid-quality",
        "Although it only ever proposes small blocks, the part-wise learner ends with complete grids about as good as "
        "those of coactive learning on whole grids.",
        "Paired difference of the regret at the last query, bootstrap interval; comparable up to 5 % of the first "
        "mean regret.",
        tuple(findings),
    )


def random_at_least_as_good(runs: Runs) -> Claim:
    """Yes against another strategy if random's mean regret over all queries is not above it by more than the margin.

    No if the whole interval of the difference is above zero: then random is worse, by however little.
    """
    findings = []
    for random, other in strategies(runs):
        finding = compared(
            f"random against {other.settings['select']}", random, other, "difference of mean regret", mean
        )
        if finding is not None:
            worse = finding.estimate.low > 0
            findings.append(replace(finding, ruling=Judgement.NO) if worse else finding)
    return Claim(
        "random-selection",
        "Choosing the next part at random does at least as well as the two informed strategies.",
        "Paired difference of the regret averaged over all queries; yes within 5 % of the first mean regret, no if the "
        "interval lies above zero.",
        tuple(findings),
    )


def strategies_close(runs: Runs) -> Claim:
    """Yes if the interval of the difference lies within ± the margin, no if it lies outside, else open."""
    findings = []
    for random, other in strategies(runs):
        found = compared(f"{other.settings['select']} against random", other, random, "difference of mean regret", mean)
        if found is not None:
            findings.append(replace(found, ruling=ruled_within(found.estimate, found.threshold)))
    return Claim(
        "strategies-close",
        "Smallest part first and UCB1 come close to random selection.",
        "The same differences; yes if the whole interval is within ± 5 % of the first mean regret, no if it is outside.",
        tuple(findings),
    )


def part_wise_time(runs: Runs) -> Claim:
    """Yes if CL's inference takes at least 1.2 times as long for each query (whole interval), no if less."""
    grid = runs.select(family="grid")
    findings = []
    for full in grid.select(algorithm="cl"):
        for run in grid.select(algorithm="pcl"):
            users = common_users(run, full)
            if users:
                ratio = ratio_of_means(seconds_a_query(full, users), seconds_a_query(run, users))
                ruling = ruled_at_least(ratio, CLEAR_GAP)
                about = strategy_name(run)
                findings.append(Finding(about, "inference time of CL / PCL", ratio, CLEAR_GAP, ruling))
    return Claim(
        "time-gap",
        "Already on the small grid, inference of complete configurations is clearly slower than inference of a part.",
        "Ratio of the mean inference time for each query, bootstrap interval over users; clear from 1.2.",
        tuple(findings),
    )


def growing_gap(scaling: Sequence[Scaling]) -> Claim:
    """Cheaper: yes if the median ratio full / part is above 1 at every size, no if at none.

    Growing: yes if the slope of log ratio over log side is above zero (whole t interval), no if it is below.
    """
    findings = []
    sides = sorted({entry.side for entry in scaling})
    if sides:
        medians = np.array([median_ratio(scaling, side) for side in sides])
        cheaper = Judgement.YES if (medians > 1).all() else Judgement.NO if (medians <= 1).all() else Judgement.OPEN
        spread = Estimate(float(np.median(medians)), float(medians.min()), float(medians.max()))
        about = f"{sides[0]}×{sides[0]} to {sides[-1]}×{sides[-1]}"
        findings.append(Finding(about, "time full / part (least, most)", spread, 1.0, cheaper))
    if len(sides) > 2:
        slope = log_slope(
            np.log([entry.side for entry in scaling]),
            np.log([entry.seconds_full / entry.seconds_part for entry in scaling]),
        )
        ruling = Judgement.YES if slope.low > 0 else Judgement.NO if slope.high <= 0 else Judgement.OPEN
        findings.append(Finding(about, "growth of the ratio, as a power of the side", slope, 0.0, ruling))
    return Claim(
        "growing-gap",
        "Part-wise inference is cheaper than full inference, and the gap grows with the size of the problem.",
        "Both measured with the same solver on growing grids: the ratio at each size, and the slope of its logarithm "
        "over the logarithm of the side (t interval).",
        tuple(findings),
    )


def full_impractical(scaling: Sequence[Scaling]) -> Claim:
    """Yes if full inference reaches 10 s (median) at some size, no if it never reaches 1 s, else open.

    A time that a limit cut off is a lower bound, so with such times the answer is never no.
    """
    findings = []
    if scaling:
        slowest = max({entry.side for entry in scaling}, key=lambda side: float(np.median(full_times(scaling, side))))
        times = np.array(full_times(scaling, slowest))
        seconds = Estimate(float(np.median(times)), float(times.min()), float(times.max()))
        swift = seconds.value < SWIFT_SECONDS and not any(entry.limited for entry in scaling)
        ruling = Judgement.YES if seconds.value >= IMPRACTICAL_SECONDS else Judgement.NO if swift else Judgement.OPEN
        about = f"{slowest}×{slowest}"
        findings.append(Finding(about, "seconds of full inference (least, most)", seconds, IMPRACTICAL_SECONDS, ruling))
    return Claim(
        "full-impractical",
        "Full inference soon becomes impractical as the problem grows.",
        "Median time of full inference on the slowest grid measured: impractical from 10 s, practical below 1 s.",
        tuple(findings),
    )


def training_low(runs: Runs) -> Claim:
    """For each α: yes if the mean regret at query 50 is at most 10 % of the first (whole interval), no if above."""
    return Claim(
        "training-low",
        "Training plans have very low regret after about 50 queries.",
        "Mean regret at query 50 as a share of that at query 1, bootstrap interval over users; very low up to 10 %.",
        shares(runs.select(family="training", algorithm="pcl"), TRAINING_QUERY),
    )


def hotel_magnitude(runs: Runs) -> Claim:
    """For each α: yes if the mean regret at query 100 is at most 10 % of the first (whole interval), no if above."""
    return Claim(
        "hotel-magnitude",
        "The regret of hotels falls by an order of magnitude in around 100 queries.",
        "Mean regret at query 100 as a share of that at query 1, bootstrap interval over users; 10 % or less.",
        shares(runs.select(family="hotel", algorithm="pcl"), HOTEL_QUERY),
    )


def alpha_matters(runs: Runs) -> Claim:
    """Regret and time of the smallest α against the largest: yes if lower for the largest (whole interval).

    No if the whole interval of the regret's difference is below the margin, or that of the time's at or below zero.
    """
    findings = []
    ranked = by_alpha(runs.select(family="training", algorithm="pcl"))
    if len(ranked) > 1:
        low, high = ranked[0], ranked[-1]
        about = f"α = {low.settings.alpha} against {high.settings.alpha}"
        found = compared(about, low, high, "difference of mean regret", mean)
        if found is not None:
            above = found.estimate
            ruling = (
                Judgement.YES if above.low > 0 else Judgement.NO if above.high < found.threshold else Judgement.OPEN
            )
            findings.append(replace(found, ruling=ruling))
        users, length = common_users(low, high), Runs((low, high)).queries
        if users:
            first, second = (run.curve("seconds", length, users)[:, -1] for run in (low, high))
            spent = mean_difference(first, second)
            ruling = Judgement.YES if spent.low > 0 else Judgement.NO if spent.high <= 0 else Judgement.OPEN
            p_value = wilcoxon(first, second).p_value
            findings.append(Finding(about, "difference of learner time (s)", spent, 0.0, ruling, p_value))
    return Claim(
        "alpha-matters",
        "How informative users are matters for quality, and so for time, since users who are done cost nothing.",
        "Training, smallest α against largest: paired difference of the mean regret over all queries and of the "
        "learner time at the end.",
        tuple(findings),
    )


def hotel_hard(runs: Runs) -> Claim:
    """Yes if fewer than half of the users' optima are proven, no if all are, else open."""
    findings = []
    hotels = runs.select(family="hotel")
    if len(hotels):
        run = max(hotels, key=lambda candidate: len(candidate.users))
        gap = (run.curve("regret_bound", 1) - run.curve("regret", 1))[:, 0]
        proven = (gap <= 1e-6 * (1 + np.abs(run.curve("regret", 1)[:, 0]))).astype(np.float64)
        share = bootstrap([proven], lambda values: np.mean(values, axis=-1))
        ruling = Judgement.NO if share.value == 1 else Judgement.YES if share.value < 0.5 else Judgement.OPEN
        findings.append(Finding(f"{len(proven)} users", "share of optima proven", share, 0.5, ruling))
    return Claim(
        "hotel-hard",
        "Complete hotels are hard to solve to optimality.",
        "Share of users whose best complete hotel was proven within the time limit: hard below one half, not hard if "
        "all.",
        tuple(findings),
    )


def alpha_enough(runs: Runs) -> Claim:
    """For training and hotel, over all queries and at the end: yes if α = 0.3 is within the margin of 0.5, no if not."""
    findings = []
    for family in ("training", "hotel"):
        chosen = runs.select(family=family, algorithm="pcl")
        for less in chosen.select(alpha=0.3):
            for more in chosen.select(alpha=0.5):
                for measure, reduce in (("difference of mean regret", mean), ("difference of last regret", last)):
                    found = compared(family, less, more, measure, reduce)
                    if found is not None:
                        findings.append(found)
    return Claim(
        "alpha-enough",
        "Users with α = 0.3 get results about as good as users with α = 0.5.",
        "Paired difference of the regret over all queries and at the last one; comparable up to 5 % of the first mean "
        "regret.",
        tuple(findings),
    )
