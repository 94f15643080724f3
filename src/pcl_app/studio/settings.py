"""How a studio is set up."""

from dataclasses import dataclass
from pathlib import Path

MOST_ANSWERS = 60
"""Of a simulated person, whose page shows each of them."""


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
    requests_at_once: float = 400
    requests_a_second: float = 100
    """Of one person, or from one address; more are refused for a moment."""
    wrong_at_once: float = 20
    wrong_a_second: float = 0.5
    """Wrong tokens and passwords from one address, likewise."""
    request_bytes: int = 16_000_000
    """The most that a request may have: a long log."""
    upload_bytes: int = 2_000_000
    upload_seconds: float = 10.0
    upload_memory: int = 1_500_000_000
    upload_nodes: int = 200_000
    """What reading an uploaded problem may take."""
