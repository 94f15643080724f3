"""Running CP-SAT: its parameters, ctrl-C while it searches, and how a search ended.

A model and its parameters are protocol buffers, and the compiled half of ortools solves them. The half in Python around it,
`cp_model`, is not needed for that; to import it is to import pandas, which takes longer than most problems do.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple

from pcl_core.solve import Options

BRIEF_SECONDS = 1.0
"""How long ctrl-C may wait; a solve that may take longer runs beside the main thread."""
BRIEF_WORK = 0.1
"""The same in CP-SAT's own units of work."""
SHORTEST_SECONDS = 0.001


class Ended(IntEnum):
    """How a search ended, in CP-SAT's own numbers."""

    UNKNOWN = 0
    INVALID = 1
    FEASIBLE = 2
    INFEASIBLE = 3
    OPTIMAL = 4


def new_model() -> Any:
    """An empty model."""
    from ortools.sat import cp_model_pb2

    return cp_model_pb2.CpModelProto()


def what_is_wrong(model: Any) -> str:
    """Why CP-SAT does not take a model."""
    from ortools.sat.python.cp_model_helper import CpSatHelper

    return str(CpSatHelper.validate_model(model))


@cache
def _wrapper() -> Callable[[], Any]:
    """CP-SAT's kind of solvers: imported when it is needed, and not looked up again for every solve."""
    from ortools.sat.python.cp_model_helper import SolveWrapper

    found: Callable[[], Any] = SolveWrapper
    return found


class Solver:
    """Parameters, and what was found with them; for one search."""

    def __init__(self, parameters: Any) -> None:
        self.parameters = parameters
        self.response: Any = None
        self._inside = _wrapper()()

    def solve(self, model: Any) -> Ended:
        self._inside.set_parameters(self.parameters)
        found = self._inside.solve_and_return_response_wrapper(model)
        # A ctrl-C that came meanwhile is raised here; `solve`, which gives the response at once, would swallow it.
        self.response = found.response()
        return Ended(self.response.status)

    def stop(self) -> None:
        """End a search that has begun, from another thread."""
        self._inside.stop_search()


class Attempt(NamedTuple):
    """How to search: with how many workers, with all rows in the linear relaxation or some, and for how long."""

    workers: int
    linear: bool = False
    work: float | None = None
    """In CP-SAT's own units, which do not depend on the machine."""


class Search(NamedTuple):
    """How a search for the largest value of the objective ended."""

    ended: Ended
    solver: Solver
    bound: int = 0
    """Nothing that is allowed has a larger value; an integer, while CP-SAT's own report of it is a double."""

    @property
    def proved(self) -> bool:
        return self.ended is Ended.OPTIMAL


def with_less_time(options: Options, started: float) -> Options:
    """What a search that began some time ago has left."""
    if options.time_limit is None:
        return options
    left = options.time_limit - (time.perf_counter() - started)
    return replace(options, time_limit=max(left, SHORTEST_SECONDS))


def run(solver: Solver, model: Any) -> Ended:
    """Solve, and leave ctrl-C to the program.

    CP-SAT's own handling of SIGINT returns what was found so far as if nothing had happened, and can deadlock. Here
    what takes long runs beside the main thread, which stops it and raises KeyboardInterrupt.
    """
    limits = solver.parameters
    brief = limits.max_time_in_seconds <= BRIEF_SECONDS or limits.max_deterministic_time <= BRIEF_WORK
    if brief or threading.current_thread() is not threading.main_thread():
        return solver.solve(model)
    with ThreadPoolExecutor(1) as beside:
        solving = beside.submit(solver.solve, model)
        try:
            return solving.result()
        except KeyboardInterrupt:
            while not solving.done():  # a stop before it has begun would not be noticed
                solver.stop()
                wait([solving], timeout=0.05)
            raise


def new_solver(attempt: Attempt, time_limit: float | None, seed: int | None, presolve: bool = True) -> Solver:
    """A solver with a light presolve: on scopes of the size of a part the full one costs more than it saves."""
    return Solver(_parameters(attempt, time_limit, seed, presolve))


@lru_cache(64)
def _parameters(attempt: Attempt, time_limit: float | None, seed: int | None, presolve: bool) -> Any:
    """They are not to be changed: the next search has the same."""
    from ortools.sat.sat_parameters_pb2 import SatParameters

    return SatParameters(
        num_workers=attempt.workers,
        linearization_level=2 if attempt.linear else None,
        max_deterministic_time=attempt.work,
        cp_model_presolve=presolve,
        absolute_gap_limit=0.0,  # both gaps are compared in doubles, which cannot tell large ones apart
        relative_gap_limit=0.0,
        cp_model_probing_level=0,
        symmetry_level=0,
        max_presolve_iterations=1,
        max_time_in_seconds=time_limit,
        random_seed=None if seed is None else seed % 2**31,
        catch_sigint_signal=False,  # see `run`
    )
