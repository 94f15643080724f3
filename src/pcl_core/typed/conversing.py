"""An elicitation and its queries, seen through the types of a problem.

What a conversation needs is here, called as it is there; what speaks of parts, variables and values is checked. All else is at
`plain`, the elicitation itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, cast, overload

from pcl_core.analysis.certificate import Certificate
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.own_rules import Ruling
from pcl_core.elicitation.preview import Preview
from pcl_core.elicitation.query import Answer, Query
from pcl_core.elicitation.state import Learned
from pcl_core.elicitation.taste import Taste
from pcl_core.model.own_rules import Each, OwnRule
from pcl_core.model.problem import Problem
from pcl_core.typed.fields import Content, Many, TypedName
from pcl_core.typed.sheets import ByName, ConfigurationSheet, PartT, ValueSheet

Whole = TypeVar("Whole", bound=ConfigurationSheet[Any])
OneOrMany: TypeAlias = TypedName[Content] | Many[Any, Content]


@dataclass(frozen=True)
class TypedQuery(Generic[PartT, ByName, Whole]):
    """A query whose names and values are known to checkers of types."""

    plain: Query
    _problem: Problem
    _sheet: type[Whole]

    @property
    def number(self) -> int:
        return self.plain.number

    @property
    def label(self) -> str:
        return self.plain.label

    @property
    def part(self) -> PartT:
        return cast(PartT, self.plain.part)

    @property
    def parts(self) -> tuple[PartT, ...]:
        return cast(tuple[PartT, ...], self.plain.parts)

    @property
    def proposal(self) -> Whole:
        """The values of the part; a new sheet, which may be edited and told."""
        return self._sheet.read(self._problem, self.plain.proposal)

    @property
    def suggestion(self) -> Whole:
        """What the machine would rather have, beside values that are the person's own; often nothing."""
        return self._sheet.read(self._problem, self.plain.suggestion)

    @property
    def configuration(self) -> Whole:
        """The whole with this proposal in it."""
        return self._sheet.read(self._problem, self.plain.configuration)

    def possible(self, variable: TypedName[Content]) -> tuple[Content, ...]:
        """The values that some completion allows: `query.possible(Configuration.plan["tue", 2])`."""
        return cast(tuple[Content, ...], tuple(self.plain.possible[variable]))

    def improve(self, values: ByName | ValueSheet[ByName], final: bool = False) -> Answer:
        """A better part; see `Query.improve`."""
        return self.plain.improve(_ground(values), final)

    def accept(self) -> Answer:
        return self.plain.accept()

    def take(self) -> Answer:
        return self.plain.take()

    def skip(self) -> Answer:
        return self.plain.skip()


class TypedElicitation(Generic[PartT, ByName, Whole]):
    """An elicitation whose names and values are known to checkers of types."""

    sheet: type[Whole]

    def __init__(self, plain: Elicitation) -> None:
        """An elicitation that was begun or resumed, of the problem that the types were made from."""
        self.sheet.stamp.check(plain.problem)
        self.plain = plain

    @property
    def problem(self) -> Problem:
        return self.plain.problem

    @property
    def configuration(self) -> Whole:
        """The recommendation as it stands."""
        return self.sheet.read(self.problem, self.plain.configuration)

    @property
    def waiting(self) -> TypedQuery[PartT, ByName, Whole] | None:
        """The query that waits for an answer; nothing is asked by looking."""
        return self._typed(self.plain.waiting)

    def ask(self, part: PartT | None = None) -> TypedQuery[PartT, ByName, Whole] | None:
        return self._typed(self.plain.ask(part))

    def tell(self, answer: Answer) -> Learned | None:
        return self.plain.tell(answer)

    def confirm(self, parts: Sequence[PartT] | None = None) -> None:
        self.plain.confirm(parts)

    @overload
    def pin(self, variable: TypedName[Content], value: Content) -> TypedQuery[PartT, ByName, Whole]: ...
    @overload
    def pin(self, variable: ByName | ValueSheet[ByName]) -> TypedQuery[PartT, ByName, Whole]: ...
    def pin(
        self, variable: TypedName[Content] | ByName | ValueSheet[ByName], value: Content | None = None
    ) -> TypedQuery[PartT, ByName, Whole]:
        """One value, or several at once: `week.pin(Configuration.plan["tue", 2], "rest")`."""
        return self._pinned(variable, value)

    def unpin(self, variable: TypedName[Any]) -> None:
        self.plain.unpin(str(variable))

    def complete(self, values: ByName | ValueSheet[ByName]) -> Whole:
        """The part in question as the solver would complete it around these values."""
        return self.sheet.read(self.problem, self.plain.complete(_ground(values)))

    def preview(self, values: ByName | ValueSheet[ByName]) -> Preview:
        return self.plain.preview(_ground(values))

    def never(self, variables: OneOrMany[Content], values: Content | Sequence[Content]) -> Ruling:
        """`week.never(Configuration.plan, "running")`"""
        return self.plain.never(_selection(variables), values)

    def always(self, variables: OneOrMany[Content], values: Content | Sequence[Content]) -> Ruling:
        return self.plain.always(_selection(variables), values)

    def at_most(
        self, variables: OneOrMany[Content], values: Content | Sequence[Content], count: int, each: Each = "all"
    ) -> Ruling:
        """`week.at_most(Configuration.plan, ["running", "squats"], 3, each="part")`"""
        return self.plain.at_most(_selection(variables), values, count, each)

    def at_least(
        self, variables: OneOrMany[Content], values: Content | Sequence[Content], count: int, each: Each = "all"
    ) -> Ruling:
        return self.plain.at_least(_selection(variables), values, count, each)

    @property
    def rules(self) -> tuple[OwnRule, ...]:
        return self.plain.rules

    def remove_rule(self, number: int) -> OwnRule:
        return self.plain.remove_rule(number)

    @property
    def queries(self) -> int:
        return self.plain.queries

    @property
    def finished(self) -> bool:
        return self.plain.finished

    @property
    def certificate(self) -> Certificate | None:
        return self.plain.certificate

    def taste(self) -> Taste:
        return self.plain.taste()

    def undo(self) -> None:
        self.plain.undo()

    def stop(self) -> None:
        self.plain.stop()

    def _pinned(self, variable: object, value: object = None) -> TypedQuery[PartT, ByName, Whole]:
        """The overloads of `pin`, here and in modules, say what these can be."""
        if isinstance(variable, str):
            return self._of(self.plain.pin(str(variable), value))
        return self._of(self.plain.pin(_ground(cast(ByName | ValueSheet[ByName], variable))))

    def _typed(self, query: Query | None) -> TypedQuery[PartT, ByName, Whole] | None:
        return None if query is None else self._of(query)

    def _of(self, query: Query) -> TypedQuery[PartT, ByName, Whole]:
        return TypedQuery(query, self.problem, self.sheet)


def _ground(given: Mapping[str, object] | ValueSheet[Any]) -> Mapping[str, object]:
    return given.ground() if isinstance(given, ValueSheet) else given


def _selection(variables: TypedName[Any] | Many[Any, Any]) -> str:
    return variables.pattern if isinstance(variables, Many) else str(variables)
