"""The campaign: random problems with numbers of all sizes, on all backends, and not one false statement.

200 problems in `make test`, 2,000 with `make campaign`; the end of the run shows who refused how many.
"""

import os
from collections.abc import Callable

import pytest
from tests.backends.campaign import BACKENDS, ask, draw, false_statement

from pcl_core import Code, PclError

PROBLEMS = 2000 if os.environ.get("PCL_CAMPAIGN") else 200
BATCH = 20
REFUSALS = {Code.NUMBERS_OUT_OF_RANGE, Code.SCOPE_TOO_LARGE}


@pytest.mark.parametrize("batch", range(PROBLEMS // BATCH))
def test_nothing_false_is_said(batch: int, record_property: Callable[[str, object], None]) -> None:
    found = []
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        asked = draw(seed)
        for backend in BACKENDS:
            answer = ask(asked, backend)
            refused = isinstance(answer, PclError)
            record_property("campaign", (backend, asked.numbers, refused))
            if isinstance(answer, PclError) and answer.code not in REFUSALS:
                found.append(f"seed {seed}, {backend}: {answer}")
            said = false_statement(asked, answer)
            if said is not None:
                found.append(f"seed {seed}, {backend}: {said}")
    assert found == []
