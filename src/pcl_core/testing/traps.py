"""Problems on which solvers have been seen to be wrong."""

from random import Random

import numpy as np
import numpy.typing as npt

from pcl_core.authoring.builder import ProblemBuilder
from pcl_core.authoring.symbolic import total
from pcl_core.model.problem import Problem


def _highs_false_optimum() -> Problem:
    build = ProblemBuilder("highs-false-optimum", description="min 2x + 3z with x + z >= 4.5, z whole, x in halves")
    halves, z = build.integer("halves", 0, 40), build.integer("z", 0, 20)
    build.constraint("enough", halves * 0.5 + z >= 4.5)
    build.feature("cost", halves + 3 * z)
    build.part("all", [halves, z])
    return build.problem()


HIGHS_FALSE_OPTIMUM = _highs_false_optimum()


def gap_trap(size: int = 20) -> tuple[Problem, npt.NDArray[np.float64], int]:
    """A knapsack with two limits whose best packings differ by less than the default gap of MIP solvers.

    HiGHS with its default gap stops short of this optimum and calls it optimal. The optimum is computed here by
    dynamic programming over both limits, exactly.
    """
    random = Random(82203)
    sizes = [(random.randint(10, 40), random.randint(10, 40)) for _ in range(size)]
    values = [1000 * (first + second) + random.randint(0, 40) for first, second in sizes]
    rooms = (sum(first for first, _ in sizes) // 2, sum(second for _, second in sizes) // 2)
    build = ProblemBuilder("gap-trap")
    take = build.boolean("take", range(size))
    for limit, room in enumerate(rooms):
        build.constraint(f"room{limit}", total(take[i] * sizes[i][limit] for i in range(size)) <= room)
    build.feature("value", total(take[i] * values[i] for i in range(size)))
    build.part("all", list(take))
    best = np.zeros((rooms[0] + 1, rooms[1] + 1), dtype=np.int64)
    for (first, second), value in zip(sizes, values, strict=True):
        packed = best[: rooms[0] + 1 - first, : rooms[1] + 1 - second] + value
        best[first:, second:] = np.maximum(best[first:, second:], packed)
    return build.problem(), np.array([1.0]), int(best[rooms[0], rooms[1]])
