"""The few statistics that comparisons need. All are deterministic: resampling starts from a fixed seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from pcl_app.experiments.record.runs import Floats
from pcl_core.errors import Code, Issue, MissingDependencyError

LEVEL = 0.95
DRAWS = 10_000
MAX_EXACT_PAIRS = 300


def scipy_stats() -> ModuleType:
    """scipy.stats, imported when first needed."""
    try:
        from scipy import stats
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "statistics need scipy", "pip install 'pcl-elicit[experiments]'")
        raise MissingDependencyError(issue) from None
    module: ModuleType = stats
    return module


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from a sample of users, with its 95 % confidence interval; not finite where it cannot be said."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A Wilcoxon signed-rank test of paired samples."""

    p_value: float
    effect: float
    """Matched-pairs rank-biserial correlation, −1 to 1; positive where the first sample is larger."""
    pairs: int
    """Also those without a difference, which say nothing about the direction and are left out of the ranks."""


@dataclass(frozen=True, slots=True)
class QueriesNeeded:
    """How many queries each user needed; None for those who never got there."""

    queries: tuple[int | None, ...]

    @property
    def reached(self) -> int:
        return sum(query is not None for query in self.queries)

    @property
    def median(self) -> float | None:
        """Those who never got there count as later than all others; None if the median falls among them."""
        ranked = sorted(np.inf if query is None else query for query in self.queries)
        middle = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
        return float(middle) if np.isfinite(middle) else None


def standard_deviation(values: Floats, axis: int | None = None) -> Floats:
    """Of a sample (n − 1 in the denominator); zero for a single value."""
    count = values.size if axis is None else values.shape[axis]
    return np.asarray(np.std(values, axis=axis, ddof=1 if count > 1 else 0), dtype=np.float64)


def mean_estimate(values: Floats) -> Estimate:
    """The mean with Student's t interval. One value has no interval; equal values have one without width."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return Estimate(mean, float("nan"), float("nan"))
    half = float(scipy_stats().t.ppf((1 + LEVEL) / 2, len(values) - 1)) * float(standard_deviation(values))
    half /= len(values) ** 0.5
    return Estimate(mean, mean - half, mean + half)


def bootstrap(samples: Sequence[Floats], statistic: Callable[..., Floats], *, seed: int = 0) -> Estimate:
    """A statistic of one or several samples over the same users, with a percentile bootstrap interval.

    Users are drawn with replacement, and each with all of its values, so that pairs stay together. `statistic` takes
    one array for each sample and reduces the last axis.
    """
    count = len(samples[0])
    value = float(statistic(*samples))
    if count < 2:
        return Estimate(value, float("nan"), float("nan"))
    chosen = np.random.default_rng(seed).integers(count, size=(DRAWS, count))
    found = statistic(*(sample[chosen] for sample in samples))
    # Without interpolation, so that a ratio may be infinite.
    low, high = np.quantile(found, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="inverted_cdf")
    return Estimate(value, float(low), float(high))


def mean_difference(first: Floats, second: Floats, *, seed: int = 0) -> Estimate:
    """The mean of first − second over pairs, with a paired bootstrap interval."""
    return bootstrap([first - second], lambda change: np.mean(change, axis=-1), seed=seed)


def ratio_of_means(numerator: Floats, denominator: Floats, *, seed: int = 0) -> Estimate:
    """mean(numerator) / mean(denominator) over the same users; 0/0 counts as 1, x/0 as infinite."""

    def ratio(above: Floats, below: Floats) -> Floats:
        top, bottom = np.mean(above, axis=-1), np.mean(below, axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = np.where(bottom == 0, np.where(top == 0, 1.0, np.inf), top / bottom)
        return found

    return bootstrap([numerator, denominator], ratio, seed=seed)


def signed_ranks(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The differences that are not zero, and the ranks of their sizes (equal sizes share the middle rank)."""
    # Values that differ by rounding alone are equal: two solvers may add up the same utility in another order.
    scale = max(1.0, float(np.max(np.abs(first), initial=0)), float(np.max(np.abs(second), initial=0)))
    change = np.round((first - second) / scale, 12)
    change = change[change != 0]
    ranks: Floats = scipy_stats().rankdata(np.abs(change))
    return change, ranks


def wilcoxon(first: Floats, second: Floats) -> PairedTest:
    """Wilcoxon's signed-rank test, two-sided.

    The p-value is exact, also with ties among the sizes (the distribution over all signs of the ranks at hand), up to
    300 pairs; beyond that it is the normal approximation. Without any difference, p is 1 and the effect 0.
    """
    change, ranks = signed_ranks(first, second)
    if not change.size:
        return PairedTest(1.0, 0.0, len(first))
    above = float(ranks[change > 0].sum())
    effect = 2 * above / float(ranks.sum()) - 1
    exact = len(change) <= MAX_EXACT_PAIRS
    p_value = _exact_p_value(ranks, above) if exact else float(scipy_stats().wilcoxon(change).pvalue)
    return PairedTest(p_value, effect, len(first))


def _exact_p_value(ranks: Floats, above: float) -> float:
    doubled = np.rint(2 * ranks).astype(np.int64)  # shared ranks are halves
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    for rank in doubled:
        chances[rank:] = (chances[rank:] + chances[: len(chances) - rank]) / 2
        chances[:rank] /= 2
    at = round(2 * above)
    return min(1.0, 2 * min(float(chances[: at + 1].sum()), float(chances[at:].sum())))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction, in the order given."""
    corrected = [1.0] * len(p_values)
    highest = 0.0
    for rank, position in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[position]))
        corrected[position] = highest
    return corrected


def queries_to_reach(curve: Floats, fraction: float) -> QueriesNeeded:
    """For each user, the first query at which the value is at most `fraction` of the user's first value."""
    below = curve <= fraction * curve[:, :1] + 1e-9  # an optimum may be off by rounding
    return QueriesNeeded(tuple(int(np.argmax(row)) + 1 if row.any() else None for row in below))
