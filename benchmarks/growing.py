"""What else grows with a problem, besides one solve of one part: each is measured in a process of its own.

An entry gives sizes, and a function from a size to named measures: seconds, or megabytes where the name says MB.
"""

import resource
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random

import numpy as np
from benchmarks.growth import hotel_file
from benchmarks.report import Goal

from pcl_core import Elicitation, Oracle, load
from pcl_core.authoring import Limits
from pcl_core.elicitation import Surroundings
from pcl_core.errors import InfeasibleError
from pcl_core.solve import explain

Measures = dict[str, float]


@dataclass(frozen=True)
class Growing:
    """What grows, the sizes that are measured, and what is measured at each."""

    words: str
    sizes: tuple[int, ...]
    measured: Callable[[int], Measures]
    ratios: Mapping[str, Goal] = field(default_factory=dict)
    """By measure: how many times that of the smallest size it may be at the largest."""
    exponents: Mapping[str, Goal] = field(default_factory=dict)
    """By measure: by which power of the size it may grow."""
    limits: Mapping[str, Goal] = field(default_factory=dict)
    """By measure: how many seconds it may take at the largest size."""


def megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def blocks(side: int) -> Measures:
    """All parts of a grid of blocks of 4 x 4 cells, solved once and once again, as in an elicitation."""
    problem = load(f"grid:side={4 * side},part=4")
    random, drawn = Random(0), np.random.RandomState(0)
    oracle, weights = Oracle.of(problem, "table"), drawn.normal(size=len(problem.features))
    context = {variable.name: random.random() < 0.5 for variable in problem.variables}
    oracle.solve(weights, variables=problem.parts[0].variables, given=context)

    def all_parts() -> None:
        for at, part in enumerate(problem.parts):
            features = problem.structure.feature_subsets[at]
            oracle.solve(weights, variables=part.variables, given=context, features=features)

    before, parts = megabytes(), len(problem.parts)
    first = seconds(all_parts) / parts
    again = seconds(all_parts) / parts
    return {"first solve of a part": first, "a part again": again, "MB a part": (megabytes() - before) / parts}


def hotel(rooms: int) -> Measures:
    """A hotel of many wings: loading it, what is prepared once, and what a person waits for in one room."""
    with hotel_file(rooms // 15) as (file, parameters):
        limits = Limits(nodes=1_000_000 + 2_000 * rooms**2)  # a tree that tests every pair of rooms counts each
        start = time.process_time()
        problem = load(file, parameters, limits)
        found = {"loading": time.process_time() - start}
    weights, x = (
        np.random.RandomState(0).normal(size=len(problem.features)).round(3),
        problem.initial_configuration or {},
    )
    start = time.process_time()
    oracle = Oracle.of(problem)
    units = oracle.features.units(x)
    found["preparing all rooms"] = time.process_time() - start

    def solve(part: int) -> object:
        subset = problem.structure.feature_subsets[part]
        return oracle.solve(weights, variables=problem.parts[part].variables, given=x, features=subset)

    solve(0)  # imports the solvers
    held, rooms_asked = megabytes(), range(1, 9)
    found["first solve of a room"] = statistics.median([seconds(partial(solve, part)) for part in rooms_asked])
    found["MB a room"] = (megabytes() - held) / len(rooms_asked)
    found["a room again"] = statistics.median([seconds(partial(solve, part)) for part in rooms_asked])
    changed, around = x | {problem.parts[3].variables[-1]: 1}, Surroundings(problem)
    found["features after the first change of a room"] = seconds(lambda: oracle.features.updated(units, changed, 3))
    around.summary(0, x)
    found["first summary of another room"] = seconds(lambda: around.summary(3, x))
    sofas = {name: problem.symbols.variables[name].values()[-1] for name in x if name.startswith("sofas")}
    found["why as many sofas as fit in every room are too expensive"] = seconds(lambda: explain(oracle, sofas))
    return found | editing(oracle, 40 * rooms)


def editing(oracle: Oracle, budget: int) -> Measures:
    """One more sofa in a room, for which the other rooms leave no money: what it would do, and why it is refused."""
    problem, spent = oracle.problem, 10 * len(oracle.problem.parts)
    x = problem.initial_configuration or {}
    for name in reversed([name for name in x if name.startswith("sofas")]):
        more = min(int(problem.symbols.variables[name].values()[-1]) - 1, (budget - spent) // 25)
        x[name], spent = more, spent + 25 * more
    hers = Elicitation(problem, oracle=oracle, recipe="keep", start=x)
    taken: dict[str, list[float]] = {EDIT: [], REFUSED: [], WHY: []}
    named = list[tuple[str, ...]]()
    for part in [part for part in problem.parts if not x[part.variables[-1]]][:9]:
        query, sofa = hers.ask(part.name), {part.variables[-1]: 1}
        assert query is not None

        def looked_at(values: dict[str, int] = sofa) -> None:
            seen = hers.preview(values)
            assert (seen.tellable, seen.completable) == (False, False)
            assert seen.nearest is not None

        def refused(doing: Callable[[], object]) -> None:
            try:
                doing()
            except InfeasibleError as error:
                named.append(error.conflict)

        taken[EDIT].append(seconds(looked_at))
        taken[REFUSED].append(seconds(partial(refused, partial(hers.tell, query.improve(sofa)))))
        taken[WHY].append(seconds(partial(refused, partial(hers.complete, sofa))))
    assert named == [("budget",)] * len(taken[WHY]) * 2
    return {what: statistics.median(times[1:]) for what, times in taken.items()}


EDIT = "what one more sofa in a room would do, and what is nearest"
REFUSED = "one more sofa in a room refused"
WHY = "why one more sofa in a room is too expensive"
LIKE_SMALL = Goal(3)
LINEAR = Goal(1.1)
"""Where values are given for all rooms, reading them takes as long as there are rooms: nothing better can be asked."""
GROWING: Mapping[str, Growing] = {
    "hotel": Growing(
        "A hotel, auto; rooms:",
        (15, 150, 450, 1500),
        hotel,
        {
            "first solve of a room": LIKE_SMALL,
            "features after the first change of a room": LIKE_SMALL,
            "first summary of another room": LIKE_SMALL,
            EDIT: LIKE_SMALL,
            REFUSED: LIKE_SMALL,
            WHY: LIKE_SMALL,
        },
        {"why as many sofas as fit in every room are too expensive": LINEAR},
        {"loading": Goal(3)},
    ),
    "blocks": Growing("4 x 4 blocks of a grid, table; blocks on a side:", (2, 4, 8), blocks),
}
