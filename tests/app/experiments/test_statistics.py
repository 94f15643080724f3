"""Statistics against values worked out by hand and against scipy."""

import itertools

import numpy as np
import pytest
from scipy import stats

from pcl_app.experiments.judge.statistics import (
    QueriesNeeded,
    bootstrap,
    holm,
    mean_difference,
    mean_estimate,
    queries_to_reach,
    ratio_of_means,
    standard_deviation,
    wilcoxon,
)


def test_mean_with_its_interval() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    found = mean_estimate(values)
    # t(0.975, 4) = 2.776445, sd = 1.581139, divided by the root of 5
    assert (found.value, found.low, found.high) == pytest.approx((3, 3 - 1.963243, 3 + 1.963243), abs=1e-6)
    low, high = stats.t.interval(0.95, 4, 3, stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert mean_estimate(np.ones(4)).low == mean_estimate(np.ones(4)).high == 1
    assert np.isnan(mean_estimate(np.ones(1)).low)


def test_standard_deviation_is_that_of_a_sample() -> None:
    assert float(standard_deviation(np.array([2.0, 4.0]))) == pytest.approx(2**0.5)
    assert float(standard_deviation(np.array([2.0]))) == 0
    assert standard_deviation(np.array([[1.0, 5.0], [3.0, 5.0]]), axis=0).tolist() == pytest.approx([2**0.5, 0])


def test_wilcoxon_by_hand() -> None:
    # Differences 1, 2, 3, −4: ranks as they are, 6 above of 10; 14 of 16 sign patterns are at least as balanced.
    found = wilcoxon(np.array([1.0, 2, 3, 0]), np.array([0.0, 0, 0, 4]))
    assert found.effect == pytest.approx(0.2)
    sums = [sum(rank for rank, up in zip((1, 2, 3, 4), signs, strict=True) if up)
            for signs in itertools.product((0, 1), repeat=4)]  # fmt: skip
    assert found.p_value == pytest.approx(2 * sum(total >= 6 for total in sums) / 16)
    all_above = wilcoxon(np.arange(1.0, 7), np.zeros(6))
    assert (all_above.p_value, all_above.effect) == pytest.approx((2 / 64, 1.0))
    assert wilcoxon(np.zeros(6), np.arange(1.0, 7)).effect == -1


@pytest.mark.parametrize("seed", range(20))
def test_wilcoxon_against_scipy(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(2, 20))
    assert wilcoxon(first, second).p_value == pytest.approx(stats.wilcoxon(first, second, method="exact").pvalue)
    # With ties and zeros: scipy permutes all signs.
    coarse = generator.integers(-3, 5, size=9).astype(float)
    kept = coarse[coarse != 0]
    if len(kept):
        exact = stats.permutation_test(
            (kept,),
            lambda d: np.sum(stats.rankdata(np.abs(d)) * (d > 0)),
            permutation_type="samples",
            n_resamples=10**6,
        )
        assert wilcoxon(coarse, np.zeros(9)).p_value == pytest.approx(exact.pvalue)


def test_equal_pairs_say_nothing() -> None:
    same = wilcoxon(np.ones(5), np.ones(5))
    assert (same.p_value, same.effect, same.pairs) == (1.0, 0.0, 5)
    rounding = wilcoxon(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 1.0]))
    assert (rounding.p_value, rounding.effect, rounding.pairs) == (1.0, 0.0, 2)
    some = wilcoxon(np.array([1.0, 2, 3, 9]), np.array([1.0, 2, 3, 4]))
    assert (some.p_value, some.effect, some.pairs) == (1.0, 1.0, 4)


def test_many_pairs_use_the_normal_approximation() -> None:
    first, second = np.random.default_rng(0).normal(size=(2, 500))
    assert wilcoxon(first, second).p_value == pytest.approx(stats.wilcoxon(first, second).pvalue)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


def test_bootstrap_is_deterministic_and_covers() -> None:
    values = np.random.default_rng(3).normal(5, 2, size=40)
    found = bootstrap([values], lambda sample: np.mean(sample, axis=-1))
    assert found == bootstrap([values], lambda sample: np.mean(sample, axis=-1))
    reference = stats.bootstrap((values,), np.mean, method="percentile", rng=np.random.default_rng(1))
    assert (found.low, found.high) == pytest.approx(tuple(reference.confidence_interval), abs=0.05)


def test_differences_are_paired() -> None:
    users = np.random.default_rng(0).normal(100, 50, size=20)
    found = mean_difference(users + 1, users)
    assert (found.value, found.low, found.high) == pytest.approx((1, 1, 1))
    share = ratio_of_means(users * 0.1, users)
    assert (share.value, share.low, share.high) == pytest.approx((0.1, 0.1, 0.1))
    assert ratio_of_means(np.zeros(3), np.zeros(3)).value == 1
    assert ratio_of_means(np.ones(3), np.zeros(3)).value == np.inf
    assert np.isnan(mean_difference(np.ones(1), np.zeros(1)).low)


def test_queries_to_reach() -> None:
    curve = np.array([[10.0, 5, 1, 2], [10, 9, 8, 7], [0, 3, 0, 0], [20, 2, 0.1, 0]])
    assert queries_to_reach(curve, 0.1) == QueriesNeeded((3, None, 1, 2))
    assert queries_to_reach(curve, 0.01) == QueriesNeeded((None, None, 1, 3))
    assert queries_to_reach(curve, 0.1).median == 2.5
    assert queries_to_reach(curve, 0.1).reached == 3
    assert queries_to_reach(curve, 0.01).median is None
    assert QueriesNeeded((1, None, None)).median is None
    assert QueriesNeeded((1, 4, None)).median == 4
