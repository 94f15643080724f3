"""Where an elicitation starts: x^1 and w^1."""

import math
from collections import Counter

import numpy as np
import pytest
from tests.core.elicitation.reference import TINY, spaces
from tests.core.elicitation.sessions import TRIP
from tests.core.users.test_simulated import Slow

from pcl_core import Code, Elicitation, InfeasibleError, Problem, RequestError, Settings, assess, load, parse_authored
from pcl_core.elicitation.setup import Start, initial_configuration, random_configuration
from pcl_core.errors import UndecidedError
from pcl_core.model.configuration import Configuration
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Reply, Status, StopReason

BACKENDS = ("table", "cpsat", "pulp", "cvxpy")
TIGHT = parse_authored("""
pcl: 1
name: tight
sets: {place: 0..5}
variables: {x: {index: [place], domain: 0..5}}
constraints:
  - {name: different, require: "all_different(x[*])"}
  - {name: ends, require: "x[0] + x[5] == 9"}
features:
  - {name: "f[{p}]", foreach: {p: place}, value: "x[p]"}
parts:
  - {name: "p[{p}]", foreach: {p: place}, variables: ["x[p]"]}
""")
NEVER = parse_authored("""
pcl: 1
name: never
variables: {x: {domain: 0..3}, y: {domain: bool}}
constraints:
  - {name: low, require: x <= 1}
  - {name: odd, require: y or x != 0}
  - {name: high, require: x >= 2, label: enough}
features: [{name: f, value: x}, {name: g, value: y}]
parts: [{name: X, variables: [x]}, {name: Y, variables: [y]}]
""")
FREE = TINY.replace(initial=None)


def started(problem: Problem, start: Start | None = None, backend: str = "table", seed: int = 0) -> Configuration:
    oracle = Oracle.of(problem, backend)
    return initial_configuration(oracle, start, np.random.default_rng(seed))


def refused(problem: Problem, start: Start | None) -> RequestError:
    with pytest.raises(RequestError) as caught:
        started(problem, start)
    return caught.value


@pytest.mark.parametrize("name", ["grid", "training", "hotel", "hotel-published"])
def test_the_catalogue_starts_where_it_declares(name: str) -> None:
    problem = load(name)
    assert started(problem) == started(problem, "declared") == problem.initial_configuration


def test_a_problem_that_declares_nothing_starts_where_the_solver_does() -> None:
    assert started(FREE) == started(FREE, "solver")
    assert assess(TIGHT, started(TIGHT)).feasible


def test_a_start_that_is_not_declared_cannot_be_asked_for() -> None:
    error = refused(FREE, "declared")
    assert error.code is Code.BAD_VALUE
    assert "declares no start" in str(error)


def test_a_given_start_is_taken() -> None:
    assert started(TINY, {"a": True, "b": 0}) == {"a": True, "b": False}


@pytest.mark.parametrize(
    ("given", "words"),
    [({"a": True}, "no value: b"), ({"a": True, "b": 7}, "'b'"), ({"a": True, "b": True, "c": True}, "'c'")],
)
def test_a_given_start_that_does_not_fit_is_refused(given: Start, words: str) -> None:
    error = refused(TINY, given)
    assert error.code is Code.BAD_CONFIGURATION
    assert words in str(error).removeprefix("bad-configuration: ")


def test_a_given_start_that_is_not_allowed_names_all_constraints_that_it_breaks() -> None:
    x = {**started(TRIP), "place[one]": "hills", "place[two]": "hills", "nights[one]": 3, "nights[two]": 3}
    x |= {"nights[three]": 3}
    error = refused(TRIP, x)
    assert isinstance(error, InfeasibleError)
    assert (error.code, error.exit_code) == (Code.INFEASIBLE, 3)
    assert set(error.constraints) == {"budget", "hills[one]", "hills[two]"}
    assert "the money is enough" in str(error)


def test_an_unknown_start_is_refused_with_a_suggestion() -> None:
    error = refused(TINY, "randm")
    assert error.code is Code.UNKNOWN_OPTION
    assert "did you mean 'random'?" in str(error)


@pytest.mark.parametrize("start", ["random", "solver", None])
def test_a_problem_without_any_configuration_names_the_conflict(start: Start | None) -> None:
    error = refused(NEVER, start)
    assert isinstance(error, InfeasibleError)
    assert error.constraints == ("low", "high")
    assert "'never' has no feasible configuration: low; high (enough)" in str(error)


def test_a_random_start_is_feasible() -> None:
    for seed, space in enumerate(spaces(25)):
        assert space.allowed(started(space.problem, "random", seed=seed))


def test_random_starts_reach_every_configuration() -> None:
    oracle = Oracle.of(FREE, "table")
    drawn = (random_configuration(oracle, np.random.default_rng(seed)) for seed in range(400))
    found = Counter(tuple(x.values()) for x in drawn)
    assert len(found) == 4
    assert min(found.values()) > 60


def test_a_tightly_constrained_problem_has_random_starts_too() -> None:
    found = [started(TIGHT, "random", seed=seed) for seed in range(8)]
    assert all(assess(TIGHT, x).feasible for x in found)
    assert len({tuple(x.values()) for x in found}) > 4


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_a_random_start_is_the_same_on_every_backend(backend: str) -> None:
    for seed, problem in enumerate((TIGHT, TRIP, *(space.problem for space in spaces(5, tied=True)))):
        assert started(problem, "random", backend, seed) == started(problem, "random", "table", seed)


def test_where_drawing_fails_the_start_is_still_the_same_on_every_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcl_core.elicitation.setup.MAX_DRAWS", 0)
    for seed, space in enumerate(spaces(4, tied=True)):
        found = [random_configuration(Oracle.of(space.problem, b), np.random.default_rng(seed)) for b in BACKENDS]
        assert space.allowed(found[0])
        assert found == [found[0]] * len(BACKENDS)


def test_a_random_start_depends_on_the_seed_of_the_settings() -> None:
    starts = [
        Elicitation(FREE, backend="table", start="random", settings=Settings(seed=seed)).configuration
        for seed in (*range(12), *range(12))
    ]
    assert starts[:12] == starts[12:]
    assert len({tuple(x.values()) for x in starts}) > 2


def test_a_start_that_was_not_found_in_time_is_said_so() -> None:
    oracle = Oracle(TIGHT, Slow(Reply(Status.UNKNOWN, StopReason.TIME_LIMIT)))  # type: ignore[arg-type]
    with pytest.raises(UndecidedError) as caught:
        initial_configuration(oracle, "solver", np.random.default_rng(0))
    assert caught.value.code is Code.LIMIT_REACHED


def test_weights_start_at_zero_or_where_they_are_given() -> None:
    assert Elicitation(TINY, backend="table").weights.tolist() == [0.0, 0.0, 0.0]
    assert Elicitation(TINY, backend="table", weights=[1, 2, 3]).weights.tolist() == [1.0, 2.0, 3.0]
    given = np.array([1.0, 2.0, 3.0])
    live = Elicitation(TINY, backend="table", weights=given)
    given[0] = 9.0
    live.weights[1] = 9.0
    assert live.weights.tolist() == [1.0, 2.0, 3.0], "nobody else holds the learner's weights"


@pytest.mark.parametrize(
    "weights", [[1.0], [1.0, 2.0, 3.0, 4.0], [[1.0, 2.0, 3.0]], [0.0, math.nan, 0.0], [0, 0, math.inf]]
)
def test_weights_that_do_not_fit_are_refused(weights: list[float]) -> None:
    with pytest.raises(RequestError, match="expected 3 finite weights") as caught:
        Elicitation(TINY, backend="table", weights=weights)
    assert caught.value.code is Code.BAD_VALUE


def test_the_oracle_of_another_problem_is_refused() -> None:
    with pytest.raises(RequestError) as caught:
        Elicitation(TINY, oracle=Oracle.of(TRIP, "table"))
    assert caught.value.code is Code.BAD_VALUE
