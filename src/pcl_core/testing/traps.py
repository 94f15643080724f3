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


def _multiples() -> Problem:
    build = ProblemBuilder("multiples", description="the same multiple of two numbers differs where they do")
    x, y = build.integer("x", 0, 3), build.integer("y", 0, 3)
    build.constraint("differ", (10_000_000 * x).differs(10_000_000 * y))
    build.feature("sum", x + y)
    build.part("all", [x, y])
    return build.problem()


def _prices() -> Problem:
    build = ProblemBuilder("prices", description="prices that differ by one cent")
    price = build.table("price", {"a": 5_028_599, "b": 5_028_598, "c": 3, "d": 2_514_300})
    first, second = (build.categorical(name, ["a", "b", "c", "d"]) for name in ("first", "second"))
    build.constraint("enough", price[first] + price[second] >= 5_028_601)
    build.constraint("limit", price[first] + price[second] <= 5_028_601)
    build.feature("dear", (price[first] >= 5_028_599) * 1 + price[second])
    build.part("all", [first, second])
    return build.problem()


def _knapsack() -> Problem:
    random = Random(5028599)
    build = ProblemBuilder("neighbours", description="a knapsack that is filled to the last of ten million units")
    take = build.boolean("take", range(10))
    sizes = [10_000_000 + random.randint(-3, 3) for _ in range(10)]
    build.constraint("room", total(take[i] * sizes[i] for i in range(10)) <= sum(sorted(sizes)[:5]))
    build.feature("packed", total(take[i] * sizes[i] for i in range(10)))
    build.part("all", list(take))
    return build.problem()


LARGE_NUMBERS = (_multiples(), _prices(), _knapsack())
"""A tolerance of a millionth is ten units of ten million: here solvers in doubles took neighbours for each other."""


def hours_of_work() -> Problem:
    """A knapsack with sixty limits, which no solver at hand fills to the best in less than hours."""
    random = Random(60)
    build = ProblemBuilder("hours-of-work")
    take = build.boolean("take", range(200))
    for limit in range(60):
        sizes = [random.randint(1, 1000) for _ in range(200)]
        build.constraint(f"room{limit}", total(take[i] * sizes[i] for i in range(200)) <= sum(sizes) // 3)
    build.feature("value", total(take[i] * random.randint(1, 1000) for i in range(200)))
    build.part("all", list(take))
    return build.problem()
