"""Rows with large coefficients as several rows with small ones: the same whole solutions, by trying all of them."""

from itertools import product
from random import Random

import pytest

from pcl_core.compile import digits
from pcl_core.compile.digits import base_for, levels_of, rows_of, sides_of


def text(coefs: list[int], side: int, base: int) -> list[str]:
    """The rows of Σ coefs·x <= side; carries are numbered after the columns."""
    levels = levels_of(range(len(coefs)), coefs, [(0, 1)] * len(coefs), base)
    names = [f"x{at}" for at in range(len(coefs))] + [f"k{at}" for at in range(len(levels))]
    rows = rows_of(levels, len(coefs))
    return [
        " ".join(f"{coef:+}{names[column]}" for column, coef in zip(row.columns, row.coefs, strict=True)) + f" <= {end}"
        for row, end in zip(rows, sides_of(levels, side), strict=True)
    ]


def test_a_small_row_stays() -> None:
    assert text([3, -5], 4, 10) == ["+3x0 -5x1 <= 4"]


def test_a_large_row_is_written_in_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digits, "LARGEST_ROW", 50)
    assert text([123, 48, -7], 171, 10) == ["+3x0 -2x1 +3x2 -10k0 <= 1", "+12x0 +5x1 -1x2 +1k0 <= 17"]


@pytest.mark.parametrize("seed", range(60))
def test_the_solutions_are_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    monkeypatch.setattr(digits, "LARGEST_ROW", random.choice((20, 60, 300)))
    size = 10 ** random.randint(1, 6)
    coefs = [random.randint(-size, size) or 1 for _ in range(4)]
    bounds = [(low, low + random.randint(0, 2)) for low in (random.randint(-2, 1) for _ in coefs)]
    points = list(product(*(range(low, high + 1) for low, high in bounds)))
    sums = [sum(coef * value for coef, value in zip(coefs, point, strict=True)) for point in points]
    levels = levels_of(range(4), coefs, bounds, base_for(4))
    rows, equal = rows_of(levels, 4), random.random() < 0.4
    assert all(sum(map(abs, row.coefs)) <= digits.LARGEST_ROW for row in rows)
    for side in (random.choice(sums), random.choice(sums) - 1, random.randint(-size, size)):
        ends = sides_of(levels, side)
        carries = [range(level.low, level.high + 1) for level in levels[:-1]]
        for point, total in zip(points, sums, strict=True):
            kept = any(_keeps(rows, ends, (*point, *carry), equal) for carry in product(*carries))
            assert kept == (total == side if equal else total <= side)


def _keeps(rows: list[digits.SmallRow], ends: list[int], values: tuple[int, ...], equal: bool) -> bool:
    for row, end in zip(rows, ends, strict=True):
        total = sum(coef * values[column] for column, coef in zip(row.columns, row.coefs, strict=True))
        if total > end or (equal and total != end):
            return False
    return True
