"""Equations with a triangular matrix, whatever its size is to that of a block."""

import numpy as np
import pytest

from pcl_core.learn.belief.triangular import BLOCK, backwards, forwards


@pytest.mark.parametrize("rows", [0, 1, 5, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
@pytest.mark.parametrize("columns", [0, 1, 9])
def test_what_is_solved_gives_back_what_was_asked(rows: int, columns: int) -> None:
    generator = np.random.default_rng(rows)
    lower = np.tril(generator.normal(size=(rows, rows)), -1) / max(1, rows) + np.diag(generator.uniform(1, 2, rows))
    asked = generator.normal(size=(rows, columns))
    kept = asked.copy()
    assert lower @ forwards(lower, asked) == pytest.approx(asked, abs=1e-10)
    assert lower.T @ backwards(lower, asked) == pytest.approx(asked, abs=1e-10)
    assert (asked == kept).all()
