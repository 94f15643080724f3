"""Which backend takes what, and why not: one answer, as data."""

import numpy as np
import pytest
from tests.core.solve.test_oracle import PROBLEM, TRUTH, WEIGHTS, Stub

from pcl_core import Code, MissingDependencyError, Options, Oracle, ProblemBuilder, RequestError, load
from pcl_core.compile.pipeline import scope_of
from pcl_core.solve import Availability, Backend, Capability, Refusal, Scope, first_taker, get_backend, refusal_of

SMALL, TRAINING = scope_of(PROBLEM), scope_of(load("training"))


class Choosy(Stub):
    """Takes nothing, and says why."""

    reach = 10

    def accepts(self, scope: Scope) -> Refusal | None:
        return Refusal(Code.SCOPE_TOO_LARGE, "not today")


class Absent(Stub):
    """Not installed."""

    def availability(self) -> Availability:
        return Availability(False, reason="there is no solver", fix="install one")


def test_a_backend_that_says_nothing_takes_every_scope() -> None:
    assert refusal_of(Stub(TRUTH), TRAINING) is None


@pytest.mark.parametrize(
    ("backend", "options", "code", "words"),
    [
        (get_backend("table"), Options(), Code.SCOPE_TOO_LARGE, "backend 'table' takes up to"),
        (get_backend("table"), Options(time_limit=1.0), Code.UNSUPPORTED, "the option 'time limit'"),
        (get_backend("pulp:highs"), Options(threads=2), Code.UNSUPPORTED, "the option 'threads'"),
        (get_backend("cvxpy"), Options(seed=1), Code.UNSUPPORTED, "the option 'seed'"),
        (Absent(TRUTH), Options(), Code.MISSING_DEPENDENCY, "there is no solver"),
        (Choosy(TRUTH), Options(), Code.SCOPE_TOO_LARGE, "not today"),
    ],
    ids=["too large", "no time limit", "no threads", "no seed", "not installed", "of somebody else"],
)
def test_a_refusal_has_a_code_and_a_sentence(backend: Backend, options: Options, code: Code, words: str) -> None:
    found = refusal_of(backend, TRAINING, options)
    assert found is not None
    assert found.code is code
    assert words in found.message


def test_numbers_out_of_range_are_a_refusal() -> None:
    build = ProblemBuilder("far")
    far = build.integer("far", 0, 10**9)
    build.feature("far", far)
    build.part("all", [far])
    scope = scope_of(build.problem())
    refused = {name: refusal_of(get_backend(name), scope) for name in ("pulp", "cvxpy", "cpsat", "auto")}
    codes = {name: None if found is None else found.code for name, found in refused.items()}
    out = Code.NUMBERS_OUT_OF_RANGE
    assert codes == {"pulp": out, "cvxpy": out, "cpsat": None, "auto": None}


def test_the_first_that_takes_a_scope_is_chosen() -> None:
    table, cpsat = get_backend("table"), get_backend("cpsat")
    assert first_taker([table, cpsat], SMALL) is table
    assert first_taker([table, cpsat], TRAINING) is cpsat
    assert first_taker([table, cpsat], SMALL, Options(time_limit=1.0)) is cpsat
    assert first_taker([Absent(TRUTH), Choosy(TRUTH)], SMALL) is None


def test_an_oracle_whose_backend_does_not_take_a_scope_knows_another() -> None:
    week = load("training")
    oracle = Oracle.of(week, "table")
    assert oracle.taking(week.parts[0].variables) is oracle
    other = oracle.taking()
    assert other.backend.name == "auto"
    weights = np.ones(len(week.features))
    assert other.solve(weights).status == "optimal"
    assert oracle.taking().compiled is other.compiled


def test_what_nobody_takes_is_refused_by_the_one_who_was_asked() -> None:
    build = ProblemBuilder("huge")
    numbers = build.integer("number", 0, 2**53 - 2, range(300))
    for at in range(300):
        build.feature(f"feature {at}", numbers[at])
    build.part("all", list(numbers))
    oracle = Oracle.of(build.problem(), "pulp")
    assert oracle.taking() is oracle
    with pytest.raises(RequestError, match="backend 'pulp' computes in floating point") as caught:
        oracle.solve(np.ones(300))
    assert caught.value.code is Code.NUMBERS_OUT_OF_RANGE


def test_a_refusal_is_remembered_and_raised_again_with_who_else_takes_the_scope() -> None:
    oracle = Oracle.of(load("training"), "table")
    for _ in range(2):
        with pytest.raises(RequestError, match=r"use backend .*'auto'.*'cpsat'"):
            oracle.solve(np.zeros(82))
    assert oracle.compiled.compilations == 0


def test_a_missing_solver_is_told_as_missing() -> None:
    with pytest.raises(MissingDependencyError, match="there is no solver"):
        Oracle(PROBLEM, Absent(TRUTH)).solve(WEIGHTS)


def test_options_are_refused_when_an_oracle_is_made_from_a_backend() -> None:
    class NoLimits(Stub):
        capabilities: frozenset[Capability] = frozenset()

    with pytest.raises(RequestError, match="does not take the option 'time limit'"):
        Oracle(PROBLEM, NoLimits(TRUTH), Options(time_limit=1.0))
