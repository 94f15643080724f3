"""Which rows of a matrix of whole numbers differ."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.ir.vector import Integers

Indices: TypeAlias = npt.NDArray[np.intp]


def distinct(rows: Integers) -> tuple[Indices, Indices]:
    """For each different row where it is first, in that order; and for each row which of these it is equal to."""
    columns = rows.T
    # One mixed number for each row is sorted much faster than rows; whether it told them apart is checked.
    mixer = np.random.default_rng(0).integers(1, 2**62, size=len(columns), dtype=np.int64)
    mixed = np.zeros(len(rows), dtype=np.int64)
    for factor, column in zip(mixer, columns, strict=True):
        mixed += factor * column
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    told_apart = all(np.array_equal(column[first][inverse], column) for column in columns)
    if not told_apart:
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order].astype(np.intp), rank[inverse.reshape(-1)].astype(np.intp)
