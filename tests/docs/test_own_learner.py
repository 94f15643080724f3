"""The learner in examples/ is what a third party would write: it works as an object and by its entry point."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from examples.own_learner import Rehearsal

import pcl_core as pcl
from pcl_core.learn import Improvement, Prior

ROOT = Path(__file__).parents[2]


def test_weights_agree_with_all_lessons_and_the_state_before_is_untouched() -> None:
    first = Improvement(1, 0, np.zeros(3), np.array([3.0, -1.0, 0.0]))
    second = Improvement(2, 0, np.zeros(3), np.array([-4.0, 0.0, 1.0]))
    start = Rehearsal().start(Prior(np.zeros(3)))
    once = start.after(first)
    twice = once.after(second)
    assert all(twice.belief.weights @ lesson.better > 0 for lesson in (first, second))
    assert not start.belief.weights.any()
    assert once.belief.weights.tolist() == [3.0, -1.0, 0.0]


def test_a_log_resumes_with_the_same_object(tmp_path: Path) -> None:
    trip = pcl.load(ROOT / "examples" / "trip" / "problem.yaml")
    given = pcl.Strategies(learner=Rehearsal())
    before = pcl.Elicitation(trip, backend="table", strategies=given, log=tmp_path / "log.jsonl")
    query = before.ask("fri")
    assert query is not None
    other = "hike" if query.proposal["plan[fri,evening]"] != "hike" else "beach"
    before.tell(query.improve({"plan[fri,evening]": other}))
    before.close()
    after = pcl.Elicitation.resume(tmp_path / "log.jsonl", trip, backend="table", strategies=given)
    assert after.weights.tolist() == before.weights.tolist()
    assert after.weights.any()
    after.close()


def test_it_is_found_by_its_entry_point(tmp_path: Path) -> None:
    metadata = tmp_path / "my_learners-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-learners\nVersion: 0.1\n", encoding="utf-8")
    entry = "[pcl.learners]\nrehearsal = examples.own_learner:Rehearsal\n"
    (metadata / "entry_points.txt").write_text(entry, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(ROOT), str(ROOT / "src")])
    code = "from pcl_app.main import run; run()"
    options = ["--users", "1", "--queries", "3", "--jobs", "1", "--format", "json", "--out", str(tmp_path / "run")]
    done = subprocess.run(
        [sys.executable, "-c", code, "simulate", "grid", "--learner", "rehearsal:rounds=5", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["settings"][0]["learner"] == "rehearsal:rounds=5"
