"""Look-ups with one, two and three keys, dense and sparse, of labels and numbers: all solvers find what listing all finds."""

from itertools import product
from random import Random

import pytest

from pcl_core import Oracle, Problem, ProblemBuilder
from pcl_core.authoring.symbolic import Expression
from pcl_core.compile import ExactlyOne, scope_of
from pcl_core.solve import Status
from pcl_core.testing import random_configuration
from pcl_core.testing.enumeration import best_by_enumeration, objective_of, whole_weights

LABELS = ("red", "green", "blue", "grey")
BACKENDS = ("cpsat", "pulp", "table")


def entry(random: Random, kind: str) -> int | float:
    match kind:
        case "sparse":
            return random.choice((0, 0, 0, 0, 0, 7))
        case "large":
            return random.choice((-1, 1)) * random.randint(10**8, 10**9)
        case "decimal":
            return random.randint(-99, 99) / 10
        case _:
            return random.randint(-9, 9)


def nested(random: Random, kind: str, axes: list[list[int | str]]) -> dict[int | str, object]:
    """Numbers for every combination of keys."""
    first, *others = axes
    return {key: nested(random, kind, others) if others else entry(random, kind) for key in first}


def lookups(random: Random, keys: int, kind: str) -> Problem:
    """Some variables, tables with more keys than these can be, look-ups that share keys, and a limit on one of them."""
    build = ProblemBuilder("lookups", allow_shared_only=True)
    who: list[Expression] = []
    domains: list[list[int | str]] = []
    for at in range(3):
        if random.random() < 0.6:
            chosen = random.sample(LABELS, random.randint(2, 4))
            who.append(build.categorical(f"x{at}", chosen))
            domains.append([*LABELS])
        else:
            low = random.randint(-2, 1)
            who.append(build.integer(f"x{at}", low, low + random.randint(1, 3)))
            domains.append([*range(low - 1, low + 5)])
    found = []
    for at in range(3):
        picked = [random.randrange(3) for _ in range(keys)]
        table = build.table(f"t{at}", nested(random, kind, [domains[each] for each in picked]))
        found.append(table[tuple(who[each] for each in picked)] if keys > 1 else table[who[picked[0]]])
        build.feature(f"f{at}", found[-1])
    build.constraint("limit", found[0] + found[1] <= random.randint(0, 9))
    cut = random.randint(1, 3)
    build.part("first", who[:cut])
    if cut < 3:
        build.part("rest", who[cut:])
    return build.problem()


@pytest.mark.parametrize(("keys", "kind"), list(product((1, 2, 3), ("dense", "sparse", "large", "decimal"))))
def test_all_find_what_listing_everything_finds(keys: int, kind: str) -> None:
    random = Random(f"{keys} {kind}")
    solved = 0
    for _ in range(6):
        problem = lookups(random, keys, kind)
        weights, given = whole_weights(problem, random), random_configuration(problem, random)
        for own in (set(problem.parts[0].variables), set(problem.symbols.variables)):
            best = best_by_enumeration(problem, weights, "max", given, own, None)
            expected = (Status.INFEASIBLE if best is None else Status.OPTIMAL, best)
            for name in BACKENDS:
                found = Oracle.of(problem, name).solve(weights, variables=own, given=given)
                assert (found.status, objective_of(found)) == expected, name
            solved += best is not None
    assert solved > 1


def two_places(entries: int) -> Problem:
    """Two choices of four, and a table of which so many entries are not zero."""
    build, keys = ProblemBuilder("places", allow_shared_only=True), list(product(LABELS, LABELS))
    wanted = dict.fromkeys(keys[:entries], 1)
    first, second = (build.categorical(name, LABELS) for name in "ab")
    table = build.table("t", {a: {b: wanted.get((a, b), 0) * (2 + at) for at, b in enumerate(LABELS)} for a in LABELS})
    build.feature("f", table[first, second])
    build.part("both", [first, second])
    return build.problem()


@pytest.mark.parametrize(("entries", "choices"), [(15, 2 + 4 + 4), (3, 2)])
def test_a_dense_table_ties_the_choice_of_a_pair_to_both_choices_and_a_sparse_one_its_entries_alone(
    entries: int, choices: int
) -> None:
    flat = scope_of(two_places(entries)).flat
    assert sum(isinstance(constraint, ExactlyOne) for constraint in flat.constraints) == choices
