"""What every way of speaking to an elicitation works on: its journal, and what the problem in force proposes."""

from collections.abc import Callable

from pcl_core.elicitation.in_force import InForce, ProblemsInForce
from pcl_core.elicitation.journal import Journal
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.state import State
from pcl_core.elicitation.surroundings import Surroundings
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.model.problem import Problem


class Conversation:
    """One journal."""

    _journal: Journal
    _problems: ProblemsInForce
    _clock: Callable[[], float]

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
