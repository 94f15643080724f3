"""Running CP-SAT: its parameters, ctrl-C while it searches, and how a search ended."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pcl_core.solve import Options

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

BRIEF_SECONDS = 1.0
"""How long ctrl-C may wait; a solve that may take longer runs beside the main thread."""
SHORTEST_SECONDS = 0.001


class Search(NamedTuple):
    """How a search for the largest value of the objective ended."""

    status: Any
    solver: "cp_model.CpSolver"
    bound: int = 0
    """Nothing that is allowed has a larger value; an integer, while CP-SAT's own report of it is a double."""

    @property
    def proved(self) -> bool:
        from ortools.sat.python import cp_model

        return bool(self.status == cp_model.OPTIMAL)


def with_less_time(options: Options, started: float) -> Options:
    """What a search that began some time ago has left."""
    if options.time_limit is None:
        return options
    left = options.time_limit - (time.perf_counter() - started)
    return replace(options, time_limit=max(left, SHORTEST_SECONDS))


def run(solver: "cp_model.CpSolver", model: "cp_model.CpModel") -> Any:
    """Solve, and leave ctrl-C to the program.

    CP-SAT's own handling of SIGINT returns what was found so far as if nothing had happened, and can deadlock. Here
    what takes long runs beside the main thread, which stops it and raises KeyboardInterrupt.
    """
    solver.parameters.catch_sigint_signal = False
    brief: bool = solver.parameters.max_time_in_seconds <= BRIEF_SECONDS
    if brief or threading.current_thread() is not threading.main_thread():
        return solver.solve(model)
    with ThreadPoolExecutor(1) as beside:
        solving = beside.submit(solver.solve, model)
        try:
            return solving.result()
        except KeyboardInterrupt:
            while not solving.done():  # a stop before it has begun would not be noticed
                solver.stop_search()
                wait([solving], timeout=0.05)
            raise


def new_solver(workers: int, time_limit: float | None, seed: int | None) -> "cp_model.CpSolver":
    """A solver with a light presolve: on scopes of the size of a part the full one costs more than it saves."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.absolute_gap_limit = 0.0  # both gaps are compared in doubles, which cannot tell large ones apart
    solver.parameters.relative_gap_limit = 0.0
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.max_presolve_iterations = 1
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = time_limit
    if seed is not None:
        solver.parameters.random_seed = seed % 2**31
    return solver
