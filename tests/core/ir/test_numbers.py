"""Exact numbers: one spelling each, scaled without rounding, refused when they cannot be."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcl_core.errors import Code
from pcl_core.ir.numbers import MAX_MAGNITUDE, NumberError, exact, from_fraction, places, scaled, unscaled


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (3, 3),
        ("0.10", Decimal("0.1")),
        (0.1, Decimal("0.1")),
        ("2.50", Decimal("2.5")),
        ("5.000", 5),
        ("1e3", 1000),
        ("25e-2", Decimal("0.25")),
        (Decimal("-0.0"), 0),
        (MAX_MAGNITUDE, MAX_MAGNITUDE),
    ],
)
def test_numbers_have_one_spelling(written: object, number: object) -> None:
    found = exact(written)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (float("nan"), Code.NOT_FINITE),
        (float("inf"), Code.NOT_FINITE),
        ("-Infinity", Code.NOT_FINITE),
        (MAX_MAGNITUDE + 1, Code.NUMBER_TOO_LARGE),
        ("1e999999", Code.NUMBER_TOO_LARGE),
        ("1e-999999", Code.CANNOT_SCALE),
        ("0.12345678901234567", Code.CANNOT_SCALE),
        ("9007199254.7409931", Code.CANNOT_SCALE),
        ("1" * 50, Code.CANNOT_SCALE),
        ("seven", Code.WRONG_SHAPE),
        (True, Code.WRONG_SHAPE),
        (None, Code.WRONG_SHAPE),
        ([1], Code.WRONG_SHAPE),
    ],
)
def test_numbers_that_cannot_be_kept_are_refused(written: object, code: Code) -> None:
    with pytest.raises(NumberError) as caught:
        exact(written)
    assert caught.value.code is code


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_scaling_is_undone_exactly(units: int, digits: int) -> None:
    number = unscaled(units, digits)
    assert places(number) <= digits
    assert scaled(number, digits) == units
    assert from_fraction(Fraction(units, 10**digits)) == number
