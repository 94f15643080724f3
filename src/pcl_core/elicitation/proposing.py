"""Proposals for a part, and whether a person's values for it are allowed. Everything that needs the oracle."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from pcl_core.elicitation.events import Answered, Confirmed
from pcl_core.elicitation.possible import Possible, PossibleApart, Room
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.state import OpenQuery, State
from pcl_core.errors import Code, Issue, RequestError, UndecidedError
from pcl_core.ir.domains import Value
from pcl_core.model.assignment import values_by_name
from pcl_core.model.configuration import Configuration, read_configuration
from pcl_core.model.evaluation import Vector
from pcl_core.solve.conflict import infeasible, refusal
from pcl_core.solve.judge import Solution
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Status
from pcl_core.solve.seen import seen_by

SOLVED_SAMPLES = 16
"""Weights drawn from a belief where each costs a solve."""


@dataclass(frozen=True)
class Proposal:
    """What to put into a part."""

    changes: Configuration
    """what it changes in the configuration"""
    proven: bool
    """whether nothing is better for what is known"""
    seconds: float
    suggestion: Configuration = field(default_factory=dict)
    """what would be better, but for values that are the person's own"""
    guesses: dict[str, Configuration] = field(default_factory=dict)
    """what would be best by the belief in a part that nobody has spoken for, where something else is likelier to stay"""


@dataclass(frozen=True)
class Improved:
    """What a person's values change."""

    changes: Configuration
    """in the parts in question"""
    moved: Configuration
    """in other parts, to make room"""


DRAWN_DIGITS = 3
"""Of weights that are drawn from a belief."""


@dataclass(frozen=True)
class Proposer:
    """Proposes parts and judges improvements for one elicitation."""

    oracle: Oracle
    rules: Rules

    def propose(self, state: State, part: int, pins: Mapping[str, Value]) -> Proposal | None:
        """argmax u[J](x_p ∘ x_p̄) around the pins; None if nothing is allowed there.

        x stays where nothing is better, and where a limit stopped the solver before it found anything. Around pins
        as much of it stays as the best allows.
        """
        started = time.perf_counter()
        found = self._solve(state, part, pins)
        if found.configuration is None:
            stays = all(state.configuration[name] == value for name, value in pins.items())
            if found.status is Status.INFEASIBLE:
                return None
            if not stays:
                raise UndecidedError(f"whether the rest can be completed was not found out in time: {found.reason}")
            return Proposal({}, False, found.seconds)
        best = found.configuration
        if pins and found.status is Status.OPTIMAL and not found.kept:
            best = self._staying_close(state, part, pins, found)
        changes = self._differences(part, state.configuration, best)
        proven = found.status is Status.OPTIMAL and found.rounding == 0.0
        return Proposal(changes, proven, time.perf_counter() - started)

    def _solve(self, state: State, part: int, fixed: Mapping[str, Value], floor: Fraction | None = None) -> Solution:
        return self.oracle.solve(
            self.rules.proposing_weights(state),
            variables=self.variables(part),
            given=state.configuration,
            features=self.features(state, part),
            incumbent={**state.configuration, **fixed},
            fixed=fixed,
            floor=floor,
        )

    def _staying_close(self, state: State, part: int, pins: Mapping[str, Value], found: Solution) -> Configuration:
        """Of the best completions one that changes no value without need: the first ones stay first."""
        assert found.configuration is not None
        assert found.exact is not None
        best, fixed = found.configuration, dict(pins)
        for name in self.variables(part):
            stays = state.configuration[name]
            if name not in fixed and best[name] != stays:
                tried = self._solve(state, part, {**fixed, name: stays}, found.exact)
                if tried.status is Status.UNKNOWN:
                    break
                if tried.configuration is not None and tried.exact == found.exact:
                    best = tried.configuration
            if best[name] == stays:
                fixed[name] = stays
        return best

    def pinned(self, state: State, *parts: int) -> Configuration:
        return self.rules.pinned(state, *parts)

    def improvement(self, state: State, opened: OpenQuery, values: Mapping[str, object]) -> "Improved":
        """What a person's values change in the proposal; an error that names the constraints if it is not allowed."""
        given = self.own_values(opened, values)
        proposal = state.configuration
        changes = {name: value for name, value in given.items() if proposal[name] != value}
        self._refuse_moved_pins(state, changes)
        wanted = {**proposal, **changes}
        broken = self.broken(state, opened.parts, wanted)
        moved = self.room(state, opened, wanted, broken) if broken else {}
        if moved is None:
            hint = "pin what matters to you, and the rest is completed around it"
            try:
                around = self.completion(state, opened.parts, given)
            except UndecidedError:
                around = None
            raise refusal(self.oracle, broken, "this is not allowed", None if around is None else hint)
        return Improved(changes, moved)

    def room(
        self, state: State, opened: OpenQuery, wanted: Configuration, broken: tuple[str, ...]
    ) -> Configuration | None:
        """What to change elsewhere so that a person's values can stand; None: it is not done, or does not help."""
        return None

    def may_move(self, state: State, opened: OpenQuery) -> Sequence[str]:
        """The variables of other parts that may move to make room for a person's values."""
        return ()

    def broken(self, state: State, parts: Sequence[int], configuration: Configuration) -> tuple[str, ...]:
        """The constraints on some parts that a whole configuration breaks."""
        found: dict[str, None] = {}
        for part in parts:
            features = self.features(state, part)
            broken = self.oracle.violated(configuration, variables=self.variables(part), features=features)
            found |= dict.fromkeys(broken)
        return tuple(found)

    def possible(
        self, state: State, parts: Sequence[int], fixed: Mapping[str, Value], drafted: Collection[str] = ()
    ) -> Possible:
        """The values of parts that some completion around fixed ones allows; `drafted` are the variables that a draft has."""
        if len(parts) == 1:
            return self._possible(state, parts, fixed)
        return PossibleApart(self._room(state, parts), fixed, drafted, partial(self._possible, state))

    def _possible(self, state: State, parts: Sequence[int], fixed: Mapping[str, Value]) -> Possible:
        return Possible(self._room(state, parts), fixed)

    def _room(self, state: State, parts: Sequence[int]) -> Room:
        """One part is solved as it is for proposals."""
        features = self.features(state, parts[0]) if len(parts) == 1 else ()
        return Room(self.oracle, self.variables(*parts), features, state.configuration)

    def completion(self, state: State, parts: Sequence[int], given: Mapping[str, Value]) -> Configuration | None:
        """The parts as the solver would complete them around these values and the pins; None if nothing is allowed.

        Of several parts only those change that values are given for.
        """
        where = self.rules.problem.structure.part_of_variable
        touched = sorted({where[name] for name in given}) or parts[:1]
        fixed = {**self.pinned(state, *touched), **given}
        if len(touched) == 1:
            proposal = self.propose(state, touched[0], fixed)
            changes = None if proposal is None else proposal.changes
        else:
            found = self._room(state, touched).some(fixed)
            if found.status is Status.UNKNOWN:
                raise UndecidedError(f"whether the rest can be completed was not found out in time: {found.reason}")
            changes = found.configuration
        if changes is None:
            return None
        return {name: changes.get(name, state.configuration[name]) for name in self.variables(*parts)}

    def around(self, state: State, opened: OpenQuery, values: Mapping[str, object]) -> Configuration:
        """The completion around these values; an error that names the constraints if there is none."""
        given = self.own_values(opened, values)
        self._refuse_moved_pins(state, given)
        found = self.completion(state, opened.parts, given)
        if found is None:
            fixed = {**self.pinned(state, *opened.parts), **given}
            raise self.cannot_complete(state, opened.parts, fixed, "nothing can be completed around these values")
        return found

    def moved_pins(self, state: State, values: Mapping[str, Value]) -> tuple[str, ...]:
        """The pinned variables to which these values give another one."""
        return tuple(name for name, value in values.items() if state.pins.get(name, value) != value)

    def _refuse_moved_pins(self, state: State, values: Mapping[str, Value]) -> None:
        moved = self.moved_pins(state, values)
        if moved:
            message = f"'{moved[0]}' is pinned to {state.pins[moved[0]]}"
            raise RequestError(Issue(Code.INFEASIBLE, message, "unpin it first"))

    def own_values(self, opened: OpenQuery, values: Mapping[str, object]) -> Configuration:
        """Checked values, all of the part in question."""
        problem = self.rules.problem
        known = problem.structure.part_of_variable
        outside = [name for name in values_by_name(values) if name in known and known[name] not in opened.parts]
        if outside:
            owner, asked = problem.parts[known[outside[0]]].name, problem.parts[opened.part].name
            message = f"'{outside[0]}' belongs to part '{owner}', and this query is about '{asked}'"
            hint = "the rest of the configuration stays as it is; ask about that part"
            raise RequestError(Issue(Code.OUTSIDE_PART, message, hint))
        return read_configuration(problem, values, partial=True)

    def expected(self, state: State, part: int) -> float:
        """E [max wᵀφ(x′) − wᵀφ(x)] over samples w of the belief, with x as it would be proposed: one solve a sample.

        Samples are the same for all parts of a query. A belief that has none expects nothing.
        """
        samples = state.learner.belief.samples(SOLVED_SAMPLES, self.rules.proposing_generator(state))
        if samples is None:
            return 0.0
        pins = self.pinned(state, part)
        found = self.propose(state, part, pins)
        assert found is not None, "what stands there is allowed, so something is"
        proposal = {**state.configuration, **found.changes}
        here, gain = self.oracle.features.values(proposal), 0.0
        for weights in samples:
            best = self.best_for(state, part, weights, proposal).configuration
            if best is not None:  # else a limit stopped the solver, and nothing better is known
                gain += max(0.0, float(weights @ (self.oracle.features.values(best) - here)))
        return gain / len(samples)

    def jump(self, state: State) -> Configuration:
        """What changes before a query, of values that nobody has spoken for."""
        return {}

    def is_settled(self, state: State, part: int) -> bool:
        """Whether what is believed of the person says that nothing in a part would be better for her."""
        return False

    def cuts(self, state: State, event: Answered | Confirmed, parts: Sequence[int]) -> dict[str, list[Configuration]]:
        """For each part that an answer accepts some alternatives that are worth telling the learner."""
        return {}

    def foretold(self, state: State, event: Answered) -> dict[str, float]:
        """What was foretold of an answer by those who guessed what was shown."""
        return {}

    def best_for(self, state: State, part: int, weights: Vector, incumbent: Configuration) -> Solution:
        """The best that may stand in a part for weights that she may have, over all features that depend on it.

        They are drawn, so few digits of each say all that is known; more of them, times wide numbers, no solver can compare.
        """
        return self.oracle.solve(
            [float(f"{weight:.{DRAWN_DIGITS}g}") for weight in weights.tolist()],
            variables=self.variables(part),
            given=state.configuration,
            features=self.rules.problem.structure.feature_subsets[part],
            incumbent=incumbent,
            fixed=self.pinned(state, part),
        )

    def cannot_complete(
        self, state: State, parts: Sequence[int], pins: Mapping[str, Value], message: str
    ) -> RequestError:
        """The error that names what is in conflict; all constraints hold as it stands, so those on other parts are not."""
        seen = seen_by(self.oracle, self.variables(*parts))
        return infeasible(seen.oracle, seen.around(state.configuration, pins), message)

    def variables(self, *parts: int) -> tuple[str, ...]:
        """The variables of some parts."""
        known = self.rules.problem.parts
        return (
            known[parts[0]].variables if len(parts) == 1 else tuple([it for at in parts for it in known[at].variables])
        )

    def features(self, state: State, *parts: int) -> tuple[int, ...]:
        """The features of some parts that proposals are best for."""
        on_all = state.learner.belief.infers_on == "I"
        of = self.rules.problem.structure.feature_subsets if on_all else self.rules.decomposition
        return of[parts[0]] if len(parts) == 1 else tuple(sorted({feature for part in parts for feature in of[part]}))

    def _differences(self, part: int, before: Mapping[str, Value], after: Mapping[str, Value]) -> Configuration:
        return {name: after[name] for name in self.variables(part) if after[name] != before[name]}
