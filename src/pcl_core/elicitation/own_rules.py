"""Saying rules: what a rule changes in what stands, whether it can hold at all, and the methods that take it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pcl_core.elicitation.changes import Change, find_changes
from pcl_core.elicitation.events import RuleAdded, RuleRemoved
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.session import Conversation
from pcl_core.elicitation.speaking import without_query
from pcl_core.elicitation.state import State
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.json_form import JsonForm
from pcl_core.model.assignment import whole_number
from pcl_core.model.configuration import Configuration
from pcl_core.model.own_rules import OwnRule, read_rule
from pcl_core.solve.conflict import infeasible
from pcl_core.solve.oracle import Oracle


@dataclass(frozen=True)
class Ruling(JsonForm):
    """A rule, and what it changes."""

    FORM: ClassVar[tuple[str, ...]] = ("rule", "changes", "against")
    rule: OwnRule
    changes: tuple[Change, ...]
    """What stood and broke it, as few values as can be. Of her own as few as can be before that, then of what she wanted in
    an earlier elicitation."""
    against: tuple[str, ...]
    """The variables among them that she had spoken for: the newest word wins."""


class SpeaksRules(Conversation):
    """An elicitation in which a person may say rules of her own."""

    @property
    def rules(self) -> tuple[OwnRule, ...]:
        """Her own rules that hold now."""
        return tuple(bound.rule for bound in self._state.own_rules)

    def never(self, variables: str | Iterable[str], values: object) -> Ruling:
        """No variable of a selection has one of these values from now on: `never("plan[*,*]", "running")`.

        A selection is a name, a name with `*` for an index, or a list of them. What stands and breaks the rule changes;
        the result says what did. A rule that cannot hold is an `InfeasibleError` with the constraints in conflict.
        """
        return self.add_rule("never", variables, values)

    def always(self, variables: str | Iterable[str], values: object) -> Ruling:
        """Every variable of a selection has one of these values."""
        return self.add_rule("always", variables, values)

    def at_most(self, variables: str | Iterable[str], values: object, count: int, each: str = "all") -> Ruling:
        """At most so many variables of a selection have one of these values, in all or in each part."""
        return self.add_rule("at_most", variables, values, count, each)

    def at_least(self, variables: str | Iterable[str], values: object, count: int, each: str = "all") -> Ruling:
        """At least so many variables of a selection have one of these values, in all or in each part."""
        return self.add_rule("at_least", variables, values, count, each)

    def preview_rule(
        self, kind: str, variables: str | Iterable[str], values: object, count: int | None = None, each: str = "all"
    ) -> Ruling:
        """What a rule would change, or why it cannot hold. Nothing is said by that."""
        self._refuse_after_stop()
        rules = self._rules
        state = without_query(rules, self._state, counting=False)
        bound = read_rule(self.problem, kind, variables, values, count, each)
        if bound in state.own_rules:
            raise RequestError(Issue(Code.BAD_VALUE, f"you said '{bound.rule.words:.100}' already"))
        oracle = self._problems.under((*state.own_rules, bound)).oracle
        changes = {} if bound.obeyed_by(state.configuration) else _repair(oracle, rules, state, bound.rule)
        hers = {name for part in range(len(self.problem.parts)) for name in rules.held(state, part)}
        against = tuple(name for name in changes if name in hers)
        return Ruling(bound.rule, find_changes(self.problem, state.configuration, changes), against)

    def add_rule(
        self, kind: str, variables: str | Iterable[str], values: object, count: int | None = None, each: str = "all"
    ) -> Ruling:
        """A rule by the name of its kind: `never`, `always`, `at_most` or `at_least`.

        An open query is taken back unanswered; the next one may well be about the same part.
        """
        return self._add_rule(kind, variables, values, count, each)

    def _add_rule(
        self,
        kind: str,
        variables: str | Iterable[str],
        values: object,
        count: int | None,
        each: str,
        carried: bool = False,
    ) -> Ruling:
        ruling = self.preview_rule(kind, variables, values, count, each)
        rule = ruling.rule
        self._journal.add(
            RuleAdded(
                at=self._now(),
                kind=rule.kind,
                variables=rule.variables if isinstance(rule.variables, str) else list(rule.variables),
                values=list(rule.values),
                count=rule.count,
                each=rule.each,
                changes={change.variable: change.after for change in ruling.changes},
                carried=carried,
            )
        )
        return ruling

    def remove_rule(self, number: int) -> OwnRule:
        """A rule of hers, by its place in `rules`, holds no more. What it allows again may open parts."""
        self._refuse_after_stop()
        hint = "there are none" if not self.rules else f"they are numbered from 0 to {len(self.rules) - 1}"
        number = whole_number(number, "the number of a rule", hint)
        if not 0 <= number < len(self.rules):
            raise RequestError(Issue(Code.BAD_VALUE, f"there is no rule number {number!s:.40}", hint))
        rule = self.rules[number]
        self._journal.add(RuleRemoved(at=self._now(), number=number))
        return rule


def _typed(state: State) -> list[str]:
    """What she typed and stands as she typed it, though her answer was not final: a guess gives way before it."""
    return [name for name, value in state.typed.items() if state.configuration[name] == value]


def _repair(oracle: Oracle, rules: Rules, state: State, rule: OwnRule) -> Configuration:
    """What has to change so that a new rule holds; the error that names what is in conflict if nothing helps."""
    problem, standing = rules.problem, state.configuration
    hers = {name for part in range(len(problem.parts)) for name in rules.held(state, part)}
    free = [name for name in standing if name not in state.pins]
    wanted_before = [name for name, value in state.remembered.items() if standing[name] == value]
    found = fewest_changes(oracle, standing, free, hers, [*_typed(state), *wanted_before])
    if found is not None:
        return found
    forced = fewest_changes(oracle, standing, list(standing), state.pins) if state.pins else None
    message = f"'{rule.words:.100}' cannot hold"
    if forced is None:
        raise infeasible(oracle, {}, message, "remove a rule that is in its way, or say this one of less")
    listed = ", ".join(f"{name} = {state.pins[name]}" for name in forced if name in state.pins)
    pins = {name: state.pins[name] for name in forced if name in state.pins}
    raise infeasible(oracle, pins, f"{message} beside what you pinned, {listed}", "unpin that first")
