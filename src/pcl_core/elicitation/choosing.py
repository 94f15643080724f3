"""Which part is asked about next, by which weights something is proposed there, what stays, and when all is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from pcl_core.elicitation.settings import Settings, proposing_generator
from pcl_core.elicitation.state import State
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.learn import Belief, LearnerKind, Positions, Selection, Situation
from pcl_core.learn.stopping import Standing
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import FeatureMap, Vector
from pcl_core.model.problem import Problem


@dataclass(frozen=True)
class Choosing:
    """What is asked next: the problem, the order of its parts, and the chosen strategies."""

    problem: Problem
    settings: Settings
    order: tuple[int, ...]
    features: FeatureMap
    learner: LearnerKind
    selection: Selection

    @cached_property
    def own(self) -> tuple[Positions, ...]:
        """I_p by part"""
        return tuple(np.array(subset, dtype=np.intp) for subset in self.problem.structure.feature_subsets)

    @cached_property
    def decomposition(self) -> tuple[tuple[int, ...], ...]:
        """J_p by part"""
        return self.problem.structure.decomposition(self.order)

    @cached_property
    def subsets(self) -> tuple[Positions, ...]:
        return tuple(np.array(subset, dtype=np.intp) for subset in self.decomposition)

    @cached_property
    def _sizes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        structure = self.problem.structure
        own = tuple(map(len, structure.feature_subsets))
        ignored = tuple(map(len, structure.ignored(self.order)))
        shared = tuple(size - len(kept) for size, kept in zip(own, structure.private_features, strict=True))
        return own, ignored, shared

    def proposing_weights(self, state: State) -> Vector:
        """What proposals of the open query maximise, or of the next one where none is open."""
        belief = state.learner.belief
        if type(belief) is Belief:  # a point draws nothing, and making a generator takes longer than all else here
            return belief.weights
        return belief.proposing(self.proposing_generator(state))

    def proposing_generator(self, state: State) -> np.random.Generator:
        return proposing_generator(self.settings.seed, state.queries + (state.open is None))

    def select(
        self,
        state: State,
        generator: np.random.Generator,
        expected: Callable[[int], float],
        settled: Callable[[int], bool] | None = None,
    ) -> int:
        """SelectPart"""
        own, ignored, shared = self._sizes
        candidates, order = self.candidates(state, settled), self.order
        if len(candidates) < len(order):
            among = frozenset(candidates)
            order = tuple([it for it in order if it in among])
        situation = Situation(
            candidates,
            order,
            own,
            ignored,
            shared,
            state.asked,
            state.gained,
            state.largest,
            generator,
            self.standing(state),
            state.learner.belief,
            expected,
        )
        part = self.selection(situation)
        if not isinstance(cast(object, part), (int, np.integer)) or part not in candidates:
            message = f"the selection chose part number {part!s:.40}, but there are {len(self.problem.parts)}, from 0"
            hint = None if len(candidates) == len(self.problem.parts) else "only open parts are asked (`candidates`)"
            raise RequestError(Issue(Code.BAD_VALUE, message, hint))
        return int(part)

    def as_confirmed(self, state: State) -> frozenset[int]:
        """The parts that stand as she confirmed them."""
        return frozenset(state.progress.confirmed)

    def standing(self, state: State) -> tuple[Standing, ...]:
        """How each part stands."""
        found: list[Standing] = ["new"] * len(self.problem.parts)
        for part in state.progress.ever:
            found[part] = "open"
        for part in state.progress.confirmed:
            found[part] = "closed"
        return tuple(found)

    def candidates(self, state: State, settled: Callable[[int], bool] | None = None) -> tuple[int, ...]:
        """The parts that may be asked about next, by position."""
        return tuple(range(len(self.problem.parts)))

    def last_look(self, state: State, settled: Callable[[int], bool] | None = None) -> tuple[int, ...]:
        """The parts to be shown together, once nothing else is to be asked."""
        return ()

    def as_last_time(self, state: State) -> tuple[int, ...]:
        """The parts to be shown together before anything else, as they were in an earlier elicitation."""
        return ()

    def finished(self, state: State) -> bool:
        return state.stopped or state.progress.finished(self.settings.stop)

    def pinned(self, state: State, *parts: int) -> Configuration:
        if not state.pins:
            return {}
        where = self.problem.structure.part_of_variable
        return {name: value for name, value in state.pins.items() if where[name] in parts}

    def held(self, state: State, part: int) -> Configuration:
        """The values of a part that no proposal changes: what is pinned."""
        return self.pinned(state, part)
