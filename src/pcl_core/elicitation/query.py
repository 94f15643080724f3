"""A query: one part with its proposal, everything a person needs to judge it, and the answers she can give.

A query is data. Nothing that is told, pinned or undone later changes it, and whoever holds it can change nothing in it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, Literal, NamedTuple, TypeAlias, get_args

from pcl_core.documents.forms import read_form
from pcl_core.elicitation.changes import Change, find_changes
from pcl_core.elicitation.possible import Possible
from pcl_core.elicitation.reasons import Reason, find_reasons
from pcl_core.elicitation.settings import proposing_generator
from pcl_core.elicitation.state import Correction
from pcl_core.elicitation.surroundings import Figure, Surroundings
from pcl_core.elicitation.telling import because_of_values
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.json_form import JsonForm
from pcl_core.learn import Learner
from pcl_core.model.assignment import names
from pcl_core.model.configuration import Configuration, FrozenConfiguration
from pcl_core.model.evaluation import FeatureMap, Vector

MAX_REASONS = 3
BEFORE = "what is known of you from before"
AnswerKind: TypeAlias = Literal["improved", "accepted", "skipped", "taken"]
ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)


@dataclass(frozen=True)
class Answer(JsonForm):
    """What a person says to a query. Make one with the query's methods, or from its JSON form."""

    FORM: ClassVar[tuple[str, ...]] = ("query", "kind", "values", "shown", "final", "completed")
    query: int
    kind: AnswerKind
    values: Mapping[str, object] = field(default_factory=dict)
    shown: Mapping[str, Value] | None = None
    """The proposal that she saw; the answer counts only while that is what the query proposes."""
    final: bool = False
    """Whether nothing in this part is better still: it is how she wants it."""
    completed: tuple[str, ...] = ()
    """The variables among `values` that a completion gave their values; the others are hers."""

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "Answer":
        return cls(**read_form(cls, data))

    def refuse_wrong_types(self) -> None:
        """Whoever makes an answer by hand may put anything into it; that is said before any of it is used."""
        listed = isinstance(self.completed, (tuple, list, set, frozenset))
        fits = (
            type(self.query) is int,
            isinstance(self.kind, str),
            isinstance(self.values, (dict, Mapping)),
            self.shown is None or isinstance(self.shown, (dict, Mapping)),
            isinstance(self.final, bool),
            listed and all(isinstance(name, str) for name in self.completed),
        )
        if not all(fits):
            name = self.FORM[fits.index(False)]
            message = f"'{name}' of an answer cannot be {getattr(self, name)!r:.60}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "make it with accept(), improve(), take() or skip()"))


class Basis(NamedTuple):
    """What a query was made of. What it says beyond its proposal is worked out from this, when it is looked at."""

    around: Surroundings
    features: FeatureMap
    part: int
    before: Configuration
    """x before this query"""
    units_before: Integers
    units: Integers
    """φ in units, of x before this query and as proposed"""
    learner: Learner
    seed: int
    """What is random in proposals follows from this and the number of the query."""
    counted: Callable[[], tuple[int, ...]]
    """The features that the proposal is best for."""
    possible: Callable[[], Possible]
    corrections: tuple[Correction, ...] = ()
    """What the person changed before this query."""
    answered: bool = False
    """Whether she had said anything of a part."""
    confirmed: Callable[[], frozenset[int]] = frozenset
    """The parts that stand as she confirmed them."""
    closed: Callable[[], bool] = lambda: False
    """Whether the part is still confirmed as it stands."""
    believed: Mapping[str, Value] = MappingProxyType({})
    """Where nobody has spoken for the part: what the belief would have put there."""


@dataclass(frozen=True)
class Query(JsonForm):
    """One part, as it is proposed."""

    FORM: ClassVar[tuple[str, ...]] = (
        *(
            "number",
            "part",
            "parts",
            "pair",
            "together",
            "remembered",
            "label",
            "proposal",
            "suggestion",
            "possible",
            "changes",
            "moved",
        ),
        *(
            "context",
            "summary",
            "notable",
            "why",
            "why_text",
            "why_suggested",
            "pins",
            "first_proposal",
            "configuration",
        ),
        *("proven", "seconds"),
    )
    SHOWN = ("label", "proposal", "suggestion", "why_text", "summary", "pins")
    number: int
    part: str
    parts: tuple[str, ...]
    """All parts that the query is about: `part` alone, or several to be looked at together."""
    pair: bool
    """Whether its two parts are in question as one, after a certificate: is something better that changes both?"""
    together: tuple[str, ...]
    """In a look at everything, two of its parts of which the belief expects that changing both may gain."""
    remembered: bool
    """Whether it is a look at everything as she ended with it in an earlier elicitation, before anything else is asked."""
    label: str
    proposal: FrozenConfiguration
    """x_p: the part's values"""
    suggestion: FrozenConfiguration
    """Values that would be better by what is known, beside values that are the person's own."""
    first_proposal: FrozenConfiguration
    """x_p^t: what was proposed before anything was pinned in this query; answers are compared with it."""
    configuration: FrozenConfiguration
    """x: the whole configuration with this proposal in it"""
    pins: FrozenConfiguration
    """Values of this part that are pinned."""
    proven: bool
    """Whether the proposal is proven to be the best for what is known so far."""
    seconds: float
    """How long finding it took; zero if it comes from a log."""
    _made_of: Callable[[], Basis] = field(repr=False, compare=False)

    def improve(self, values: Mapping[str, object], final: bool = False, completed: Collection[str] = ()) -> Answer:
        """A better part: values of all or some of its variables; the others stay as proposed.

        `final`: that is how she wants it, and nothing in it is better still. `completed` names the values that a solver
        put there around hers.
        """
        done = tuple(names(completed, "the variables that were completed"))
        return Answer(self.number, "improved", values, self.proposal, final, done)

    def accept(self) -> Answer:
        """Nothing in this part can be improved."""
        return Answer(self.number, "accepted", shown=self.proposal)

    def take(self) -> Answer:
        """What is suggested is better."""
        return Answer(self.number, "taken", shown=self.proposal)

    def skip(self) -> Answer:
        """No opinion now."""
        return Answer(self.number, "skipped", shown=self.proposal)

    @cached_property
    def possible(self) -> Possible:
        """For each variable of the part the values that some completion allows, worked out when looked at."""
        return self._basis.possible()

    @cached_property
    def _basis(self) -> Basis:
        return self._made_of()

    @property
    def part_position(self) -> int:
        return self._basis.part

    @property
    def infers_on(self) -> Literal["I", "J"]:
        """Over which features of the part the proposal is best: all of them, or its share of the decomposition."""
        return self._basis.learner.belief.infers_on

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What this proposal changes, against the configuration before it."""
        return find_changes(self._basis.around.problem, self._basis.before, self.proposal)

    @cached_property
    def moved(self) -> tuple[Change, ...]:
        """What changed before this query in other parts, where she has said nothing, or nothing final."""
        before = self._basis.before
        elsewhere = {name: self.configuration[name] for name in before if name not in self.proposal}
        return find_changes(self._basis.around.problem, before, elsewhere)

    @cached_property
    def context(self) -> FrozenConfiguration:
        """Values in other parts that share local features with what is in question."""
        return FrozenConfiguration({name: self.configuration[name] for name in self._around})

    @cached_property
    def _around(self) -> Sequence[str]:
        around = self._basis.around
        if len(self.parts) == 1:
            return around.local_variables(self.part_position)
        found = {name for part in self.parts for name in around.local_variables(around.problem.part_position(part))}
        return sorted(found - self.proposal.keys(), key=around.problem.symbols.positions.__getitem__)

    @cached_property
    def summary(self) -> tuple[Figure, ...]:
        """The state of whatever depends on nearly all parts, such as the budget used."""
        return self._basis.around.summary(self.part_position, self.configuration)

    @cached_property
    def notable(self) -> tuple[Figure, ...]:
        """What of the summary this proposal moves, or what is near its limit."""
        return self._basis.around.notable(self.part_position, self._basis.before, self.configuration)

    @property
    def shown_variables(self) -> int:
        """Cognitive load: how many variables there are to look at."""
        return len(self.proposal) + self.context_variables

    @property
    def context_variables(self) -> int:
        """How many of them are context."""
        return len(self._around)

    @cached_property
    def why(self) -> tuple[Reason, ...]:
        """The largest weight × feature-change terms of this proposal, in words."""
        return self.reasons()[:MAX_REASONS]

    def reasons(self) -> tuple[Reason, ...]:
        """All weight × feature-change terms of this proposal, the largest first."""
        basis = self._basis
        before, after = (basis.features.to_values(units) for units in (basis.units_before, basis.units))
        return find_reasons(basis.around, basis.counted(), self._weights, before, after)

    @cached_property
    def why_text(self) -> str:
        """Why this is proposed, in a sentence or more: by values that she changed herself, where that says it."""
        if self.changes and all(change.variable in self.pins for change in self.changes):
            return "you pinned it"
        if said := self._because(self.changes, self.configuration):
            return "; ".join(said)
        if self.remembered:
            return "this is as you left it"
        answered = self._basis.answered
        if any(self.proposal[name] != value for name, value in self._basis.believed.items()):
            if self.changes:
                return "by what you chose so far, this is the likeliest to be right"
            return "what stands here is likelier to be right than what I would guess, so it is left as it was"
        if sum(reason.term for reason in self.reasons()) > 0.0:
            return (
                "taken together, your answers speak for it; no single one says why"
                if answered
                else f"{BEFORE} speaks for it"
            )
        if any(name in self.pins for name in self.proposal):
            return "it fits around what you pinned"
        if not answered and not self._basis.learner.belief.weights.any():
            return "nothing is known of your preferences yet"
        if self.changes:
            return "it is as good as what was there"
        if self.suggestion:
            return "what is yours stays"
        if self.pair:
            return "these two may be better if both change; how, I do not know"
        if self.part_position in self._basis.confirmed():
            since = "" if self._basis.closed() else "; since then something beside it has changed"
            return f"you confirmed this before{since}"
        return f"by {'what you said so far' if answered else BEFORE}, nothing would be better here"

    @cached_property
    def why_suggested(self) -> str:
        """Why the suggestion is made; empty without one."""
        if not self.suggestion:
            return ""
        changes = find_changes(self._basis.around.problem, self.proposal, self.suggestion)
        said = self._because(changes, {**self.configuration, **self.suggestion})
        return "; ".join(said) or "taken together, your other answers speak for it"

    def _because(self, changes: tuple[Change, ...], after: Mapping[str, Value]) -> tuple[str, ...]:
        basis, before = self._basis, {change.variable: change.before for change in changes}
        counted = list(basis.counted())

        def counts(variable: str) -> bool:
            if basis.believed:  # it is guessed by what she has elsewhere, whatever that counts for
                return True
            values = basis.features.values
            change = values(after) - values({**after, variable: before[variable]})
            return float(self._weights[counted] @ change[counted]) > 0.0

        problem, here = basis.around.problem, self.part_position
        kept = {
            name: self.configuration[name]
            for part in sorted(basis.confirmed() - {here})
            for name in problem.parts[part].variables
            if basis.around.is_free(name)
        }
        return because_of_values(problem, basis.corrections, kept, changes, self.part, counts)

    @cached_property
    def _weights(self) -> Vector:
        return self._basis.learner.belief.proposing(proposing_generator(self._basis.seed, self.number))
