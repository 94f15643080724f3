"""Shapes of parts that people bring: each grows in one way, and says what it is to those who are compared.

A shape has a problem for each size. The models of the same thing that are written by hand are in
`handwritten/shape_models.py`, under the same name; who has none there is compared without.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations
from random import Random

import numpy as np
import numpy.typing as npt
from benchmarks.cases import Case, Query, everything
from benchmarks.handwritten import shape_data as data

from pcl_core import Configuration, Problem, ProblemBuilder, all_different, all_of, load, total
from pcl_core.solve.asking import quantise
from pcl_core.users.utility import WEIGHT_PLACES

Places = npt.NDArray[np.intp]
"""Points as places in the domains of the variables: a column for each."""


@dataclass(frozen=True)
class Shape:
    """What grows, the sizes that are measured, and the problem of each size; the first part is solved, or everything."""

    words: str
    sizes: tuple[int, ...]
    problem: Callable[[int], Problem]
    part: str | None = None
    points: Callable[[int], Places] | None = None
    """The allowed points, where listing all combinations would take too long."""

    def case(self, size: int, count: int, seed: int = 0) -> Case:
        """Queries with weights drawn beforehand, the same for all who are compared.

        They have as many decimals as those of simulated people, so that everybody is asked exactly the same: a model by hand
        would round longer ones, and be asked something easier.
        """
        problem = self.problem(size)
        part = None if self.part is None else problem.part_position(self.part)
        counted = everything(problem) if part is None else problem.structure.feature_subsets[part]
        facts = [problem.feature_facts[at] for at in counted]
        names = [problem.features[at].name for at in counted]
        drawn, random = np.random.RandomState(seed), Random(seed)
        queries = []
        for _ in range(count):
            weights = np.round(drawn.normal(size=len(problem.features)), WEIGHT_PLACES)
            integers = dict(zip(names, quantise(weights[list(counted)], facts).integers, strict=True))
            outside = () if part is None else problem.variables
            context: Configuration = {variable.name: random.random() < 0.5 for variable in outside}
            queries.append(Query(weights, integers, context))
        return Case(f"{self.words} {size}", problem, part, tuple(queries))


def lookup(size: int) -> Problem:
    """Three places, the ways between them, and what each is worth."""
    build, labels = ProblemBuilder("places"), [f"p{at}" for at in range(size)]
    ways = data.rows(size, size)
    distance = build.table(
        "distance", {a: dict(zip(labels, row, strict=True)) for a, row in zip(labels, ways, strict=True)}
    )
    charm = build.table("charm", dict(zip(labels, data.row(size), strict=True)))
    first, second, third = places = [build.categorical(name, labels) for name in "abc"]
    build.feature("there", distance[first, second])
    build.feature("on", distance[second, third])
    for name, place in zip("abc", places, strict=True):
        build.feature(f"charm_{name}", charm[place])
    build.constraint("home", first != third)
    build.part("trip", places)
    return build.problem()


def different(size: int) -> Problem:
    """As many people as seats, each with a liking for each seat."""
    build = ProblemBuilder("seats")
    seats = [build.integer(f"x{at}", 0, size - 1) for at in range(size)]
    for at, (seat, likes) in enumerate(zip(seats, data.rows(size, size), strict=True)):
        build.feature(f"f{at}", build.table(f"liking{at}", dict(enumerate(likes)))[seat])
    build.constraint("apart", all_different(seats))
    build.part("all", seats)
    return build.problem()


def orders(size: int) -> Places:
    return np.array(list(permutations(range(size))), dtype=np.intp).T


def wide(size: int) -> Problem:
    """Two choices among many, with a limit on both together."""
    build, labels = ProblemBuilder("two"), [f"o{at}" for at in range(size)]
    chosen = [build.categorical(name, labels) for name in "ab"]
    price = build.table("price", dict(zip(labels, data.row(size), strict=True)))
    for kind, row in enumerate(data.rows(data.KINDS, size)):
        worth = build.table(f"worth{kind}", dict(zip(labels, row, strict=True)))
        for name, choice in zip("ab", chosen, strict=True):
            build.feature(f"worth{kind}_{name}", worth[choice])
    build.constraint("limit", price[chosen[0]] + price[chosen[1]] <= data.MOST)
    build.part("both", chosen)
    return build.problem()


def knapsack(size: int) -> Problem:
    """Things to take or leave, a limit on their weight, and what they are good for together."""
    build = ProblemBuilder("knapsack")
    taken = [build.boolean(f"x{at}") for at in range(size)]
    for kind, row in enumerate(data.rows(data.KINDS, size)):
        build.feature(f"f{kind}", total(value * it for value, it in zip(row, taken, strict=True)))
    weights = data.row(size)
    build.constraint(
        "limit", total(weight * it for weight, it in zip(weights, taken, strict=True)) <= sum(weights) // 3
    )
    build.part("all", taken)
    return build.problem()


def many_features(size: int) -> Problem:
    """Three choices among ten, and many pairs of values that go well or badly together."""
    build, labels = ProblemBuilder("pairs"), [f"v{at}" for at in range(data.VALUES)]
    chosen = [build.categorical(name, labels) for name in "abc"]
    for at, (one, u, other, v) in enumerate(data.pairs(size)):
        build.feature(f"f{at}", all_of([chosen[one] == labels[u], chosen[other] == labels[v]]))
    build.part("all", chosen)
    return build.problem()


def domains(size: int) -> Problem:
    """Three amounts, a limit on their sum, and how far they are apart."""
    build = ProblemBuilder("amounts")
    amounts = [build.integer(name, 0, size - 1) for name in "abc"]
    first, second, third = amounts
    for name, amount in zip("abc", amounts, strict=True):
        build.feature(f"much_{name}", amount)
    build.feature("near", abs(first - second))
    build.feature("far", abs(second - third))
    build.constraint("limit", first + second + third <= 2 * size)
    build.part("all", amounts)
    return build.problem()


def grid(side: int) -> Problem:
    return load(f"grid:side={2 * side},part={side}")


SHAPES: Mapping[str, Shape] = {
    "lookup": Shape("2-d look-ups, three places of labels:", (10, 30, 50, 52, 100), lookup),
    "different": Shape("all_different, variables and values:", (6, 7, 8, 12, 20, 30), different, points=orders),
    "wide": Shape("two variables of labels:", (20, 100, 500), wide),
    "booleans": Shape("grid block, Booleans on a side:", (2, 4, 6, 8), grid, "block[0,0]"),
    "knapsack": Shape("knapsack, Booleans:", (10, 15, 20, 100, 1000, 3000), knapsack),
    "features": Shape("features of three variables of ten labels:", (30, 300, 3000), many_features),
    "domains": Shape("three whole numbers, values:", (10, 40, 100, 1000), domains),
}
