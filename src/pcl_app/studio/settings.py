"""How a studio is set up."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class StudioSettings:
    """What `pcl serve` is told."""

    database: str
    """An address: `sqlite:///studio.db`, `postgresql://name:password@host/database`."""
    token: str | None = None
    """Who has it is the one person of this studio. Without one, and without users, one is made."""
    users: Path | None = None
    """A file of names and hashed passwords, for a team."""
    workers: int | None = None
    """Processes that work things out; one for each core if not given."""
    command_seconds: float = 20.0
    """A worker that takes longer for one command is replaced."""
    made_token: bool = False
    """Whether the token was made at start; then it stands for whoever started the studio, this time and the next."""
