"""Why a request is infeasible: minimal conflicts, checked against all subsets by enumeration."""

from itertools import combinations
from random import Random

import pytest

from pcl_core import Problem, load
from pcl_core.ir.domains import Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.solve.conflict import delete_what_can_go, explain
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Status
from pcl_core.testing import all_configurations, random_configuration, random_problem


def possible(problem: Problem, given: dict[str, Value], constraints: set[str]) -> bool:
    for x in all_configurations(problem):
        if all(x[name] == value for name, value in given.items()):
            evaluation = Evaluation(problem.symbols, x)
            if all(evaluation.truth(c.require) for c in problem.constraints if c.name in constraints):
                return True
    return False


@pytest.mark.parametrize("backend", ["table", "cpsat"])
@pytest.mark.parametrize("seed", range(40))
def test_conflicts_are_minimal(backend: str, seed: int) -> None:
    problem, random = random_problem(seed, max_configurations=150), Random(seed)
    drawn = random_configuration(problem, random)
    given = {name: drawn[name] for name in random.sample(sorted(drawn), random.randint(0, len(drawn)))}
    found = explain(Oracle.of(problem, backend), given)
    everything = {constraint.name for constraint in problem.constraints}
    if possible(problem, given, everything):
        assert (found.status, found.conflict) == (Status.FEASIBLE, None)
        return
    assert found.status is Status.INFEASIBLE
    assert found.conflict is not None
    names = set(found.conflict.constraints)
    assert found.conflict.minimal
    assert not possible(problem, given, names)
    for fewer in combinations(names, len(names) - 1):
        assert possible(problem, given, set(fewer))


def test_a_budget_that_cannot_pay_for_the_beds() -> None:
    hotel = load("hotel:budget=100")
    found = explain(Oracle.of(hotel, "auto"), {})
    assert found.conflict is not None
    assert "budget" in found.conflict.constraints
    assert len(found.conflict.constraints) == 12  # eleven beds at ten each, and the budget


def test_what_no_completion_can_meet_is_named_without_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*given: object, **more: object) -> None:
        raise AssertionError("nothing has to be solved")

    hotel = load("hotel")
    oracle = Oracle.of(hotel, "auto")
    sofas = {it.name: it.values()[-1] for it in hotel.variables if it.name.startswith("sofas")}
    monkeypatch.setattr(Oracle, "solve", nobody)
    found = explain(oracle, sofas)
    assert found.conflict is not None
    assert found.conflict.constraints == ("budget",)
    assert found.conflict.minimal


def test_the_filter_deletes_in_chunks() -> None:
    tested = []

    def test(rest: object) -> Status:
        tested.append(rest)
        return Status.INFEASIBLE if {3, 40} <= set(rest) else Status.OPTIMAL  # type: ignore[call-overload]

    assert delete_what_can_go(list(range(100)), test) == ([3, 40], True)
    assert len(tested) < 40
