"""SelectPart: what defines each strategy, and that none touches randomness of others."""

import math
from collections import Counter

import numpy as np
import pytest
from tests.core.learn.test_ordering import STAR

from pcl_core import Code, Elicitation, Problem, RequestError, Settings, load
from pcl_core.learn import SELECTIONS, Belief, Situation, Standing
from pcl_core.learn.selection import LOOKED_AT, looked_at

TRAINING = load("training")
GRID = load("grid")


def situation(
    asked: tuple[int, ...] = (0, 0, 0),
    gained: tuple[float, ...] = (0.0, 0.0, 0.0),
    order: tuple[int, ...] = (2, 0, 1),
    seed: int = 0,
    largest: float = 0.0,
) -> Situation:
    """Three parts."""
    standing: tuple[Standing, ...] = ("new", "new", "new")
    belief = Belief(np.zeros(6))
    generator = np.random.default_rng(seed)
    candidates = tuple(sorted(order))
    return Situation(
        candidates,
        order,
        (5, 3, 4),
        (1, 2, 0),
        (2, 2, 4),
        asked,
        gained,
        largest,
        generator,
        standing,
        belief,
        lambda part: 0.0,
    )


def asked_parts(problem: Problem, select: str, count: int, seed: int = 0, order: str = "degree") -> list[str]:
    settings = Settings(select=select, seed=seed, stop="never", order=order)
    elicitation = Elicitation(problem, backend="table", settings=settings)
    names = []
    for _ in range(count):
        query = elicitation.ask()
        assert query is not None
        names.append(query.part)
        elicitation.tell(query.accept())
    return names


def passes(names: list[str], size: int) -> list[list[str]]:
    return [names[at : at + size] for at in range(0, len(names), size)]


def test_random_asks_every_part_equally_often() -> None:
    select = SELECTIONS.make("random")
    found = Counter(select(situation(seed=seed)) for seed in range(3000))
    assert set(found) == {0, 1, 2}
    assert all(abs(count - 1000) < 120 for count in found.values())


def test_round_robin_follows_the_declared_order() -> None:
    names = [part.name for part in TRAINING.parts]
    assert asked_parts(TRAINING, "round-robin", 21, order="reversed") == 3 * names


def test_in_order_follows_the_order_of_the_decomposition() -> None:
    assert asked_parts(STAR, "in-order", 8) == 2 * ["leaf[a]", "leaf[b]", "leaf[c]", "middle"]


def test_smallest_asks_the_most_independent_parts_first() -> None:
    assert asked_parts(STAR, "smallest", 4, order="declared") == ["leaf[a]", "leaf[b]", "leaf[c]", "middle"]
    assert [SELECTIONS.make("smallest")(situation(asked)) for asked in ((0, 0, 0), (0, 1, 0), (1, 1, 0))] == [1, 0, 2]


def test_overlap_asks_parts_that_ignore_most_first() -> None:
    assert [SELECTIONS.make("overlap")(situation(asked)) for asked in ((0, 0, 0), (0, 1, 0), (1, 1, 0))] == [1, 0, 2]


@pytest.mark.parametrize("select", ["round-robin", "in-order", "smallest", "overlap"])
def test_passes_ask_every_part_once_before_any_twice(select: str) -> None:
    names = {part.name for part in TRAINING.parts}
    assert all(set(found) == names for found in passes(asked_parts(TRAINING, select, 21), 7))


def test_expected_asks_new_parts_first_then_open_ones_and_of_these_the_most_improvable() -> None:
    select = SELECTIONS.make("expected")
    gains = {0: 1.0, 1: 3.0, 2: 2.0}

    def chosen(*standing: Standing) -> int:
        return select(situation((1, 2, 1))._replace(standing=standing, expected=gains.__getitem__))

    assert chosen("new", "new", "new") == 1
    assert chosen("new", "open", "new") == 2
    assert chosen("closed", "open", "open") == 1
    assert chosen("open", "closed", "closed") == 0
    assert chosen("closed", "closed", "closed") == 2, "all confirmed: in turn, in the order of the parts"


def test_expected_solves_for_no_part_that_it_need_not_compare() -> None:
    def never(part: int) -> float:
        raise AssertionError(f"asked about {part}")

    select = SELECTIONS.make("expected")
    assert select(situation()._replace(standing=("closed", "new", "open"), expected=never)) == 1


def test_the_first_round_goes_by_the_list_while_each_part_is_settled_at_once_and_solves_for_none() -> None:
    def never(part: int) -> float:
        raise AssertionError(f"asked about {part}")

    select = SELECTIONS.make("expected:first_round=true")
    start = situation((0, 0, 0))._replace(standing=("new", "new", "new"), expected=never)
    assert select(start) == 0
    settled = start._replace(standing=("closed", "new", "new"), asked=(1, 0, 0))
    assert select(settled) == 1
    assert select(settled._replace(candidates=(0, 2))) == 2
    gains = {0: 1.0, 1: 3.0, 2: 2.0}
    assert select(settled._replace(asked=(1, 1, 1), expected=gains.__getitem__)) == 1
    assert select(start._replace(asked=(1, 0, 0), expected={0: 3.0, 1: 1.0, 2: 2.0}.__getitem__)) == 0, "step by step"


def test_ucb1_tries_every_part_first_in_order() -> None:
    assert [SELECTIONS.make("ucb1")(situation(asked)) for asked in ((0, 0, 0), (0, 0, 1), (1, 0, 1))] == [2, 0, 1]


def test_ucb1_by_hand() -> None:
    asked, gained, largest = (4, 2, 3), (8.0, 2.0, 6.0), 4.0
    index = [g / n / largest + math.sqrt(2 * math.log(9) / n) for g, n in zip(gained, asked, strict=True)]
    assert SELECTIONS.make("ucb1")(situation(asked, gained, largest=largest)) == index.index(max(index)) == 1
    index = [g / n / largest + 0.1 * math.sqrt(math.log(9) / n) for g, n in zip(gained, asked, strict=True)]
    chosen = SELECTIONS.make("ucb1:exploration=0.1")(situation(asked, gained, largest=largest))
    assert chosen == index.index(max(index)) == 2


def test_ucb1_without_any_gain_asks_the_least_asked() -> None:
    assert SELECTIONS.make("ucb1")(situation((3, 2, 3))) == 1


def test_ucb1_sees_how_much_answers_changed_the_features() -> None:
    settings = Settings(select="ucb1:exploration=0", stop="never", order="declared")
    elicitation = Elicitation(GRID, backend="table", settings=settings)
    for _ in range(4):
        query = elicitation.ask()
        assert query is not None
        change = {"cell[0,2]": True} if query.part == "block[0,1]" else {}
        elicitation.tell(query.improve(change))
    query = elicitation.ask()
    assert query is not None
    assert query.part == "block[0,1]"


@pytest.mark.parametrize("select", ["random", "round-robin", "in-order", "smallest", "overlap", "ucb1", "expected"])
def test_the_same_seed_asks_about_the_same_parts(select: str) -> None:
    assert asked_parts(TRAINING, select, 15, seed=4) == asked_parts(TRAINING, select, 15, seed=4)


def test_other_seeds_ask_about_other_parts() -> None:
    assert len({tuple(asked_parts(TRAINING, "random", 10, seed)) for seed in range(5)}) == 5


@pytest.mark.parametrize("select", ["random", "ucb1"])
def test_no_global_randomness_is_used(select: str) -> None:
    before = np.random.get_state(legacy=False)
    asked_parts(TRAINING, select, 5)
    after = np.random.get_state(legacy=False)
    assert str(before) == str(after)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("randm", Code.UNKNOWN_OPTION, "did you mean 'random'?"),
        ("random:p=1", Code.UNKNOWN_OPTION, "selection 'random' takes no options"),
        ("ucb1:explore=1", Code.UNKNOWN_OPTION, "did you mean 'exploration'?"),
        ("ucb1:exploration=-1", Code.BAD_VALUE, "should be greater than or equal to 0"),
        ("ucb1:exploration=nan", Code.BAD_VALUE, "should be a finite number"),
        ("ucb1:exploration=inf", Code.BAD_VALUE, "should be a finite number"),
        ("ucb1:exploration=much", Code.BAD_VALUE, "should be a valid number"),
        ("ucb1:exploration", Code.BAD_PARAMETER, "name:key=value"),
        ("ucb1:exploration=1,exploration=2", Code.BAD_PARAMETER, "each once"),
        ("", Code.UNKNOWN_OPTION, "there is no selection ''"),
    ],
)
def test_a_wrong_selection_is_refused_with_a_sentence(text: str, code: Code, words: str) -> None:
    with pytest.raises(RequestError) as caught:
        SELECTIONS.make(text)
    assert caught.value.code is code
    assert words in str(caught.value)


def test_of_very_many_parts_some_are_looked_at_and_stay_so_while_they_are_there() -> None:
    assert looked_at(range(LOOKED_AT)) == list(range(LOOKED_AT))
    some = looked_at(range(2000))
    assert len(some) == LOOKED_AT
    assert some == sorted(some)
    assert max(np.diff([0, *some, 2000])) < 300, "they are scattered over all"
    without = [part for part in range(2000) if part != some[3]]
    assert len(set(looked_at(without)) & set(some)) == LOOKED_AT - 1


def test_expected_looks_at_no_more_parts_than_that() -> None:
    many, asked = 300, list[int]()
    found = situation(asked=(0,) * many, gained=(0.0,) * many, order=tuple(range(many)))

    def expected(part: int) -> float:
        asked.append(part)
        return float(part)

    new: Standing = "new"
    chosen = SELECTIONS.make("expected")(found._replace(standing=(new,) * many, expected=expected))
    assert len(asked) == LOOKED_AT
    assert chosen == max(asked)
