"""People that are written down want what can be had, and get it: each part once, and then everything."""

import pytest
from benchmarks.written.making import Wishes
from benchmarks.written.people import BY_RULES, EXACT

from pcl_core import Elicitation, assess, load
from pcl_core.ir.domains import Value
from pcl_core.users import definite
from pcl_core.users.drawing import left_alone
from pcl_core.users.wishes import CountWish

MOST_SLOWED = 4
"""Questions beyond one for each part: one at the end, and parts that others did not leave room for at first."""


def of(written: dict[str, dict[str, Wishes]]) -> list[tuple[str, str]]:
    return [(problem, name) for problem, people in written.items() for name in people]


@pytest.mark.parametrize(("problem_name", "who"), of({name: dict(people) for name, people in EXACT.items()}))
def test_who_wants_exactly_one_thing_gets_it_through_the_public_interface(problem_name: str, who: str) -> None:
    problem = load(problem_name)
    (wish,) = EXACT[problem_name][who](problem)
    assert isinstance(wish, CountWish)
    start = problem.initial_configuration
    assert start is not None
    wanted: dict[str, Value] = {**start, **{name: next(iter(values)) for name, values in wish.wanted.items()}}
    assert assess(problem, wanted).feasible
    elicitation, typed = Elicitation(problem), dict[str, Value]()
    while (query := elicitation.ask()) is not None:
        assert all(query.proposal.get(name, value) == value for name, value in typed.items()), "what she typed stays"
        better = {name: wanted[name] for name, value in query.proposal.items() if value != wanted[name]}
        elicitation.tell(query.improve(better, final=True) if better else query.accept())
        typed |= better
        assert elicitation.queries <= len(problem.parts) + MOST_SLOWED
    assert elicitation.certificate is not None
    assert elicitation.configuration == wanted


@pytest.mark.parametrize(("problem_name", "who"), of({name: dict(people) for name, people in BY_RULES.items()}))
def test_who_has_rules_can_be_served(problem_name: str, who: str) -> None:
    problem = load(problem_name)
    person, start = definite(problem, BY_RULES[problem_name][who]), problem.initial_configuration
    assert start is not None
    assert not person.satisfied(start)
    assert person.satisfied(left_alone(person, start))
