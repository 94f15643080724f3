"""A small plot made of characters, for terminals."""

from collections.abc import Sequence

import numpy as np

EIGHTHS = " ▁▂▃▄▅▆▇█"


def column_plot(values: Sequence[float], *, width: int, height: int, label: str, below: str) -> str:
    """Values from zero up as columns of blocks; several values share a column when there are many."""
    found = np.asarray(values, dtype=np.float64)
    if not found.size:
        return f"{label}: nothing to show"
    count = min(width, found.size)
    columns = np.array([piece.mean() for piece in np.array_split(found, count)])
    top = float(columns.max()) or 1.0
    eighths = np.rint(columns / top * height * 8).astype(int)
    margin = max(len(f"{top:.3g}"), 1)
    lines = [label]
    for row in range(height - 1, -1, -1):
        cells = "".join(EIGHTHS[min(8, max(0, level - 8 * row))] for level in eighths.tolist())
        scale = f"{top:.3g}" if row == height - 1 else "0" if row == 0 else ""
        lines.append(f"{scale:>{margin}} │{cells}")
    lines.append(" " * margin + " └" + "─" * count)
    lines.append(" " * (margin + 2) + below)
    return "\n".join(lines)
