"""How inference grows with the problem: whole grids against one part of them, with the same solver."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pcl_core.authoring import load
from pcl_core.solve import Options, Oracle, Status


@dataclass(frozen=True, slots=True)
class Scaling:
    """One measurement of inference on a square grid; `limited` if full inference was stopped by a time limit."""

    side: int
    seconds_full: float
    seconds_part: float
    limited: bool = False


def measure_scaling(
    sides: Sequence[int],
    draws: int,
    backend: str,
    time_limit: float,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[Scaling]:
    """Seconds of a full inference, and of one 2×2 block in a random context, for random weights.

    Both are measured on models that are compiled already, as they are in an elicitation.
    """
    measured: list[Scaling] = []
    for number, side in enumerate(sides):
        progress(number, len(sides))
        measured += _measure(side, draws, backend, time_limit, np.random.default_rng((seed, side)))
    progress(len(sides), len(sides))
    return measured


def _measure(side: int, draws: int, backend: str, time_limit: float, generator: np.random.Generator) -> list[Scaling]:
    oracle = Oracle.of(load("grid", {"side": side}), backend, Options(time_limit=time_limit))
    problem = oracle.problem
    part = problem.parts[len(problem.parts) // 2]
    own = problem.structure.feature_subsets[len(problem.parts) // 2]
    found = []
    nowhere = {variable.name: False for variable in problem.variables}
    nothing = np.zeros(len(problem.features))
    oracle.solve(nothing)  # compiled here, with nothing to find
    oracle.solve(nothing, variables=part.variables, given=nowhere, features=own)
    for _ in range(draws):
        weights = generator.normal(size=len(problem.features)).round(6)
        values = generator.integers(2, size=len(problem.variables)).tolist()
        context = {variable.name: bool(value) for variable, value in zip(problem.variables, values, strict=True)}
        whole = oracle.solve(weights)
        piece = oracle.solve(weights, variables=part.variables, given=context, features=own)
        found.append(Scaling(side, whole.seconds, piece.seconds, whole.status is not Status.OPTIMAL))
    return found
