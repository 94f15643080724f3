"""How events change what is known where people's words last: the mode `people`.

What a person confirmed stays confirmed as long as known facts say that nothing allowed now is better (`learn.facts`);
values that she gave in final answers are hers; only open parts are asked; and before the certificate she sees everything
once that she has not confirmed by word since the configuration last changed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pcl_core.alternatives.listing import Alternatives, Listing
from pcl_core.alternatives.residual import Residual, Residuals
from pcl_core.elicitation.events import Answered, Confirmed
from pcl_core.elicitation.guessing import reactions, refuse_unknown
from pcl_core.elicitation.improving import after_improving
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.speaking import without_query
from pcl_core.elicitation.state import Learned, OpenQuery, State, is_searching
from pcl_core.ir.domains import Value
from pcl_core.learn import Learner, Lesson
from pcl_core.learn.facts import Heard, KnownFacts
from pcl_core.learn.stopping import How, Standing
from pcl_core.model.configuration import Configuration
from pcl_core.model.labels import Labels
from pcl_core.model.lately import Lately

MOST_MISSES = 8
"""A part whose proposals were so often not what she wants is hers from then on: she is near, and the belief is not."""
STATES, KEPT, LESSONS = 2, 24, 4
"""How many states, parts and lessons are remembered with what followed: one query looks at the same ones several times."""


@dataclass(frozen=True)
class PeopleRules(Rules):
    """The rules of the mode `people`."""

    listing: Listing
    residuals: Residuals
    _standings: Lately[tuple[Standing, ...]] = field(default_factory=lambda: Lately(STATES), repr=False, compare=False)
    _closed: Lately[bool] = field(default_factory=lambda: Lately(KEPT), repr=False, compare=False)
    _heards: Lately[Heard] = field(default_factory=lambda: Lately(KEPT), repr=False, compare=False)
    _learners: Lately[Learner] = field(default_factory=lambda: Lately(LESSONS), repr=False, compare=False)

    @cached_property
    def likeness(self) -> Mapping[str, tuple[str, ...]]:
        """What each variable has in common with those that are like it in other parts."""
        labels = Labels(self.problem)
        return {variable.name: labels.place(variable.name) for variable in self.problem.variables}

    def alternatives(self, state: State, part: int, fixed: Mapping[str, Value] | None = None) -> Alternatives | None:
        """All that may stand in a part now, around its pins and under her rules; None if there is too much of it."""
        around = self.pinned(state, part) if fixed is None else fixed
        return self.listing.of(part, state.configuration, around, state.own_rules)

    def _residual(self, state: State, part: int) -> Residual:
        return self.residuals.of(part, state.configuration, self.pinned(state, part), state.own_rules)

    def standing(self, state: State) -> tuple[Standing, ...]:
        parts = range(len(self.problem.parts))
        return self._standings.get(None, lambda: tuple(self._standing(state, part) for part in parts), state)

    def _standing(self, state: State, part: int) -> Standing:
        if part in state.progress.confirmed or self._known(state, part):
            return "closed"
        return "open" if part in state.progress.ever else "new"

    def _known(self, state: State, part: int) -> bool:
        """Whether she confirmed by word what stands in a part, and nothing that is allowed now can be better."""
        if not self.is_as_confirmed(state, part):
            return False
        found = self.alternatives(state, part)
        if found is None:
            return state.facts.closed_unlisted(part, state.configuration, self._residual(state, part))
        if found.standing is None:
            return False
        differences = found.differences
        return self._closed.get(
            part,
            lambda: state.facts.closed(part, state.configuration, differences),
            differences,
            state.facts.of(part),
        )

    def as_confirmed(self, state: State) -> frozenset[int]:
        return frozenset([part for part in state.progress.ever if self.is_as_confirmed(state, part)])

    def is_as_confirmed(self, state: State, part: int) -> bool:
        """Whether a part's values are those that she last confirmed by word."""
        confirmed = state.facts.of(part).confirmed
        return confirmed is not None and all(state.configuration[name] == value for name, value in confirmed.items())

    def held(self, state: State, part: int) -> Configuration:
        """The values of a part that no proposal changes: hers, and all of a part that is as she confirmed it."""
        own = self.problem.parts[part].variables
        if self.is_as_confirmed(state, part) or state.misses.get(part, 0) >= MOST_MISSES:
            return {name: state.configuration[name] for name in own}
        spoken = {name: value for name, value in state.spoken.items() if name in own}
        if state.unexplained:  # the features do not say what she wants, so nothing is proposed against what she said
            standing = state.configuration
            spoken |= {name: value for name, value in state.typed.items() if name in own and standing[name] == value}
        return {**spoken, **self.pinned(state, part)}

    def candidates(self, state: State, settled: Callable[[int], bool] | None = None) -> tuple[int, ...]:
        """Only open parts are asked: those never confirmed first, and those she has no opinion on last.

        Of those that are as she confirmed them, not the `settled` ones: nothing is known that would be better. They come
        after the others, and where it does not end with the certificate, all parts do.
        """
        standing = self.standing(state)
        opened = [part for part, found in enumerate(standing) if found != "closed"]
        if settled is not None:
            opened = [part for part in opened if not (self.is_as_confirmed(state, part) and settled(part))]
        pools = (
            [part for part in opened if standing[part] == "new" and part not in state.skipped],
            [part for part in opened if part not in state.skipped],
            [part for part in self.open_parts(state) if part not in state.skipped],
            range(len(standing)),
        )
        return tuple(next(pool for pool in pools if pool))

    def last_look(self, state: State, settled: Callable[[int], bool] | None = None) -> tuple[int, ...]:
        """The parts to be shown together before the certificate: all not confirmed by word since x last changed.

        They are closed by facts, or as she confirmed them and `settled`. Who had no opinion on them sees everything, and so
        does who says at once how she wants each part where only one is left: what keeps her from saying that all is right
        may be in what she confirmed.
        """
        seen = [part for part in range(len(self.problem.parts)) if part not in state.progress.confirmed]
        standing = self.standing(state)
        rest = [part for part in seen if standing[part] != "closed"]
        if any(not self.is_as_confirmed(state, part) or settled is None or not settled(part) for part in rest):
            return ()
        alone = len(seen) == 1 and not is_searching(state)
        return tuple(range(len(self.problem.parts)) if state.unsure or alone else seen)

    def as_last_time(self, state: State) -> tuple[int, ...]:
        """All parts, if they stand as she ended with them in an earlier elicitation: she knows the whole, and may still want it.

        What a rule of hers changed in it is shown with it. Who says how she wants some of it sees the rest together once
        more. If she changes more than she leaves, says "better, go on", or has no opinion, it goes on part by part.
        """
        if not state.remembered or state.one_by_one:
            return ()
        rest = [part for part in range(len(self.problem.parts)) if part not in state.progress.confirmed]
        left = [part for part in rest if state.remembered.keys() >= set(self.problem.parts[part].variables)]
        if (
            len(rest) < 2
            or not left
            or any(part not in left and not self.is_as_confirmed(state, part) for part in rest)
        ):
            return ()
        return tuple(rest)

    def gave_up(self, state: State) -> bool:
        """Whether she had no opinion on any part that is still open; where none is, or in a last look, on everything."""
        left = range(len(self.problem.parts)) if state.unsure else self.open_parts(state) or self.last_look(state)
        return bool(left) and state.skipped.issuperset(left)

    def open_parts(self, state: State) -> list[int]:
        return [part for part, found in enumerate(self.standing(state)) if found != "closed"]

    def finished(self, state: State) -> bool:
        if state.looks_further and not state.stopped:
            return False
        return super().finished(state) or (self.settings.stop == "certificate" and self.gave_up(state))

    def _answered(self, state: State, event: Answered) -> State:
        after = self._judging(state, event, self._heard(state, event))
        learned = after.learned
        if learned is None or not (learned.contradicted or learned.inexplicable):
            return after
        surprises = (*state.surprises, event.query)
        return after._replace(surprises=surprises, unexplained=state.unexplained or learned.inexplicable)

    def _judging(self, state: State, event: Answered, after: State) -> State:
        """How she took what was guessed for a part that nobody had spoken for."""
        if not event.foretold:
            return after
        refuse_unknown(event.foretold)
        opened = self.opened(state, event.query)
        found = self.alternatives(opened.origin, opened.part)
        if found is None or not self.says_at_once(after, event):
            raise ValueError(f"nothing was foretold of the answer to query {event.query}")
        said = reactions(found, opened.baseline_configuration, after.configuration)
        return after._replace(record=state.record.after(event.foretold, state.first, said))

    def says_at_once(self, after: State, event: Answered) -> bool:
        """Whether she said how a part is to be, and did not go on from there."""
        return event.query in after.progress.confirmed.values() or bool(event.final and event.moved)

    def _heard(self, state: State, event: Answered) -> State:
        opened = self.opened(state, event.query)
        if opened.pair is not None:
            state = state._replace(further=state.further - 1)
        if event.answer == "skipped" and opened.pair is not None:
            return state._replace(open=None, learned=None, skipped_pairs=state.skipped_pairs | {opened.pair})
        if event.answer == "skipped":
            left = without_query(self, state) if event.back else state._replace(open=None, learned=None)
            if len(opened.parts) > 1 and self.as_last_time(opened.origin):
                return left._replace(one_by_one=True)
            unsure = len(opened.parts) > 1
            return left._replace(skipped=state.skipped.union(opened.parts), unsure=unsure, chosen_from=())
        self.refuse_moving_what_is_hers(state, event.moved)
        others = [part for part in range(len(self.problem.parts)) if part not in opened.parts]
        around, units = self.with_changes(state, others, event.moved, state.pins)
        beside = state._replace(configuration=around, units=units)
        improvement, units = self.with_changes(beside, opened.parts, event.changes, state.pins)
        said = state._replace(open=None, skipped=frozenset(), unsure=False)
        where, baseline = self.problem.structure.part_of_variable, opened.baseline_configuration
        changed = [
            name for name, value in improvement.items() if baseline[name] != value and where[name] in opened.parts
        ]
        hers = self._kept(opened, event, improvement)
        if not changed and not event.changes:
            learned = Learned(True, "none", opened.baseline, units, improvement, 0)
            said = said._replace(learned=learned, spoken={**said.spoken, **hers}, typed={**said.typed, **hers})
            told = self._confirm(said, opened.parts, event, _how(opened))
            return _together(told, opened)
        told = after_improving(self, said, opened, event, improvement, units, changed, hers)._replace(chosen_from=())
        if (event.final or event.answer == "accepted") and not event.completed:
            spoken_of = opened.pair or sorted({where[name] for name in event.changes}) or opened.parts
            if event.moved:  # beside what moved she has not seen it: something to go by, and no fact
                learner = self._accepted(told, spoken_of, event)
                return told._replace(facts=self._keeping(told, spoken_of), learner=learner)
            told = self._confirm(told, spoken_of, event, "word" if event.changes else _how(opened))
            told = _together(told, opened)
        return told

    def _keeping(self, state: State, parts: Sequence[int]) -> KnownFacts:
        facts = state.facts
        for part in parts:
            own = {name: state.configuration[name] for name in self.problem.parts[part].variables}
            facts = facts.keeping(part, own)
        return facts

    def _kept(self, opened: OpenQuery, event: Answered, standing: Configuration) -> Configuration:
        """What she gave as it had been proposed."""
        where = self.problem.structure.part_of_variable
        if outside := [name for name in event.kept if where.get(name) not in opened.parts]:
            raise ValueError(f"'{outside[0]:.80}' is not in the part in question")
        return {name: standing[name] for name in event.kept}

    def taught(self, learner: Learner, lesson: Lesson) -> Learner:
        """What an answer teaches is tried before it is written down, and need not be learned twice."""
        return self._learners.get(lesson.key, lambda: learner.after(lesson), learner)

    def _confirm(
        self, state: State, parts: Sequence[int], event: Answered | Confirmed, how: How, **other: Any
    ) -> State:
        """Nothing that is allowed now is better in these parts: known facts beside the lessons."""
        facts, contradicted, learned = state.facts, 0, state.learned
        for part in parts:
            heard = self._accepting(state._replace(facts=facts), part)
            facts, contradicted = heard.facts, contradicted + len(heard.dropped)
        if learned is not None and contradicted:
            learned = replace(learned, contradicted=learned.contradicted + contradicted)
        misses = {part: count for part, count in state.misses.items() if part not in parts}
        return super()._confirm(state, parts, event, how, facts=facts, learned=learned, misses=misses, **other)

    def _accepting(self, state: State, part: int) -> Heard:
        own = {name: state.configuration[name] for name in self.problem.parts[part].variables}
        found = self.alternatives(state, part)
        if found is None:
            return state.facts.accepting_unlisted(part, own, self._residual(state, part))
        if found.standing is None:
            raise ValueError(f"what stands in part '{self.problem.parts[part].name}' is not allowed")
        facts, differences = state.facts, found.differences
        return self._heards.get(part, lambda: facts.accepting(part, own, differences), facts, differences)

    def remembered(self, state: State, part: int) -> Configuration:
        """The values of a part that she wanted in an earlier elicitation, where they still stand."""
        own, standing = self.problem.parts[part].variables, state.configuration
        return {name: value for name, value in state.remembered.items() if name in own and standing[name] == value}


def _how(opened: OpenQuery) -> How:
    """Where only one part is left for the last look it is shown like any part, and so is her word about it."""
    return "word" if len(opened.parts) == 1 or opened.pair else "look"


def _together(state: State, opened: OpenQuery) -> State:
    """Where two parts at once were in question, nothing in both together is better either."""
    if opened.pair is None:
        return state
    return state._replace(progress=state.progress.satisfied_together(*opened.pair, opened.query))
