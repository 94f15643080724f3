"""Problems on which solvers have been seen to be wrong."""

from random import Random

import numpy as np
import numpy.typing as npt

from pcl_core.authoring.builder import ProblemBuilder, total
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
    """A knapsack whose best and next best packings differ by less than the default gap of MIP solvers.

    Its optimum is computed here by dynamic programming, exactly.
    """
    random = Random(82203)
    sizes = [random.randint(40, 90) for _ in range(size)]
    values = [1000 * weight + random.randint(0, 40) for weight in sizes]
    room = sum(sizes) // 2
    build = ProblemBuilder("gap-trap")
    take = build.boolean("take", range(size))
    build.constraint("room", total(take[i] * sizes[i] for i in range(size)) <= room)
    build.feature("value", total(take[i] * values[i] for i in range(size)))
    build.part("all", list(take))
    best = [0] * (room + 1)
    for weight, value in zip(sizes, values, strict=True):
        for space in range(room, weight - 1, -1):
            best[space] = max(best[space], best[space - weight] + value)
    return build.problem(), np.array([1.0]), best[room]
