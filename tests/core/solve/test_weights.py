"""Integer weights: exact where they can be, with a known error elsewhere."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pcl_core.ir.domains import Facts, Kind
from pcl_core.solve.asking import quantise
from pcl_core.solve.protocol import ANY_SIZE, COMMON_REACH

WHOLE = Facts(Kind.NUMBER, -3, 5)
TENTHS = Facts(Kind.NUMBER, 0, 25, places=1)
LARGE = Facts(Kind.NUMBER, -(10**15), 10**15)
TINY = Facts(Kind.NUMBER, 0, 7, places=12)
ANY_WEIGHT = st.one_of(
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e290, max_value=1e290),
    st.integers(-9, 9).map(float),
    st.sampled_from([0.1, 0.2, 0.3, 1e-12, 1e9, 1e-300, 5e-324, -0.0]),
)


def test_whole_weights_stay_as_they_are() -> None:
    found = quantise([3.0, -2.0], [WHOLE, WHOLE])
    assert (found.integers, found.places, found.error) == ((3, -2), 0, Fraction(0))


def test_decimal_features_are_brought_to_the_same_units() -> None:
    found = quantise([3.0, -2.0], [WHOLE, TENTHS])
    assert (found.integers, found.places, found.error) == ((30, -2), 1, Fraction(0))


def test_a_weight_means_its_shortest_decimal_text() -> None:
    found = quantise([0.1, 0.2, -0.3], [WHOLE, WHOLE, WHOLE])
    assert found.error == 0
    assert found.integers[0] + found.integers[1] + found.integers[2] == 0


def test_large_weights_are_rounded_more() -> None:
    found = quantise([1e15, 1.0], [WHOLE, WHOLE])
    assert found.places < 0
    assert found.error > 0
    assert sum(abs(q) * 5 for q in found.integers) <= COMMON_REACH


def test_a_weight_beside_much_larger_units_is_not_rounded_away() -> None:
    found = quantise([3.0, 1.0], [WHOLE, TINY], 2**60)
    assert (found.integers, found.error) == ((3 * 10**12, 1), Fraction(0))


@given(st.lists(ANY_WEIGHT, min_size=1, max_size=6), st.sampled_from([10**3, COMMON_REACH, 2**60, ANY_SIZE]), st.data())
def test_the_error_is_bounded_and_the_size_is_kept(weights: list[float], reach: int, data: st.DataObject) -> None:
    facts = [(WHOLE, TENTHS, LARGE, TINY)[index % 4] for index in range(len(weights))]
    found = quantise(weights, facts, reach)
    units = [data.draw(st.integers(f.low, f.high)) for f in facts]
    exact = sum(Fraction(repr(w)) * u / 10**f.places for w, u, f in zip(weights, units, facts, strict=True))
    objective = found.objective(units)
    assert abs(objective) <= found.most <= reach
    assert abs(objective / found.scale - exact) <= found.error
    assert found.exact.of(np.array(units)) == exact
    assert found.error == 0 or reach < ANY_SIZE


def test_small_weights_keep_their_ratios() -> None:
    found = quantise([3e-9, -1.5e-9], [WHOLE, WHOLE])
    assert found.integers[0] == -2 * found.integers[1] != 0


def test_zero_weights() -> None:
    assert quantise(np.zeros(2), [WHOLE, WHOLE]).integers == (0, 0)
