"""Simulated elicitations: a person with known weights drives the same object as everybody else."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcl_core.analysis.regret import Optimum, regret
from pcl_core.analysis.trace import Step, Trace
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.query import Answer, Query
from pcl_core.elicitation.state import Learned
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.model.utility import Utility, nearest
from pcl_core.solve.oracle import Oracle
from pcl_core.users.simulated import UserModel, matched_improvement
from pcl_core.users.utility import PartView

WHOLE = "everything"


@dataclass(frozen=True)
class Person:
    """A simulated person: true weights, and a way to improve what she is shown."""

    oracle: Oracle
    weights: Vector
    improve: Callable[[PartView, int], Configuration | None]
    """The improvement of a part at a query; None: satisfied; the configuration itself: nothing to say."""

    def view(self, query: Query) -> PartView:
        return PartView(self.oracle, self.weights, query.part_position, query.configuration, query.pins)

    def utility(self, configuration: Configuration) -> float:
        """u*(x)"""
        return nearest(self.exact.of(self.oracle.features.units(configuration)))

    @cached_property
    def exact(self) -> Utility:
        """u*, exactly, from features in whole units"""
        return Utility(self.weights, self.oracle.features.places)


def person(oracle: Oracle, weights: Vector, model: UserModel, seed: tuple[int, ...]) -> Person:
    """Somebody who answers by a user model; her chance at each query depends on the seed and the query alone."""

    def improve(view: PartView, query: int) -> Configuration | None:
        return model.improve(view, np.random.default_rng((*seed, query)))

    return Person(oracle, weights, improve)


def matched_person(oracle: Oracle, weights: Vector, gains: list[float]) -> Person:
    """Somebody who gains at query t what another elicitation gained there: for coactive learning, as in the paper."""

    def improve(view: PartView, query: int) -> Configuration | None:
        return matched_improvement(view, gains[query - 1] if query <= len(gains) else 0.0)

    return Person(oracle, weights, improve)


def as_one_part(problem: Problem) -> Problem:
    """The same problem as a single part: part-wise learning on it is the preference perceptron (plain CL)."""
    return problem.coarsen({WHOLE: [part.name for part in problem.parts]})


@dataclass
class Simulation:
    """One person, one elicitation."""

    elicitation: Elicitation
    person: Person
    optimum: Optimum

    def run(self, queries: int, progress: Callable[[Step], None] | None = None) -> Trace:
        """Ask up to `queries` queries, or until the elicitation ends by itself."""
        if queries < 0:
            raise RequestError(Issue(Code.BAD_VALUE, f"the number of queries is {queries}, but it cannot be negative"))
        start = self.elicitation.weights
        steps: list[Step] = []
        proven = settles = True
        led_away = False
        norms: list[float] = []
        while len(steps) < queries:
            began = time.perf_counter()
            query = self.elicitation.ask()
            asked = time.perf_counter()
            if query is None:
                break
            proven = proven and query.proven
            weights = self.elicitation.weights
            view = self.person.view(query)
            answer = _answer(query, self.person.improve(view, query.number))
            told = time.perf_counter()
            self.elicitation.tell(answer)
            spent = (asked - began) + (time.perf_counter() - told)
            step = self._step(query, view, spent)
            if not steps:
                led_away = self._led_away(query)
            steps.append(step)
            learned = self.elicitation.weights
            norms.append(float(np.linalg.norm(learned)))
            stays = not step.satisfied or np.array_equal(weights, learned)
            settles = settles and stays and query.infers_on == "J"
            if progress is not None:
                progress(step)
        return Trace(
            tuple(steps),
            self.person.weights,
            start,
            tuple(norms),
            self.elicitation.order,
            self.optimum,
            self.elicitation.configuration,
            self.elicitation.certificate,
            proven,
            settles,
            led_away,
        )

    def _led_away(self, query: Query) -> bool:
        """Whether what was learned from is another proposal than the person saw: there was a pin before her answer."""
        learned = self.elicitation.learned
        seen = self.person.oracle.features.units(query.configuration)
        return learned is not None and not np.array_equal(learned.proposed, seen)

    def _step(self, query: Query, view: PartView, spent: float) -> Step:
        units = self.person.oracle.features.units(query.configuration)
        learned = self.elicitation.learned or Learned(False, "none", units, units, query.configuration, 0)
        exact = self.person.exact
        utility = nearest(exact.of(learned.proposed))
        distance = regret(self.optimum, utility)
        missed = np.zeros_like(learned.proposed)
        if learned.update == "J":
            ignored = list(self._ignored[query.part_position])
            missed[ignored] = learned.improved[ignored] - learned.proposed[ignored]
        return Step(
            query.number,
            query.part,
            view.conditional_regret,
            utility,
            nearest(exact.of(learned.improved)),
            distance.low,
            distance.high,
            learned.satisfied,
            learned.update,
            nearest(exact.of(missed)),
            learned.changed,
            query.shown_variables,
            query.context_variables,
            query.seconds,
            max(0.0, spent - query.seconds),
            self.elicitation.certificate is not None,
        )

    @cached_property
    def _ignored(self) -> tuple[tuple[int, ...], ...]:
        return self.elicitation.problem.structure.ignored(self.elicitation.order)


def _answer(query: Query, improvement: Configuration | None) -> Answer:
    if improvement is None:
        return query.accept()
    values = {name: improvement[name] for name in query.proposal}
    return query.skip() if values == query.proposal else query.improve(values)
