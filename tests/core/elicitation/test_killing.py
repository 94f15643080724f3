"""Whatever was acknowledged before a process is killed is in its log, and the log goes on."""

import os
from pathlib import Path

from tests.core.elicitation.child import run_python

KILLS = 2000 if os.environ.get("PCL_CAMPAIGN") else 100


def test_no_acknowledged_answer_is_lost_when_a_process_is_killed(tmp_path: Path) -> None:
    done = run_python("-m", "tests.core.elicitation.killing", str(tmp_path), str(KILLS))
    assert done.returncode == 0, done.stderr
    killed, _, rest = done.stdout.partition(" killed, ")
    assert int(killed) == KILLS
    assert int(rest.split()[0]) > 2 * KILLS, "most children got to work before they were killed"
