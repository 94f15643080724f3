"""Proposals where people's words last: what is hers stays, and what the machine would rather have stands beside it.

Parts whose alternatives can be listed need no solver: proposals, cuts and expected gains are read off the list.
"""

import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from pcl_core.alternatives.listing import Alternatives
from pcl_core.elicitation.events import Answered, Confirmed
from pcl_core.elicitation.guessing import Habits, Pictures, Scores, probably_best, reactions
from pcl_core.elicitation.jumping import jump
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.elicitation.people import STATES, PeopleRules
from pcl_core.elicitation.possible import Possible
from pcl_core.elicitation.proposing import SOLVED_SAMPLES, Proposal, Proposer
from pcl_core.elicitation.settings import proposing_generator
from pcl_core.elicitation.state import OpenQuery, State, is_searching
from pcl_core.ir.domains import Value
from pcl_core.learn import Acceptance
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.model.lately import Lately
from pcl_core.solve.conflict import refusal

SAMPLES = 64
"""Weights drawn from the belief where alternatives are listed."""
MOST_CUTS = 20
CUT_ROUNDS = 2
ROUNDING = 1e-9
"""A difference this small beside the largest of its terms is none."""

Rows = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PeopleProposer(Proposer):
    """Proposes parts for one elicitation in the mode `people`."""

    rules: PeopleRules
    _proposals: Lately[dict[Hashable, Proposal | None]] = field(
        default_factory=lambda: Lately(STATES), repr=False, compare=False
    )
    """Of the last states alone: one that is held here holds a belief, which takes a megabyte."""
    _samples: Lately[npt.NDArray[np.float64] | None] = field(
        default_factory=lambda: Lately(2 * STATES), repr=False, compare=False
    )
    _known_habits: Lately[Habits] = field(default_factory=lambda: Lately(STATES), repr=False, compare=False)

    def propose(self, state: State, part: int, pins: Mapping[str, Value]) -> Proposal | None:
        """The best by what is believed, around pins and the person's own values, leaving out what she rejected."""
        key = part, tuple(pins.items())
        known: dict[Hashable, Proposal | None] = self._proposals.get(None, dict, state)
        if key not in known:
            known[key] = self._proposed(state, part, pins)
        return known[key]

    def _proposed(self, state: State, part: int, pins: Mapping[str, Value]) -> Proposal | None:
        started = time.perf_counter()
        held = self._held(state, part, pins)
        found = self.rules.alternatives(state, part, pins)
        if found is None:
            return self._solved(state, part, pins, held)
        if not len(found):
            return None
        scores = self._scores(state, part, found)
        hopeful = self._not_rejected(state, part, found)
        best = self._best(state, found, scores, hopeful, held)
        wanted = self._closest(state, found, scores, hopeful)
        proposed = found.values(best)
        guesses: dict[str, Configuration] = {}
        suggestion: Configuration = {}
        if len(held) == len(pins) and state.progress.ever and self._is_guessed(state, part):
            staying = self._pictures(state, part, found, hopeful).staying()
            believed, proposed = proposed, found.values(self._closest(state, found, staying, hopeful))
            guesses = {"belief": believed} if proposed != believed else {}
        elif scores[wanted] > scores[best] + _tolerance(scores):
            suggestion = {name: value for name, value in found.values(wanted).items() if proposed[name] != value}
        changes = self._differences(part, state.configuration, {**state.configuration, **proposed})
        return Proposal(changes, True, time.perf_counter() - started, suggestion, guesses)

    def _is_guessed(self, state: State, part: int) -> bool:
        """Whether she has said nothing of a part yet, and of all others at once how she wants them."""
        spoken = part in state.progress.ever or any(name in state.typed for name in self.variables(part))
        return not spoken and not is_searching(state) and self._knows_doubt(state)

    def _pictures(self, state: State, part: int, found: Alternatives, hopeful: Rows) -> Pictures:
        samples = self._sampled(state, SAMPLES)
        assert samples is not None, "who guesses knows its doubts"
        scores = self._values(part, found) @ samples[:, self.rules.own[part]].T
        habits = self._known_habits.get(None, lambda: Habits(self.rules, state), state)
        return Pictures(found, state.first, habits, probably_best(found, scores, hopeful), state.record)

    def foretold(self, state: State, event: Answered) -> dict[str, float]:
        """Where she says how a part is to be that nobody had spoken for, what each picture of her foretold of it."""
        opened = self.rules.opened(state, event.query)
        origin, part = opened.origin, opened.part
        found = self.rules.alternatives(origin, part)
        if found is None or len(opened.parts) > 1 or not self._is_guessed(origin, part):
            return {}
        after = self.rules.apply(state, event)
        if self._held(origin, part, self.pinned(origin, part)) or not self.rules.says_at_once(after, event):
            return {}
        pictures = self._pictures(origin, part, found, self._not_rejected(origin, part, found))
        return pictures.foretold(reactions(found, opened.baseline_configuration, after.configuration))

    def jump(self, state: State) -> Configuration:
        return jump(self.rules, state, self._best_changes)

    def _best_changes(self, state: State, part: int) -> Configuration | None:
        found = self.rules.alternatives(state, part)
        if found is None:
            return None
        held = {**self.rules.remembered(state, part), **self.rules.held(state, part)}
        scores = self._scores(state, part, found)
        best = self._best(state, found, scores, self._not_rejected(state, part, found), held)
        if best == found.standing:
            return {}
        return self._differences(part, state.configuration, found.values(best))

    def _best(self, state: State, found: Alternatives, scores: Scores, hopeful: Rows, held: Configuration) -> int:
        kept = found.changes(held) == 0
        return self._closest(state, found, scores, hopeful & kept if (hopeful & kept).any() else kept)

    def _held(self, state: State, part: int, pins: Mapping[str, Value]) -> Configuration:
        """What must stay: hers, unless she says otherwise just now."""
        held = {**self.rules.remembered(state, part), **self.rules.held(state, part)}
        if any(held.get(name, value) != value for name, value in pins.items()):
            held = {name: value for name, value in state.spoken.items() if name in self.variables(part)}
            found = self.rules.alternatives(state, part, {**held, **pins})
            if found is not None and not len(found):
                held = {}
        return {**held, **pins}

    def _solved(self, state: State, part: int, pins: Mapping[str, Value], held: Mapping[str, Value]) -> Proposal | None:
        """For parts that are too large to be listed: what she rejected there is not left out."""
        found = super().propose(state, part, held)
        if found is None and len(held) > len(pins):
            return super().propose(state, part, pins)
        if found is None or len(held) == len(pins):
            return found
        freely = super().propose(state, part, pins)
        if freely is None:
            return found
        stands = {**state.configuration, **found.changes}
        wanted = {**state.configuration, **freely.changes}
        return replace(found, suggestion=self._differences(part, stands, wanted))

    def _possible(self, state: State, parts: Sequence[int], fixed: Mapping[str, Value]) -> Possible:
        found = super()._possible(state, parts, fixed)
        if len(parts) > 1:
            return found
        return Possible(found.room, fixed, lambda: self.rules.alternatives(state, parts[0], fixed))

    def room(
        self, state: State, opened: OpenQuery, wanted: Configuration, broken: tuple[str, ...]
    ) -> Configuration | None:
        """What nobody has spoken for moves, as little as can; what is hers and in the way is named."""
        variables, hers = self._elsewhere(state, opened)
        free = self.may_move(state, opened)
        moved = fewest_changes(self.oracle, wanted, free) if free else None
        if moved is not None or len(free) == len(variables):
            return moved
        forced = fewest_changes(self.oracle, wanted, variables)
        if forced is None:
            return None
        labels = self.rules.problem.symbols.variables
        listed = ", ".join(f"{labels[n].label or n} = {state.configuration[n]}" for n in forced if n in hers)
        message = f"this has no room beside what you said: {listed}"
        raise refusal(self.oracle, broken, message, "change that first, or something else here")

    def may_move(self, state: State, opened: OpenQuery) -> Sequence[str]:
        variables, hers = self._elsewhere(state, opened)
        return [name for name in variables if name not in hers]

    def _elsewhere(self, state: State, opened: OpenQuery) -> tuple[list[str], set[str]]:
        """The variables of other parts that are not pinned, and what is hers in these parts."""
        others = [part for part in range(len(self.rules.problem.parts)) if part not in opened.parts]
        variables = [name for part in others for name in self.variables(part) if name not in state.pins]
        return variables, {name for part in others for name in self.rules.held(state, part)}

    def _scores(self, state: State, part: int, found: Alternatives) -> Scores:
        """wᵀφ_I of each alternative, for the weights to propose by."""
        scores = self._values(part, found) @ self.rules.proposing_weights(state)[self.rules.own[part]]
        return np.asarray(scores[found.kinds[1]], dtype=np.float64)

    def _values(self, part: int, found: Alternatives) -> npt.NDArray[np.float64]:
        """φ_I of each kind of alternatives."""
        places, units = self.rules.features.places[self.rules.own[part]], found.units[found.kinds[0]]
        return units / 10.0**places if places.any() else units.astype(np.float64)

    def _not_rejected(self, state: State, part: int, found: Alternatives) -> Rows:
        """What stands, what is equal to it, and what she has neither rejected in its favour nor improved before."""
        first, which = found.kinds
        units = found.units[first]
        hopeful = ~state.facts.outdone(part, units)
        if found.standing is not None:
            differences = units - found.units[found.standing]
            hopeful &= ~state.facts.rejected(part, differences)
            hopeful |= ~differences.any(axis=1)
        return np.asarray(hopeful[which], dtype=np.bool_)

    def _closest(self, state: State, found: Alternatives, scores: Scores, rows: Rows) -> int:
        """The best of some rows; of equally good ones what stands, else the one that changes fewest of her values.

        Then the one that changes fewest values at all.
        """
        if not rows.any():
            rows = np.ones(len(found), dtype=np.bool_)
        best = np.max(scores[rows])
        equal = np.flatnonzero(rows & (scores >= best - _tolerance(scores)))
        if found.standing is not None and found.standing in equal:
            return found.standing
        changes, undone = found.changes(state.configuration)[equal], found.changes(state.typed)[equal]
        return int(equal[np.lexsort((changes, undone))[0]])

    def is_settled(self, state: State, part: int) -> bool:
        """Whether a belief that knows its own doubts would suggest nothing, or would not be asked.

        Who says of each part at once how she wants it sees what she confirmed in the last look, and no suggestion before.
        """
        if not self._knows_doubt(state):
            return False
        if not is_searching(state):
            return True
        found = self.propose(state, part, self.pinned(state, part))
        return found is not None and not found.suggestion

    def _knows_doubt(self, state: State) -> bool:
        return self._sampled(state, SAMPLES) is not None

    def _sampled(self, state: State, count: int) -> npt.NDArray[np.float64] | None:
        """Samples of the belief, drawn once for all parts."""

        def drawn() -> npt.NDArray[np.float64] | None:
            return state.learner.belief.samples(count, self.rules.proposing_generator(state))

        return self._samples.get((count, state.queries + (state.open is None)), drawn, state.learner)

    def expected(self, state: State, part: int) -> float:
        """E [max wᵀφ(x′) − wᵀφ(x)] over samples w of the belief, with x as it would be proposed."""
        found = self.rules.alternatives(state, part)
        if found is None or not len(found):
            return super().expected(state, part)
        samples = self._sampled(state, SAMPLES)
        if samples is None:
            return 0.0
        proposal = self.propose(state, part, self.pinned(state, part))
        assert proposal is not None
        at = found.kinds[1][self._row(found, {**state.configuration, **proposal.changes})]
        scores = self._values(part, found) @ samples[:, self.rules.own[part]].T
        return float((scores.max(axis=0) - scores[at]).mean())

    def cuts(self, state: State, event: Answered | Confirmed, parts: Sequence[int]) -> dict[str, list[Configuration]]:
        """For parts that she accepts, alternatives that the belief may like better: what her acceptance teaches."""
        after, queried = self.rules.apply(state, event), event.query
        moved = isinstance(event, Answered) and event.final and event.moved
        accepted = [
            it
            for it in parts
            if after.progress.confirmed.get(it) == queried or (moved and self.rules.is_as_confirmed(after, it))
        ]
        generator = proposing_generator(self.rules.settings.seed, event.query)
        found = {self.rules.problem.parts[it].name: self._cuts(after, it, event.query, generator) for it in accepted}
        return {name: cuts for name, cuts in found.items() if cuts}

    def _cuts(self, state: State, part: int, query: int, generator: np.random.Generator) -> list[Configuration]:
        """For each of some samples the alternative that it likes best; then once more, with what that teaches."""
        learner, chosen = state.learner, list[Configuration]()
        accepted = self.rules.features.to_values(state.units)
        found = self.rules.alternatives(state, part)
        for rounds_left in reversed(range(CUT_ROUNDS)):
            samples = learner.belief.samples(SAMPLES if found is not None else SOLVED_SAMPLES, generator)
            if samples is None:
                break
            fresh = [cut for cut in self._liked_better(state, part, found, samples) if cut not in chosen]
            fresh = fresh[: MOST_CUTS - len(chosen)]
            if not fresh:
                break
            chosen += fresh
            if not rounds_left:
                break
            vectors = self.rules.features.values_of([{**state.configuration, **cut} for cut in fresh])
            learner = self.rules.taught(learner, Acceptance(query, part, accepted, tuple(vectors)))
        return chosen

    def _liked_better(
        self, state: State, part: int, found: Alternatives | None, samples: npt.NDArray[np.float64]
    ) -> list[Configuration]:
        """For each of some weights the alternative that is best for them, where it is better than what stands."""
        if found is None:
            return [it for it in (self._liked_by(state, part, weights) for weights in samples) if it]
        assert found.standing is not None
        values = self._values(part, found)
        first, which = found.kinds
        gains = (values - values[which[found.standing]]) @ samples[:, self.rules.own[part]].T
        best = gains.argmax(axis=0)
        better = gains[best, np.arange(len(samples))] > _tolerance(gains)
        return [found.values(row) for row in dict.fromkeys(first[best[better]].tolist())]

    def _liked_by(self, state: State, part: int, weights: Vector) -> Configuration:
        """The same by a solve; nothing if a limit stopped it, or what stands is best."""
        best = self.best_for(state, part, weights, state.configuration)
        if best.configuration is None or best.kept:
            return {}
        return {name: best.configuration[name] for name in self.variables(part)}

    def _row(self, found: Alternatives, configuration: Mapping[str, Value]) -> int:
        return int(np.flatnonzero(found.changes(configuration) == 0)[0])


def _tolerance(scores: Scores) -> float:
    return ROUNDING * max(1.0, float(np.abs(scores).max(initial=0.0)))
