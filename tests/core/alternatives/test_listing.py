"""What may stand in a part, against enumeration by the reference evaluator."""

from random import Random

import pytest
from tests.core.alternatives.space import Space, spaces

from pcl_core import Configuration, Elicitation, FeatureMap, ProblemBuilder, any_of, load, total
from pcl_core.alternatives.listing import Alternatives, Listing


def listed(found: Alternatives | None) -> Alternatives:
    assert found is not None
    return found


def test_exactly_what_is_allowed_is_listed_with_its_exact_features() -> None:
    for seed, space in spaces(60):
        random, listing, features = Random(seed), Listing(space.problem), FeatureMap(space.problem)
        for _ in range(8):
            compare_with_enumeration(space, listing, features, random)


def compare_with_enumeration(space: Space, listing: Listing, features: FeatureMap, random: Random) -> None:
    problem, x = space.problem, random.choice(space.allowed)
    part = random.randrange(len(problem.parts))
    own, subset = problem.parts[part].variables, list(problem.structure.feature_subsets[part])
    fixed = {name: x[name] for name in own if random.random() < 0.2}
    found = listed(listing.of(part, x, fixed))
    expected = space.beside(part, x, fixed)
    rows = [x | found.values(row) for row in range(len(found))]
    assert sorted(rows, key=as_text) == sorted(expected, key=as_text)
    assert found.standing is not None
    assert rows[found.standing] == x
    for row, y in enumerate(rows):
        assert found.units[row].tolist() == features.units(y)[subset].tolist()
        assert found.changes(x)[row] == sum(y[name] != x[name] for name in own)
    here = features.units(x)[subset]
    differences = {tuple((features.units(y)[subset] - here).tolist()) for y in expected}
    assert sorted(map(tuple, found.differences.tolist())) == sorted(d for d in differences if any(d))


def as_text(x: Configuration) -> list[str]:
    return [str(value) for value in x.values()]


def test_what_stands_against_a_pin_is_in_no_row() -> None:
    problem = load("training")
    x = problem.initial_configuration
    assert x is not None
    found = listed(Listing(problem).of(1, x, {"plan[tue,2]": "rest"}))
    assert found.standing is None
    with pytest.raises(ValueError, match="not allowed"):
        _ = found.differences
    assert {found.values(row)["plan[tue,2]"] for row in range(len(found))} == {"rest"}


def test_days_have_as_many_plans_as_the_paper_says() -> None:
    problem, listing = load("training"), Listing(load("training"))
    x = problem.initial_configuration
    assert x is not None
    assert [len(listed(listing.of(day, x))) for day in range(7)] == [8, 3714, 64, 28476, 64, 3714, 64]


def test_a_part_with_too_many_alternatives_is_not_listed() -> None:
    problem = load("training")
    x = problem.initial_configuration
    assert x is not None
    assert Listing(problem, most=3713).of(1, x) is None
    assert Listing(problem, most=3714).of(1, x) is not None
    grid = load("grid:side=10,part=10")
    assert Listing(grid).of(0, grid.initial_configuration or {}) is None


@pytest.mark.parametrize(("steps", "switches"), [(3, 61), (4, 62), (2, 66)])
def test_few_alternatives_of_a_part_with_very_many_combinations_are_told_apart(steps: int, switches: int) -> None:
    """Each switch needs the one before it, so few combinations are left of more than a machine's whole numbers count."""
    build = ProblemBuilder("chain")
    level, lamp = build.integer("level", 0, steps - 1), build.boolean("lamp")
    chain = [build.boolean(f"switch {at}") for at in range(switches)]
    for at in range(1, switches):
        build.constraint(f"{at} after {at - 1}", any_of([~chain[at], chain[at - 1]]))
    build.feature("how many", total(chain))
    build.feature("level", level)
    build.feature("lamp", lamp)
    build.part("chain", [level, *chain])
    build.part("lamp", lamp)
    build.initial([level], 0)
    build.initial([*chain, lamp], False)
    problem = build.problem()
    x = problem.initial_configuration
    assert x is not None
    listing = Listing(problem)
    assert len(listed(listing.of(0, x))) == steps * (switches + 1)
    for row in (0, 1, switches, steps * (switches + 1) - 1):
        there = {**x, **listed(listing.of(0, x)).values(row)}
        assert listed(listing.of(0, there)).standing == row
    assert listed(listing.of(0, {**x, "switch 1": True})).standing is None

    wanted = {**x, "level": steps - 1, "switch 0": True, "lamp": True}
    elicitation = Elicitation(problem)
    while (query := elicitation.ask()) is not None:
        better = {name: wanted[name] for name, value in query.proposal.items() if value != wanted[name]}
        elicitation.tell(query.improve(better, final=True) if better else query.accept())
    assert elicitation.certificate is not None
    assert elicitation.configuration == wanted


def test_of_hundreds_of_small_parts_none_is_prepared_twice() -> None:
    build = ProblemBuilder("many")
    levels = [build.integer(f"level {at}", 0, 2) for at in range(300)]
    build.constraint("in all", total(levels) <= 100)
    for at, level in enumerate(levels):
        build.feature(f"level {at}", level)
        build.part(f"part {at}", level)
    build.initial(levels, 0)
    problem = build.problem()
    listing, x = Listing(problem), problem.initial_configuration
    assert x is not None
    for _ in range(2):
        for part in range(len(problem.parts)):
            listed(listing.of(part, x))
    assert listing.prepared == len(problem.parts)
