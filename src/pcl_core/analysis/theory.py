"""Does a trace agree with the theory? Every statement of the paper's analysis that a run can contradict.

D bounds |φ_i|, S is the largest |I_p|; both follow from the problem. For w^1 = 0 and no slack the bounds are those
of Theorem 2; a start elsewhere and answers that fall short of α (slack ξ) widen them as their proofs say.
"""

import math
from dataclasses import dataclass

import numpy as np

from pcl_core.analysis.certificate import Certificate, verify
from pcl_core.analysis.record import TOLERANCE, Statement, check_record, for_steps, tolerance
from pcl_core.analysis.trace import Step, Trace
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.learn.perceptron import ROUNDING
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle


@dataclass(frozen=True)
class TheoryReport:
    checks: tuple[Statement, ...]

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)

    @property
    def failures(self) -> tuple[Statement, ...]:
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
    """The right-hand side of Theorem 2 for this trace: 2DS‖w*‖/(α√T) + 1/(αT) Σ ζ^t (+ 1/(αT) Σ ξ^t).

    Without queries it bounds nothing.
    """
    count = len(trace.steps)
    if count == 0:
        return math.inf
    length = math.hypot(_length(trace.start), math.sqrt(_norm_growth(problem) * count))
    with np.errstate(over="ignore", invalid="ignore"):
        reach = _length(trace.weights) * length - float(trace.weights @ trace.start)
    if not math.isfinite(reach):
        return math.inf  # beyond floating point nothing is bounded
    return (max(0.0, reach) + sum(step.zeta for step in trace.steps) + slack(trace, alpha)) / (alpha * count)


def _length(vector: Vector) -> float:
    """‖vector‖, also where its square would be too large or too small for floating point."""
    largest = float(np.abs(vector).max(initial=0.0))
    return largest * float(np.linalg.norm(vector / largest)) if largest > 0.0 else 0.0


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
    better. `perceptron`: the learner is Algorithm 2's. What was not promised is not checked: nor is a certificate by
    two passes where Proposition 3 does not apply, unless Lemma 1 does.
    """
    if not 0 < alpha <= 1:
        raise RequestError(Issue(Code.BAD_VALUE, f"α is {alpha}, but it is above 0 and at most 1"))
    problem = oracle.problem
    checks = [*check_record(oracle, trace), _partition(problem, trace)]
    checks.append(for_steps("satisfied answers change nothing", trace, _stays_if_satisfied))
    if informative:
        checks.append(_informative(trace, alpha))
    if truthful:
        checks.append(for_steps("nobody is satisfied with less than the best", trace, _satisfied_with_the_best))
    if perceptron:
        checks.append(for_steps("every improvement moves the weights", trace, _moves_if_improved))
    if perceptron and trace.proven:  # both proofs need proposals that are best on J
        checks.append(_norms(problem, trace))
        checks.append(_bound(problem, trace, alpha))
    if truthful and trace.certificate is not None:
        checks.append(_local_optimum(oracle, trace, trace.certificate))
    return TheoryReport(tuple(checks))


def _partition(problem: Problem, trace: Trace) -> Statement:
    name = "J_k partition the features, each within I_k"
    if sorted(trace.order) != list(range(len(problem.parts))):
        return Statement(name, False, "the order does not list every part exactly once")
    subsets = problem.structure.decomposition(trace.order)
    owned = sorted(feature for subset in subsets for feature in subset)
    within = all(set(J) <= set(own) for own, J in zip(problem.structure.feature_subsets, subsets, strict=True))
    holds = owned == list(range(len(problem.features))) and within
    return Statement(name, holds, f"{len(owned)} features in {len(subsets)} parts")


def _stays_if_satisfied(step: Step) -> bool:
    """Only unsatisfied answers move weights, and a satisfied one changes nothing."""
    return not step.satisfied or (step.update == "none" and step.changed_variables == 0)


def _moves_if_improved(step: Step) -> bool:
    return step.changed_variables == 0 or step.satisfied or step.update != "none"


def _satisfied_with_the_best(step: Step) -> bool:
    return not step.satisfied or step.conditional_regret == 0.0


def _informative(trace: Trace, alpha: float) -> Statement:
    pinned = trace.steps[:1] if trace.led_away else ()  # she promised to improve what she saw

    def reaches(step: Step) -> bool:
        return step in pinned or step.utility_improved - step.utility >= alpha * step.conditional_regret - tolerance(
            step
        )

    return for_steps(f"every improvement gains {alpha:g} of the conditional regret", trace, reaches)


def _norms(problem: Problem, trace: Trace) -> Statement:
    growth, start = math.sqrt(_norm_growth(problem)), _length(trace.start)
    wrong = [
        count
        for count, norm in enumerate(trace.norms, start=1)
        if not norm <= math.hypot(start, growth * math.sqrt(count)) * (1 + TOLERANCE)
    ]
    return Statement("‖w‖² <= 4D²S²T", not wrong, f"after {wrong[0]} queries" if wrong else "")


def _bound(problem: Problem, trace: Trace, alpha: float) -> Statement:
    average, bound = average_conditional_regret(trace), regret_bound(problem, trace, alpha)
    detail = f"{average:.4g} <= {bound:.4g}"
    # What is summed and subtracted again on the way to the bound leaves rounding of its own size behind.
    summed = _length(trace.weights) * _length(trace.start)
    summed += sum(abs(step.zeta) + abs(step.utility) + abs(step.utility_improved) for step in trace.steps)
    rounding = ROUNDING * (abs(bound) + summed / (alpha * max(1, len(trace.steps))))
    holds = math.isinf(bound) or average <= bound + rounding
    return Statement("average conditional regret within Theorem 2", holds, detail)


def _local_optimum(oracle: Oracle, trace: Trace, certificate: Certificate) -> Statement:
    missing = _missing_premise(oracle.problem, trace)
    if missing and not certificate.by_lemma:
        return Statement("two passes claim no local optimum here", True, missing)
    name = "the certified configuration is a local optimum"
    try:
        found = verify(certificate, oracle, trace.weights)
    except RequestError as error:  # a certificate of another problem
        return Statement(name, False, error.issues[0].message)
    if found.wrong:
        return Statement(name, False, found.wrong[0])
    detail = ", ".join(f"{part}: {value:.4g}" for part, value in found.improvable.items()) or "no part can be improved"
    return Statement(name, found.holds, detail)


def _missing_premise(problem: Problem, trace: Trace) -> str:
    """What Proposition 3 needs and this run does not have; nothing if it has all."""
    where = problem.structure.part_of_variable
    for constraint in problem.constraints:
        if len({where[name] for name in problem.symbols.free_variables(constraint.require)}) > 1:
            return f"constraint '{constraint.name}' ties parts together"
    if not trace.proven:
        return "not every proposal is proven to be the best"
    return "" if trace.settles else "proposals were not the best on J, or weights moved while nothing was improved"
