"""Beyond one part: after a certificate, two parts at once, where the belief expects that changing both gains.

    week.look_further(most=10)
    while (query := week.ask()) is not None:          # query.parts == ("mon", "tue"), with a suggestion for both
        ...

What stands was confirmed, so it is hers: the joint change is a suggestion beside it. Where the mean of the belief knows
nothing better, but samples of it expect a gain, she is asked without a suggestion. Once she improves a pair, its parts
are open again by the rules of all answers about several parts, and the next pair comes after the next certificate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pcl_core.elicitation.events import Answered, Asked, Confirmed, Further
from pcl_core.elicitation.joint import JointLists, Pair
from pcl_core.elicitation.jumping import LEAST_GAIN
from pcl_core.elicitation.listed import SAMPLES
from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.proposing import SOLVED_SAMPLES, Proposer
from pcl_core.elicitation.session import Conversation
from pcl_core.elicitation.settings import proposing_generator
from pcl_core.elicitation.state import State, is_searching
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.model.assignment import whole_number
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Matrix, Vector
from pcl_core.model.problem import Problem

FEW_SAMPLES = 2
"""Where there is too much to list, so many samples of the belief are asked: a solve each."""
MOST_SOLVED = 3
"""Where lists know no gain, so many pairs that a constraint ties are solved for: it may allow a change of both only."""
MOST_UNASKED = 128
"""Pairs that are looked through unasked: those of sixteen parts take about half a second."""
LEAST_CHANCE = 0.05
"""A pair for which fewer of the samples expect a joint gain is not worth a question."""


class Joint(NamedTuple):
    """What would be better in two parts together."""

    pair: Pair
    changes: Configuration
    gain: float
    """By how much, beyond what its changes of one of the two parts would gain alone."""


class LooksFurther(Conversation):
    """An elicitation that can go on after its certificate."""

    def look_further(self, most: int = 10) -> None:
        """Go on after the certificate: up to `most` questions about two parts at once, where a joint gain is expected.

        `ask` gives them, and then whatever is open again after an improvement.
        """
        self._refuse_after_stop()
        state, most = self._state, whole_number(most, "a number of questions", "at least 1")
        if most < 1:
            raise RequestError(Issue(Code.BAD_VALUE, f"{most} is no number of questions", "at least 1"))
        if not isinstance(self._rules, PeopleRules):
            message = "two parts at once are asked about only where what a person says stays"
            raise RequestError(Issue(Code.BAD_VALUE, message, "choose the mode 'people'"))
        if state.open is not None or not state.progress.all_confirmed:
            message = "there is no certificate to look further than yet"
            hint = "ask, and answer, until nothing is left to improve in any single part"
            raise RequestError(Issue(Code.STALE_ANSWER, message, hint))
        self._journal.add(Further(at=self._now(), most=most))

    @property
    def can_look_further(self) -> bool:
        """Whether all is certified and there are pairs of parts that she has not looked at."""
        state = self._state
        certified = state.open is None and not state.stopped and state.progress.all_confirmed
        return certified and isinstance(self._rules, PeopleRules) and bool(open_pairs(self._proposer, state))

    def _asked_further(self, state: State) -> Asked | Further:
        """The next question about two parts at once; where no gain is expected, that looking further is over."""
        found = self._pairs_ahead.next_pair(self._proposer, state)
        if found is None:
            return Further(at=self._now(), most=0)
        names = [self.problem.parts[part].name for part in found.pair]
        return Asked(
            at=self._now(),
            query=state.queries + 1,
            part=names[0],
            parts=names,
            changes={},
            proven=True,
            suggestion=found.changes,
        )

    def _to_look_at_together(self, state: State) -> Joint | None:
        """Two parts to be named in the last look: who improves step by step may gain by changing both.

        It costs no question, and must not cost a wait either: only what can be listed is looked at, and not too many.
        """
        if not isinstance(self._rules, PeopleRules) or not is_searching(state):
            return None
        if len(open_pairs(self._proposer, state)) > MOST_UNASKED:
            return None
        return self._pairs_ahead.next_pair(self._proposer, state, solved=0)

    @cached_property
    def _pairs_ahead(self) -> "PairsAhead":
        assert isinstance(self._rules, PeopleRules)
        return PairsAhead(JointLists(self._rules, self._state))

    def _with_joint_cuts(
        self, event: Answered | Confirmed, cuts: dict[str, list[Configuration]]
    ) -> dict[str, list[Configuration]]:
        """Where she finds nothing better in two parts together, also changes of both that the belief may like better."""
        opened = self._state.open
        if opened is None or opened.pair is None or not isinstance(event, Answered):
            return cuts
        after = self._rules.apply(self._state, event)
        if opened.pair not in after.progress.pairs:
            return cuts
        name = self.problem.parts[opened.part].name
        kept = after.configuration == opened.baseline_configuration
        in_vain = [dict(opened.suggestion)] if kept and opened.suggestion else []
        return {**cuts, name: cuts.get(name, []) + self._pairs_ahead.cuts(self._proposer, after, opened.pair, in_vain)}


def tied_pairs(problem: Problem) -> list[Pair]:
    """Two parts that share a feature or a constraint; for others the best of both is the best of each."""
    where, tied = problem.structure.part_of_variable, set[Pair]()
    for parts in problem.structure.parts_of_feature:
        tied.update(combinations(parts, 2))
    for constraint in problem.constraints:
        mentioned = problem.symbols.free_variables(constraint.require)
        tied.update(combinations(sorted({where[name] for name in mentioned}), 2))
    return sorted(tied)


def open_pairs(proposer: Proposer, state: State) -> list[Pair]:
    """The tied pairs of the problem in force that she has neither confirmed as they stand nor left aside."""
    done = state.skipped_pairs.union(state.progress.pairs)
    return [pair for pair in tied_pairs(proposer.oracle.problem) if pair not in done]


def best_joint(proposer: Proposer, state: State, pair: Pair, weights: Vector) -> Joint | None:
    """The best for some weights that changes both parts; None where changing one of them is as good, or nothing is."""
    structure, parts = proposer.rules.problem.structure, proposer.rules.problem.parts
    own = [parts[part].variables for part in pair]
    both, reached = own[0] + own[1], sorted({it for part in pair for it in structure.feature_subsets[part]})
    solved = proposer.oracle.solve(
        weights,
        variables=both,
        given=state.configuration,
        features=reached,
        incumbent=state.configuration,
        fixed=proposer.pinned(state, *pair),
    ).configuration
    if solved is None:  # a limit stopped the solver: nothing better is known
        return None
    changed = [{name: solved[name] for name in names if solved[name] != state.configuration[name]} for names in own]
    if not all(changed):
        return None
    features = proposer.rules.features
    here = float(weights @ features.to_values(state.units))

    def gain(changes: Mapping[str, Value]) -> float:
        return float(weights @ features.values({**state.configuration, **changes})) - here

    def is_allowed(changes: Mapping[str, Value]) -> bool:
        found = {**state.configuration, **changes}
        return not proposer.oracle.violated(found, variables=both, features=reached)

    together = {**changed[0], **changed[1]}
    beyond = gain(together) - max([0.0, *(gain(alone) for alone in changed if is_allowed(alone))])
    return Joint(pair, together, beyond) if beyond > LEAST_GAIN * max(1.0, abs(here)) else None


def _best(joints: Sequence[Joint | None]) -> Joint | None:
    found = [joint for joint in joints if joint is not None]
    return max(found, key=lambda joint: joint.gain, default=None)


@dataclass
class PairsAhead:
    """What a belief expects of pairs of parts: by lists, and by solves where there is too much to list."""

    lists: JointLists

    def next_pair(self, proposer: Proposer, state: State, solved: int = FEW_SAMPLES) -> Joint | None:
        """The pair with the largest joint gain by the belief's best guess, and what gains it.

        Where that knows none, the one of which samples expect most, with nothing to suggest; None if hardly any gains.
        """
        guess = proposer.rules.proposing_weights(state)
        samples = state.learner.belief.samples(SAMPLES, proposer.rules.proposing_generator(state))
        pairs = open_pairs(proposer, state)
        if guess.any():
            listed = [joint for pair in pairs for joint in self._joints(proposer, state, pair, guess[None], solved)]
            best = _best(listed)
            if best is None and solved:  # lists have no changes of which neither may be made alone
                tied = sorted(filter(self.lists.are_tied, pairs), key=self.lists.freedom)
                best = _best([best_joint(proposer, state, pair, guess) for pair in tied[:MOST_SOLVED]])
            if best is not None:
                return best
        if samples is None:
            return None
        hopeful = []
        for pair in pairs:
            found = self._joints(proposer, state, pair, samples, solved)
            gains = np.array([0.0 if joint is None else joint.gain for joint in found])
            if len(gains) and np.mean(gains > 0.0) >= LEAST_CHANCE:
                hopeful.append(Joint(pair, {}, float(gains.mean())))
        return _best(hopeful)

    def cuts(
        self, proposer: Proposer, state: State, pair: Pair, in_vain: Sequence[Configuration]
    ) -> list[Configuration]:
        """What was suggested in vain, and for each of some samples of the belief the joint change that it likes best."""
        generator = proposing_generator(proposer.rules.settings.seed, state.queries)
        samples = state.learner.belief.samples(SOLVED_SAMPLES, generator)
        found = list(in_vain)
        for joint in () if samples is None else self._joints(proposer, state, pair, samples, SOLVED_SAMPLES):
            if joint is not None and joint.changes not in found:
                found.append(joint.changes)
        return found

    def _joints(
        self, proposer: Proposer, state: State, pair: Pair, weights: Matrix, solved: int = FEW_SAMPLES
    ) -> list[Joint | None]:
        """For each of some weights the best change of both parts, where it gains more than changing one of them.

        Where there is too much to list, the first few are solved for.
        """
        self.lists = self.lists.of(state)
        found = self.lists.gains(pair, weights)
        if found is None:
            return [best_joint(proposer, state, pair, row) for row in weights[:solved]]
        least = LEAST_GAIN * np.maximum(1.0, np.abs(weights @ proposer.rules.features.to_values(state.units)))
        return [
            Joint(pair, self.lists.changes(pair, place), gain) if gain > enough else None
            for gain, enough, place in zip(found.gains.tolist(), least.tolist(), found.rows, strict=True)
        ]
