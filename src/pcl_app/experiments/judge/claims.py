"""What a claim is: a sentence, how it is tested, the findings, and the verdict that follows from them.

A claim is split into findings: one for each strategy, each α, each problem it speaks of. A finding is *yes*, *no* or
*open*, by a rule that looks at a whole 95 % confidence interval and not at its middle. A claim *holds* if all findings
are yes, *does not hold* if all are no, and *holds in part* otherwise, also where the data cannot decide. Without the
runs that it needs it is *not tested*.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pcl_app.experiments.judge.statistics import Estimate
from pcl_app.experiments.judge.tables import PValue, ResultTable, Verdict, shown


class Judgement(StrEnum):
    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """One number behind a claim, what it was held against, and the answer."""

    about: str
    measure: str
    estimate: Estimate
    threshold: float
    ruling: Judgement
    p_value: float | None = None

    def __str__(self) -> str:
        return f"{self.about}: {self.measure} = {shown(self.estimate)}"


@dataclass(frozen=True, slots=True)
class Claim:
    key: str
    sentence: str
    test: str
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        rulings = {finding.ruling for finding in self.findings}
        if not rulings:
            return Verdict.UNTESTED
        if rulings == {Judgement.YES}:
            return Verdict.HOLDS
        return Verdict.FAILS if rulings == {Judgement.NO} else Verdict.IN_PART

    @property
    def numbers(self) -> str:
        return "\n".join(map(str, self.findings)) or "the runs it speaks of are not there"

    def data(self) -> dict[str, object]:
        return {
            "key": self.key,
            "sentence": self.sentence,
            "test": self.test,
            "verdict": self.verdict.value,
            "findings": [
                {
                    "about": finding.about,
                    "measure": finding.measure,
                    "value": finding.estimate.value,
                    "low": finding.estimate.low,
                    "high": finding.estimate.high,
                    "threshold": finding.threshold,
                    "p_value": finding.p_value,
                    "answer": finding.ruling.value,
                }
                for finding in self.findings
            ],
        }


def ruled_at_most(estimate: Estimate, threshold: float, optimistic: Estimate | None = None) -> Judgement:
    """Yes if the whole interval is at or below the threshold; no if the (optimistic) interval is above; else open.

    Without an interval (a single user) nothing is decided.
    """
    if estimate.high <= threshold:
        return Judgement.YES
    return Judgement.NO if (optimistic or estimate).low > threshold else Judgement.OPEN


def ruled_at_least(estimate: Estimate, threshold: float) -> Judgement:
    """Yes if the whole interval is at or above the threshold, no if it is below, else open."""
    if estimate.low >= threshold:
        return Judgement.YES
    return Judgement.NO if estimate.high < threshold else Judgement.OPEN


def ruled_within(estimate: Estimate, margin: float) -> Judgement:
    """Yes if the whole interval lies within ± the margin, no if it lies outside, else open."""
    if -margin <= estimate.low and estimate.high <= margin:
        return Judgement.YES
    return Judgement.NO if estimate.low > margin or estimate.high < -margin else Judgement.OPEN


def claims_table(claims: Sequence[Claim], caption: str = "The paper's claims and our numbers") -> ResultTable:
    rows = [(claim.sentence, claim.verdict, claim.numbers, claim.test) for claim in claims]
    return ResultTable(caption, ("claim", "verdict", "our numbers", "how tested"), rows)


def findings_table(claims: Sequence[Claim], caption: str = "Every finding behind the verdicts") -> ResultTable:
    rows = [
        (
            claim.key,
            finding.about,
            finding.measure,
            finding.estimate,
            finding.threshold,
            None if finding.p_value is None else PValue(finding.p_value),
            finding.ruling.value,
        )
        for claim in claims
        for finding in claim.findings
    ]
    titles = ("claim", "about", "measure", "value [95 % interval]", "held against", "p (Wilcoxon)", "answer")
    return ResultTable(caption, titles, rows)
