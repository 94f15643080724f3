"""Proposals for a part, and whether a person's values for it are allowed. Everything that needs the oracle."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from pcl_core.elicitation.start import infeasible, refusal
from pcl_core.elicitation.state import OpenQuery, Rules, State
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.learn.learners import Learner
from pcl_core.model.configuration import Configuration, read_configuration
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Status
from pcl_core.users.utility import UndecidedError


@dataclass(frozen=True)
class Proposal:
    """What to put into a part."""

    changes: Configuration
    """what it changes in the configuration"""
    proven: bool
    """whether nothing is better for what is known"""
    seconds: float


@dataclass(frozen=True)
class Proposer:
    """Proposes parts and judges improvements for one elicitation."""

    oracle: Oracle
    rules: Rules

    def propose(self, state: State, part: int, pins: Mapping[str, Value]) -> Proposal | None:
        """argmax u[J](x_p ∘ x_p̄) around the pins; None if nothing is allowed there.

        x stays where nothing is better, but for the pins, and where a limit stopped the solver before it found
        anything.
        """
        found = self.oracle.solve(
            state.learner.weights,
            variables=self._variables(part),
            given=state.configuration,
            features=self._features(state.learner, part),
            incumbent={**state.configuration, **pins},
            fixed=pins,
        )
        if found.configuration is None:
            if found.status is Status.INFEASIBLE:
                return None
            if any(state.configuration[name] != value for name, value in pins.items()):
                message = f"nothing was found around these pins: {found.status} ({found.reason})"
                raise UndecidedError(Issue(Code.LIMIT_REACHED, message, "allow more time, or choose another backend"))
            return Proposal({}, False, found.seconds)
        changes = self._differences(part, state.configuration, found.configuration)
        return Proposal(changes, found.status is Status.OPTIMAL, found.seconds)

    def pinned(self, state: State, part: int) -> Configuration:
        if not state.pins:
            return {}
        own = self._variables(part)
        return {name: value for name, value in state.pins.items() if name in own}

    def improvement(self, state: State, opened: OpenQuery, values: Mapping[str, object]) -> Configuration:
        """What a person's values change in the proposal; an error that names the constraints if it is not allowed."""
        given = self.own_values(opened, values)
        proposal = state.configuration
        changes = self._differences(opened.part, proposal, {**proposal, **given})
        moved = [name for name in changes if name in state.pins]
        if moved:
            message = f"'{moved[0]}' is pinned to {state.pins[moved[0]]}"
            raise RequestError(Issue(Code.INFEASIBLE, message, "unpin it first"))
        broken = self.oracle.violated(
            {**proposal, **changes},
            variables=self._variables(opened.part),
            features=self._features(state.learner, opened.part),
        )
        if broken:
            raise refusal(self.oracle, broken, "this is not allowed", self._way_out(state, opened.part, given))
        return changes

    def _way_out(self, state: State, part: int, given: Configuration) -> str | None:
        with suppress(UndecidedError):
            if self.propose(state, part, {**self.pinned(state, part), **given}) is not None:
                return "pin what matters to you, and the rest is completed around it"
        return None

    def own_values(self, opened: OpenQuery, values: Mapping[str, object]) -> Configuration:
        """Checked values, all of the part in question."""
        problem = self.rules.problem
        known = problem.structure.part_of_variable
        outside = [name for name in values if name in known and known[name] != opened.part]
        if outside:
            owner, asked = problem.parts[known[outside[0]]].name, problem.parts[opened.part].name
            message = f"'{outside[0]}' belongs to part '{owner}', and this query is about '{asked}'"
            hint = "the rest of the configuration stays as it is; ask about that part"
            raise RequestError(Issue(Code.OUTSIDE_PART, message, hint))
        return read_configuration(problem, values, partial=True)

    def cannot_complete(self, state: State, part: int, pins: Mapping[str, Value]) -> RequestError:
        own = self._variables(part)
        outside = {name: value for name, value in state.configuration.items() if name not in own}
        return infeasible(self.oracle, {**outside, **pins}, "nothing can be completed around these pins")

    def _variables(self, part: int) -> tuple[str, ...]:
        return self.rules.problem.parts[part].variables

    def _features(self, learner: Learner, part: int) -> tuple[int, ...]:
        if learner.infers_on == "I":
            return self.rules.problem.structure.feature_subsets[part]
        return self.rules.decomposition[part]

    def _differences(self, part: int, before: Mapping[str, Value], after: Mapping[str, Value]) -> Configuration:
        return {name: after[name] for name in self._variables(part) if after[name] != before[name]}
