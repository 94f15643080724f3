"""Several people ask one oracle at the same time, and each hears what she would hear alone."""

import gc
import os
import pickle
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from pcl_core import (
    Configuration,
    Elicitation,
    Options,
    Oracle,
    Problem,
    ProblemBuilder,
    Settings,
    Simulation,
    Status,
    Trace,
    UndecidedError,
    Value,
    load,
    optimum,
    person,
)
from pcl_core.alternatives import Listing
from pcl_core.compile import scope_of
from pcl_core.solve import (
    Availability,
    Capability,
    Compiled,
    Pool,
    Prepared,
    RecentItems,
    Reply,
    Request,
    Scope,
    Sense,
    compiled,
    get_backend,
    size_of,
)
from pcl_core.testing import random_configuration, random_problem
from pcl_core.testing.enumeration import best_by_enumeration, objective_of, whole_weights
from pcl_core.testing.traps import hours_of_work
from pcl_core.users.simulated import USERS

THREADS, PEOPLE, PROBLEMS = 8, 4, 3
SOLVES = {
    "table": 400,
    "auto": 400,
    "cpsat": 400,
    "pulp": 120,
    "pulp:highs": 200,
    "cvxpy": 120,
    "cvxpy:scipy": 120,
    "cvxpy:scip": 120,
    "apart:table": 120,
}
"""How often each backend is asked, 2,000 times in all; fewer times where a solve takes longer."""


@dataclass(frozen=True)
class Wish:
    """What one person asks, and what is true."""

    problem: int
    weights: tuple[float, ...]
    variables: tuple[str, ...]
    given: Configuration
    sense: Sense
    floor: int | None
    best: Fraction | None


@cache
def small_problem(seed: int) -> Problem:
    return random_problem(seed, max_configurations=60)


@cache
def wishes_of(somebody: int) -> tuple[Wish, ...]:
    """What a person asks about a few scopes, which others ask about as well: other weights, contexts, senses, floors."""
    random, found = Random(somebody), []
    for seed in range(PROBLEMS):
        problem = small_problem(seed)
        for part in (None, problem.parts[0]) * 6:
            weights, given = whole_weights(problem, random), random_configuration(problem, random)
            own = tuple(problem.symbols.variables) if part is None else part.variables
            sense: Sense = random.choice(("max", "min"))
            floor = random.choice((None, random.randint(-20, 20)))
            best = best_by_enumeration(problem, weights, sense, given, set(own), floor)
            found.append(Wish(seed, tuple(weights.tolist()), own, given, sense, floor, best))
    random.shuffle(found)
    return tuple(found)


@contextmanager
def often_interrupted() -> Iterator[None]:
    """Threads take turns a thousand times as often as they do by themselves, so that they meet where it hurts."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 1000)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize(("backend", "solves"), SOLVES.items(), ids=SOLVES)
def test_eight_threads_for_four_people_hear_nothing_false(backend: str, solves: int) -> None:
    solver = get_backend(backend)
    kept = {seed: Oracle(small_problem(seed), solver) for seed in range(PROBLEMS)}
    people = [wishes_of(somebody) for somebody in range(PEOPLE)]
    together = threading.Barrier(THREADS)
    wrong: list[str] = []
    asked: list[int] = []

    def work(thread: int) -> None:
        mine, count = people[thread % PEOPLE], solves // THREADS
        together.wait()
        for at in range(count):
            wish = mine[(at + (thread // PEOPLE) * count) % len(mine)]
            found = kept[wish.problem].solve(
                wish.weights, variables=wish.variables, given=wish.given, sense=wish.sense, floor=wish.floor
            )
            true = (Status.INFEASIBLE if wish.best is None else Status.OPTIMAL, wish.best)
            if (found.status, objective_of(found)) != true:
                wrong.append(f"thread {thread}, wish {at}: {found.status} {objective_of(found)}, not {true}")
        asked.append(count)

    with often_interrupted(), ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work, thread) for thread in range(THREADS)]:
            done.result()
    assert wrong == []
    assert sum(asked) == solves


def test_all_backends_together_are_asked_two_thousand_times() -> None:
    assert sum(SOLVES.values()) == 2000


def simulated(oracle: Oracle, somebody: int) -> Trace:
    weights = np.random.default_rng(somebody).integers(-9, 10, size=len(oracle.problem.features)).astype(float)
    asked = Elicitation(oracle.problem, oracle=oracle, settings=Settings(seed=somebody, stop="never"))
    model = USERS.make("informative", alpha=0.3)
    return Simulation(asked, person(oracle, weights, model, (somebody,)), optimum(oracle, weights)).run(12)


@pytest.mark.parametrize(("name", "backend"), [("training", "auto"), ("grid", "table"), ("grid", "cpsat")])
def test_people_who_share_an_oracle_learn_what_they_would_learn_alone(name: str, backend: str) -> None:
    problem = load(name)
    alone = [simulated(Oracle(problem, get_backend(backend)), somebody) for somebody in range(PEOPLE)]
    shared = Oracle.of(problem, backend)
    with ThreadPoolExecutor(PEOPLE) as pool:
        together = list(pool.map(lambda somebody: simulated(shared, somebody), range(PEOPLE)))
    for one, other in zip(alone, together, strict=True):
        assert [(s.part, s.utility, s.utility_improved, s.regret, s.update) for s in one.steps] == [
            (s.part, s.utility, s.utility_improved, s.regret, s.update) for s in other.steps
        ]
        assert one.configuration == other.configuration


@pytest.mark.parametrize("backend", ["cpsat", "pulp", "pulp:highs"])
def test_two_threads_solve_at_the_same_time(backend: str) -> None:
    """Each has a second of the clock for what takes hours, however busy the machine is; apart they need twice as long."""
    oracle = Oracle.of(hours_of_work(), backend, Options(time_limit=1.0))

    def taken(threads: int) -> float:
        with ThreadPoolExecutor(threads) as pool:
            started = time.perf_counter()
            list(pool.map(lambda _: oracle.solve([1.0]), range(2)))
            return time.perf_counter() - started

    taken(2)  # what takes long the first time is now there
    assert (taken(2) < 0.8 * taken(1)) == (len(os.sched_getaffinity(0)) > 1)


def test_whoever_asks_first_compiles_and_the_others_wait_for_it() -> None:
    grid = load("grid")
    oracle, together = Oracle.of(grid, "cpsat"), threading.Barrier(THREADS)
    context = {variable.name: False for variable in grid.variables}

    def work(_: int) -> Status:
        together.wait()
        return oracle.solve(np.ones(24), variables=grid.parts[0].variables, given=context).status

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(work, range(THREADS))) == {Status.OPTIMAL}
    assert oracle.compiled.compilations == 1


def test_scopes_that_had_to_go_are_compiled_again_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = load("grid")
    monkeypatch.setattr(compiled, "ROOM", 2 * min(size_of(scope_of(grid, part.variables)) for part in grid.parts))
    oracle, expected = Oracle.of(grid, "table"), Oracle.of(grid, "cpsat")
    context = {variable.name: False for variable in grid.variables}
    weights = [np.random.default_rng(seed).normal(size=24) for seed in range(40)]

    def work(at: int) -> bool:
        own = grid.parts[at % len(grid.parts)].variables
        found, known = (each.solve(weights[at], variables=own, given=context) for each in (oracle, expected))
        return found.objective == known.objective

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(40)))
    assert len(oracle.compiled._scopes) <= 2
    assert oracle.compiled.compilations > len(grid.parts)


def test_what_was_asked_for_longest_ago_goes_first_and_small_things_leave_room_for_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "ROOM", 10)
    held = RecentItems[str, int]()
    for at, name in enumerate("abcde"):
        held.put(name, at, 2)
    assert held.get("a") == 0
    held.put("large", 9, 4)
    assert [held.get(name) for name in ("a", "b", "c", "d", "e", "large")] == [0, None, None, 3, 4, 9]
    held.put("larger than all", 8, 99)
    assert (len(held), held.get("larger than all")) == (1, 8)


def test_more_than_a_thousand_parts_asked_in_order_are_compiled_once() -> None:
    build = ProblemBuilder("many")
    for at in range(1100):
        chosen = build.boolean(f"x{at}")
        build.feature(f"f{at}", chosen)
        build.part(f"p{at}", chosen)
    problem = build.problem()
    oracle, given = Oracle.of(problem, "table"), value_of(problem)
    for _ in range(2):
        for at, part in enumerate(problem.parts):
            assert oracle.solve(np.ones(1100), variables=part.variables, given=given, features=(at,)).objective == 1
    assert oracle.compiled.compilations == 1100


@pytest.mark.parametrize("name", ["training", "hotel"])
@pytest.mark.parametrize(("recipe", "most", "most_at_once"), [("keep", 2e5, 5e5), ("people", 1e6, 3e7)])
def test_another_elicitation_on_a_compiled_problem_compiles_nothing_and_costs_kilobytes(
    name: str, recipe: str, most: float, most_at_once: float
) -> None:
    """For people there is a covariance of all features in it, and all that may stand in a part is looked at once."""
    problem = load(name)
    first = Elicitation(problem, recipe=recipe)
    parts = [part.name for part in problem.parts][:5]
    for part in parts:
        query = first.ask(part)
        assert query is not None
        first.tell(query.accept())
    compiled = first.oracle.compiled.compilations
    gc.collect()
    tracemalloc.start()
    second = Elicitation(problem, recipe=recipe)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    for part in parts:
        query = second.ask(part)
        assert query is not None
        second.tell(query.accept())
    assert second.oracle.compiled is first.oracle.compiled
    assert second.oracle.features is first.oracle.features
    assert first.oracle.compiled.compilations == compiled
    assert kept < most
    assert peak < most_at_once


def test_what_was_listed_for_one_person_waits_for_the_next_on_the_same_oracle() -> None:
    problem = load("grid")
    oracle = Oracle.of(problem)
    asked(Elicitation(problem, oracle=oracle, recipe="people"))
    gc.collect()
    listed = Listing.shared(problem).prepared
    assert listed == len(problem.parts)
    asked(Elicitation(problem, oracle=oracle, recipe="people"))
    assert Listing.shared(problem).prepared == listed
    del oracle
    gc.collect()
    assert Listing.shared(problem).prepared == 0


def asked(elicitation: Elicitation) -> None:
    query = elicitation.ask()
    assert query is not None


def test_options_are_of_the_one_who_asks_and_compiled_scopes_of_all() -> None:
    grid = load("grid")
    patient, hasty = Oracle.of(grid, "cpsat"), Oracle.of(grid, "cpsat", Options(time_limit=5.0, seed=3))
    assert patient.compiled is hasty.compiled
    assert (patient.options.time_limit, hasty.options.time_limit) == (None, 5.0)
    assert Oracle.of(grid, "table").compiled is not patient.compiled
    assert Oracle.of(load("grid"), "cpsat").compiled is not patient.compiled


def test_an_oracle_made_from_a_backend_compiles_for_itself() -> None:
    grid = load("grid")
    shared = Oracle.of(grid, "table")
    own = Oracle(grid, shared.backend)
    shared.solve(np.ones(24))
    assert (own.compiled is shared.compiled, own.compiled.compilations) == (False, 0)


def test_what_was_compiled_lives_as_long_as_somebody_uses_it() -> None:
    grid = load("grid")
    first = Oracle.of(grid, "table")
    first.solve(np.ones(24))
    second = Oracle.of(grid, "table")
    assert second.compiled.compilations == 1
    del first, second
    assert Oracle.of(grid, "table").compiled.compilations == 0


class Timid:
    """A backend of somebody else that says nothing of threads, and notices when two of them call it."""

    name = "timid"
    capabilities: frozenset[Capability] = frozenset()

    def __init__(self) -> None:
        self._table = get_backend("table")
        self.inside = 0
        self.crowded = False

    def availability(self) -> Availability:
        return Availability(True, "1")

    def compile(self, scope: Scope) -> Prepared:
        backend, prepared = self, self._table.compile(scope)

        class Watched:
            def solve(self, request: Request, options: Options) -> Reply:
                backend.inside += 1
                time.sleep(0.001)
                backend.crowded = backend.crowded or backend.inside > 1
                found = prepared.solve(request, options)
                backend.inside -= 1
                return found

        return Watched()


def test_a_backend_that_is_not_for_several_threads_is_called_by_one_at_a_time() -> None:
    grid, backend = load("grid"), Timid()
    oracle = Oracle(grid, backend)
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda seed: oracle.solve(np.full(24, seed)).status, range(30)))
    assert set(found) == {Status.OPTIMAL}
    assert not backend.crowded


def test_a_pool_makes_no_more_than_there_are_cores_and_lends_each_to_one() -> None:
    lent: list[int] = []
    pool = Pool(object)

    def use(_: int) -> bool:
        with pool.one() as item:
            alone = id(item) not in lent
            lent.append(id(item))
            time.sleep(0.002)
            lent.remove(id(item))
            return alone

    with ThreadPoolExecutor(THREADS) as threads:
        assert all(threads.map(use, range(50)))
    assert 1 <= pool.made <= len(os.sched_getaffinity(0))


def test_a_copy_goes_back_into_the_pool_after_an_error() -> None:
    pool, seen = Pool(object), set()

    def fail() -> None:
        with pool.one() as item:
            seen.add(id(item))
            raise UndecidedError("stopped")

    for _ in range(5):
        with pytest.raises(UndecidedError):
            fail()
    assert pool.made == len(seen) == 1


def value_of(problem: Problem) -> dict[str, Value]:
    return {variable.name: variable.values()[0] for variable in problem.variables}


def test_a_problem_in_another_process_takes_nothing_compiled_along() -> None:
    grid = load("grid")
    oracle = Oracle.of(grid, "cpsat")
    oracle.solve(np.ones(24), variables=grid.parts[0].variables, given=value_of(grid))
    again = pickle.loads(pickle.dumps(grid))
    assert again == grid
    assert Compiled.of(again, "cpsat").compilations == 0
