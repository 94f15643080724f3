"""People who want something definite, through the public interface with its defaults."""

from typing import NamedTuple

import numpy as np
import pytest

from pcl_core import Elicitation, Simulation, load
from pcl_core.alternatives import Listing
from pcl_core.users import DEFINITE, SimulatedPerson, definite
from pcl_core.users.drawing import WISHES


class Served(NamedTuple):
    queries: int
    typed: int
    undone: int
    certified: bool
    satisfied: bool


def served(elicitation: Elicitation, person: SimulatedPerson) -> Served:
    trace = Simulation(elicitation, person).run(100)
    typed, undone = (sum(getattr(step, name) for step in trace.steps) for name in ("values_typed", "values_undone"))
    certified = trace.certificate is not None
    return Served(len(trace.steps), typed, undone, certified, person.satisfied(elicitation.configuration))


@pytest.mark.parametrize(
    ("who", "queries", "values"), tuple(zip(DEFINITE, (12, 12, 16, 6), (17, 10, 11, 6), strict=True)), ids=str
)
def test_definite_people_are_served_with_few_values_and_nothing_undone(who: str, queries: int, values: int) -> None:
    name, wishes = DEFINITE[who]
    problem = load(name)
    found = served(Elicitation(problem), definite(problem, wishes))
    assert found.certified
    assert found.satisfied
    assert found.undone == 0
    assert found.queries <= queries
    assert found.typed <= values


@pytest.mark.parametrize("kind", WISHES)
def test_random_definite_people_are_certified_with_what_they_want_and_no_worse_than_by_a_form(kind: str) -> None:
    problem = load("pc")
    listing = Listing.shared(problem)
    people = [WISHES[kind](listing, np.random.default_rng((seed, 12))) for seed in range(6)]
    found = [served(Elicitation(problem), each) for each in people]
    form = [served(Elicitation(problem, recipe="form"), each) for each in people]
    assert all(one.certified and one.satisfied and one.undone == 0 for one in found)
    as_much = 1.1 if kind == "exact" else 1.0  # a configuration that is drawn uniformly cannot be guessed
    assert sum(one.typed for one in found) <= as_much * sum(one.typed for one in form)
    assert sum(one.queries for one in found) <= sum(one.queries for one in form) + 2 * len(people)


@pytest.mark.parametrize("who", [who for who, (name, _) in DEFINITE.items() if name != "hotel"])
def test_definite_people_see_each_part_once_and_then_everything(who: str) -> None:
    name, wishes = DEFINITE[who]
    problem = load(name)
    steps = Simulation(Elicitation(problem), definite(problem, wishes)).run(100).steps
    once = [step.parts for step in steps[: len(problem.parts)]]
    assert sorted(once) == sorted((part.name,) for part in problem.parts)
    assert len(steps) == len(problem.parts) + 1
