"""What a person said and has not taken back, from the events of a log, as data and in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, assert_never

from pcl_core.elicitation.events import (
    Answered,
    Asked,
    Confirmed,
    Event,
    Further,
    Pinned,
    Repeated,
    RuleAdded,
    RuleRemoved,
    Started,
    Stopped,
    Undone,
    Unpinned,
    Withdrawn,
    effective_positions,
)
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.configuration import FrozenConfiguration
from pcl_core.model.labels import Labels
from pcl_core.model.own_rules import read_rule
from pcl_core.model.problem import Problem
from pcl_core.wording import in_a_row


@dataclass(frozen=True)
class Told(JsonForm):
    """Something that the person said, and has not taken back."""

    FORM: ClassVar[tuple[str, ...]] = ("number", "at", "kind", "query", "parts", "values", "final", "words")
    number: int
    """Which event of the log it is, from 0."""
    at: float
    kind: str
    """`improved`, `accepted` or `skipped` for an answer, else the name of the event."""
    query: int | None
    parts: tuple[str, ...]
    values: FrozenConfiguration
    """What she gave."""
    final: bool
    words: str
    """The same for people."""


def told_in(problem: Problem, events: Sequence[Event]) -> Iterator[Told]:
    """What counts of what the person said, in her order."""
    labels = Labels(problem)
    asked: dict[int, tuple[str, ...]] = {}
    rules: list[str] = []
    for number in effective_positions(events):
        event = events[number]
        if isinstance(event, Asked):
            asked[event.query] = tuple(event.parts) or (event.part,)
            continue
        if isinstance(event, (Started, Withdrawn, Undone)) or (isinstance(event, Further) and not event.most):
            continue
        if isinstance(event, RuleAdded):
            bound = read_rule(problem, event.kind, event.variables, event.values, event.count, event.each)
            rules.append(bound.rule.words)
            if event.carried:
                continue
        kind: str = event.answer if isinstance(event, Answered) else event.event
        query = getattr(event, "query", None)
        values: Mapping[str, Value] = {}
        parts: tuple[str, ...] = ()
        if isinstance(event, Answered):
            parts, values = asked[event.query], event.changes
        elif isinstance(event, Confirmed):
            parts = tuple(event.parts)
        elif isinstance(event, (Pinned, Repeated)):
            values = event.values
        named = parts or tuple(dict.fromkeys(labels.part_of(name).name for name in values))
        where = in_a_row([labels.parts[name] for name in named])
        called = labels.short if len(parts) == 1 else labels.of
        given = "; ".join(f"{called(name)} = {value}" for name, value in values.items())
        match event:
            case RuleAdded():
                words = rules[-1]
            case RuleRemoved():
                words = f"no longer: {rules.pop(event.number)}"
            case Pinned():
                words = f"keep as it is: {given}"
            case Unpinned():
                words = f"may change again: {labels.of(event.variable)}"
            case Repeated():
                words = f"the same elsewhere: {given}"
            case Further():
                words = "look further, at two parts at once"
            case Stopped():
                words = "no more questions"
            case Answered() if event.answer == "improved":
                words = f"{where}: {given or 'better as it stands'}"
                words += "; that is how it should be" if event.final else ""
            case Answered() if event.answer == "skipped":
                words = f"{where}: no opinion"
            case Answered() | Confirmed():
                words = f"{where}: right as it is"
            case _:
                assert_never(event)
        final = isinstance(event, Answered) and event.final
        yield Told(number, event.at, kind, query, named, FrozenConfiguration(values), final, words)
