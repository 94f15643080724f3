"""What changes goes from variables to expressions, and gives what computing all of it anew gives."""

import random

import pytest

from pcl_core import Problem, load
from pcl_core.ir.domains import Value
from pcl_core.ir.propagate import Propagation
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.testing import random_problem


def drawn(problem: Problem, rng: random.Random) -> dict[str, Value]:
    return {variable.name: rng.choice(list(variable.values())) for variable in problem.variables}


def check(problem: Problem, rng: random.Random, steps: int) -> None:
    registers = problem.registers.copied()
    nodes = [*(it.value for it in problem.features), *(it.require for it in problem.constraints)]
    roots = [registers.add(node) for node in nodes]
    many, whole = Propagation(registers, roots), VectorEvaluator(registers, roots)
    x = drawn(problem, rng)
    values = many.values(x)
    for _ in range(steps):
        before, kept = values.copy(), values
        names = rng.sample(sorted(x), min(len(x), rng.randint(1, 4)))
        x = x | {name: drawn(problem, rng)[name] for name in names}
        values = many.changed(values, x, names)
        assert values[many.roots].tolist() == whole.one(x).tolist()
        assert kept.tolist() == before.tolist(), "what was there before stays as it was"


@pytest.mark.parametrize("seed", range(40))
def test_random_problems(seed: int) -> None:
    check(random_problem(seed), random.Random(seed), 10)


@pytest.mark.parametrize("source", ["hotel", "training", "meals", "trip", "flat", "pc"])
def test_problems_of_the_catalogue(source: str) -> None:
    check(load(source), random.Random(1), 25)
