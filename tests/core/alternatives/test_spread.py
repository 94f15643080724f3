"""How much features vary over what may stand in their parts."""

import math
from itertools import product

import numpy as np
import pytest

from pcl_core import Configuration, Elicitation, Problem, ProblemBuilder, assess, load
from pcl_core.alternatives.listing import Listing
from pcl_core.elicitation.prior import feature_spread
from pcl_core.model.names import feature_families
from pcl_core.testing import random_problem


def brute_force(problem: Problem, start: Configuration) -> list[float]:
    """The spread by definition, without families."""
    variances = [0.0] * len(problem.features)
    for part, own in zip(problem.parts, problem.structure.feature_subsets, strict=True):
        domains = [problem.symbols.variables[name].values() for name in part.variables]
        options = [{**start, **dict(zip(part.variables, values, strict=True))} for values in product(*domains)]
        rows = [found.features for found in (assess(problem, option) for option in options) if found.feasible]
        for index in own:
            variances[index] += float(np.var([float(row[index]) for row in rows]))
    found = []
    for index, facts in enumerate(problem.feature_facts):
        variance = variances[index] / max(1, len(problem.structure.parts_of_feature[index]))
        width = float(facts.bounds[1] - facts.bounds[0])
        found.append(math.sqrt(variance) if variance > 0 else width or 1.0)
    return found


@pytest.mark.parametrize("seed", [0, 1, 3, 5, 6, 7, 8, 10, 11])  # in the others nothing is allowed
def test_the_spread_is_what_enumeration_says(seed: int) -> None:
    problem = random_problem(seed)
    start = Elicitation(problem, start="solver").configuration
    alone = range(len(problem.features))
    assert feature_spread(Listing(problem), start, tuple(alone)) == pytest.approx(brute_force(problem, start), rel=1e-9)


def test_the_spread_of_a_family_is_its_root_mean_square() -> None:
    training = load("training")
    start = training.initial_configuration
    assert start is not None
    labels = feature_families(training)
    alone = feature_spread(Listing(training), start, tuple(range(len(labels))))
    together = feature_spread(Listing(training), start, labels)
    days = [at for at, label in enumerate(labels) if label == labels[0]]
    assert len(set(together[days])) == 1
    vary = [float(alone[at]) for at in days]
    assert min(vary) <= together[days[0]] <= max(vary)


def test_a_part_too_large_to_list_leaves_the_width_of_the_bounds() -> None:
    build = ProblemBuilder("wide")
    numbers = [build.integer(f"n[{at}]", 0, 9) for at in range(6)]
    small = build.integer("small", 0, 4)
    build.feature("first", numbers[0])
    build.feature("small", small)
    build.feature("both", numbers[1] + small)
    build.part("all", numbers)
    build.part("one", [small])
    build.initial([*numbers, small], 0)
    problem = build.problem()
    start = problem.initial_configuration
    assert start is not None
    assert Listing(problem).of(0, start) is None
    spread = feature_spread(Listing(problem), start, (0, 1, 2))
    assert spread == pytest.approx([9.0, math.sqrt(2), math.sqrt(2)])


def test_of_very_many_parts_some_say_how_much_features_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = load("grid", {"side": 24, "part": 2})
    start = Elicitation(grid, start="solver").configuration
    families = feature_families(grid)
    listing = Listing(grid)
    some = feature_spread(listing, start, families)
    assert listing.prepared < len(grid.parts)
    monkeypatch.setattr("pcl_core.elicitation.prior._some", lambda subsets, families: range(len(subsets)))
    every = feature_spread(Listing(grid), start, families)
    assert np.all((some > 0.5 * every) & (some < 2 * every))
    assert np.isclose(some, every).mean() > 0.5
