"""Logs from when a problem's wording was part of its hash: `former/training.jsonl` was written by such a pcl."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from pcl_core import Code, Elicitation, Problem, RequestError, load

KEPT = Path(__file__).parent / "former" / "training.jsonl"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return Path(shutil.copy(KEPT, tmp_path / "log.jsonl"))


def reworded(problem: Problem) -> Problem:
    return problem.replace(label="Seven days", features=[*problem.features[:-1], _other_label(problem)])


def _other_label(problem: Problem) -> object:
    return problem.features[-1].model_copy(update={"label": "said in other words"})


def test_a_log_under_the_former_hash_is_resumed_and_goes_on(log: Path) -> None:
    live = Elicitation.resume(log, load("training"), backend="table")
    assert live.queries == 5
    assert live.configuration["plan[mon,1]"] == "weights"
    assert live.configuration["plan[thu,1]"] == "weights"
    assert live.pins == {"plan[thu,2]": "running"}
    assert np.flatnonzero(live.weights)[:12].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16]
    query = live.ask()
    assert query is not None
    assert query.part == "fri"
    live.tell(query.accept())
    live.close()
    again = Elicitation.resume(log, load("training"), backend="table")
    assert "fri" in again.confirmed
    again.close()


def test_where_the_wording_changed_since_the_refusal_says_what_to_write_and_that_works(log: Path) -> None:
    problem = reworded(load("training"))
    with pytest.raises(RequestError) as caught:
        Elicitation.resume(log, problem, backend="table")
    issue = caught.value.issues[0]
    assert issue.code is Code.LOG_OF_ANOTHER_PROBLEM
    assert (issue.location.file, issue.location.line) == (str(log), 1)
    written = f'"problem_hash":"{problem.content_hash}"'
    assert written in (issue.hint or "")
    first, *rest = log.read_text().splitlines(keepends=True)
    was = json.loads(first)["problem_hash"]
    log.write_text("".join([first.replace(f'"problem_hash":"{was}"', written), *rest]))
    live = Elicitation.resume(log, problem, backend="table")
    assert live.queries == 5
    live.close()


def test_a_log_outlives_any_rewording(tmp_path: Path) -> None:
    log, problem = tmp_path / "log.jsonl", load("training")
    Elicitation(problem, backend="table", log=log).close()
    live = Elicitation.resume(log, reworded(problem), backend="table")
    assert live.problem.label == "Seven days"
    live.close()
