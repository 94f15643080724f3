"""How the cost of one part grows with the rest of the problem, and what the first solve of a scope costs."""

import csv
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cases import Case, Query, grid_sampler, hotel_sampler, make_case
from benchmarks.competitors import HAND_WRITTEN, Competitor, numbered, ours
from benchmarks.handwritten.data import rows_of
from benchmarks.report import Goal, Sheet, milliseconds
from benchmarks.timing import median_seconds, side_by_side

import pcl_problems
from pcl_core import Problem, load
from pcl_core.compile import scope_of

GRID_GOAL, HOTEL_GOAL, COMPILE_GOAL = Goal(1.5), Goal(2), Goal(20)
COPIES = 10


@contextmanager
def hotel_file(copies: int) -> Iterator[tuple[Path, dict[str, object]]]:
    """The file and the parameters of a hotel of many wings, each with the fifteen rooms, and so many times the money."""
    source = Path(pcl_problems.__path__[0]) / "hotel"
    with TemporaryDirectory() as folder:
        (Path(folder) / "problem.yaml").write_text((source / "problem.yaml").read_text())
        for file, names in (("rooms", ("room",)), ("adjacent", ("room", "next"))):
            rows = rows_of("hotel", f"large.{file}.csv")
            with (Path(folder) / f"wings.{file}.csv").open("w", newline="") as opened:
                writer = csv.DictWriter(opened, list(rows[0]))
                writer.writeheader()
                for wing in range(copies):
                    writer.writerows(row | {name: f"w{wing}{row[name]}" for name in names} for row in rows)
        yield Path(folder) / "problem.yaml", {"house": "wings", "budget": 600 * copies}


@contextmanager
def hotel_of_copies(copies: int = COPIES) -> Iterator[Problem]:
    with hotel_file(copies) as (file, parameters):
        yield load(file, parameters)


def hotel_case(problem: Problem, room: str, budget: int, count: int) -> Case:
    rooms = {v.name.removeprefix("sofas[")[:-1]: v.size - 1 for v in problem.variables if v.name.startswith("sofas[")}
    return make_case(f"hotel of {len(rooms)} rooms, {room}", problem, room, hotel_sampler(rooms, budget), count)


def grid_case(side: int, count: int) -> Case:
    problem = load(f"grid:side={side}")
    return make_case(f"grid {side} x {side}, block[0,0]", problem, "block[0,0]", grid_sampler(problem), count)


def growth_sheet(count: int) -> Sheet:
    sheet = Sheet(
        "One part of a small and of a large problem (ms)", ("part", "backend", "small", "large", "ratio", "goal")
    )
    with hotel_of_copies() as large_hotel:
        pairs = (
            (GRID_GOAL, grid_case(4, count), grid_case(64, count)),
            (HOTEL_GOAL, hotel_case(load("hotel"), "r7", 600, count), hotel_case(large_hotel, "w0r7", 6000, count)),
        )
    for goal, small, large in pairs:
        for backend in ("auto", "cpsat"):
            calls = {"small": numbered(small, ours(small, backend)), "large": numbered(large, ours(large, backend))}
            times = side_by_side(calls, dict.fromkeys(calls, count))
            ratio = goal.judged(times["large"] / times["small"])
            both = [milliseconds(times[key]) for key in ("small", "large")]
            sheet.rows.append((f"{large.name} / {small.name}", backend, *both, ratio, str(goal)))
    return sheet


def first_solve_sheet(cases: list[Case], repeats: int) -> Sheet:
    """The first solve of a scope less the same one later: what compiling costs. Solvers are imported before."""
    backends = list(HAND_WRITTEN)
    title = f"Extra time of the first solve of a scope, and its flat model alone (ms, goal {COMPILE_GOAL})"
    sheet = Sheet(title, ("part", "flat model", *backends))
    for case in cases:
        flat = median_seconds(partial(flat_model, case), repeats, 1)
        cells = [COMPILE_GOAL.judged(1000 * flat, 1)]
        for backend in backends:
            cells.append(COMPILE_GOAL.judged(1000 * first_extra(case, backend, repeats), 1))
        sheet.rows.append((case.name, *cells))
    return sheet


def flat_model(case: Case) -> object:
    return scope_of(case.problem, case.variables, case.features).flat


def first_extra(case: Case, backend: str, repeats: int, later: int = 5) -> float:
    """How much longer the first request takes at first than later, between others: requests are not equally hard."""
    first, *others = case.queries[: later + 1]
    extra = []
    for _ in range(repeats + 1):
        solve = ours(case, backend)
        at_first, again = timed(solve, first), []
        for query in others:
            solve(query)
            again.append(timed(solve, first))
        extra.append(at_first - statistics.median(again))
    return statistics.median(extra[1:])


def timed(solve: Competitor, query: Query) -> float:
    start = time.perf_counter()
    solve(query)
    return time.perf_counter() - start
