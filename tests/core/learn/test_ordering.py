"""Orders of the parts, by name, as a list, and from other packages."""

import numpy as np
import pytest
from tests.core.elicitation.reference import TINY, spaces
from tests.core.learn.conftest import Offer

from pcl_core import Code, PclError, Problem, gai_network, load, parse_authored
from pcl_core.learn.selection import order_parts

TRAINING = load("training")
GRID = load("grid")
STAR = parse_authored("""
pcl: 1
name: star
sets: {leaf: [a, b, c]}
variables: {hub: {domain: bool}, x: {index: [leaf], domain: bool}}
features:
  - {name: hub, value: hub}
  - {name: "own[{l}]", foreach: {l: leaf}, value: "x[l]"}
  - {name: "tie[{l}]", foreach: {l: leaf}, value: "x[l] == hub"}
parts:
  - {name: middle, variables: [hub]}
  - {name: "leaf[{l}]", foreach: {l: leaf}, variables: ["x[l]"]}
""")


def ordered(problem: Problem, text: str, seed: int = 0) -> list[str]:
    return [problem.parts[part].name for part in order_parts(problem, text, np.random.default_rng(seed))]


def refused(problem: Problem, text: str) -> PclError:
    with pytest.raises(PclError) as caught:
        order_parts(problem, text, np.random.default_rng(0))
    return caught.value


def test_the_order_by_degree_puts_well_connected_parts_last() -> None:
    assert ordered(STAR, "degree") == ["leaf[a]", "leaf[b]", "leaf[c]", "middle"]


def test_the_order_by_degree_ascends_in_the_gai_network_and_keeps_ties_as_declared() -> None:
    for space in spaces(30):
        degrees = dict(gai_network(space.problem).degree)
        names = [part.name for part in space.problem.parts]
        assert ordered(space.problem, "degree") == sorted(names, key=lambda name: (degrees[name], names.index(name)))


def test_declared_and_reversed() -> None:
    names = [part.name for part in TRAINING.parts]
    assert ordered(TRAINING, "declared") == names
    assert ordered(TRAINING, "reversed") == names[::-1]


def test_the_random_order_is_a_permutation_that_depends_on_the_seed_alone() -> None:
    names = [part.name for part in TRAINING.parts]
    drawn = [ordered(TRAINING, "random", seed) for seed in range(20)]
    assert all(sorted(order) == sorted(names) for order in drawn)
    assert len({tuple(order) for order in drawn}) > 10
    assert ordered(TRAINING, "random", 3) == drawn[3]


def test_an_explicit_list() -> None:
    assert ordered(TINY, "B,A") == ["B", "A"]
    assert ordered(TINY, " B , A ") == ["B", "A"]


def test_commas_in_brackets_do_not_separate_names() -> None:
    assert ordered(GRID, "block[1,1], block[0,1],block[1,0] ,block[0,0]") == [
        "block[1,1]",
        "block[0,1]",
        "block[1,0]",
        "block[0,0]",
    ]


def test_the_only_part_can_be_listed() -> None:
    whole = TINY.coarsen({"all": ["A", "B"]})
    assert ordered(whole, "all") == ["all"]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("A,A", Code.BAD_VALUE, "'B' is missing"),
        ("A,B,A", Code.BAD_VALUE, "a part stands in it twice"),
        ("A,C", Code.UNKNOWN_NAME, "'C'"),
        ("A,", Code.UNKNOWN_NAME, "''"),
        ("", Code.UNKNOWN_OPTION, "there is no order ''"),
        ("degre", Code.UNKNOWN_OPTION, "did you mean 'degree' or 'declared'?"),
        ("A", Code.UNKNOWN_OPTION, "lists all parts"),
        ("A;B", Code.UNKNOWN_OPTION, "there is no order 'A;B'"),
    ],
)
def test_a_list_that_is_no_order_is_refused(text: str, code: Code, words: str) -> None:
    error = refused(TINY, text)
    assert error.code is code
    assert words in str(error)


def test_another_package_can_add_an_order(offer: Offer) -> None:
    offer("pcl.orderings", "inside-out", lambda problem, generator: (1, 0))
    assert ordered(TINY, "inside-out") == ["B", "A"]


def test_an_order_of_another_package_may_be_any_sequence(offer: Offer) -> None:
    offer("pcl.orderings", "inside-out", lambda problem, generator: np.array([1, 0]))
    found = order_parts(TINY, "inside-out", np.random.default_rng(0))
    assert found == (1, 0)
    assert isinstance(found, tuple)


@pytest.mark.parametrize("order", [(0,), (0, 0), (0, 1, 1), (0, 2), (-1, 0)])
def test_an_order_of_another_package_is_checked(order: tuple[int, ...], offer: Offer) -> None:
    offer("pcl.orderings", "odd", lambda problem, generator: order)
    assert "the order 'odd' must list every part exactly once" in str(refused(TINY, "odd"))


def test_an_order_of_another_package_is_suggested(offer: Offer) -> None:
    offer("pcl.orderings", "by-size", lambda problem, generator: (1, 0))
    assert "did you mean 'by-size'?" in str(refused(TINY, "by-siz"))


@pytest.mark.parametrize("order", [lambda: (), lambda problem, generator: ["A", "B"], "no function", lambda *_: None])
def test_an_order_of_another_package_that_does_not_work(order: object, offer: Offer) -> None:
    offer("pcl.orderings", "odd", order)
    assert refused(TINY, "odd").code is Code.PLUGIN_BROKEN


def test_a_name_of_ours_cannot_be_taken(offer: Offer) -> None:
    offer("pcl.orderings", "declared", lambda problem, generator: (1, 0))
    assert ordered(TINY, "declared") == ["A", "B"]
