"""Measuring: medians of repeated calls, because machines are shared and noisy."""

import statistics
import time
from collections.abc import Callable


def median_seconds(call: Callable[[], object], repeats: int = 50, warm_up: int = 3) -> float:
    """The median time of one call, after a few that do not count."""
    for _ in range(warm_up):
        call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
