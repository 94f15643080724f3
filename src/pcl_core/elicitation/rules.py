"""How events change what is known. No event needs a solver to be applied."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pcl_core.elicitation.choosing import Choosing
from pcl_core.elicitation.events import (
    Answered,
    Asked,
    Confirmed,
    Event,
    Further,
    Pinned,
    Repeated,
    RuleAdded,
    RuleRemoved,
    Started,
    Stopped,
    Undone,
    Unpinned,
    Withdrawn,
)
from pcl_core.elicitation.guessing import refuse_strange
from pcl_core.elicitation.prior import ProblemPrior
from pcl_core.elicitation.speaking import (
    after_further,
    after_pinning,
    after_repeating,
    after_rule,
    after_unpinning,
    without_query,
)
from pcl_core.elicitation.state import Learned, OpenQuery, State, corrected
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.learn import (
    Acceptance,
    Improvement,
    Learner,
    Lesson,
)
from pcl_core.learn.perceptron import update_of
from pcl_core.learn.stopping import How, Progress
from pcl_core.model.assignment import fitting
from pcl_core.model.configuration import Configuration


@dataclass(frozen=True)
class Rules(Choosing):
    """How events change states."""

    @cached_property
    def _part_of_name(self) -> dict[str, int]:
        return {part.name: position for position, part in enumerate(self.problem.parts)}

    def start(self, event: Started) -> State:
        configuration: Configuration = dict(event.configuration)
        nothing = len(self.problem.parts)
        weights = np.array(event.weights, dtype=np.float64)
        deviations = np.array([np.inf if it is None else it for it in event.deviations]) if event.deviations else None
        if deviations is not None and (deviations.shape != weights.shape or deviations.min() < 0):
            raise ValueError("there is one deviation for each weight, not below zero")
        if any(configuration.get(name) != value for name, value in event.remembered.items()):
            raise ValueError("what is remembered stands in the configuration at the start")
        prior = ProblemPrior(weights, self.own, self.subsets, deviations, problem=self.problem, start=configuration)
        return State(
            configuration,
            self.features.units(configuration),
            self.learner.start(prior),
            Progress(self.order),
            (0,) * nothing,
            (0.0,) * nothing,
            pins={},
            remembered=dict(event.remembered),
            first=configuration,
        )

    def states(self, events: Sequence[Event]) -> Iterator[State]:
        """The states after each of some events that all still count."""
        first = events[0]
        assert isinstance(first, Started)
        state = self.start(first)
        yield state
        for event in events[1:]:
            state = self.apply(state, event)
            yield state

    def apply(self, state: State, event: Event) -> State:
        """The state after one more event. An event that does not fit raises ValueError."""
        if state.stopped:
            raise ValueError("after the end there is nothing more")
        if isinstance(event, Asked):
            return self._asked(state, event)
        if isinstance(event, (Answered, Confirmed)) and event.cuts:
            self._refuse_strange_cuts(state, event)
        if isinstance(event, Answered):
            if event.answer == "skipped" and (event.changes or event.moved or event.kept or event.cuts):
                raise ValueError(f"no opinion on query {event.query} changes nothing and says nothing")
            if event.back and (event.answer != "skipped" or self.settings.mode != "people"):
                raise ValueError(f"what query {event.query} proposed cannot be taken back by this answer")
            return self._answered(state, event)
        if isinstance(event, Pinned):
            return after_pinning(self, state, event)
        if isinstance(event, Unpinned):
            return after_unpinning(self, state, event)
        if isinstance(event, Confirmed):
            return self._confirmed(state, event)
        if isinstance(event, Withdrawn):
            several = self.opened(state, event.query).parts
            return without_query(self, state)._replace(chosen_from=several if len(several) > 1 else state.chosen_from)
        if isinstance(event, (RuleAdded, RuleRemoved)):
            return after_rule(self, state, event)
        if isinstance(event, Further):
            return after_further(state, event)
        if isinstance(event, Repeated):
            return after_repeating(self, state, event)
        if isinstance(event, Stopped):
            return state._replace(stopped=True)
        assert not isinstance(event, (Started, Undone))
        raise AssertionError("an event of an unknown kind")

    def _asked(self, state: State, event: Asked) -> State:
        names = event.parts or [event.part]
        parts = tuple([self._part_of_name.get(name, -1) for name in names])
        unknown = -1 in parts or event.part != names[0]
        together = tuple([self._part_of_name.get(name, -1) for name in event.together]) if event.together else ()
        if state.open is not None or event.query != state.queries + 1 or unknown or not set(parts).issuperset(together):
            raise ValueError(f"query {event.query} cannot be asked here")
        if event.guesses or event.suggestion:
            own = {
                name: self.problem.symbols.variables[name]
                for part in parts
                for name in self.problem.parts[part].variables
            }
            refuse_strange(event.guesses, own)
            for name, value in event.suggestion.items():
                if name not in own or fitting(own[name], value) is None:
                    raise ValueError(f"'{name:.80}' = {value!s:.40} cannot be suggested here")
        jumped = self.after_jump(state, event.moved, event.query, parts) if event.moved else state
        proposal, units = self.with_changes(jumped, parts, event.changes, state.pins)
        asked = list(state.asked)
        for part in parts:
            asked[part] += 1
        return jumped._replace(
            configuration=proposal,
            units=units,
            queries=event.query,
            asked=tuple(asked),
            progress=jumped.progress.changed(event.query) if event.changes else jumped.progress,
            open=OpenQuery(
                *(event.query, parts, state, units, proposal, event.proven, dict(event.suggestion), event.guesses),
                together,
            ),
            learned=None,
        )

    def after_jump(self, state: State, moved: Mapping[str, Value], query: int, asked: Collection[int] = ()) -> State:
        """What nobody has spoken for moved before a query, in other parts than those it is about."""
        others = [part for part in range(len(self.problem.parts)) if part not in asked]
        self.refuse_moving_what_is_hers(state, moved)
        around, units = self.with_changes(state, others, moved, state.pins)
        return state._replace(configuration=around, units=units, progress=state.progress.changed(query))

    def refuse_moving_what_is_hers(self, state: State, moved: Mapping[str, Value]) -> None:
        for name in moved:
            part = self.problem.structure.part_of_variable.get(name)
            if part is not None and name in self.held(state, part):
                raise ValueError(f"'{name}' is the person's own and cannot move")

    def _refuse_strange_cuts(self, state: State, event: Answered | Confirmed) -> None:
        """Alternatives are about parts in question, and are values that these can have; else a ValueError.

        What the learner makes of two parts that were asked about together has values of both.
        """
        asked = event.parts if isinstance(event, Confirmed) else self._names_of(self.opened(state, event.query).parts)
        own = {name for part in asked for name in self.problem.parts[self._part_of_name.get(part, -1)].variables}
        known = self.problem.symbols.variables
        for part, alternatives in event.cuts.items():
            if part not in asked:
                raise ValueError(f"part '{part:.80}' was not in question")
            for name, value in (said for alternative in alternatives for said in alternative.items()):
                if name not in own or not known[name].holds(value):
                    raise ValueError(f"'{name:.80}' = {value!s:.40} is no alternative in part '{part:.80}'")

    def _names_of(self, parts: Sequence[int]) -> list[str]:
        return [self.problem.parts[part].name for part in parts]

    def _confirmed(self, state: State, event: Confirmed) -> State:
        """Several parts are right as they stand. It counts as one query."""
        waiting = () if state.open is None else state.open.parts
        parts = [self._part_of_name.get(name, -1) for name in event.parts]
        if event.query != state.queries + 1 or any(part < 0 or part in waiting for part in parts):
            raise ValueError("these parts cannot be confirmed here")
        said = state._replace(queries=event.query, skipped=frozenset(), unsure=False, learned=None)
        return self._confirm(said, parts, event, "word")

    def _confirm(
        self, state: State, parts: Sequence[int], event: Answered | Confirmed, how: How, **other: Any
    ) -> State:
        """Nothing in these parts can be improved: a lesson, and progress to the certificate, beside `other` fields."""
        progress = state.progress
        for part in parts:
            progress = progress.satisfied(part, event.query, how)
        return state._replace(learner=self._accepted(state, parts, event), progress=progress, **other)

    def _accepted(self, state: State, parts: Sequence[int], event: Answered | Confirmed) -> Learner:
        """The learner that has heard of parts in which nothing is better."""
        learner, values = state.learner, self.features.to_values(state.units)
        for part in parts:
            cuts = event.cuts.get(self.problem.parts[part].name, ())
            found = self.features.values_of([{**state.configuration, **cut} for cut in cuts]) if cuts else ()
            learner = self.taught(learner, Acceptance(event.query, part, values, tuple(found)))
        return learner

    def taught(self, learner: Learner, lesson: Lesson) -> Learner:
        """The learner that has also had this lesson."""
        return learner.after(lesson)

    def _answered(self, state: State, event: Answered) -> State:
        opened = self.opened(state, event.query)
        if event.answer == "skipped":
            return state._replace(open=None, learned=None)
        improvement, units = self.with_changes(state, opened.parts, event.changes, state.pins)
        first, own = opened.baseline_configuration, self.problem.parts[opened.part].variables
        changed = 0 if improvement is first else sum([improvement[name] != first[name] for name in own])
        if changed or event.changes:
            return self._improved(state, event, improvement, units, changed)
        learned = Learned(True, "none", opened.baseline, units, improvement, 0)
        return self._confirm(state, opened.parts, event, "word", open=None, learned=learned)

    def _improved(
        self, state: State, event: Answered, improvement: Configuration, units: Integers, changed: int
    ) -> State:
        """Something else is better; if pins led away and she went back to the first proposal, that teaches nothing."""
        opened = self.opened(state, event.query)
        part, own = opened.part, self.own[opened.part]
        worse, better = self.features.to_values(opened.baseline), self.features.to_values(units)
        learner = state.learner
        if changed:
            learner = learner.after(Improvement(opened.query, part, worse, better))
        update = update_of(learner) if changed else "none"
        gain = float(np.linalg.norm(better[own] - worse[own]))
        gained = list(state.gained)
        gained[part] += gain
        progress = state.progress.doubted(part)
        keeps = self.settings.mode == "keep"
        if keeps and improvement != state.configuration:
            progress = progress.changed(opened.query)
        return state._replace(
            configuration=improvement if keeps else state.configuration,
            units=units if keeps else state.units,
            learner=learner,
            gained=tuple(gained),
            largest=max(state.largest, gain),
            progress=progress,
            open=None,
            learned=Learned(False, update, opened.baseline, units, improvement, changed),
            corrections=(*state.corrections, *corrected(event.query, state.configuration, event.changes)),
        )

    def with_changes(
        self, state: State, parts: Collection[int], changes: Mapping[str, Value], pins: Mapping[str, Value]
    ) -> tuple[Configuration, Integers]:
        """x and φ(x) with some values of some parts changed around pins; ValueError if that cannot be."""
        if not changes:
            return state.configuration, state.units
        where = self.problem.structure.part_of_variable
        for name, value in changes.items():
            if where.get(name) not in parts or not self.problem.symbols.variables[name].holds(value):
                asked = ", ".join(self.problem.parts[part].name for part in parts)
                raise ValueError(f"'{name}' cannot become {value!r:.60} in part '{asked:.80}'")
            if pins.get(name, value) != value:
                raise ValueError(f"'{name}' is pinned to {pins[name]!r} and cannot become {value!r:.60}")
        changed = {**state.configuration, **changes}
        touched = {where[name] for name in changes}
        if len(touched) > 1:
            return changed, self.features.units(changed)
        return changed, self.features.updated(state.units, changed, touched.pop())

    def opened(self, state: State, query: int) -> OpenQuery:
        """The open query, which has this number."""
        if state.open is None or state.open.query != query:
            raise ValueError(f"query {query} is not open")
        return state.open
