"""The problem in force: what a person is asked about is the problem with the rules of her own that hold now."""

from collections.abc import Sequence
from dataclasses import dataclass

from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.setup import make_proposer
from pcl_core.elicitation.surroundings import Surroundings
from pcl_core.model.own_rules import BoundRule, under
from pcl_core.solve.oracle import Oracle

KEPT = 8
"""Sets of rules for which what was compiled is kept: undoing and saying again costs nothing."""


@dataclass(frozen=True)
class InForce:
    """What proposes and judges under one set of rules."""

    oracle: Oracle
    proposer: Proposer
    surroundings: Surroundings


class ProblemsInForce:
    """The one for each set of rules; scopes that no rule touches are compiled once for all of them."""

    def __init__(self, oracle: Oracle, rules: Rules) -> None:
        self._oracle, self._rules = oracle, rules
        self._kept: dict[tuple[BoundRule, ...], InForce] = {}

    def under(self, own_rules: Sequence[BoundRule]) -> InForce:
        key = tuple(own_rules)
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            oracle = self._oracle.restricted(under(self._oracle.problem, key)) if key else self._oracle
            self._kept[key] = InForce(oracle, make_proposer(oracle, self._rules), Surroundings(oracle.problem))
        return self._kept[key]
