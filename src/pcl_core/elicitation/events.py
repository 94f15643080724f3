"""The events of an elicitation. Whatever is known at any time follows from them, in order."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    model_validator,
)

from pcl_core.elicitation.settings import MAX_FIELDS, Settings
from pcl_core.model.own_rules import Each, RuleKind

PlainValue: TypeAlias = StrictBool | StrictInt | StrictStr


def _plain(given: object) -> object:
    """One finding about the first value that is none, where each of a million would be told three times."""
    if given and isinstance(given, dict) and not all(isinstance(it, (bool, int, str)) for it in given.values()):
        raise ValueError("a value is true or false, a whole number, or a text")
    return given


Values: TypeAlias = Annotated[dict[StrictStr, PlainValue], BeforeValidator(_plain)]
Cuts: TypeAlias = dict[StrictStr, list[Values]]
"""For each part that was accepted some alternatives that the belief liked better: recorded, since replay never solves."""


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    at: float = 0.0
    """When, in seconds since 1970. Nothing follows from it."""

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, given: object) -> object:
        if isinstance(given, dict) and len(given) > MAX_FIELDS:
            raise ValueError("an event does not have so many fields")
        return given


class Started(_Event):
    """The first line: what the rest belongs to."""

    event: Literal["started"] = "started"
    version: StrictInt
    problem: str
    problem_hash: str
    settings: Settings
    configuration: Values
    """x^1"""
    weights: list[float] = Field(fail_fast=True)
    """w^1"""
    deviations: list[float | None] = Field(default_factory=list, fail_fast=True)
    """How far from w^1 each weight may be, where that is known of an earlier elicitation; `null` where it is not."""
    remembered: Values = Field(default_factory=dict)
    """Those values of x^1 that the person wanted in an earlier elicitation: proposed again before anything else."""


class Asked(_Event):
    """A proposal for one part was shown, or several parts together."""

    event: Literal["asked"] = "asked"
    query: int
    part: str
    parts: list[StrictStr] = Field(default_factory=list)
    """All of them, where they are several; `part` is the first."""
    changes: Values
    """What the proposal changes in the configuration."""
    proven: bool
    """Whether it is proven to be the best for what is known; a time limit can prevent that."""
    suggestion: Values = Field(default_factory=dict)
    """What was shown beside values that are the person's own."""
    moved: Values = Field(default_factory=dict)
    """What changed before in other parts that nobody has spoken for: the whole moves to what is believed to be best."""
    guesses: dict[StrictStr, Values] = Field(default_factory=dict)
    """For a part that nobody has spoken for, what would be best by the belief, where something else was shown."""
    together: list[StrictStr] = Field(default_factory=list)
    """In a look at everything, two of its parts that may gain by changing both."""


class Answered(_Event):
    """What the person said to it."""

    event: Literal["answered"] = "answered"
    query: int
    answer: Literal["improved", "accepted", "skipped"]
    changes: Values = Field(default_factory=dict)
    """What the improvement changes in the proposal."""
    final: StrictBool = False
    """Whether nothing in this part is better still."""
    completed: list[StrictStr] = Field(default_factory=list)
    """The variables that a completion gave their values, not the person; of a final answer those among `changes`."""
    kept: list[StrictStr] = Field(default_factory=list)
    """The variables that she gave the values they have in the proposal: these are hers too."""
    moved: Values = Field(default_factory=dict)
    """What changes in other parts, to make room."""
    cuts: Cuts = Field(default_factory=dict)
    back: StrictBool = False
    """Whether what was proposed is taken back, as it is with a question that she has no opinion on."""
    foretold: dict[StrictStr, float] = Field(default_factory=dict)
    """In a part that nobody had spoken for, the logarithm of how probable each picture of her made this answer."""


class Pinned(_Event):
    """Values of the part in question were pinned, and the rest of the proposal was completed around all pins."""

    event: Literal["pinned"] = "pinned"
    query: int
    values: Values
    changes: Values
    """What the new proposal changes in the one before."""
    proven: bool


class Confirmed(_Event):
    """Several parts are right as they stand: one answer, which counts as one query."""

    event: Literal["confirmed"] = "confirmed"
    query: int
    parts: list[StrictStr] = Field(min_length=1)
    cuts: Cuts = Field(default_factory=dict)


class Withdrawn(_Event):
    """An open query was taken back unanswered."""

    event: Literal["withdrawn"] = "withdrawn"
    query: int


class Unpinned(_Event):
    """A variable is free again."""

    event: Literal["unpinned"] = "unpinned"
    variable: str


class RuleAdded(_Event):
    """A rule of the person's own holds from now on. An open query is taken back, and does not count."""

    event: Literal["rule-added"] = "rule-added"
    kind: RuleKind
    variables: StrictStr | list[StrictStr]
    values: list[PlainValue]
    count: StrictInt | None = None
    each: Each = "all"
    changes: Values = {}
    """What has to change so that it holds."""
    carried: StrictBool = Field(default_factory=bool)
    """Whether it comes with a taste. Then nobody said it here, and `undo` leaves it."""


class RuleRemoved(_Event):
    """A rule of hers holds no more. An open query is taken back, and does not count."""

    event: Literal["rule-removed"] = "rule-removed"
    number: StrictInt
    """Which of those that hold, from 0."""


class Repeated(_Event):
    """A correction was made at like places of other parts: one answer, which counts as one query."""

    event: Literal["repeated"] = "repeated"
    query: int
    values: Values = Field(min_length=1)
    """What she wants there; an open query is taken back, and does not count."""


class Further(_Event):
    """After a certificate, two parts at once are asked about from now on, where a joint gain is expected."""

    event: Literal["further"] = "further"
    most: Annotated[StrictInt, Field(ge=0)]
    """How many such questions; 0 where no further gain is expected, which nobody caused."""


class Undone(_Event):
    """The last answer, pin, unpin or rule, the wish to look further, or the stop, was taken back."""

    event: Literal["undone"] = "undone"


class Stopped(_Event):
    """The person wants no more queries."""

    event: Literal["stopped"] = "stopped"


Event: TypeAlias = Annotated[
    Started
    | Asked
    | Answered
    | Confirmed
    | Repeated
    | Withdrawn
    | Pinned
    | Unpinned
    | RuleAdded
    | RuleRemoved
    | Further
    | Undone
    | Stopped,
    Field(discriminator="event"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class MisplacedError(ValueError):
    """An event that cannot be where it is: `position` counts the events before it."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def effective(events: Sequence[Event]) -> list[Event]:
    """The events that still count: each `undone` takes back the last that a person caused, and what came after."""
    return [events[position] for position in effective_positions(events)]


def effective_positions(events: Sequence[Event]) -> list[int]:
    """Where in a log the events are that still count."""
    kept: list[int] = []
    for position, event in enumerate(events):
        if not isinstance(event, Undone):
            kept.append(position)
            continue
        while _caused_by_nobody(events[kept[-1]]):
            kept.pop()
        if isinstance(events[kept[-1]], Started):
            raise MisplacedError("there is nothing to undo", position)
        kept.pop()
    return kept


def _caused_by_nobody(event: Event) -> bool:
    if isinstance(event, RuleAdded):
        return event.carried
    return isinstance(event, (Asked, Withdrawn)) or (isinstance(event, Further) and not event.most)
