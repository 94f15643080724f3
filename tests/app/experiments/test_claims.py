"""Every claim can hold, hold in part, fail, and go untested; the rules look at whole intervals."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.app.experiments.synthetic import GRID, PAPER, Made, runs_of

from pcl_app.experiments.judge.claims import (
    Claim,
    Judgement,
    claims_table,
    findings_table,
    ruled_at_least,
    ruled_at_most,
    ruled_within,
)
from pcl_app.experiments.judge.paper_claims import check_claims
from pcl_app.experiments.judge.statistics import Estimate
from pcl_app.experiments.judge.tables import Verdict
from pcl_app.experiments.record.runs import Runs
from pcl_app.experiments.run.scaling import Scaling

HOLDS, IN_PART, FAILS, UNTESTED = Verdict.HOLDS, Verdict.IN_PART, Verdict.FAILS, Verdict.UNTESTED

RANDOM, SMALLEST, UCB1 = (GRID.but(select=name) for name in ("random", "smallest", "ucb1"))
CL = GRID.but(algorithm="cl", alpha=None, seconds=0.03)
LOW, MIDDLE, HIGH = (Made(problem="training", alpha=alpha, first=100, noise=1) for alpha in (0.1, 0.3, 0.5))
HOTELS = [made.but(problem="hotel") for made in (LOW, MIDDLE, HIGH)]


def times(*entries: tuple[int, float, float]) -> list[Scaling]:
    return [Scaling(side, full * wobble, part) for side, full, part in entries for wobble in (0.95, 1.0, 1.05)]


CASES: list[tuple[str, Verdict, Sequence[Made]]] = [
    ("grid-quality", HOLDS, [RANDOM, UCB1, CL]),
    ("grid-quality", IN_PART, [RANDOM, UCB1.but(last=5), CL]),
    ("grid-quality", FAILS, [RANDOM.but(last=5), UCB1.but(last=5), CL]),
    ("grid-quality", UNTESTED, [RANDOM, UCB1]),
    ("grid-quality", UNTESTED, [RANDOM, CL.but(seed=8)]),
    ("grid-quality", IN_PART, [RANDOM.but(users=1), CL.but(users=1)]),
    ("random-selection", HOLDS, [RANDOM, SMALLEST.but(last=3), UCB1.but(last=3)]),
    ("random-selection", IN_PART, [RANDOM.but(last=2), SMALLEST.but(last=5), UCB1]),
    ("random-selection", FAILS, [RANDOM.but(last=2), SMALLEST, UCB1]),
    ("random-selection", UNTESTED, [SMALLEST, UCB1]),
    ("strategies-close", HOLDS, [RANDOM, SMALLEST, UCB1]),
    ("strategies-close", IN_PART, [RANDOM, SMALLEST, UCB1.but(last=6)]),
    ("strategies-close", FAILS, [RANDOM, SMALLEST.but(last=8), UCB1.but(last=6)]),
    ("strategies-close", FAILS, [RANDOM.but(last=8), SMALLEST, UCB1]),
    ("time-gap", HOLDS, [RANDOM, CL]),
    ("time-gap", IN_PART, [RANDOM, UCB1.but(seconds=0.03), CL]),
    ("time-gap", FAILS, [RANDOM, CL.but(seconds=0.01)]),
    ("time-gap", HOLDS, [RANDOM, CL.but(stop_at=5)]),
    ("training-low", HOLDS, [LOW, MIDDLE, HIGH]),
    ("training-low", IN_PART, [LOW.but(last=30), MIDDLE, HIGH]),
    ("training-low", FAILS, [LOW.but(last=30), MIDDLE.but(last=30), HIGH.but(last=30)]),
    ("training-low", IN_PART, [HIGH.but(gap=20)]),
    ("training-low", UNTESTED, [HIGH.but(queries=30)]),
    ("training-low", HOLDS, [HIGH.but(queries=100, stop_at=45)]),
    ("hotel-magnitude", HOLDS, HOTELS),
    ("hotel-magnitude", IN_PART, [HOTELS[0].but(last=20), *HOTELS[1:]]),
    ("hotel-magnitude", FAILS, [made.but(last=20) for made in HOTELS]),
    ("hotel-magnitude", UNTESTED, [LOW]),
    ("hotel-hard", FAILS, HOTELS),
    ("hotel-hard", HOLDS, [made.but(gap=2) for made in HOTELS]),
    ("alpha-matters", HOLDS, [LOW.but(last=20, seconds=0.02), HIGH]),
    ("alpha-matters", IN_PART, [LOW.but(last=20, seconds=0.005), HIGH]),
    ("alpha-matters", FAILS, [LOW.but(seconds=0.005), HIGH]),
    ("alpha-matters", UNTESTED, [HIGH]),
    ("alpha-enough", HOLDS, [MIDDLE, HIGH, *HOTELS]),
    ("alpha-enough", IN_PART, [MIDDLE.but(last=20), HIGH, *HOTELS]),
    ("alpha-enough", FAILS, [MIDDLE.but(last=20), HIGH]),
    ("alpha-enough", UNTESTED, [LOW, HIGH]),
]


@pytest.mark.parametrize(("key", "verdict", "made"), CASES)
def test_a_claim_can_come_out_either_way(key: str, verdict: Verdict, made: Sequence[Made], tmp_path: Path) -> None:
    claim = named(check_claims(runs_of(tmp_path, *made)), key)
    assert claim.verdict is verdict, claim.numbers


SCALING: list[tuple[str, Verdict, list[Scaling]]] = [
    ("growing-gap", HOLDS, times((4, 2, 1), (8, 8, 1), (12, 40, 1.2))),
    ("growing-gap", IN_PART, times((4, 2, 1), (8, 2, 1), (12, 2, 1))),
    ("growing-gap", IN_PART, times((4, 0.5, 1), (8, 8, 1), (12, 40, 1))),
    ("growing-gap", FAILS, times((4, 0.9, 1), (8, 0.5, 1), (12, 0.2, 1))),
    ("growing-gap", UNTESTED, []),
    ("full-impractical", HOLDS, times((4, 2, 1), (16, 20, 1))),
    ("full-impractical", HOLDS, [Scaling(16, 10.0, 0.1, limited=True)]),
    ("full-impractical", IN_PART, [Scaling(16, 0.5, 0.1, limited=True)]),
    ("full-impractical", IN_PART, times((4, 2, 1), (16, 3, 1))),
    ("full-impractical", FAILS, times((4, 0.01, 0.01), (16, 0.1, 0.02))),
    ("full-impractical", UNTESTED, []),
]


@pytest.mark.parametrize(("key", "verdict", "measured"), SCALING)
def test_claims_about_size_can_come_out_either_way(key: str, verdict: Verdict, measured: list[Scaling]) -> None:
    claim = named(check_claims(Runs(()), measured), key)
    assert claim.verdict is verdict, claim.numbers


def named(claims: Sequence[Claim], key: str) -> Claim:
    return next(claim for claim in claims if claim.key == key)


def test_answers_look_at_whole_intervals() -> None:
    assert ruled_at_most(Estimate(1, 0, 2), 2) is Judgement.YES
    assert ruled_at_most(Estimate(1, 0, 2.1), 2) is Judgement.OPEN
    assert ruled_at_most(Estimate(3, 2.1, 4), 2) is Judgement.NO
    assert ruled_at_most(Estimate(3, 2.1, 4), 2, optimistic=Estimate(1, 0, 2)) is Judgement.OPEN
    assert ruled_at_most(Estimate(1, float("nan"), float("nan")), 2) is Judgement.OPEN
    assert ruled_at_least(Estimate(3, 2, 4), 2) is Judgement.YES
    assert ruled_at_least(Estimate(1, 0, 1.9), 2) is Judgement.NO
    assert ruled_at_least(Estimate(2, 1, 3), 2) is Judgement.OPEN
    assert ruled_within(Estimate(0, -1, 1), 1) is Judgement.YES
    assert ruled_within(Estimate(-3, -4, -2), 1) is Judgement.NO
    assert ruled_within(Estimate(0, -2, 1), 1) is Judgement.OPEN


def test_claims_are_told_in_full(tmp_path: Path) -> None:
    claims = check_claims(runs_of(tmp_path, *PAPER), times((4, 2, 1), (8, 8, 1), (12, 40, 1.2)))
    assert len({claim.key for claim in claims}) == len(claims) == 11
    assert all(claim.verdict is not UNTESTED for claim in claims)
    assert len(claims_table(claims).rows) == 11
    findings = findings_table(claims)
    assert len(findings.rows) == sum(len(claim.findings) for claim in claims)
    data = claims[0].data()
    assert data["verdict"] == "holds"
    assert len(data["findings"]) == 3  # type: ignore[arg-type]
