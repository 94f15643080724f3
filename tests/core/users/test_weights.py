"""How true weights are drawn."""

import numpy as np
import pytest

from pcl_core import Code, RequestError, load
from pcl_core.users.utility import WEIGHT_LAWS, sample_weights

GRID = load("grid:side=40")


def drawn(law: str, seed: int = 0) -> np.ndarray:
    return sample_weights(GRID, law, np.random.default_rng(seed))


def test_normal_weights_are_standard_normal() -> None:
    weights = drawn("normal")
    assert abs(weights.mean()) < 0.06
    assert abs(weights.std() - 1) < 0.05
    assert abs((np.abs(weights) < 1).mean() - 0.6827) < 0.03
    assert np.abs(weights).max() > 2.5


def test_uniform_weights_fill_the_interval() -> None:
    weights = drawn("uniform")
    assert -1 <= weights.min() < -0.99
    assert 0.99 < weights.max() <= 1
    assert abs(weights.mean()) < 0.04
    assert abs(weights.std() - 1 / np.sqrt(3)) < 0.03


def test_sparse_weights_are_zero_but_for_one_in_five() -> None:
    weights = drawn("sparse")
    assert np.count_nonzero(weights) == round(0.2 * len(weights))
    assert abs(weights[weights != 0].std() - 1) < 0.1


def test_sparse_weights_like_other_features_for_another_seed() -> None:
    assert (np.flatnonzero(drawn("sparse", 1)).tolist()) != np.flatnonzero(drawn("sparse", 2)).tolist()


def test_sparse_weights_of_a_small_problem_are_not_all_zero() -> None:
    small = load("grid:side=2,part=1")
    assert all(np.count_nonzero(sample_weights(small, "sparse", np.random.default_rng(seed))) for seed in range(20))


@pytest.mark.parametrize("law", WEIGHT_LAWS)
def test_weights_have_six_decimals_and_depend_on_the_seed_alone(law: str) -> None:
    weights = drawn(law, 3)
    assert np.array_equal(weights, np.round(weights, 6))
    assert np.array_equal(weights, drawn(law, 3))
    assert not np.array_equal(weights, drawn(law, 4))


def test_an_unknown_law_is_refused_with_a_hint() -> None:
    with pytest.raises(RequestError, match="known: normal, uniform, sparse") as caught:
        drawn("gaussian")
    assert caught.value.code is Code.UNKNOWN_OPTION
