"""Whole numbers with more values than anybody can write out, in the default recipe: they are bounded, never listed."""

import json

import pytest

from pcl_core import Elicitation, Problem, ProblemBuilder, verify
from pcl_core.alternatives.listing import Listing

WIDE = 2 * 10**9


@pytest.fixture(scope="module")
def problem() -> Problem:
    made = ProblemBuilder("wide")
    x, y, z = made.integer("x", 0, WIDE), made.integer("y", -WIDE, WIDE), made.integer("z", 0, 1)
    made.constraint("sum", x + z <= WIDE)
    for name, value in {"x": x, "y": y, "z": z, "xz": x + z}.items():
        made.feature(name, value)
    for name, own in {"X": x, "Y": y, "Z": z}.items():
        made.part(name, [own])
    return made.problem()


def test_a_part_with_a_wide_number_is_not_listed(problem: Problem) -> None:
    standing = {"x": 0, "y": 0, "z": 0}
    assert Listing(problem).of(0, standing) is None
    assert Listing(problem).of(2, standing) is not None


def test_wide_numbers_are_asked_about_typed_ruled_pinned_and_certified(problem: Problem) -> None:
    live = Elicitation(problem)
    query = live.ask(part="X")
    assert query is not None
    assert json.loads(json.dumps(query.possible.data())) == {"x": {"least": 0, "greatest": WIDE}}
    assert live.preview({"x": 5}).broken == ()
    live.tell(query.improve({"x": 17}, final=True))
    assert live.standing["X"] == "closed"
    live.never("y", [3])
    query = live.ask(part="Y")
    assert query is not None
    live.pin("y", 8)
    while (query := live.ask()) is not None:
        live.tell(query.accept())
    assert (live.configuration["x"], live.configuration["y"]) == (17, 8)
    assert live.certificate is not None
    assert verify(live.certificate, live.oracle, [0.0] * 4).holds  # type: ignore[arg-type]


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("most", [10**12, 2**50])
def test_her_word_about_numbers_up_to_ten_to_the_fifteen_is_taken(most: int, final: bool) -> None:
    """What is drawn of her weights has so few digits that a solver can compare what she accepts with what else there is."""
    made = ProblemBuilder("very wide")
    numbers, kinds = made.integer("number", -most, most, [0, 1]), made.categorical("kind", ["x", "y", "z"], [0, 1])
    for at in (0, 1):
        made.feature(f"x {at}", kinds[at] == "x")
        made.feature(f"number {at}", numbers[at])
        made.part(f"number {at}", numbers[at])
        made.part(f"kind {at}", kinds[at])
    wanted = {"number[0]": most - 7, "number[1]": 12, "kind[0]": "y", "kind[1]": "z"}
    live = Elicitation(made.problem())
    while (query := live.ask()) is not None and live.queries < 20:
        better = {name: wanted[name] for name, value in query.proposal.items() if value != wanted[name]}
        live.tell(query.improve(better, final=final) if better else query.accept())
    assert live.certificate is not None
    assert live.configuration == wanted
