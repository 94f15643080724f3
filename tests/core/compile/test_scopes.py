"""A scope is plain data: what the passes make of it is made once, never changes, and can be sent away."""

import pickle
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from pcl_core import Oracle, Problem, load
from pcl_core.compile import pipeline
from pcl_core.compile.flat import FlatModel
from pcl_core.compile.flatten import flatten
from pcl_core.compile.pipeline import Scope, scope_of


def part_scope(problem: Problem, part: int = 0) -> Scope:
    return scope_of(problem, problem.parts[part].variables, problem.structure.feature_subsets[part])


def test_a_scope_that_was_sent_away_is_the_same_scope() -> None:
    scope = part_scope(load("training"))
    fresh, made = pickle.loads(pickle.dumps(scope)), (scope.flat, scope.linear)
    again = pickle.loads(pickle.dumps(scope))
    for other in (fresh, again):
        assert (other.flat, other.linear) == made
        assert other.split == scope.split
        assert other.registers.registers.items == scope.registers.registers.items


def test_what_is_sent_grows_with_the_part_and_not_with_the_problem() -> None:
    sizes = [len(pickle.dumps(part_scope(load(f"grid:side={side}")))) for side in (4, 16)]
    assert sizes[1] < 1.5 * sizes[0]


def test_models_cannot_be_changed() -> None:
    scope = part_scope(load("grid"))
    with pytest.raises(FrozenInstanceError):
        scope.flat.columns = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        scope.linear.rows = ()  # type: ignore[misc]
    for made in (scope.flat.columns, scope.flat.constraints, scope.flat.features, scope.linear.rows):
        assert isinstance(made, tuple)


def test_threads_that_ask_at_once_get_the_same_whole_model(monkeypatch: pytest.MonkeyPatch) -> None:
    scope, together = part_scope(load("training")), threading.Barrier(4)
    calls = []

    def slow(*given: object) -> FlatModel:
        calls.append(1)
        together.wait(timeout=30)  # all four are inside before any has a result
        return flatten(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "flatten", slow)
    found: list[FlatModel] = []
    threads = [threading.Thread(target=lambda: found.append(scope.flat)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 4
    assert len({id(model) for model in found}) == 1
    assert found[0] == flatten(scope.split, scope.constraints)


def test_a_level_is_made_only_for_who_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`table` needs no columns, CP-SAT no rows."""
    made: list[str] = []

    def noted(name: str) -> Callable[..., object]:
        plain = getattr(pipeline, name)

        def one_pass(*given: object) -> object:
            made.append(name)
            return plain(*given)

        return one_pass

    for name in ("flatten", "linearise"):
        monkeypatch.setattr(pipeline, name, noted(name))
    grid = load("grid")
    weights = np.ones(len(grid.features))
    for backend, passes in (("table", []), ("cpsat", ["flatten"]), ("pulp", ["flatten", "linearise"])):
        made.clear()
        start = grid.initial_configuration
        Oracle.of(grid, backend).solve(weights, variables=grid.parts[0].variables, given=start)
        assert made == passes, backend
