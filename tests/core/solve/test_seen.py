"""A problem as a part sees it: the same values are allowed beside what stands elsewhere, for the same reasons."""

from itertools import combinations, product
from random import Random

import pytest

from pcl_core import Problem, load
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.ir.domains import Value
from pcl_core.model.evaluation import assess
from pcl_core.solve.conflict import explain
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Status
from pcl_core.solve.seen import seen_by
from pcl_core.testing import all_configurations, random_problem


def of_part(problem: Problem, x: dict[str, Value], part: int) -> list[dict[str, Value]]:
    """All that can be put into a part beside x, allowed or not."""
    own = [problem.symbols.variables[name] for name in problem.parts[part].variables]
    drawn = product(*[variable.values() for variable in own])
    return [{**x, **{it.name: value for it, value in zip(own, values, strict=True)}} for values in drawn]


def cases(seed: int) -> tuple[Problem, dict[str, Value], int, dict[str, Value], list[dict[str, Value]]]:
    """A problem, a configuration that is allowed, a part, values for some of it, and whatever has these values."""
    random, allowed = Random(seed), list[dict[str, Value]]()
    while not allowed:
        problem = random_problem(random.randrange(10**6), max_configurations=150)
        allowed = [x for x in all_configurations(problem) if assess(problem, x).feasible]
    x, part = random.choice(allowed), random.randrange(len(problem.parts))
    drawn = random.choice(of_part(problem, x, part))
    names = problem.parts[part].variables
    pins = {name: drawn[name] for name in random.sample(names, random.randint(1, len(names)))}
    return problem, x, part, pins, [it for it in of_part(problem, x, part) if it | pins == it]


@pytest.mark.parametrize("backend", ["table", "cpsat"])
@pytest.mark.parametrize("seed", range(40))
def test_a_conflict_within_a_part_is_one_of_the_whole_problem_and_minimal(backend: str, seed: int) -> None:
    problem, x, part, pins, drafts = cases(seed)
    seen = seen_by(Oracle.of(problem, backend), problem.parts[part].variables)
    found = explain(seen.oracle, seen.around(x, pins))
    broken = [set(assess(problem, it).violated) for it in drafts]
    if not all(broken):
        assert (found.status, found.conflict) == (Status.FEASIBLE, None)
        return
    assert found.conflict is not None
    assert found.conflict.minimal
    names = set(found.conflict.constraints)
    assert all(names & it for it in broken), "nothing obeys all of them"
    for fewer in combinations(names, len(names) - 1):
        assert not all(it & set(fewer) for it in broken)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_nearest_within_a_part_is_as_near_as_in_the_whole_problem(seed: int) -> None:
    problem, x, part, pins, _ = cases(seed)
    oracle, names = Oracle.of(problem, "auto"), problem.parts[part].variables
    seen = seen_by(oracle, names)
    draft = {name: (x | pins)[name] for name in names}
    small = fewest_changes(seen.oracle, seen.around(x, draft), names, pins)
    whole = fewest_changes(oracle, x | pins, names, pins)
    assert small is not None, "what stands is allowed"
    assert whole is not None
    assert assess(problem, x | draft | small).feasible
    assert [len(small), len(small.keys() & pins)] == [len(whole), len(whole.keys() & pins)]


def test_a_part_sees_of_a_budget_what_the_others_leave_and_nothing_of_their_own_limits() -> None:
    hotel = load("hotel")
    seen = seen_by(Oracle.of(hotel, "auto"), hotel.parts[7].variables)
    own, x = hotel.parts[7].variables, hotel.initial_configuration or {}
    assert [it.name for it in seen.oracle.problem.constraints] == ["capacity[r15]", "bed[r15]", "budget"]
    assert list(seen.around(x, {}).values()) == [140], "fourteen other rooms with a bed each"
    assert len(seen.oracle.problem.variables) == len(own) + 1
