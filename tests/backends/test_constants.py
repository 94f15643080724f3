"""Problems whose expressions are mostly constants, spelled out: no backend may lose one or take it for another."""

from random import Random

import numpy as np
import pytest
from tests.core.constants import DEFINITIONS, TABLES, VARIABLES, Trees

from pcl_core import Constraint, Definition, Feature, Part, Problem, ProblemError
from pcl_core.ir.nodes import Lookup, Sum, Var
from pcl_core.solve.oracle import Oracle
from pcl_core.testing.enumeration import best_by_enumeration, objective_of

SEEDS = 80
ANCHOR = Sum(
    coefs=(1,) * 6,
    args=(
        *(Var(name=name) for name in "abnm"),
        *(Lookup(table="shade", keys=(Var(name=name),)) for name in "cd"),
    ),
)


def constant_problem(seed: int) -> Problem | None:
    """A problem of unsimplified expressions, or None where what was drawn is no problem (a product, a label)."""
    trees = Trees(Random(seed), free=0.25)
    values = [ANCHOR, *(Sum(coefs=(1, 0), args=(trees.number(3), ANCHOR)) for _ in range(2))]
    try:
        return Problem.create(
            name="constants",
            variables=VARIABLES,
            tables=TABLES,
            definitions=tuple(Definition(name=name, value=value) for name, value in DEFINITIONS.items()),
            constraints=tuple(Constraint(name=f"c{at}", require=trees.truth(3)) for at in range(2)),
            features=tuple(Feature(name=f"f{at}", value=value) for at, value in enumerate(values)),
            parts=(Part(name="all", variables=tuple(variable.name for variable in VARIABLES)),),
        )
    except ProblemError:
        return None


PROBLEMS = {seed: problem for seed in range(SEEDS) if (problem := constant_problem(seed)) is not None}


def test_enough_is_drawn() -> None:
    assert len(PROBLEMS) >= 25


@pytest.mark.parametrize("backend", ["table", "cpsat"])
def test_constants_mean_the_same_to_solvers(backend: str) -> None:
    for seed, problem in PROBLEMS.items():
        weights = np.array([float(Random(seed).randint(-9, 9)) for _ in problem.features])
        expected = best_by_enumeration(problem, weights, "max", {}, set(problem.symbols.variables))
        assert objective_of(Oracle.of(problem, backend).solve(weights)) == expected, seed
