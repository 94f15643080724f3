"""Parts that are what they were: compared with all their functions, by enumeration."""

from random import Random

from tests.core.alternatives.space import Space, spaces

from pcl_core import Configuration, load, parse_authored
from pcl_core.alternatives.residual import Residuals

SHOP = parse_authored("""
pcl: 1
name: shop
sets: {room: [a, b, c]}
variables: {beds: {index: [room], domain: 0..3}, tables: {index: [room], domain: 0..1}}
definitions: {cost: {value: "sum(10 * beds[r] + tables[r] for r in room)"}}
constraints: [{name: budget, require: cost <= 60}]
features:
  - {name: cheap, value: 1 if cost <= 15 else -1}
  - {name: cost, value: cost}
  - {name: "beds[{r}]", foreach: {r: room}, value: "beds[r]"}
parts: [{name: "{r}", foreach: {r: room}, variables: ["beds[r]", "tables[r]"]}]
""")


def shop(**values: int) -> Configuration:
    nothing: Configuration = {variable.name: 0 for variable in SHOP.variables}
    return nothing | {f"beds[{room}]": n for room, n in values.items()}


def test_where_the_residual_problem_is_the_same_nothing_that_matters_differs() -> None:
    assert sum(compare_with_enumeration(seed, space) for seed, space in spaces(60)) > 100


def compare_with_enumeration(seed: int, space: Space) -> int:
    """How often another context left a part as it was."""
    random, problem, residuals = Random(seed), space.problem, Residuals(space.problem)
    same = 0
    for _ in range(60):
        before, part = random.choice(space.allowed), random.randrange(len(problem.parts))
        own, subset = problem.parts[part].variables, problem.structure.feature_subsets[part]
        elsewhere = random.choice(space.allowed) | {name: before[name] for name in own}
        now = elsewhere if elsewhere in space.allowed else before
        first, later = ({name: before[name] for name in own if random.random() < 0.3} for _ in range(2))
        if not residuals.of(part, before, first).still_holds(residuals.of(part, now, later)):
            continue
        same += before != now
        then = {tuple(y[name] for name in own): space.features(y) for y in space.beside(part, before, first)}
        here = tuple(before[name] for name in own)
        for y in space.beside(part, now, later):
            values = tuple(y[name] for name in own)
            assert values in then, "something is allowed that was not"
            for i in subset:
                assert space.features(y)[i] - space.features(now)[i] == then[values][i] - then[here][i]
    return same


def test_a_threshold_that_the_other_rooms_have_decided_is_the_same_function() -> None:
    residuals = Residuals(SHOP)
    before = residuals.of(0, shop(b=2))
    assert before.still_holds(residuals.of(0, shop(b=1, c=1)))
    assert before.still_holds(residuals.of(0, shop(b=2, c=0)))
    assert not residuals.of(0, shop(b=1)).still_holds(before), "cheap was to be had, and is not any more"
    assert not before.still_holds(residuals.of(0, shop(b=1)))


def test_a_budget_that_is_nearer_allows_nothing_new_and_one_that_is_farther_does() -> None:
    residuals = Residuals(SHOP)
    plenty, tight = residuals.of(0, shop(b=2)), residuals.of(0, shop(b=2, c=2))
    assert plenty.still_holds(tight)
    assert not tight.still_holds(plenty)


def test_a_pin_that_was_taken_away_opens_the_part() -> None:
    residuals = Residuals(SHOP)
    pinned = residuals.of(0, shop(b=2), {"tables[a]": 0})
    assert pinned.still_holds(residuals.of(0, shop(b=2), {"tables[a]": 0, "beds[a]": 0}))
    assert not pinned.still_holds(residuals.of(0, shop(b=2)))
    assert not pinned.still_holds(residuals.of(0, shop(b=2), {"tables[a]": 1}))
    assert residuals.of(0, shop(b=2)).still_holds(pinned)


def test_rooms_that_do_not_matter_to_a_room_of_the_hotel_leave_it_as_it_is() -> None:
    hotel = load("hotel")
    x = hotel.initial_configuration
    assert x is not None
    residuals = Residuals(hotel)
    richer = x | {"single_beds[r15]": 2}
    same = [part for part in range(len(hotel.parts)) if residuals.of(part, x).still_holds(residuals.of(part, richer))]
    assert same, "fifteen rooms with one bed each are far from most thresholds"


LIMITS = parse_authored("""
pcl: 1
name: limits
variables: {x: {domain: 0..9}, y: {domain: 0..9}}
features:
  - {name: at most, value: "min(x, y)"}
  - {name: at least, value: "max(x, y)"}
  - {name: x, value: x}
  - {name: y, value: y}
parts: [{name: X, variables: [x]}, {name: Y, variables: [y]}]
""")


def test_a_limit_is_left_out_only_where_it_can_never_be_reached() -> None:
    residuals = Residuals(LIMITS)
    seen = [residuals.of(0, {"x": 0, "y": y}) for y in range(10)]
    for here, before in enumerate(seen):
        same = [there for there, now in enumerate(seen) if before.still_holds(now)]
        assert same == [here], "min(x, y) and max(x, y) are other functions of x for every y"


def test_functions_with_a_limit_are_compared_by_enumeration() -> None:
    """min(x, y + 4) is x for all y >= 5: the limit is out of reach, and stays so."""
    problem = parse_authored("""
pcl: 1
name: reach
variables: {x: {domain: 0..9}, y: {domain: 0..9}}
features:
  - {name: low, value: "min(x, y + 4)"}
  - {name: high, value: "max(x, y - 4)"}
  - {name: y, value: y}
parts: [{name: X, variables: [x]}, {name: Y, variables: [y]}]
shared_only: allow
""")
    residuals = Residuals(problem)

    def function(y: int) -> list[tuple[int, int]]:
        found = [(min(x, y + 4), max(x, y - 4)) for x in range(10)]
        return [(low - found[0][0], high - found[0][1]) for low, high in found]

    for before in range(10):
        for now in range(10):
            holds = residuals.of(0, {"x": 0, "y": before}).still_holds(residuals.of(0, {"x": 0, "y": now}))
            assert holds == (function(before) == function(now))
