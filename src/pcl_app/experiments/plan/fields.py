"""Of what kinds settings of a run are: files to start from, strategies in files, and what is known of each besides its type."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from pcl_app.inputs import read_input


class StartFile(BaseModel):
    """A file that learners start from, with what it says: whoever runs a cell may not have it, and it may change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    text: str

    @classmethod
    def read(cls, given: object) -> object:
        return cls(file=given, text=read_input(Path(given))) if isinstance(given, str) else given


FromFile = Annotated[StartFile, BeforeValidator(StartFile.read)]

STRATEGIES = ("learner", "select", "order", "user_model")
"""Settings that may be in a file of one's own: `file.py:Name`. Then they are what the file says, and not its name."""
IN_A_FILE = ", or file.py:Name"


@dataclass(frozen=True, slots=True)
class About:
    """What a setting is besides its type and default."""

    help: str
    metavar: str | None = None
    option: str = ""
    """On the command line, where that is not its name."""
    column: Literal["string", "float64", "int64"] | None = None
    """Its type in traces; None: runs that differ in nothing else are not told apart by it."""
    words: Callable[[object], str] = str
    """How labels of runs say it."""
    part_wise: bool = False
    """Whether it means nothing to coactive learning."""
    before: int | None = None
    """Its value in what was recorded before there was this setting; None: there always was."""


def listed(names: Sequence[str]) -> str:
    return ", ".join(names)
