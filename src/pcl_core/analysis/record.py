"""Does what a trace says of itself fit together? What any theory is checked on: its numbers, and its certificate.

Comparisons are written so that what is not a number fails them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pcl_core.analysis.certificate import Certificate
from pcl_core.analysis.trace import Step, Trace
from pcl_core.learn.stopping import Confirmation, Progress
from pcl_core.model.evaluation import Utility, nearest
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle

TOLERANCE = 1e-6


@dataclass(frozen=True)
class Statement:
    """One statement, whether it holds for this trace, and its numbers."""

    name: str
    holds: bool
    detail: str


def check_record(oracle: Oracle, trace: Trace) -> list[Statement]:
    """The statements that hold for every learner and every person."""
    checks = [
        _complete(oracle.problem, trace),
        for_steps("regrets are not negative", trace, _sensible_regrets),
        for_steps("ζ is what an update of J alone can miss", trace, _sensible_zeta(oracle.problem, trace)),
    ]
    return checks if trace.certificate is None else [*checks, _certificate(oracle, trace, trace.certificate)]


def for_steps(name: str, trace: Trace, holds: Callable[[Step], bool]) -> Statement:
    """A statement about each step."""
    wrong = [step.query for step in trace.steps if not holds(step)]
    return Statement(name, not wrong, "at queries " + ", ".join(map(str, wrong[:10])) if wrong else "")


def tolerance(step: Step) -> float:
    """What the floating-point numbers of a step cannot tell apart: each is the nearest to an exact one."""
    return 4 * math.ulp(max(abs(step.utility), abs(step.utility_improved), step.conditional_regret))


def _complete(problem: Problem, trace: Trace) -> Statement:
    name = "every query is recorded, in numbers"
    if len(trace.norms) != len(trace.steps):
        return Statement(name, False, f"{len(trace.norms)} lengths of w for {len(trace.steps)} queries")
    known = {part.name for part in problem.parts}
    wrong = [
        step.query
        for position, (step, norm) in enumerate(zip(trace.steps, trace.norms, strict=True))
        if step.part not in known
        or step.query != trace.steps[0].query + position
        or not all(map(math.isfinite, (norm, step.utility, step.utility_improved, step.conditional_regret, step.zeta)))
    ]
    return Statement(name, not wrong, f"not query {wrong[0]}" if wrong else f"{len(trace.steps)} queries")


def _sensible_regrets(step: Step) -> bool:
    return step.conditional_regret >= 0.0 and 0.0 <= step.regret <= step.regret_bound


def _sensible_zeta(problem: Problem, trace: Trace) -> Callable[[Step], bool]:
    """ζ = Σ w*_i (φ_i(x̂) − φ_i(x)) over I without J: zero for other updates, and no larger than features can move."""
    largest: dict[str, float] = {}
    if sorted(trace.order) == list(range(len(problem.parts))):
        moves = [float(high - low) for low, high in (facts.bounds for facts in problem.feature_facts)]
        for part, ignored in zip(problem.parts, problem.structure.ignored(trace.order), strict=True):
            largest[part.name] = sum(abs(float(trace.weights[at])) * moves[at] for at in ignored)

    def sensible(step: Step) -> bool:
        allowed = largest.get(step.part, math.inf) * (1 + TOLERANCE) if step.update == "J" else 0.0
        return abs(step.zeta) <= allowed

    return sensible


def _certificate(oracle: Oracle, trace: Trace, certificate: Certificate) -> Statement:
    """What the certificate says was confirmed, said again by the steps."""
    problem = oracle.problem
    wrong: list[str] = []
    if certificate.parts != tuple(part.name for part in problem.parts):
        wrong.append("its parts are others")
    if certificate.configuration != trace.configuration:
        wrong.append("it is for another configuration than the last")
    if any(certificate.configuration.get(name) != value for name, value in certificate.pins.items()):
        wrong.append("its pins are not what stands there")
    if not _unchanged(trace, certificate, _utility(oracle, trace, certificate)):
        wrong.append(f"the configuration changed after query {certificate.unchanged_since}")
    names = [part.name for part in problem.parts]
    found = _confirmed(names, trace, certificate)
    if {names[part]: query for part, query in found.confirmed.items()} != dict(certificate.confirmed):
        wrong.append("other parts were confirmed, or at other queries")
    if tuple((names[item.part], item.query) for item in found.passes) != certificate.passes:
        wrong.append("the passes were others")
    if not found.finished(certificate.rule):
        wrong.append(f"'{certificate.rule}' would not have stopped here")
    return Statement("the certificate says what the queries say", not wrong, "; ".join(wrong))


def _utility(oracle: Oracle, trace: Trace, certificate: Certificate) -> float:
    features = oracle.features
    return nearest(Utility(trace.weights, features.places).of(features.units(certificate.configuration)))


def _unchanged(trace: Trace, certificate: Certificate, utility: float) -> bool:
    """Whether x is worth what the certified configuration is since it last changed, as far as the trace goes back.

    It changed by a proposal, by an improvement that was kept, or by a pin, of which no step says what it is worth.
    """
    since, last = certificate.unchanged_since, trace.steps[-1].query if trace.steps else math.inf
    pinned = trace.steps[0].query if trace.led_away else None
    return 0 <= since <= last and all(
        abs(step.utility - utility) <= tolerance(step)
        or (step.query == since and abs(step.utility_improved - utility) <= tolerance(step))
        or step.query == since == pinned
        for step in trace.steps
        if step.query >= max(since, 1)
    )


def _confirmed(names: list[str], trace: Trace, certificate: Certificate) -> Progress:
    """What the steps confirmed; what the certificate lists from before the first of them is taken as it is."""
    first = trace.steps[0].query if trace.steps else math.inf
    before = {names.index(part): query for part, query in certificate.confirmed.items() if part in names}
    passes = tuple(Confirmation(names.index(part), query) for part, query in certificate.passes if part in names)
    progress = Progress(
        trace.order,
        confirmed={part: query for part, query in before.items() if query < first},
        passes=tuple(item for item in passes if item.query < first),
    )
    for step in trace.steps:
        if step.query == certificate.unchanged_since:
            progress = progress.changed(step.query)
        if step.part not in names or any(part not in names for part in step.parts):
            continue
        if step.satisfied:
            for part in step.parts or (step.part,):
                progress = progress.satisfied(names.index(part), step.query)
        elif step.changed_variables:  # a skipped query confirms nothing, and casts no doubt
            progress = progress.doubted(names.index(step.part))
            for part in (step.parts if step.together else (step.part,)) if step.final else ():
                progress = progress.satisfied(names.index(part), step.query)
    return progress
