"""A flat `all_different` goes another way to each solver; all say the same."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from pcl_core import Oracle, Problem, ProblemBuilder, Status, all_different, any_of
from pcl_core.authoring.symbolic import Expression
from pcl_core.compile.flat import AtMostOne, Different
from pcl_core.compile.pipeline import scope_of
from pcl_core.solve.conflict import explain
from pcl_core.testing import random_configuration
from pcl_core.testing.enumeration import best_by_enumeration, objective_of, whole_weights

LABELS = ("red", "green", "blue", "grey", "white")
BACKENDS = ("table", "cpsat", "pulp", "cvxpy")


def seats(random: Random, labelled: bool) -> Problem:
    """Some who must differ, partly outside the part that is decided, with worths that make values wanted."""
    build = ProblemBuilder("seats", allow_shared_only=True)
    count = random.randint(3, 5)
    values: list[Expression] = []
    for at in range(count):
        if labelled:
            chosen = random.sample(LABELS, random.randint(2, 5))
            values.append(build.categorical(f"x{at}", chosen))
            build.feature(f"f{at}", values[-1] == chosen[0] if at % 2 else values[-1].is_in(chosen[:2]))
        else:
            low = random.randint(-2, 2)
            values.append(build.integer(f"x{at}", low, low + random.randint(1, 4)))
            build.feature(f"f{at}", values[-1] if at % 2 else abs(values[-1] - 1))
    told: list[Expression | str | int] = list(values)
    if not labelled:
        told = [random.choice((1, 1, 2, -1)) * value + random.choice((0, 0, 1)) for value in values]
        told += [values[0] + values[1]] * (random.random() < 0.3)
    told += [random.choice(LABELS) if labelled else random.randint(-1, 3)] * (random.random() < 0.3)
    build.constraint("apart", all_different(told))
    cut = random.randint(2, count)
    build.part("first", values[:cut])
    if cut < count:
        build.part("rest", values[cut:])
    return build.problem()


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_all_backends_agree(seed: int, labelled: bool) -> None:
    random = Random(seed)
    problem = seats(random, labelled)
    weights = np.array([random.randint(-4, 4) for _ in problem.features], dtype=float)
    context = random_configuration(problem, random)
    for variables in (None, problem.parts[0].variables):
        given = None if variables is None else context
        found = {name: Oracle.of(problem, name).solve(weights, variables=variables, given=given) for name in BACKENDS}
        assert len({(solution.status, solution.objective) for solution in found.values()}) == 1, found


def kinds_of(problem: Problem) -> set[type]:
    return {type(constraint) for constraint in scope_of(problem).flat.constraints}


def four_of(labels: int, *, labelled: bool) -> Problem:
    build = ProblemBuilder("four", allow_shared_only=True)
    people = ["a", "b", "c", "d"]
    if labelled:
        who = build.categorical("x", LABELS[:labels], people)
        build.feature("f", who["a"] == "red")
    else:
        who = build.integer("x", 0, labels - 1, people)
        build.feature("f", who["a"])
    build.constraint("free", who["a"] != who["b"])
    build.constraint("apart", all_different(who[name] for name in people))
    build.part("all", who)
    return build.problem()


def test_it_reaches_solvers_as_it_is() -> None:
    assert Different in kinds_of(four_of(4, labelled=False))
    assert AtMostOne in kinds_of(four_of(4, labelled=True))


@pytest.mark.parametrize("labelled", [False, True])
def test_more_people_than_values_is_a_conflict_that_is_named(labelled: bool) -> None:
    found = explain(Oracle.of(four_of(3, labelled=labelled), "cpsat"), {})
    assert found.conflict is not None
    assert found.conflict.constraints == ("apart",)
    assert found.conflict.minimal


@pytest.mark.parametrize("how", ["or", "implies", "not", "pairs"])
def test_inside_other_expressions_it_means_what_listing_everything_says(how: str) -> None:
    random, solved = Random(how), 0
    for _ in range(8):
        build = ProblemBuilder("nested", allow_shared_only=True)
        spans = [(low, low + random.randint(1, 3)) for low in (random.randint(-2, 1) for _ in range(4))]
        x = [build.integer(f"x{at}", *span) for at, span in enumerate(spans)]
        switch = build.boolean("switch")
        told = [random.choice((1, 2, -1)) * each + random.choice((0, 1)) for each in x[:3]] + [x[3]]
        apart = all_different(told)
        match how:
            case "or":
                build.constraint("apart", any_of([apart, switch]))
            case "implies":
                build.constraint("apart", switch.implies(apart))
            case "not":
                build.constraint("apart", ~apart)
            case _:
                for at, (one, other) in enumerate(combinations(told, 2)):
                    build.constraint(f"apart{at}", one != other)
        for at, each in enumerate(x):
            build.feature(f"f{at}", each)
        build.feature("switch", switch)
        build.feature("apart", apart)
        build.part("all", [*x, switch])
        problem = build.problem()
        weights = whole_weights(problem, random)
        best = best_by_enumeration(problem, weights, "max", {}, set(problem.symbols.variables), None)
        for name in ("cpsat", "table"):
            found = Oracle.of(problem, name).solve(weights)
            expected = (Status.INFEASIBLE if best is None else Status.OPTIMAL, best)
            assert (found.status, objective_of(found)) == expected, name
        solved += best is not None
    assert solved > 3
