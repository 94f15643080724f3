"""What is known of an elicitation at one moment: values that follow from its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from pcl_core.elicitation.guessing import Record
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.json_form import JsonForm
from pcl_core.learn import Learner
from pcl_core.learn.facts import KnownFacts
from pcl_core.learn.perceptron import Update
from pcl_core.learn.stopping import Progress
from pcl_core.model.configuration import Configuration
from pcl_core.model.own_rules import BoundRule

NO_VALUES: Mapping[str, Value] = MappingProxyType({})


class OpenQuery(NamedTuple):
    """A proposal that waits for an answer."""

    query: int
    parts: tuple[int, ...]
    """The part that it is about; several for a look at them together."""
    origin: "State"
    """What was known before this query, and before anything moved for it."""
    baseline: Integers
    """φ(x^t), in units: of the first proposal, before the person pinned anything in it"""
    baseline_configuration: Configuration
    proven: bool
    suggestion: Mapping[str, Value] = NO_VALUES
    """Values that would be better by what is known, beside values that are the person's own."""
    guesses: Mapping[str, Mapping[str, Value]] = MappingProxyType({})
    """What would be best by the belief in a part that nobody has spoken for, where something else is shown."""
    together: tuple[int, ...] = ()
    """In a look at everything, two of its parts that may gain by changing both."""

    @property
    def part(self) -> int:
        return self.parts[0]

    @property
    def pair(self) -> tuple[int, int] | None:
        """Two parts that are asked about beyond a certificate: is something better in both together?"""
        if len(self.parts) != 2 or not self.origin.looks_further:
            return None
        return self.parts[0], self.parts[1]


@dataclass(frozen=True)
class Learned(JsonForm):
    """What the last answer did."""

    FORM: ClassVar[tuple[str, ...]] = (
        *("satisfied", "update", "improvement", "changed", "final", "moved", "contradicted", "inexplicable"),
    )
    satisfied: bool
    update: Update
    proposed: Integers
    """φ(x^t) in units"""
    improved: Integers
    """φ(x̂^t) in units"""
    improvement: Configuration
    """x̂^t"""
    changed: int
    """How many variables differ between x^t and x̂^t."""
    final: bool = False
    """Whether the part is now as the person wants it."""
    moved: Configuration = field(default_factory=dict)
    """What had to change in other parts to make room for her values."""
    contradicted: int = 0
    """How many known facts this answer contradicts; they are dropped, and the part is open again."""
    inexplicable: bool = False
    """Whether she preferred what has the same features: something she cares about is in none of them."""


@dataclass(frozen=True)
class Correction:
    """A value that a person put in the place of another."""

    query: int
    variable: str
    before: Value
    after: Value


def corrected(query: int, before: Mapping[str, Value], values: Mapping[str, Value]) -> tuple[Correction, ...]:
    """What a person changed with some values."""
    return tuple(
        Correction(query, name, before[name], value) for name, value in values.items() if before[name] != value
    )


def standing_in(configuration: Mapping[str, Value], spoken: Mapping[str, Value]) -> Configuration:
    """What a person said that still stands: a newer word of hers, final or not, takes the place of an older one."""
    return {name: value for name, value in spoken.items() if configuration[name] == value}


class State(NamedTuple):
    """Everything that is known after some events. Each event makes a new one, of which most is as it was."""

    configuration: Configuration
    """x"""
    units: Integers
    """φ(x) in units"""
    learner: Learner
    progress: Progress
    asked: tuple[int, ...]
    gained: tuple[float, ...]
    largest: float = 0.0
    queries: int = 0
    pins: Mapping[str, Value] = NO_VALUES
    open: OpenQuery | None = None
    learned: Learned | None = None
    stopped: bool = False
    facts: KnownFacts = KnownFacts()
    """What she rejected, and what she last confirmed by word."""
    spoken: Mapping[str, Value] = NO_VALUES
    """Values that she gave in final answers, or had completed around: no proposal changes them."""
    typed: Mapping[str, Value] = NO_VALUES
    """The latest value that she gave for each variable, in whatever answer."""
    corrections: tuple[Correction, ...] = ()
    """All that she changed, in her order: what can be said of why something is proposed."""
    own_rules: tuple[BoundRule, ...] = ()
    """Her own rules; they hold beside the problem's constraints."""
    misses: Mapping[int, int] = MappingProxyType({})
    """For each part how many proposals in a row changed it and had to be improved."""
    skipped: frozenset[int] = frozenset()
    """Parts that she had no opinion on, since she last had one."""
    unsure: bool = False
    """Whether the last of these was a last look: what is wrong may be where she did not look."""
    remembered: Mapping[str, Value] = NO_VALUES
    """Values that she wanted in an earlier elicitation, and has said nothing about in this one."""
    one_by_one: bool = False
    """Whether she had no opinion on everything as it was last time."""
    chosen_from: tuple[int, ...] = ()
    """Parts that were shown together when she chose one of them to change."""
    outgrown: frozenset[int] = frozenset()
    """Parts that she improved, whatever was remembered there."""
    first: Mapping[str, Value] = NO_VALUES
    """x^1"""
    record: Record = Record()
    """How she took what was guessed where nobody had spoken."""
    surprises: tuple[int, ...] = ()
    """Queries whose answers no linear utility explains, beside what she had said before."""
    unexplained: bool = False
    """Whether one of them preferred what has the same features: that is no mistake about them."""
    further: int = 0
    """How many questions about two parts at once she still wants."""
    skipped_pairs: frozenset[tuple[int, int]] = frozenset()
    """Those that she had no opinion on."""

    @property
    def looks_further(self) -> bool:
        """Whether two parts at once are asked about next: all is certified, and she wants to look further."""
        return self.further > 0 and self.progress.all_confirmed


def is_searching(state: State) -> bool:
    """Whether she typed something that was not final."""
    return any(state.spoken.get(name) != value for name, value in state.typed.items())
