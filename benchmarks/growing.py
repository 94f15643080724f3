"""What else grows with a problem, besides one solve of one part: each is measured in a process of its own.

An entry gives sizes, and a function from a size to named measures: seconds, or megabytes where the name says MB.
"""

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

import numpy as np

from pcl_core import Oracle, load

Measures = dict[str, float]


@dataclass(frozen=True)
class Growing:
    """What grows, the sizes that are measured, and what is measured at each."""

    words: str
    sizes: tuple[int, ...]
    measured: Callable[[int], Measures]


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


GROWING: Mapping[str, Growing] = {
    "blocks": Growing("4 x 4 blocks of a grid, table; blocks on a side:", (2, 4, 8), blocks),
}
