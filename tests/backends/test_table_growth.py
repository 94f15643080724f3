"""Points are listed with sums bounded on the way: the same ones, in the same order, from fewer that are tried."""

from itertools import product

import numpy as np
import pytest

from pcl_backends.table import TableBackend
from pcl_backends.table.growth import Growth, nothing_chosen
from pcl_backends.table.tabulate import Layout
from pcl_core import Configuration, Oracle, Problem, ProblemBuilder, total
from pcl_core.compile import scope_of
from pcl_core.model.evaluation import assess


def picking(operation: str, large: int = 1) -> Problem:
    """Four amounts and a label that has a price; their sum is compared with what a fifth amount allows."""
    build = ProblemBuilder("picking")
    amounts = [build.integer(f"x{at}", -1, 2) for at in range(4)]
    label = build.categorical("label", ["a", "b", "c"])
    price = build.table("price", {"a": 1, "b": 4, "c": -2})
    most = build.integer("most", 0, 3)
    left = total(large * (at + 1) * amount for at, amount in enumerate(amounts)) - price[label]
    right = 2 * most + 1
    compared = {"<=": left <= right, "<": left < right, "==": left == right, ">=": left >= right, "!=": left != right}
    build.constraint("sum", compared[operation])
    build.feature("f", total(amounts))
    build.part("all", [*amounts, label, most])
    return build.problem()


def listed(problem: Problem) -> list[list[int]]:
    layout = Layout(scope_of(problem))
    growth, begun = Growth(layout), nothing_chosen(layout)
    for stage in range(len(layout.sizes)):
        begun = growth.grown(begun, stage)
    assert not begun.sums
    found: list[list[int]] = begun.points.T.tolist()
    return found


@pytest.mark.parametrize("large", [1, 10**14])
@pytest.mark.parametrize("operation", ["<=", "<", "==", ">=", "!="])
def test_bounded_sums_list_what_is_allowed_in_lexicographic_order(operation: str, large: int) -> None:
    problem = picking(operation, large)
    expected = []
    for places in product(range(4), range(4), range(4), range(4), range(3), range(4)):
        values = {f"x{at}": place - 1 for at, place in enumerate(places[:4])}
        x: Configuration = {**values, "label": "abc"[places[4]], "most": places[5]}
        if assess(problem, x).feasible:
            expected.append(list(places))
    assert listed(problem) == expected


def choosing(count: int) -> Problem:
    build = ProblemBuilder("choosing")
    taken = [build.boolean(f"x{at}") for at in range(count)]
    build.constraint("three", total(taken) == 3)
    for at, one in enumerate(taken):
        build.feature(f"f{at}", one)
    build.part("all", taken)
    return build.problem()


def test_few_of_many_are_listed_without_trying_all() -> None:
    problem = choosing(40)
    expected = TableBackend().estimate(scope_of(problem))
    assert expected.tried < 2**20  # of 2**40 combinations
    assert expected.allowed < 2 * 40 * 39 * 38 / 6
    found = Oracle.of(problem, "table").solve(np.arange(40.0))
    assert found.utility == 37 + 38 + 39


def test_what_would_take_too_much_memory_is_refused() -> None:
    build = ProblemBuilder("squares")
    amounts = [build.integer(f"x{at}", 0, 30) for at in range(3)]
    for at in range(2_000):
        build.feature(f"f{at}", abs(amounts[0] + amounts[1] - amounts[2] - at % 50))
    build.part("all", amounts)
    found = TableBackend().accepts(scope_of(build.problem()))
    assert found is not None
    assert "numbers would be kept" in found.message
