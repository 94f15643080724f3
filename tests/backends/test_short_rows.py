"""Models of one row, which CP-SAT presolves, and utilities near the end of what floating point holds: the same optima."""

from random import Random

import pytest

from pcl_backends.cpsat import SHORT, PreparedCpSat
from pcl_core import Oracle, Problem, ProblemBuilder, total
from pcl_core.compile import scope_of
from pcl_core.solve import Options, Request, Sense, Status
from pcl_core.solve.registry import get_backend


def one_row(random: Random, count: int, most: int, relation: str) -> Problem:
    build = ProblemBuilder("row")
    chosen = [
        build.boolean(f"x{at}") if random.random() < 0.7 else build.integer(f"x{at}", -1, 2) for at in range(count)
    ]
    weights = [random.randint(-1, most) for _ in chosen]
    held, limit = total(w * x for w, x in zip(weights, chosen, strict=True)), sum(weights) // 3
    build.constraint(
        "limit", held == limit if relation == "==" else held <= limit if relation == "<=" else held >= limit
    )
    for at in range(3):
        build.feature(f"f{at}", total(random.randint(-3, 9) * x for x in chosen))
    build.part("all", chosen)
    return build.problem()


@pytest.mark.parametrize("digits", [6, 16])
@pytest.mark.parametrize("relation", ["<=", ">=", "=="])
def test_one_row_has_the_same_optimum_as_enumeration(relation: str, digits: int) -> None:
    random = Random(digits)
    for _ in range(12):
        problem = one_row(random, random.randint(2, 7), random.choice([1, 9, 10_000]), relation)
        weights = [round(random.gauss(0, 1), digits) for _ in problem.features]
        sense: Sense = random.choice(["max", "min"])
        one, other = (Oracle.of(problem, name).solve(weights, sense=sense) for name in ("cpsat", "table"))
        assert (one.status, one.exact) == (other.status, other.exact)
        if other.utility is not None:
            floor = other.utility - random.choice([0.0, 0.5])
            one, other = (
                Oracle.of(problem, name).solve(weights, sense=sense, floor=floor) for name in ("cpsat", "table")
            )
            assert (one.status, one.exact) == (other.status, other.exact)


def test_only_a_short_row_is_presolved() -> None:
    for most, expected in ((9, True), (SHORT, False)):
        prepared = PreparedCpSat(scope_of(one_row(Random(0), 6, most, "<=")))
        assert prepared._pays_to_presolve is expected


@pytest.mark.parametrize("bits", [50, 51, 52, 53, 54, 60])
def test_objectives_near_the_end_of_floating_point_are_exact(bits: int) -> None:
    random = Random(bits)
    for _ in range(10):
        scope = scope_of(one_row(random, 5, 9, "<="))
        weights = tuple(random.randint(-(2**bits) // 40, 2**bits // 40) for _ in scope.features)
        sense: Sense = random.choice(["max", "min"])
        one, other = (
            get_backend(name).compile(scope).solve(Request(weights, sense), Options()) for name in ("table", "cpsat")
        )
        assert one.status is Status.OPTIMAL
        assert one.objective == other.objective
