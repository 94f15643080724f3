"""Does a trace agree with the theory? Every statement of the paper's analysis that a run can contradict.

D bounds |φ_i|, S is the largest |I_p|; both follow from the problem. For w^1 = 0 and no slack the bounds are those
of Theorem 2; a start elsewhere and answers that fall short of α (slack ξ) widen them as their proofs say.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pcl_core.analysis.certificate import verify
from pcl_core.analysis.trace import Trace
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle

TOLERANCE = 1e-6


@dataclass(frozen=True)
class Check:
    """One statement, whether it holds for this trace, and its numbers."""

    name: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class TheoryReport:
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.holds)


def feature_bound(problem: Problem) -> float:
    """D: no feature is larger in size, in any configuration."""
    return max(max(abs(float(bound)) for bound in facts.bounds) for facts in problem.feature_facts)


def largest_subset(problem: Problem) -> int:
    """S = max |I_p|"""
    return max(map(len, problem.structure.feature_subsets))


def average_conditional_regret(trace: Trace) -> float:
    """CREG_T = 1/T Σ CREG(p^t, x^t)"""
    return float(np.mean([step.conditional_regret for step in trace.steps])) if trace.steps else 0.0


def slack(trace: Trace, alpha: float) -> float:
    """Σ ξ^t: by how much answers fall short of gaining α of the conditional regret."""
    return sum(max(0.0, alpha * s.conditional_regret - (s.utility_improved - s.utility)) for s in trace.steps)


def regret_bound(problem: Problem, trace: Trace, alpha: float) -> float:
    """The right-hand side of Theorem 2 for this trace: 2DS‖w*‖/(α√T) + 1/(αT) Σ ζ^t (+ 1/(αT) Σ ξ^t)."""
    count = len(trace.steps)
    length = math.sqrt(float(trace.start @ trace.start) + _norm_growth(problem) * count)
    reach = float(np.linalg.norm(trace.weights)) * length - float(trace.weights @ trace.start)
    return (reach + sum(step.zeta for step in trace.steps) + slack(trace, alpha)) / (alpha * count)


def _norm_growth(problem: Problem) -> float:
    """4 D² S²: by how much one update can lengthen w, squared."""
    return 4.0 * feature_bound(problem) ** 2 * largest_subset(problem) ** 2


def check_trace(
    oracle: Oracle,
    trace: Trace,
    *,
    alpha: float,
    informative: bool = True,
    truthful: bool = True,
    perceptron: bool = True,
) -> TheoryReport:
    """Check a whole trace.

    `informative`: every improvement promises α. `truthful`: a person says she is satisfied only if nothing is
    better. `perceptron`: the learner is Algorithm 2's. What was not promised is not checked.
    """
    problem = oracle.problem
    checks = [_partition(problem, trace), _satisfaction(trace)]
    if informative:
        checks.append(_informative(trace, alpha))
    if perceptron and trace.proven:  # both proofs need proposals that are best on J
        checks.append(_norms(problem, trace))
        checks.append(_bound(problem, trace, alpha))
    if truthful and trace.certificate is not None:
        checks.append(_certificate(oracle, trace))
    return TheoryReport(tuple(checks))


def _partition(problem: Problem, trace: Trace) -> Check:
    name = "J_k partition the features, each within I_k"
    if sorted(trace.order) != list(range(len(problem.parts))):
        return Check(name, False, "the order does not list every part exactly once")
    subsets = problem.structure.decomposition(trace.order)
    owned = sorted(feature for subset in subsets for feature in subset)
    within = all(set(J) <= set(own) for own, J in zip(problem.structure.feature_subsets, subsets, strict=True))
    holds = owned == list(range(len(problem.features))) and within
    return Check(name, holds, f"{len(owned)} features in {len(subsets)} parts")


def _satisfaction(trace: Trace) -> Check:
    """Only unsatisfied answers move weights, and a satisfied one changes nothing."""
    wrong = [s.query for s in trace.steps if s.satisfied and (s.update != "none" or s.changed_variables)]
    return Check("satisfied answers change nothing", not wrong, _listed(wrong))


def _informative(trace: Trace, alpha: float) -> Check:
    def short(query: int) -> bool:
        step = trace.steps[query]
        needed = alpha * step.conditional_regret
        return step.utility_improved - step.utility < needed - TOLERANCE * max(1.0, abs(step.utility))

    wrong = _queries(trace, short)
    return Check(f"every improvement gains {alpha:g} of the conditional regret", not wrong, _listed(wrong))


def _norms(problem: Problem, trace: Trace) -> Check:
    growth, start = _norm_growth(problem), float(trace.start @ trace.start)

    def too_long(index: int) -> bool:
        allowed = start + growth * (index + 1)
        return trace.norms[index] ** 2 > allowed * (1 + TOLERANCE)

    wrong = _queries(trace, too_long)
    return Check("‖w‖² <= 4D²S²T", not wrong, _listed(wrong))


def _bound(problem: Problem, trace: Trace, alpha: float) -> Check:
    if not trace.steps:
        return Check("average conditional regret within Theorem 2", True, "no queries")
    average, bound = average_conditional_regret(trace), regret_bound(problem, trace, alpha)
    detail = f"{average:.4g} <= {bound:.4g}"
    return Check("average conditional regret within Theorem 2", average <= bound + TOLERANCE, detail)


def _certificate(oracle: Oracle, trace: Trace) -> Check:
    assert trace.certificate is not None
    found = verify(trace.certificate, oracle, trace.weights)
    detail = ", ".join(f"{part}: {value:.4g}" for part, value in found.improvable.items()) or "no part can be improved"
    return Check("the certified configuration is a local optimum", found.holds, detail)


def _queries(trace: Trace, wrong: Callable[[int], bool]) -> list[int]:
    return [trace.steps[index].query for index in range(len(trace.steps)) if wrong(index)]


def _listed(queries: list[int]) -> str:
    return "at queries " + ", ".join(map(str, queries[:10])) if queries else ""
