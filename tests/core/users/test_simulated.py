"""Simulated people, checked by enumeration."""

import os
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property
from random import Random

import numpy as np
import pytest
from tests.core.elicitation.reference import TINY, Space, pick, spaces

from pcl_core import Code, Configuration, Elicitation, PclError, RequestError, Settings, load, parse_authored, person
from pcl_core.elicitation.simulate import matched_person
from pcl_core.errors import UndecidedError
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Availability, Reply, Status, StopReason
from pcl_core.users.simulated import USERS, UserModel, matched_improvement
from pcl_core.users.utility import PartView

VIEWS = 800 if os.environ.get("PCL_CAMPAIGN") else 40
FINE = parse_authored("""
pcl: 1
name: fine
variables: {x: {domain: 0..200}, y: {domain: 0..3}}
features: [{name: fx, value: x}, {name: fy, value: y}]
parts: [{name: X, variables: [x]}, {name: Y, variables: [y]}]
""")


@cache
def oracle_of(space: Space, backend: str) -> Oracle:
    return Oracle.of(space.problem, backend)


class Case:
    """A person with whole weights looks at one part of a feasible configuration."""

    def __init__(self, space: Space, seed: int, backend: str = "table") -> None:
        random = Random(seed)
        problem = space.problem
        self.space = space
        self.weights = [Fraction(random.randint(-5, 5)) for _ in problem.features]
        self.part = random.randrange(len(problem.parts))
        self.x = pick(space, random)
        weights = np.array(self.weights, dtype=float)
        self.view = PartView(oracle_of(space, backend), weights, self.part, dict(self.x), {})

    @cached_property
    def options(self) -> list[Configuration]:
        return self.space.options(self.x, self.part)

    def utility(self, x: Configuration) -> Fraction:
        return self.space.utility(self.weights, x, self.space.own[self.part])

    @cached_property
    def regret(self) -> Fraction:
        return self.space.regret(self.weights, self.x, self.part)

    def answer(self, model: str | UserModel, seed: int = 0) -> Configuration | None:
        user = USERS.make(model) if isinstance(model, str) else model
        return user.improve(self.view, np.random.default_rng(seed))

    def gain(self, answer: Configuration) -> Fraction:
        own = self.view.variables
        assert self.space.allowed(answer)
        assert all(answer[name] == self.x[name] for name in self.x if name not in own)
        return self.utility(answer) - self.utility(self.x)

    def changes(self, x: Configuration) -> int:
        return sum(x[name] != self.x[name] for name in self.x)


def cases(count: int = VIEWS) -> Iterator[Case]:
    for seed, space in enumerate(spaces(count)):
        yield Case(space, seed)


def improvable(count: int = VIEWS) -> Iterator[Case]:
    found = [case for case in cases(count) if case.regret > 0]
    assert len(found) > count // 4
    yield from found


def test_the_conditional_regret_is_that_of_enumeration() -> None:
    for case in cases():
        assert Fraction(case.view.conditional_regret) == case.regret
        assert case.view.is_best == (case.regret == 0)


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 1.0])
def test_the_informative_user_gives_the_least_improvement_above_the_floor(alpha: float) -> None:
    for case in improvable():
        answer = case.answer(f"informative:alpha={alpha}")
        assert answer is not None
        floor = Fraction(str(alpha)) * case.regret
        allowed = [case.gain(option) for option in case.options if case.gain(option) >= floor]
        assert case.gain(answer) == min(allowed)


@pytest.mark.parametrize("user", ["informative:alpha=0.2", "best", "smallest-edit:alpha=0.2", "expected", "noisy:p=0"])
def test_truthful_users_are_satisfied_exactly_where_nothing_is_better(user: str) -> None:
    for case in cases():
        assert (case.answer(user) is None) == (case.regret == 0)


def test_the_best_response_is_the_best() -> None:
    for case in improvable():
        answer = case.answer("best")
        assert answer is not None
        assert case.gain(answer) == case.regret


@pytest.mark.parametrize("alpha", [0.1, 0.7, 1.0])
def test_the_smallest_edit_changes_as_few_variables_as_possible(alpha: float) -> None:
    floor = Fraction(str(alpha))
    for case in improvable():
        answer = case.answer(f"smallest-edit:alpha={alpha}")
        assert answer is not None
        assert case.gain(answer) >= floor * case.regret
        enough = [option for option in case.options if case.gain(option) >= floor * case.regret]
        assert case.changes(answer) == min(case.changes(option) for option in enough)


@pytest.mark.parametrize("fraction", [0.05, 0.5, 1.0])
def test_the_satisficing_user_is_content_below_a_fraction_of_what_is_at_stake(fraction: float) -> None:
    share = Fraction(str(fraction))
    for case in cases():
        answer = case.answer(f"satisficing:alpha=0.3,fraction={fraction}")
        utilities = [case.utility(option) for option in case.options]
        content = case.regret == 0 or case.regret < share * (max(utilities) - min(utilities))
        assert (answer is None) == content
        if answer is not None:
            assert case.gain(answer) >= Fraction("0.3") * case.regret


def test_the_noisy_user_without_noise_is_the_informative_user() -> None:
    for case in cases():
        assert case.answer("noisy:p=0,alpha=0.3") == case.answer("informative:alpha=0.3")


def test_the_noisy_user_with_nothing_but_noise_never_improves() -> None:
    worse = 0
    for seed, case in enumerate(cases()):
        answer = case.answer("noisy:p=1", seed)
        if answer is not None:
            assert case.changes(answer) > 0
            assert case.gain(answer) <= 0
            worse += case.gain(answer) < 0
    assert worse > VIEWS // 8


def test_a_worse_answer_is_taken_and_learned_from() -> None:
    oracle, weights = Oracle.of(TINY, "table"), np.array([1.0, 1.0, 0.0])
    live = Elicitation(TINY, oracle=oracle, settings=Settings(stop="never"), start={"a": True, "b": True})
    somebody = person(oracle, weights, USERS.make("noisy:p=1"), (3,))
    moved = 0
    for _ in range(10):
        query = live.ask()
        assert query is not None
        answer = somebody.improve(somebody.view(query), query.number)
        if answer is not None:
            assert somebody.utility(answer) <= somebody.utility(query.configuration)
            learned = live.tell(query.improve({name: answer[name] for name in query.proposal}))
            moved += learned is not None and learned.update != "none"
        else:
            live.tell(query.accept())
    assert moved > 0


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.8, 1.0])
def test_the_expected_user_gains_alpha_on_average(alpha: float) -> None:
    oracle = Oracle.of(FINE, "table")
    view = PartView(oracle, np.array([1.0, 1.0]), 0, {"x": 0, "y": 0}, {})
    user, generator = USERS.make(f"expected:alpha={alpha}"), np.random.default_rng(0)
    gains = []
    for _ in range(1000):
        answer = user.improve(view, generator)
        assert answer is not None
        gains.append(int(answer["x"]) / 200)
    assert abs(float(np.mean(gains)) - alpha) < 0.03
    assert alpha == 1.0 or min(gains) < alpha < max(gains)


def test_a_matched_improvement_gains_as_much_and_as_little_more_as_possible() -> None:
    for case in improvable():
        best = case.regret
        for share in (Fraction(1, 3), Fraction(1)):
            answer = matched_improvement(case.view, float(best * share))
            assert answer is not None
            wanted = [case.gain(option) for option in case.options if case.gain(option) >= best * share]
            assert case.gain(answer) == min(wanted)


def test_a_matched_improvement_of_nothing_says_nothing_unless_nothing_is_better() -> None:
    for case in cases(20):
        for gain in (0.0, -1.0):
            assert matched_improvement(case.view, gain) == (None if case.view.is_best else case.x)


def test_a_matched_improvement_that_cannot_be_reached_is_the_best() -> None:
    for case in improvable():
        answer = matched_improvement(case.view, float(case.regret) + 100)
        assert answer is not None
        assert case.gain(answer) == case.regret


def test_a_matched_person_says_nothing_where_there_is_no_gain_to_match() -> None:
    oracle = Oracle.of(FINE, "table")
    view = PartView(oracle, np.array([1.0, 1.0]), 0, {"x": 0, "y": 0}, {})
    somebody = matched_person(oracle, np.array([1.0, 1.0]), [0.0, 30.0])
    assert [somebody.improve(view, query) for query in (1, 2, 3)] == [
        view.configuration,
        {"x": 30, "y": 0},
        view.configuration,
    ]


@pytest.mark.parametrize(
    "user", ["informative:alpha=0.3", "best", "smallest-edit", "satisficing", "noisy:p=1", "expected"]
)
def test_no_user_changes_what_is_pinned(user: str) -> None:
    for case in improvable(30):
        own = case.view.variables
        pins = {own[0]: case.x[own[0]]}
        view = PartView(case.view.oracle, case.view.weights, case.part, case.x, pins)
        answer = USERS.make(user).improve(view, np.random.default_rng(1))
        assert answer is None or answer[own[0]] == case.x[own[0]]


@pytest.mark.parametrize(
    "user", ["informative:alpha=0.3", "best", "smallest-edit", "satisficing", "noisy:p=0.5", "expected"]
)
def test_a_user_answers_the_same_for_the_same_seed(user: str) -> None:
    for seed, case in enumerate(cases(15)):
        assert case.answer(user, seed) == case.answer(user, seed)


@pytest.mark.parametrize("backend", ["cpsat", "pulp"])
@pytest.mark.parametrize("user", ["informative:alpha=0.3", "best", "satisficing"])
def test_answers_are_equally_good_on_every_backend(user: str, backend: str) -> None:
    for seed, space in enumerate(spaces(12)):
        first, second = (Case(space, seed, name) for name in ("table", backend))
        one, other = first.answer(user, seed), second.answer(user, seed)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert first.gain(one) == second.gain(other)


@pytest.mark.parametrize("backend", ["cpsat", "pulp"])
def test_the_smallest_edit_is_equally_small_on_every_backend(backend: str) -> None:
    for seed, space in enumerate(spaces(8)):
        first, second = (Case(space, seed, name) for name in ("table", backend))
        one, other = first.answer("smallest-edit", seed), second.answer("smallest-edit", seed)
        assert (one and first.changes(one)) == (other and second.changes(other))


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("informative:alpha=0", Code.BAD_VALUE, "greater than 0"),
        ("informative:alpha=-0.1", Code.BAD_VALUE, "greater than 0"),
        ("informative:alpha=1.01", Code.BAD_VALUE, "less than or equal to 1"),
        ("informative:alpha=nan", Code.BAD_VALUE, "finite number"),
        ("informative:alpha=inf", Code.BAD_VALUE, "finite number"),
        ("informative:alpha=", Code.BAD_VALUE, "valid number"),
        ("informative:aplha=0.1", Code.UNKNOWN_OPTION, "did you mean 'alpha'?"),
        ("best:alpha=0.3", Code.UNKNOWN_OPTION, "takes no options"),
        ("noisy:p=1.5", Code.BAD_VALUE, "less than or equal to 1"),
        ("noisy:p=-0.5", Code.BAD_VALUE, "greater than or equal to 0"),
        ("satisficing:fraction=0", Code.BAD_VALUE, "greater than 0"),
        ("infromative", Code.UNKNOWN_OPTION, "did you mean 'informative'?"),
        ("smallest", Code.UNKNOWN_OPTION, "did you mean 'smallest-edit'?"),
        ("robot", Code.UNKNOWN_OPTION, "known: informative, best"),
    ],
)
def test_a_wrong_user_is_refused_with_a_sentence(text: str, code: Code, words: str) -> None:
    with pytest.raises(RequestError) as caught:
        USERS.make(text)
    assert caught.value.code is code
    assert words in str(caught.value)


def test_every_user_says_in_a_line_what_she_does() -> None:
    assert list(USERS.describe()) == list(USERS.names())
    assert all(USERS.describe().values())


class Slow:
    """A solver that a limit stops before it proves anything."""

    name = "slow"
    capabilities: frozenset[object] = frozenset()

    def __init__(self, answer: Reply) -> None:
        self.answer = answer

    def availability(self) -> Availability:
        return Availability(True, "1")

    def compile(self, scope: object) -> "Slow":
        return self

    def solve(self, request: object, options: object) -> Reply:
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [Reply(Status.UNKNOWN, StopReason.TIME_LIMIT), Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, {"x": 3}, 3, 200)],
    ids=["nothing found", "nothing proven"],
)
def test_a_person_who_could_not_find_out_what_she_wants_says_so(answer: Reply) -> None:
    view = PartView(Oracle(FINE, Slow(answer)), np.array([1.0, 1.0]), 0, {"x": 0, "y": 0}, {})  # type: ignore[arg-type]
    with pytest.raises(UndecidedError, match="could not decide on part 'X'") as caught:
        USERS.make("informative").improve(view, np.random.default_rng(0))
    assert isinstance(caught.value, PclError)
    assert (caught.value.code, caught.value.exit_code) == (Code.LIMIT_REACHED, 4)


def test_users_draw_from_no_global_randomness() -> None:
    before = str(np.random.get_state(legacy=False))
    case = next(improvable())
    for user in ("noisy:p=1", "expected", "informative"):
        case.answer(user)
    assert str(np.random.get_state(legacy=False)) == before


def test_the_training_week_is_improved_by_every_user() -> None:
    week = load("training")
    oracle = Oracle.of(week, "table")
    weights = np.round(np.random.default_rng(0).normal(size=len(week.features)), 6)
    assert week.initial_configuration is not None
    view = PartView(oracle, weights, 3, week.initial_configuration, {})
    gains = {}
    for user in ("informative:alpha=0.3", "best", "smallest-edit:alpha=0.3", "expected:alpha=0.3"):
        answer = USERS.make(user).improve(view, np.random.default_rng(0))
        assert answer is not None
        gains[user] = view.utility_of(answer) - view.current
    assert gains["best"] == pytest.approx(view.conditional_regret)
    assert 0.3 * gains["best"] <= gains["informative:alpha=0.3"] + 1e-9 <= gains["smallest-edit:alpha=0.3"] + 2e-9
    assert gains["expected:alpha=0.3"] > 0
