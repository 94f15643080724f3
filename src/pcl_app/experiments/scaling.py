"""How inference grows with the problem: whole grids against one part of them, with the same solver."""

from collections.abc import Callable, Sequence

import numpy as np

from pcl_app.experiments.figures import Scaling
from pcl_core.authoring.load import load
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options, Status


def measure_scaling(
    sides: Sequence[int],
    draws: int,
    backend: str,
    time_limit: float,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[Scaling]:
    """Seconds of a full inference, and of one 2×2 block in a random context, for random weights.

    Both are measured on models that are compiled already, as they are in an elicitation. Sides whose full inferences
    all hit the limit end the study: larger ones would say the same.
    """
    measured: list[Scaling] = []
    for number, side in enumerate(sides):
        progress(number, len(sides))
        here = _measure(side, draws, backend, time_limit, np.random.default_rng((seed, side)))
        measured += here
        if all(entry.limited for entry in here):
            break
    progress(len(sides), len(sides))
    return measured


def _measure(side: int, draws: int, backend: str, time_limit: float, generator: np.random.Generator) -> list[Scaling]:
    oracle = Oracle.of(load("grid", {"side": side}), backend, Options(time_limit=time_limit))
    problem = oracle.problem
    part = problem.parts[len(problem.parts) // 2]
    own = problem.structure.feature_subsets[len(problem.parts) // 2]
    found = []
    for draw in range(draws + 1):
        weights = generator.normal(size=len(problem.features)).round(6)
        values = generator.integers(2, size=len(problem.variables)).tolist()
        context = {variable.name: bool(value) for variable, value in zip(problem.variables, values, strict=True)}
        whole = oracle.solve(weights)
        piece = oracle.solve(weights, variables=part.variables, given=context, features=own)
        if draw:  # the first solve compiles
            found.append(Scaling(side, whole.seconds, piece.seconds, whole.status is not Status.OPTIMAL))
    return found
