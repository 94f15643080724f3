"""What goes between the server and its workers."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Errand:
    """A command, from whom, and about which elicitation."""

    command: str
    person: str
    elicitation: str | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    seen: int | None = None
    """How many events she had seen, if she must have seen all."""


@dataclass(frozen=True)
class Done:
    """What came of it: data, or an answer of HTTP that is not the one asked for."""

    data: Any = None
    status: int = 200
    error: dict[str, Any] = field(default_factory=dict)
