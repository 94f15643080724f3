"""Logs to test with."""

from pathlib import Path
from random import Random

import pytest
from tests.core.elicitation.logs import ORACLES
from tests.core.elicitation.sessions import session, start


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "week.jsonl"


@pytest.fixture
def written(log: Path) -> Path:
    """A log with a bit of everything."""
    elicitation = start(log=log, oracle=ORACLES["trip"], seed=5)
    session(elicitation, Random(5), 30)
    elicitation.close()
    return log
