"""The whole at a glance: how each part stands and by what, and the figures of all of it, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from pcl_core.analysis.certificate import Certificate, Passed, Together
from pcl_core.elicitation.history import Told, told_in
from pcl_core.elicitation.misfit import Misfit, misfit_of
from pcl_core.elicitation.own_rules import SpeaksRules
from pcl_core.elicitation.query import Query
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.settings import Settings
from pcl_core.elicitation.state import Learned, State
from pcl_core.elicitation.surroundings import Figure, Surroundings
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.learn.stopping import Standing
from pcl_core.model.configuration import Configuration, FrozenConfiguration
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem

By: TypeAlias = Literal["word", "look", "facts"]
"""She confirmed a part by word since anything changed, or in the last look; or it follows from what she said before."""


@dataclass(frozen=True)
class PartNow(JsonForm):
    """How a part stands."""

    FORM: ClassVar[tuple[str, ...]] = ("part", "label", "standing", "by", "query", "asked", "own")
    part: str
    label: str
    standing: Standing
    by: By | None
    """By what it is closed; None where it is not."""
    query: int | None
    """At which query she confirmed it; None where that follows from others, or she did not."""
    asked: bool
    """Whether the open query is about it."""
    own: FrozenConfiguration
    """What in it is hers, so that no proposal changes it."""


def parts_now(rules: Rules, state: State) -> tuple[PartNow, ...]:
    """What an open query proposes takes nothing away yet, unless she pinned or confirmed something beside it."""
    opened, before = state.open, state
    if opened is not None and state.queries == opened.query and state.pins == opened.origin.pins:
        before = opened.origin
    asked, progress, found = () if opened is None else opened.parts, before.progress, []
    for position, (part, standing) in enumerate(zip(rules.problem.parts, rules.standing(before), strict=True)):
        by: By | None = progress.how.get(position, "word") if position in progress.confirmed else "facts"
        if standing != "closed":
            by = None
        own = FrozenConfiguration(rules.held(state, position))
        query = progress.confirmed.get(position)
        found.append(PartNow(part.name, part.label or part.name, standing, by, query, position in asked, own))
    return tuple(found)


def figures_of(problem: Problem, around: Surroundings, configuration: Mapping[str, Value]) -> tuple[Figure, ...]:
    """The figures of all parts, each once."""
    found: dict[str, Figure] = {}
    for part in range(len(problem.parts)):
        for figure in around.summary(part, configuration):
            found.setdefault(figure.label, figure)
    return tuple(found.values())


class Overview(SpeaksRules):
    """What is known of an elicitation, for whoever looks at it; looking changes nothing."""

    @property
    def report(self) -> str | None:
        """What resuming, or a taste, had to drop, in a sentence."""
        return self._journal.report

    @property
    def settings(self) -> Settings:
        return self._rules.settings

    @property
    def order(self) -> tuple[int, ...]:
        return self._rules.order

    @property
    def configuration(self) -> Configuration:
        """x: the recommendation as it stands."""
        return dict(self._state.configuration)

    @property
    def weights(self) -> Vector:
        """w: what was learned."""
        return self._state.learner.belief.weights.copy()

    @property
    def queries(self) -> int:
        """How many queries were asked."""
        return self._state.queries

    @property
    def pins(self) -> dict[str, Value]:
        return dict(self._state.pins)

    @property
    def learned(self) -> Learned | None:
        """What the last answer did."""
        return self._state.learned

    @property
    def misfit(self) -> Misfit | None:
        """A sign that she cares about something that is in none of the features, in the mode `people`."""
        return misfit_of(self.problem, self._state)

    @property
    def confirmed(self) -> dict[str, int]:
        """The parts confirmed since the configuration last changed, with the query at which each was."""
        return {self.problem.parts[part].name: query for part, query in self._state.progress.confirmed.items()}

    @property
    def standing(self) -> dict[str, Standing]:
        """For each part whether it is closed (confirmed as it stands, by word or by what is known), open, or new."""
        found = zip(self.problem.parts, self._rules.standing(self._state), strict=True)
        return {part.name: standing for part, standing in found}

    @property
    def standing_before(self) -> dict[str, Standing]:
        """The same before the open query was asked: what it proposes is not confirmed, and takes nothing away yet."""
        state, opened = self._state, self._state.open
        before = state if opened is None else opened.origin
        if opened is not None and state.queries > opened.query:  # parts were confirmed beside it
            confirmed = {**before.progress.confirmed, **state.progress.confirmed}
            before = before._replace(progress=state.progress._replace(confirmed=confirmed), facts=state.facts)
        found = zip(self.problem.parts, self._rules.standing(before), strict=True)
        return {part.name: standing for part, standing in found}

    @property
    def parts(self) -> tuple[PartNow, ...]:
        """The same with by what each is closed, whether it is asked about, and what in it is the person's own."""
        return parts_now(self._rules, self._state)

    @property
    def summary(self) -> tuple[Figure, ...]:
        """The figures that depend on (nearly) the whole configuration, as it stands."""
        return figures_of(self.problem, self._surroundings, self._state.configuration)

    @property
    def history(self) -> tuple[Told, ...]:
        """What the person said and has not taken back, in her order."""
        return tuple(told_in(self.problem, self._journal.events))

    @property
    def events(self) -> int:
        """How many events the log has, as far as is known here."""
        return len(self._journal.events)

    @property
    def stopped(self) -> bool:
        """Whether the person wants no more queries."""
        return self._state.stopped

    @property
    def certificate(self) -> Certificate | None:
        """That no single part can be improved, once the stopping rule says so."""
        progress = self._state.progress
        if not progress.finished(self.settings.stop):
            return None
        names = [part.name for part in self.problem.parts]
        return Certificate(
            self.problem.content_hash,
            self.configuration,
            self.settings.stop,
            self.confirmed,
            progress.changed_at,
            tuple(Passed(names[item.part], item.query) for item in progress.passes),
            self.pins,
            tuple(names),
            {names[part]: how for part, how in progress.how.items()},
            self.rules,
            tuple(Together(names[a], names[b], query) for (a, b), query in progress.pairs.items()),
        )

    @property
    def waiting(self) -> Query | None:
        """The query that waits for an answer; nothing is asked by looking."""
        return None if self._state.stopped or self._state.open is None else self._query()
