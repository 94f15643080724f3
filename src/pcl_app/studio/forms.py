"""What the desk hands out: plain data, in the core's JSON forms where the core has one."""

from typing import Any

from typing_extensions import TypedDict

from pcl_core.json_form import Value

ValueForm = dict[str, Value]


class Offered(TypedDict):
    """A problem that can be chosen."""

    name: str
    label: str
    description: str
    parts: int
    variables: int
    features: int
    uploaded: str | None
    """Its id, if it was uploaded."""


class Owned(TypedDict):
    """One of a person's elicitations, in a list of them."""

    id: str
    problem: str
    uploaded: str | None
    title: str
    created: float
    events: int


class VariableForm(TypedDict):
    name: str
    label: str
    short: str
    part: str
    kind: str
    """`label`, `number` or `truth`."""
    values: list[Value] | None
    least: int | None
    greatest: int | None
    unit: str
    free: bool
    """Whether there is something to choose, as far as constraints on it alone say."""


class ProblemForm(TypedDict):
    """A problem: what there is to decide, what it is called, and how it is laid out."""

    name: str
    label: str
    description: str
    hash: str
    parts: list[dict[str, Any]]
    variables: list[VariableForm]
    features: list[dict[str, str]]
    constraints: list[dict[str, str]]
    neighbours: list[list[str]]
    display: dict[str, Any] | None


class PartForm(TypedDict):
    """How a part stands: `new`, `open` or `closed`, and by what: `word`, `look` or `facts`."""

    part: str
    label: str
    standing: str
    by: str | None
    query: int | None
    asked: bool
    own: ValueForm


class FigureForm(TypedDict):
    label: str
    value: float | bool
    limit: float | None


class ToldForm(TypedDict):
    """Something that the person said, and has not taken back."""

    number: int
    at: float
    kind: str
    query: int | None
    parts: list[str]
    values: ValueForm
    final: bool
    words: str


class RuleForm(TypedDict):
    kind: str
    variables: str | list[str]
    values: list[Value]
    count: int | None
    each: str
    words: str


class Look(TypedDict):
    """An elicitation as it stands: all that a page needs beside the question itself."""

    id: str
    title: str
    problem: str
    uploaded: str | None
    label: str
    created: float
    events: int
    finished: bool
    stopped: bool
    queries: int
    configuration: ValueForm
    confirmed: list[str]
    certificate: dict[str, Any] | None
    certainty: list[str]
    """What the certificate means, or why there is none, in sentences."""
    query: int | None
    """The number of the query that waits for an answer."""
    parts: list[PartForm]
    rules: list[RuleForm]
    pins: ValueForm
    summary: list[FigureForm]
    learned: dict[str, Any] | None
    misfit: dict[str, Any] | None
    history: list[ToldForm]
    report: str | None
    settings: dict[str, Any]


class ChangeForm(TypedDict):
    variable: str
    label: str
    before: Value
    after: Value


class QueryForm(TypedDict):
    """A question about a part; see `Query` in the reference on data."""

    number: int
    part: str
    parts: list[str]
    pair: bool
    together: list[str]
    remembered: bool
    label: str
    proposal: ValueForm
    suggestion: ValueForm
    possible: dict[str, list[Value] | dict[str, int] | None]
    changes: list[ChangeForm]
    moved: list[ChangeForm]
    context: ValueForm
    summary: list[FigureForm]
    notable: list[FigureForm]
    why: list[dict[str, Any]]
    why_text: str
    why_suggested: str
    pins: ValueForm
    first_proposal: ValueForm
    configuration: ValueForm
    proven: bool
    seconds: float


class ViewForm(TypedDict):
    query: QueryForm | None
    look: Look


class PageForm(ViewForm):
    """A view, and what is known of a draft: `preview`, `possible`, `forbidden`, `conflict`, `like`, `alternatives`."""

    draft: dict[str, Any]


class OutcomeForm(TypedDict):
    """What became of something that was said."""

    events: int
    queries: int
    finished: bool
    said: list[str]
    """Sentences for people."""


class AnsweredForm(OutcomeForm):
    repeated: bool
    """Whether it had been told before, and counted then."""
    learned: dict[str, Any] | None


class RulingForm(TypedDict):
    rule: RuleForm
    changes: list[ChangeForm]
    against: list[str]


class Ruled(OutcomeForm, RulingForm):
    """A rule that holds now, and what it changed."""


class PinnedForm(OutcomeForm):
    query: QueryForm


class ElsewhereForm(TypedDict):
    values: ValueForm
    places: list[dict[str, Any]]


class RepeatedForm(OutcomeForm, ElsewhereForm):
    """What was done elsewhere."""


class PreviewForm(TypedDict):
    """What a draft would do; see `Preview` in the reference on data."""

    given: ValueForm
    values: ValueForm
    changes: list[ChangeForm]
    summary: list[FigureForm]
    notable: list[FigureForm]
    broken: list[dict[str, str]]
    moved_pins: list[str]
    moved: ValueForm | None
    in_the_way: str
    completable: bool | None
    completion: ValueForm | None
    nearest: ValueForm | None


class Completed(TypedDict):
    values: ValueForm


class PossibleForm(TypedDict):
    possible: dict[str, list[Value] | dict[str, int] | None]


class TasteForm(TypedDict):
    problem: str
    weights: dict[str, float]
    deviations: dict[str, float]
    values: ValueForm
    rules: list[RuleForm]
