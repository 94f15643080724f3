"""Equations with a lower triangular matrix, block after block: numpy alone would factor it anew, six times the work."""

import numpy as np

from pcl_core.model.evaluation import Matrix

BLOCK = 64
"""Rows that are solved together: enough for products of matrices to carry most of the work."""


def forwards(lower: Matrix, columns: Matrix) -> Matrix:
    """L⁻¹C"""
    found = np.array(columns, dtype=np.float64)
    for start in range(0, len(lower), BLOCK):
        block = slice(start, start + BLOCK)
        rest = found[block] - lower[block, :start] @ found[:start]
        found[block] = np.linalg.solve(lower[block, block], rest)
    return found


def backwards(lower: Matrix, columns: Matrix) -> Matrix:
    """L⁻ᵀC"""
    found = np.array(columns, dtype=np.float64)
    for start in reversed(range(0, len(lower), BLOCK)):
        block = slice(start, start + BLOCK)
        rest = found[block] - lower[start + BLOCK :, block].T @ found[start + BLOCK :]
        found[block] = np.linalg.solve(lower[block, block].T, rest)
    return found
