"""The kit's hand-made lists of optima are right and complete, by enumeration with the reference evaluator."""

from fractions import Fraction

import pytest

from pcl_core import assess
from pcl_core.ir.language import TABLE
from pcl_core.ir.nodes import NODE_TYPES, AllDifferent
from pcl_core.testing import all_configurations
from pcl_core.testing.cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=[case.kind for case in CASES])
def test_listed_optima(case: Case) -> None:
    allowed = [x for x in all_configurations(case.problem) if assess(case.problem, x).feasible]
    values = [Fraction(assess(case.problem, x).features[0]) for x in allowed]
    best = max(values) if case.sense == "max" else min(values)
    assert best == case.best
    optimal = [x for x, value in zip(allowed, values, strict=True) if value == best]
    named = {name for optimum in case.optima for name in optimum}
    found = {tuple(sorted((name, x[name]) for name in named)) for x in optimal}
    assert found == {tuple(sorted((name, x[name]) for name in named)) for x in optimal if listed(case, x)}
    assert all(any(all(x[k] == v for k, v in optimum.items()) for x in optimal) for optimum in case.optima)


def listed(case: Case, x: dict[str, bool | int | str]) -> bool:
    return any(all(x[k] == v for k, v in optimum.items()) for optimum in case.optima)


def test_every_kind_of_node_that_is_compiled_as_it_is_has_a_case() -> None:
    """Others decompose into these before a backend sees them."""
    kinds = {case.kind.partition("-")[0] for case in CASES}
    whole = {node for node in NODE_TYPES if TABLE[node].decompose is None} | {AllDifferent}
    assert {node.model_fields["op"].default for node in whole} <= kinds
