"""Simulated elicitations: a person whose wishes are known drives the same object as everybody else."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from pcl_core.analysis.regret import Optimum, Regret, regret
from pcl_core.analysis.trace import Step, Trace
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.elicitation.query import Answer, Query
from pcl_core.elicitation.state import Learned
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import FeatureMap, Vector, nearest
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle
from pcl_core.users.people import Liking, Reply, Shown, SimulatedPerson, Wishing
from pcl_core.users.simulated import Informative, UserModel, matched_improvement
from pcl_core.users.utility import PartView
from pcl_core.users.wishes import as_wished

WHOLE = "everything"


UNKNOWN = Optimum({}, math.nan, math.nan)
"""The best configuration of people who have no utility."""


@dataclass(frozen=True)
class Person(Liking):
    """Somebody with a linear utility, in front of queries."""

    def view(self, query: Query) -> PartView:
        return PartView(self.oracle, self.weights, query.part_position, query.configuration, query.pins)

    def utility(self, configuration: Configuration) -> float:
        """u*(x)"""
        return nearest(self.exact.of(self.oracle.features.units(configuration)))


@dataclass(frozen=True)
class _Matched(Person):
    gains: tuple[float, ...] = ()

    def improve(self, view: PartView, query: int) -> Configuration | None:
        return matched_improvement(view, self.gains[query - 1] if query <= len(self.gains) else 0.0)


def person(oracle: Oracle, weights: Vector, model: UserModel, seed: tuple[int, ...]) -> Person:
    """Somebody who answers by a user model; her chance at each query depends on the seed and the query alone."""
    return Person(oracle, weights, model, seed)


def matched_person(oracle: Oracle, weights: Vector, gains: Sequence[float]) -> Person:
    """Somebody who gains at query t what another elicitation gained there: for coactive learning, as in the paper."""
    return _Matched(oracle, weights, Informative(), gains=tuple(gains))


def as_one_part(problem: Problem) -> Problem:
    """The same problem as a single part: part-wise learning on it is the preference perceptron (plain CL)."""
    return problem.coarsen({WHOLE: [part.name for part in problem.parts]})


@dataclass(frozen=True)
class _Heard:
    """What a person says to a query, and how much better the part could be that she says it of."""

    part: int
    reply: Reply
    regret: float
    together: tuple[str, ...] = ()
    """The parts that she changes in one answer, of those that a look names."""


@dataclass
class Simulation:
    """One person, one elicitation. Who has no linear utility is measured without one: what depends on it is not a number.

    Shown several parts, she accepts if all of them are right, else improves the first that is not. Who knows her wishes, and
    sees that something is wrong that no single part can mend, changes as little as mends it in several; if nothing does, she
    does not call it right. Asked about two together, or shown two that may gain together,
    somebody with a utility looks at both as one. She says that an answer is final where the elicitation makes use of it, and
    takes no suggestions.
    """

    elicitation: Elicitation
    person: SimulatedPerson
    optimum: Optimum = UNKNOWN

    def run(self, queries: int, progress: Callable[[Step], None] | None = None, look_further: int = 0) -> Trace:
        """Ask up to `queries` queries, or until the elicitation ends by itself.

        With a certificate she looks further, once: up to so many questions about two parts at once.
        """
        if queries < 0:
            raise RequestError(Issue(Code.BAD_VALUE, f"the number of queries is {queries}, but it cannot be negative"))
        start = self.elicitation.weights
        steps: list[Step] = []
        proven = settles = True
        led_away = False
        norms: list[float] = []
        memory = Memory()
        while len(steps) < queries:
            began = time.perf_counter()
            query = self.elicitation.ask()
            asked = time.perf_counter()
            if query is None and look_further and self.elicitation.certificate is not None:
                self.elicitation.look_further(look_further)
                look_further = 0
                continue
            if query is None:
                break
            proven = proven and query.proven
            weights = self.elicitation.weights
            heard = self._heard(query)
            undone = memory.compare(query.proposal, heard.reply.values)
            answer = _answer(query, heard.reply)
            told = time.perf_counter()
            self.elicitation.tell(answer)
            spent = (asked - began) + (time.perf_counter() - told)
            step = self._step(query, heard, undone, spent)
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
            self.person.weights if isinstance(self.person, Liking) else np.full(len(start), math.nan),
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

    def _heard(self, query: Query) -> _Heard:
        problem, pins = self.elicitation.problem, self.elicitation.pins
        spoken: list[_Heard] = []
        positions = [problem.part_position(part) for part in query.parts]
        if query.pair and isinstance(self.person, Liking):
            return self._reply(Shown(positions[0], query.configuration, query.pins, query.number, positions[1]))
        for position in positions:
            fixed = {name: value for name, value in pins.items() if name in problem.parts[position].variables}
            spoken.append(self._reply(Shown(position, query.configuration, fixed, query.number)))
            if spoken[-1].reply.kind == "improved":
                return spoken[-1]
        if len(spoken) > 1 and not isinstance(self.person, Liking) and not self.person.satisfied(query.configuration):
            return self._mended(query, spoken[0])
        if query.together and isinstance(self.person, Liking):
            return self._together(query)
        kinds = [heard.reply.kind for heard in spoken]
        return spoken[kinds.index("skipped") if "skipped" in kinds else 0]

    def _together(self, query: Query) -> _Heard:
        """What she says to two parts that are named in a look, as if they were one."""
        problem = self.elicitation.problem
        first, second = map(problem.part_position, query.together)
        own = problem.parts[first].variables + problem.parts[second].variables
        fixed = {name: value for name, value in query.pins.items() if name in own}
        heard = self._reply(Shown(first, query.configuration, fixed, query.number, second))
        return self._where_changed(heard)

    def _mended(self, query: Query, heard: _Heard) -> _Heard:
        """The fewest values, in any of the parts that she looks at, that make the whole what she wants; if there are some."""
        changes: Configuration | None = None
        if isinstance(self.person, Wishing):
            parts = [self.elicitation.problem.parts[self.elicitation.problem.part_position(it)] for it in query.parts]
            free = [name for part in parts for name in part.variables if name not in query.pins]
            changes = fewest_changes(self._as_she_wishes, query.configuration, free)
        said = Reply("improved", changes, final=True) if changes else Reply("skipped")
        return self._where_changed(replace(heard, reply=said))

    @cached_property
    def _as_she_wishes(self) -> Oracle:
        assert isinstance(self.person, Wishing)
        return self.elicitation.oracle.restricted(as_wished(self.elicitation.problem, self.person.wishes))

    def _where_changed(self, heard: _Heard) -> _Heard:
        problem = self.elicitation.problem
        changed = sorted({problem.structure.part_of_variable[name] for name in heard.reply.values})
        names = tuple([problem.parts[part].name for part in changed])
        return replace(heard, part=changed[0], together=names) if changed else heard

    def _reply(self, shown: Shown) -> _Heard:
        somebody = self.person
        if not isinstance(somebody, Liking):
            return _Heard(shown.part, somebody.reply(shown), math.nan)
        view = somebody.seen(shown)
        reply = somebody.answer(view, shown.query)
        if reply.values and self.elicitation.settings.mode == "people":
            reply = replace(reply, final=somebody.has_nothing_better(shown, reply.values))
        return _Heard(shown.part, reply, view.conditional_regret)

    def _led_away(self, query: Query) -> bool:
        """Whether what was learned from is another proposal than the person saw: there was a pin before her answer."""
        learned = self.elicitation.learned
        seen = self._features.units(query.configuration)
        return learned is not None and not np.array_equal(learned.proposed, seen)

    def _step(self, query: Query, heard: _Heard, undone: int, spent: float) -> Step:
        units = self._features.units(query.configuration)
        learned = self.elicitation.learned or Learned(False, "none", units, units, query.configuration, 0)
        utility = self._utility(learned.proposed)
        distance = regret(self.optimum, utility) if isinstance(self.person, Liking) else Regret(math.nan, math.nan)
        missed = np.zeros_like(learned.proposed)
        if learned.update == "J":
            ignored = list(self._ignored[heard.part])
            missed[ignored] = learned.improved[ignored] - learned.proposed[ignored]
        return Step(
            query.number,
            self.elicitation.problem.parts[heard.part].name,
            heard.regret,
            utility,
            self._utility(learned.improved),
            distance.low,
            distance.high,
            learned.satisfied,
            learned.update,
            self._utility(missed),
            learned.changed,
            query.shown_variables,
            query.context_variables,
            query.seconds,
            max(0.0, spent - query.seconds),
            self.elicitation.certificate is not None,
            len(heard.reply.values),
            undone,
            learned.final,
            heard.together or query.parts,
            query.pair or len(heard.together) > 1,
        )

    def _utility(self, units: Integers) -> float:
        """u* of features in units"""
        return nearest(self.person.exact.of(units)) if isinstance(self.person, Liking) else math.nan

    @property
    def _features(self) -> FeatureMap:
        return self.elicitation.oracle.features

    @cached_property
    def _ignored(self) -> tuple[tuple[int, ...], ...]:
        return self.elicitation.problem.structure.ignored(self.elicitation.order)


@dataclass
class Memory:
    """What a person remembers of her own values: which she typed last, and whether they still stood when she last looked."""

    typed: Configuration = field(default_factory=dict)
    """Those that stood there, as far as she has seen."""

    def compare(self, shown: Mapping[str, Value], values: Configuration) -> int:
        """How many of her values are shown differently now; from here on she remembers what she types to this."""
        lost = [name for name, value in shown.items() if self.typed.get(name, value) != value]
        for name in lost:
            del self.typed[name]
        self.typed |= values
        return len(lost)


def _answer(query: Query, reply: Reply) -> Answer:
    if reply.kind == "accepted":
        return query.accept()
    return query.improve(reply.values, reply.final) if reply.kind == "improved" else query.skip()
