"""A query: one part with its proposal, everything a person needs to judge it, and the answers she can give."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias, get_args

from pcl_core.elicitation.context import Contexts, Figure
from pcl_core.elicitation.state import Rules, State
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration

MAX_REASONS = 3
AnswerKind: TypeAlias = Literal["improved", "accepted", "skipped"]
ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)


@dataclass(frozen=True)
class Answer:
    """What a person says to a query. Make one with the query's methods."""

    query: int
    kind: AnswerKind
    values: Mapping[str, object] = field(default_factory=dict)
    shown: Mapping[str, Value] | None = None
    """The proposal that she saw; the answer counts only while that is what the query proposes."""


class Change(NamedTuple):
    """A variable that the proposal changes."""

    variable: str
    label: str
    before: Value
    after: Value


class Reason(NamedTuple):
    """Why a proposal differs from what was there: a feature, its change, and what that counts for."""

    feature: str
    before: float
    after: float
    weight: float
    text: str

    @property
    def term(self) -> float:
        """weight × change"""
        return self.weight * (self.after - self.before)


@dataclass(frozen=True)
class Query:
    """One part, as it is proposed."""

    number: int
    part: str
    label: str
    proposal: Configuration
    """x_p: the part's values"""
    configuration: Configuration
    """x: the whole configuration with this proposal in it"""
    pins: Mapping[str, Value]
    """Values of this part that are pinned."""
    proven: bool
    """Whether the proposal is proven to be the best for what is known so far."""
    seconds: float
    """How long finding it took; zero if it comes from a log."""
    _rules: Rules
    _contexts: Contexts
    _state: State

    def improve(self, values: Mapping[str, object]) -> Answer:
        """A better part: values of all or some of its variables; the others stay as proposed."""
        return Answer(self.number, "improved", values, self._shown)

    def accept(self) -> Answer:
        """Nothing in this part can be improved."""
        return Answer(self.number, "accepted", shown=self._shown)

    def skip(self) -> Answer:
        """No opinion now."""
        return Answer(self.number, "skipped", shown=self._shown)

    @property
    def _shown(self) -> Configuration:
        """The proposal as it was made: whoever holds the query may have edited `proposal`."""
        return {name: self._state.configuration[name] for name in self.proposal}

    @property
    def first_proposal(self) -> Configuration:
        """x_p^t: what was proposed before anything was pinned in this query; answers are compared with it."""
        assert self._state.open is not None
        return {name: self._state.open.baseline_configuration[name] for name in self.proposal}

    @property
    def infers_on(self) -> Literal["I", "J"]:
        """Over which features of the part the proposal is best: all of them, or its share of the decomposition."""
        return self._state.learner.belief.infers_on

    @property
    def part_position(self) -> int:
        assert self._state.open is not None
        return self._state.open.part

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What this proposal changes, against the configuration before it."""
        assert self._state.open is not None
        before = self._state.open.before
        return tuple(
            Change(name, self.label_of(name), before[name], value)
            for name, value in self.proposal.items()
            if before[name] != value
        )

    @cached_property
    def context(self) -> Configuration:
        """Values in other parts that share local features with this one."""
        return {name: self.configuration[name] for name in self._contexts.local_variables(self.part_position)}

    @cached_property
    def summary(self) -> tuple[Figure, ...]:
        """The state of whatever depends on nearly all parts, such as the budget used."""
        return self._contexts.summary(self.part_position, self.configuration)

    @property
    def shown_variables(self) -> int:
        """Cognitive load: how many variables there are to look at."""
        return len(self.proposal) + self.context_variables

    @property
    def context_variables(self) -> int:
        """How many of them are context."""
        return len(self._contexts.local_variables(self.part_position))

    @cached_property
    def why(self) -> tuple[Reason, ...]:
        """The largest weight × feature-change terms of this proposal, in words."""
        return self.reasons(MAX_REASONS)

    def reasons(self, most: int | None = None) -> tuple[Reason, ...]:
        """All weight × feature-change terms of this proposal, the largest first."""
        opened = self._state.open
        assert opened is not None
        weights, features = self._rules.proposing_weights(self._state), self._rules.features
        before, after = features.to_values(opened.units_before), features.to_values(self._state.units)
        counted = (self._rules.own if self.infers_on == "I" else self._rules.subsets)[opened.part]
        terms = weights * (after - before)
        ranked = sorted((i for i in counted.tolist() if terms[i] != 0), key=lambda i: -abs(terms[i]))
        return tuple(self._reason(i, float(before[i]), float(after[i]), float(weights[i])) for i in ranked[:most])

    @property
    def why_text(self) -> str:
        """The reasons as a sentence or more."""
        if self.why:
            return "; ".join(reason.text for reason in self.why)
        if not self._state.learner.belief.weights.any():
            return "nothing is known of your preferences yet"
        if self.changes:
            return "it fits around what you pinned" if self.pins else "it is as good as what was there"
        return "by what you said so far, nothing would be better here"

    def label_of(self, variable: str) -> str:
        return self._rules.problem.symbols.variables[variable].label or variable

    def _reason(self, index: int, before: float, after: float, weight: float) -> Reason:
        feature = self._rules.problem.features[index]
        name, liked = feature.label or feature.name, weight * (after - before) > 0
        opinion = "which you seem to like" if liked else "which you seem to dislike, but the rest makes up for it"
        if self._contexts.is_yes_or_no(index):
            text = f"now {name}" if after > before else f"no longer {name}"
        else:
            unit = f" {feature.unit}" if feature.unit else ""
            direction = "more" if after > before else "less"
            text = f"{direction} {name} ({before:g} to {after:g}{unit})"
        return Reason(feature.name, before, after, weight, f"{text}, {opinion}")
