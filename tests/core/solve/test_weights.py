"""Integer weights: exact where they can be, with a bounded error elsewhere."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pcl_core.ir.facts import Facts, Kind
from pcl_core.solve.weights import MAX_REACH, quantise

WHOLE = Facts(Kind.NUMBER, -3, 5)
TENTHS = Facts(Kind.NUMBER, 0, 25, places=1)


def test_whole_weights_stay_as_they_are() -> None:
    found = quantise([3.0, -2.0], [WHOLE, WHOLE])
    assert (found.integers, found.places, found.error) == ((3, -2), 0, 0.0)


def test_decimal_features_are_brought_to_the_same_units() -> None:
    found = quantise([3.0, -2.0], [WHOLE, TENTHS])
    assert (found.integers, found.places, found.error) == ((30, -2), 1, 0.0)


def test_large_weights_are_rounded_more() -> None:
    found = quantise([1e15, 1.0], [WHOLE, WHOLE])
    assert found.places < 0
    assert sum(abs(q) * 5 for q in found.integers) <= MAX_REACH * 1.01


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.data())
def test_the_error_is_bounded(weights: list[float], data: st.DataObject) -> None:
    facts = [WHOLE if index % 2 else TENTHS for index in range(len(weights))]
    found = quantise(weights, facts)
    units = [data.draw(st.integers(f.low, f.high)) for f in facts]
    exact = sum(w * u / 10**f.places for w, u, f in zip(weights, units, facts, strict=True)) * found.scale
    integer = sum(q * u for q, u in zip(found.integers, units, strict=True))
    assert abs(integer - exact) <= found.error + 1e-6 * max(1.0, abs(exact))


def test_small_weights_keep_their_ratios() -> None:
    found = quantise([3e-9, -1.5e-9], [WHOLE, WHOLE])
    assert found.integers[0] == -2 * found.integers[1] != 0


def test_zero_weights() -> None:
    assert quantise(np.zeros(2), [WHOLE, WHOLE]).integers == (0, 0)
