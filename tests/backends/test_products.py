"""Products of constants, truth values and one number, with any of them in the context."""

from itertools import product
from random import Random

import numpy as np
import pytest

from pcl_core import Oracle, Problem
from pcl_core.ir.domains import BoolVariable, IntVariable
from pcl_core.ir.nodes import Const, Node, Product, Sum, Var
from pcl_core.model.elements import Feature, Part
from pcl_core.model.evaluation import assess

FACTORS: tuple[Node, ...] = (
    Const(value=3),
    Const(value=-2),
    Var(name="b"),
    Var(name="c"),
    Sum(coefs=(1,), args=(Const(value=5),)),
    Sum(coefs=(1,), args=(Var(name="b"),)),
)


def with_product(random: Random) -> Problem:
    """A ground problem, which spells out what a file would have put together."""
    factors = [Var(name="n"), *random.sample(FACTORS, random.randint(1, 4))]
    random.shuffle(factors)
    spare = Feature(name="spare", value=Sum(coefs=(1, 1, 1), args=(Var(name="n"), Var(name="b"), Var(name="c"))))
    return Problem.create(
        name="products",
        shared_only="allow",
        variables=(IntVariable(name="n", lower=-2, upper=3), BoolVariable(name="b"), BoolVariable(name="c")),
        features=(Feature(name="f", value=Product(args=tuple(factors))), spare),
        parts=(Part(name="N", variables=("n",)), Part(name="B", variables=("b", "c"))),
    )


@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp"])
@pytest.mark.parametrize("seed", range(8))
def test_a_product_means_the_same_whatever_of_it_is_context(backend: str, seed: int) -> None:
    problem = with_product(Random(seed))
    oracle = Oracle.of(problem, backend)
    for b, c, sign in product((False, True), (False, True), (1.0, -1.0)):
        found = oracle.solve(np.array([sign, 0.0]), variables=["n"], given={"b": b, "c": c})
        values = [assess(problem, {"n": n, "b": b, "c": c}).features[0] for n in range(-2, 4)]
        assert found.utility == max(sign * float(value) for value in values)
