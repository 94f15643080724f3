"""How much there is to gain by asking about a part, for what is believed of the person."""

from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.state import State

SAMPLES = 16


def expected_improvement(proposer: Proposer, state: State, part: int) -> float:
    """E [max wᵀφ(x′) − wᵀφ(x)] over samples w of the belief, with x as it would be proposed: one solve a sample.

    Samples are the same for all parts of a query. A belief that has none expects nothing.
    """
    rules, features = proposer.rules, proposer.oracle.features
    samples = state.learner.belief.samples(SAMPLES, rules.proposing_generator(state))
    if samples is None:
        return 0.0
    pins = proposer.pinned(state, part)
    found = proposer.propose(state, part, pins)
    assert found is not None, "what stands there is allowed, so something is"
    proposal = {**state.configuration, **found.changes}
    here, gain = features.values(proposal), 0.0
    for weights in samples:
        best = proposer.oracle.solve(
            weights,
            variables=rules.problem.parts[part].variables,
            given=state.configuration,
            features=rules.problem.structure.feature_subsets[part],
            incumbent=proposal,
            fixed=pins,
        ).configuration
        if best is not None:  # else a limit stopped the solver, and nothing better is known
            gain += max(0.0, float(weights @ (features.values(best) - here)))
    return gain / len(samples)
