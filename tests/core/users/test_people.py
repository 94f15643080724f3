"""People who answer for themselves: what they type, whether it is final, and whether they are satisfied; by enumeration."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from benchmarks.people import interval, mean, served, share
from tests.core.alternatives.space import Space, spaces

from pcl_core import Configuration, Elicitation, Oracle, Simulation, Value, assess, load
from pcl_core.alternatives.listing import Listing
from pcl_core.elicitation.simulate import Memory
from pcl_core.model.evaluation import Vector
from pcl_core.model.names import feature_families
from pcl_core.users.definite import DEFINITE, definite
from pcl_core.users.drawing import (
    left_alone,
    random_configuration,
    random_exact,
    random_neighbour,
    random_rules,
)
from pcl_core.users.people import Liking, Shown, Wishing
from pcl_core.users.simulated import BestResponse, Informative
from pcl_core.users.utility import sample_weights
from pcl_core.users.wishes import PairWish, Wish, always, as_wished, at_least, at_most, exactly, never

Draw = Callable[[Listing, np.random.Generator], Wishing]
DRAWS: dict[str, Draw] = {"exact": random_exact, "rules": random_rules, "neighbour": random_neighbour}


def wishes_about(space: Space, random: Random) -> list[Wish]:
    """Wishes of every sort, about variables and values of a random problem; nobody says that all can be fulfilled."""
    domains = {variable.name: variable.values() for variable in space.problem.variables}
    names = list(domains)
    some = random.sample(names, random.randint(1, len(names)))
    values: list[Value] = [random.choice(domains[name]) for name in some]
    pair = random.sample(names, 2)
    return [
        exactly({name: random.choice(domains[name]) for name in some}),
        never(some, *values),
        always(some[:1], *values),
        at_most(random.randint(0, 2), some, *values),
        at_least(random.randint(0, 2), some, *values),
        PairWish(pair[0], pair[1], random.random() < 0.5),
    ]


def test_a_wish_is_broken_by_each_alternative_as_by_the_configuration_it_makes() -> None:
    for seed, space in spaces(40):
        random, listing = Random(seed), Listing(space.problem)
        x, part = random.choice(space.allowed), random.randrange(len(space.problem.parts))
        found = listing.of(part, x)
        assert found is not None
        for wish in wishes_about(space, random):
            expected = [wish.broken(x | found.values(row)) for row in range(len(found))]
            assert wish.broken_by(found, x).tolist() == expected


def test_a_wish_is_a_constraint_that_holds_where_nothing_of_it_is_broken() -> None:
    held = 0
    for seed, space in spaces(40):
        random = Random(seed)
        for wish in wishes_about(space, random):
            domains = [space.problem.symbols.variables[name].values() for name in wish.variables]
            if isinstance(wish, PairWish) and domains[0] != domains[1]:
                continue
            for x in random.sample(space.allowed, min(10, len(space.allowed))):
                violated = assess(as_wished(space.problem, [wish]), x).violated
                assert violated == (() if wish.broken(x) == 0 else ("wish 0",))
                held += not violated
    assert held > 100


def test_she_types_the_fewest_values_that_leave_her_wishes_broken_the_least() -> None:
    kinds = set()
    for seed, space in spaces(40):
        random = Random(seed)
        person = Wishing(Listing(space.problem), random.sample(wishes_about(space, random), 3))

        def broken(x: Configuration, person: Wishing = person) -> int:
            return sum(wish.broken(x) for wish in person.wishes)

        for _ in range(5):
            x, part = random.choice(space.allowed), random.randrange(len(space.problem.parts))
            own = space.problem.parts[part].variables
            fixed = {name: x[name] for name in own if random.random() < 0.2}
            reply = person.reply(Shown(part, x, fixed))
            options = space.beside(part, x, fixed)
            least = min(map(broken, options))
            then = x | reply.values
            kinds.add(reply.kind)
            assert then in options
            assert reply.final
            assert broken(then) == least
            assert person.satisfied_with(Shown(part, then, fixed))
            assert (reply.kind == "accepted") == (broken(x) == least) == (not reply.values)
            assert all(x[name] != value for name, value in reply.values.items())
            fewest = min(sum(y[name] != x[name] for name in own) for y in options if broken(y) == least)
            assert reply.kind == "accepted" or len(reply.values) == fewest
            assert person.satisfied(x) == (broken(x) == 0)
    assert kinds == {"accepted", "improved"}


@pytest.mark.parametrize("model", [Informative(alpha=0.3), BestResponse()], ids=["informative", "best"])
def test_somebody_with_linear_utility_says_final_exactly_where_nothing_is_better(
    model: Informative | BestResponse,
) -> None:
    finals = set()
    for seed, space in spaces(25):
        random, oracle = Random(seed), Oracle.of(space.problem, "table")
        weights = np.array([random.randint(-3, 3) for _ in space.problem.features], dtype=np.float64)
        person = Liking(oracle, weights, model)

        def utility(x: Configuration, weights: Vector = weights, space: Space = space) -> float:
            return float(sum(int(w) * f for w, f in zip(weights, space.features(x), strict=True)))

        for _ in range(4):
            x, part = random.choice(space.allowed), random.randrange(len(space.problem.parts))
            reply = person.reply(Shown(part, x, query=random.randint(1, 9)))
            best = max(map(utility, space.beside(part, x, {})))
            then = x | reply.values
            assert (reply.kind == "accepted") == (utility(x) == best)
            assert reply.final == (utility(then) == best)
            assert reply.kind == "accepted" or utility(then) > utility(x)
            parts = range(len(space.problem.parts))
            optimal = all(utility(y) <= utility(x) for p in parts for y in space.beside(p, x, {}))
            assert person.satisfied(x) == optimal
            finals.add((reply.kind, reply.final))
    assert {("accepted", True), ("improved", True)} <= finals
    assert (("improved", False) in finals) == isinstance(model, Informative)


@pytest.mark.parametrize("name", DEFINITE)
def test_definite_people_want_something_that_can_be_had_part_by_part(name: str) -> None:
    problem_name, wishes = DEFINITE[name]
    problem = load(problem_name)
    person, start = definite(problem, wishes), problem.initial_configuration
    assert start is not None
    assert not person.satisfied(start)
    reached = left_alone(person, start)
    assert person.satisfied(reached)
    assert assess(problem, reached).feasible


@pytest.mark.parametrize("name", DEFINITE)
def test_a_form_serves_definite_people_and_changes_nothing_of_theirs(name: str) -> None:
    problem_name, wishes = DEFINITE[name]
    problem = load(problem_name)
    person, form = definite(problem, wishes), Elicitation(problem, recipe="form")
    steps = Simulation(form, person).run(50).steps
    assert form.certificate is not None
    assert person.satisfied(form.configuration)
    assert sum(step.values_undone for step in steps) == 0
    assert [step.part for step in steps[: len(problem.parts)]] == [part.name for part in problem.parts]
    most = {"training": (13, 20), "meals": (14, 12), "pc": (6, 5)}[problem_name]
    assert len(steps) <= most[0]
    assert sum(step.values_typed for step in steps) <= most[1]


def test_what_the_benchmark_prints_has_intervals_and_the_share_of_the_form() -> None:
    assert interval([2.0], mean) == "2.0"
    assert interval([1.0, 3.0], mean) == "2.0 [1.0, 3.0]"
    assert interval([1.0, 1.0], share, [2.0, 2.0]) == "0.50 [0.50, 0.50]"
    name, wishes = DEFINITE["wants exactly one PC"]
    oracle = Oracle.of(load(name), "table")
    found = served(oracle, definite(oracle.problem, wishes), 10)
    assert found.certified
    assert found.satisfied
    assert found.queries <= 10
    assert served(oracle, definite(oracle.problem, wishes), 3).queries == 3


def test_a_value_is_undone_each_time_it_is_hers_and_proposed_differently() -> None:
    memory = Memory()
    assert memory.compare({"a": 0, "b": 0, "c": 3}, {"a": 1, "b": 2}) == 0
    assert memory.compare({"a": 1, "b": 2, "c": 4}, {}) == 0
    assert memory.compare({"a": 0, "b": 2, "c": 4}, {}) == 1
    assert memory.compare({"a": 5, "b": 2, "c": 4}, {"a": 7}) == 0, "it was not as she typed it any more"
    assert memory.compare({"a": 1, "b": 1, "c": 4}, {}) == 2


@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("name", ["training", "meals", "pc"])
def test_random_people_can_be_served_and_are_the_same_for_a_seed(name: str, kind: str) -> None:
    problem = load(name)
    listing, start = Listing(problem), problem.initial_configuration
    assert start is not None
    for seed in range(3):
        person, again = (DRAWS[kind](listing, np.random.default_rng(seed)) for _ in range(2))
        assert list(person.wishes) == list(again.wishes)
        assert not person.satisfied(start)
        reached = left_alone(person, start)
        assert person.satisfied(reached)
        assert assess(problem, reached).feasible


def test_random_configurations_are_feasible_and_differ() -> None:
    problem = load("hotel")
    listing = Listing(problem)
    drawn = [random_configuration(listing, np.random.default_rng(seed)) for seed in range(5)]
    assert all(assess(problem, x).feasible for x in drawn)
    assert all(drawn[0] != x for x in drawn[1:])


def test_weights_are_alike_within_a_family_and_only_there() -> None:
    problem = load("training")
    families = feature_families(problem)
    assert len(set(families)) == 12
    weights = sample_weights(problem, "alike", np.random.default_rng(1))
    arms = [at for at, feature in enumerate(problem.features) if feature.name.endswith("arms]")]
    of_arms = weights[[at for at in arms if families[at] == families[0]]]
    assert of_arms.std() < 0.5 < sample_weights(problem, "normal", np.random.default_rng(1)).std()
    assert len(set(of_arms)) == 7
    assert np.array_equal(weights, np.round(weights, 6))
    grid = load("grid")
    spread = [sample_weights(grid, "alike", np.random.default_rng(seed))[:16] for seed in range(20)]
    assert np.std(spread, axis=0).min() > 0.5, "the index of a spin does not name its block"
