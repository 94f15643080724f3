"""Any file up to the size limit is answered in about 3 seconds and 300 MB, whatever is in it.

Memory and counts are asserted. Times depend on the machine: they are measured, and shown at the end of the run.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.core.authoring.hostile import FILES

from pcl_core.authoring.environment import STEPS_A_NODE
from pcl_core.errors import MAX_FINDINGS, MAX_HINT, MAX_MESSAGE, MAX_PLACE

ROOT = Path(__file__).parents[3]
MAX_MEGABYTES = 300
MAX_LINE = MAX_MESSAGE + MAX_HINT + MAX_PLACE + 40
"""Without the name of the file."""

REFUSED_AT_ONCE = {
    "foreach far beyond the limit",
    "foreach a little beyond the limit",
    "foreach with an if",
    "foreach of twenty loops",
    "a giant range as a set",
    "a giant range in a check",
    "a million short rows",
    "empty rows",
}
"""What is refused from its size alone, before a tenth of the allowed work is done."""


def table(costs: list[dict[str, Any]]) -> str:
    lines = [f"{'CPU s':>6} {'MB':>4} {'file MB':>8} {'findings':>8}  hostile file: answer"]
    for cost in sorted(costs, key=lambda cost: -cost.get("seconds", 0.0)):
        spent = f"{cost.get('seconds', 0):6.2f} {cost.get('megabytes', 0):4.0f}"
        said = ", ".join(cost.get("codes", ())) or "valid"
        lines.append(f"{spent} {cost['bytes'] / 1e6:8.2f} {cost.get('findings', 0):8}  {cost['name']}: {said}")
    return "\n".join(lines)


def wrong(costs: list[dict[str, Any]], holds: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    return [cost for cost in costs if not holds(cost)]


def test_hostile_files_are_answered_within_bounds(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    command = [sys.executable, "-m", "tests.core.authoring.measure", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    costs: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
    record_property("resources", table(costs))
    assert [cost["name"] for cost in costs] == list(FILES)
    assert not wrong(costs, lambda cost: "failed" not in cost)
    assert not wrong(costs, lambda cost: cost["megabytes"] <= MAX_MEGABYTES)
    assert not wrong(costs, lambda cost: cost["findings"] <= MAX_FINDINGS)
    assert not wrong(costs, lambda cost: cost["longest"] <= MAX_LINE)
    assert not wrong(costs, lambda cost: cost["steps"] <= cost["limit"] * STEPS_A_NODE)
    early = [cost for cost in costs if cost["name"] in REFUSED_AT_ONCE]
    assert len(early) == len(REFUSED_AT_ONCE)
    assert not wrong(early, lambda cost: 10 * cost["steps"] < cost["limit"] * STEPS_A_NODE)


@pytest.mark.parametrize("name", sorted(REFUSED_AT_ONCE))
def test_what_is_refused_at_once_is_a_hostile_file(name: str) -> None:
    assert name in FILES
