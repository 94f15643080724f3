"""What every way of speaking to an elicitation works on: its journal, the problem in force, and the open query.

The problem in force is what a person is asked about: the problem with the rules of her own that hold now.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from pcl_core.elicitation.journal import Journal
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.query import Basis, Query
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.setup import make_proposer
from pcl_core.elicitation.state import NO_VALUES, OpenQuery, State
from pcl_core.elicitation.surroundings import Surroundings
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import FrozenConfiguration
from pcl_core.model.own_rules import BoundRule, under
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle
from pcl_core.wording import in_a_row

NOTHING = FrozenConfiguration()
KEPT = 8
"""Sets of rules for which what was compiled is kept: undoing and saying again costs nothing."""


@dataclass(frozen=True)
class InForce:
    """What proposes and judges under one set of rules."""

    oracle: Oracle
    proposer: Proposer

    @cached_property
    def surroundings(self) -> Surroundings:
        """What there is to see around a part; those who answer by themselves never look."""
        return Surroundings(self.oracle.problem)


class ProblemsInForce:
    """The one for each set of rules; scopes that no rule touches are compiled once for all of them."""

    def __init__(self, oracle: Oracle, rules: Rules) -> None:
        self._oracle, self._rules = oracle, rules
        self._kept: dict[tuple[BoundRule, ...], InForce] = {}

    def under(self, own_rules: Sequence[BoundRule]) -> InForce:
        key = tuple(own_rules)
        found = self._kept.get(key)
        if found is None:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            oracle = self._oracle.restricted(under(self._oracle.problem, key)) if key else self._oracle
            found = InForce(oracle, make_proposer(oracle, self._rules))
            self._kept[key] = found
        return found


class _OfParts(NamedTuple):
    """What a query says of the parts that it is about; see `Query`."""

    parts: tuple[str, ...]
    pair: bool = False
    together: tuple[str, ...] = ()
    remembered: bool = False
    label: str = ""


class Conversation:
    """One journal."""

    _journal: Journal
    _problems: ProblemsInForce
    _clock: Callable[[], float]
    _seconds: float
    """How long the proposal of the open query took."""

    @property
    def problem(self) -> Problem:
        """The problem as it was given, without the rules of her own."""
        return self._rules.problem

    @property
    def _rules(self) -> Rules:
        return self._journal.rules

    @property
    def _state(self) -> State:
        return self._journal.state

    @property
    def _in_force(self) -> InForce:
        return self._problems.under(self._state.own_rules)

    @property
    def _proposer(self) -> Proposer:
        return self._in_force.proposer

    @property
    def _surroundings(self) -> Surroundings:
        return self._in_force.surroundings

    def _refuse_after_stop(self) -> None:
        if self._state.stopped:
            raise RequestError(Issue(Code.STALE_ANSWER, "the elicitation was stopped", "undo that to go on"))

    def _now(self) -> float:
        return round(self._clock(), 3)

    def _query(self) -> Query:
        state, rules = self._state, self._rules
        in_force, opened = self._problems.under(state.own_rules), state.open
        assert opened is not None
        parts, known, own = opened.parts, rules.problem.parts, in_force.proposer.variables(*opened.parts)
        first, standing = opened.baseline_configuration, state.configuration
        pins = in_force.proposer.pinned(state, *parts) if state.pins else NO_VALUES
        part = known[parts[0]]
        of_parts = self._several(opened) if len(parts) > 1 else _OfParts((part.name,), label=part.label or part.name)
        proposal = FrozenConfiguration({name: standing[name] for name in own})
        return Query(
            opened.query,
            part.name,
            *of_parts,
            proposal,
            FrozenConfiguration(opened.suggestion) if opened.suggestion else NOTHING,
            proposal if first is standing else FrozenConfiguration({name: first[name] for name in own}),
            FrozenConfiguration(standing),
            FrozenConfiguration(pins) if pins else NOTHING,
            opened.proven,
            self._seconds,
            partial(_basis, rules, in_force, state, opened, pins),
        )

    def _several(self, opened: OpenQuery) -> _OfParts:
        """What a query about several parts says of them."""
        problem, pair = self.problem, opened.pair is not None
        remembered = bool(self._rules.as_last_time(opened.origin))
        label = "everything once more"
        if remembered:
            label = "the rest, as you left it" if opened.origin.outgrown else "everything, as it was last time"
            standing = self._state.configuration
            if any(standing[name] != value for name, value in opened.origin.remembered.items()):
                label = "everything, with what you changed"
        elif pair:
            both = [problem.parts[position] for position in opened.parts]
            label = f"{in_a_row([part.label or part.name for part in both])} together"
        shown, together = (tuple([problem.parts[it].name for it in each]) for each in (opened.parts, opened.together))
        return _OfParts(shown, pair, together, remembered, label)

    def _open(self) -> OpenQuery:
        state = self._state
        opened = state.open
        if opened is None or state.stopped:
            self._refuse_after_stop()
            raise RequestError(Issue(Code.STALE_ANSWER, "there is no open query", "ask first, and answer that query"))
        return opened


def _basis(rules: Rules, in_force: InForce, state: State, opened: OpenQuery, pins: Mapping[str, Value]) -> Basis:
    proposer, origin = in_force.proposer, opened.origin
    return Basis(
        in_force.surroundings,
        rules.features,
        opened.part,
        origin.configuration,
        origin.units,
        state.units,
        state.learner,
        rules.settings.seed,
        partial(proposer.features, state, *opened.parts),
        partial(proposer.possible, state, opened.parts, pins),
        origin.corrections,
        bool(origin.corrections or origin.progress.ever),
        partial(rules.as_confirmed, origin),
        lambda: rules.standing(origin)[opened.part] == "closed",
        opened.guesses.get("belief", NO_VALUES),
    )
