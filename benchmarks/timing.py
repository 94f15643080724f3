"""Measuring: medians of repeated calls, because machines are shared and noisy."""

import statistics
import time
from collections.abc import Callable, Mapping


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


def side_by_side(
    calls: Mapping[str, Callable[[int], object]], counts: Mapping[str, int], block: int = 10, warm_up: int = 3
) -> dict[str, float]:
    """The median time of each of several calls; call number i gets i, up to its count.

    They take turns in blocks and in changing order, so that a busy moment of the machine hits all of them. The
    first call of a block finds cold caches, the others do not: that is how inferences follow each other.
    """
    times: dict[str, list[float]] = {name: [] for name in calls}
    for name, call in calls.items():
        for at in range(min(warm_up, counts[name])):
            call(at)
    names = list(calls)
    for turn, first in enumerate(range(0, max(counts.values()), block)):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            for at in range(first, min(first + block, counts[name])):
                start = time.perf_counter()
                calls[name](at)
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in times.items()}
