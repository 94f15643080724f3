"""`pcl compare`, as a process: tables for people, JSON for programs, pictures, and a sentence for wrong input."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.app.experiments.synthetic import GRID, Made, runs_of

from pcl_app.experiments.judge.comparison import compare
from pcl_app.experiments.judge.naming import Naming
from pcl_app.experiments.record.ends import problem_labels
from pcl_app.experiments.record.traces import write_traces
from pcl_app.experiments.show.figures import WIDTH, axis_label
from pcl_core.errors import RequestError

PCL = Path(sys.executable).parent / "pcl"
SMALL = GRID.but(users=8, queries=30)


def pcl(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([PCL, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    cells = {
        "random": SMALL,
        "slow": SMALL.but(select="ucb1", last=5),
        "training": SMALL.but(problem="training"),
        "strangers": SMALL.but(seed=8),
        "few": SMALL.but(users=3, select="smallest"),
        "short": SMALL.but(queries=10, select="smallest"),
        "stopped": SMALL.but(queries=20, stop_at=5, select="smallest"),
    }
    for name, made in cells.items():
        write_traces(tmp_path / name, made.rows())
    write_traces(
        tmp_path / "several", [row for made in (SMALL, SMALL.but(select="ucb1", last=5)) for row in made.rows()]
    )
    return tmp_path


def test_json_for_programs(folders: Path) -> None:
    found = json.loads(pcl("compare", folders / "random", folders / "slow", "--format", "json").stdout)
    (comparison,) = found["comparisons"]
    assert (comparison["problem"], comparison["queries"], comparison["users"]) == ("grid", 30, list(range(8)))
    assert [run["label"] for run in comparison["runs"]] == ["random", "ucb1"]
    last, mean = comparison["differences"]
    assert (last["measure"], mean["measure"]) == ("last", "mean")
    assert last["effect"] == mean["effect"] == -1
    assert last["p"] == pytest.approx(2 / 256)
    assert last["p_holm"] == pytest.approx(4 / 256)
    assert last["difference"]["high"] < 0
    assert comparison["runs"][1]["queries_to_10_percent"] == {"median": None, "reached": 0, "users": 8}


def test_text_for_people_and_one_folder_with_several_runs(folders: Path) -> None:
    done = pcl("compare", folders / "several", "--column", "seconds")
    assert "cumulative learner time (s), 8 users, 30 queries" in done.stdout
    assert "p (Holm)" in done.stdout
    assert "ucb1" in done.stdout
    assert done.stderr == ""


def test_pictures_and_reports(folders: Path) -> None:
    both = (folders / "random", folders / "slow")
    pcl("compare", *both, "--out", folders / "c.png")
    pcl("compare", *both, "--out", folders / "c.html")
    pcl("compare", *both, "--out", folders / "new")
    assert (folders / "c.png").read_bytes().startswith(b"\x89PNG")
    assert (folders / "c.html").read_text().count("<svg") == 1
    assert (folders / "new" / "comparison.md").exists()
    assert (folders / "new" / "figures" / "comparison-1.svg").exists()


def test_a_figure_for_a_paper_has_the_title_labels_and_width_that_were_asked_for(folders: Path) -> None:
    both = (folders / "random", folders / "slow")
    said = ("--title", "Sixteen spins", "--labels", "at random, by ucb1", "--width", "3.3")
    done = pcl("compare", *both, *said, "--out", folders / "c.pdf")
    assert (folders / "c.pdf").read_bytes().startswith(b"%PDF")
    assert f"/MediaBox [ 0 0 {3.3 * 72:.1f}".encode() in (folders / "c.pdf").read_bytes()
    assert done.stdout.startswith("Sixteen spins, seed 7: regret on complete configurations")
    assert "at random" in done.stdout


def test_what_stands_beside_an_axis_takes_more_lines_in_a_narrow_figure() -> None:
    assert axis_label("regret", WIDTH) == "regret on complete configurations"
    assert axis_label("regret", 3.3) == "regret on complete\nconfigurations"


def test_the_title_is_the_label_of_the_problem_where_that_was_recorded(folders: Path) -> None:
    both = runs_of(folders, SMALL, SMALL.but(select="ucb1", last=5))
    (found,), _ = compare(both, naming=Naming(titles={"grid": "Spin-glass grid"}))
    assert (found.heading, found.title) == ("Spin-glass grid", "Spin-glass grid, seed 7")
    assert found.data()["title"] == "Spin-glass grid"
    assert problem_labels(folders / "random") == {}
    described = {"problems": {"grid": {"name": "grid", "label": "Spin-glass grid"}, "x": {"name": "x"}, "y": 1}}
    (folders / "random" / "run.json").write_text(json.dumps(described))
    assert problem_labels(folders / "random") == {"grid": "Spin-glass grid"}


def test_labels_hold_for_each_run_or_for_the_runs_of_each_comparison(folders: Path) -> None:
    runs = runs_of(
        folders, *(SMALL.but(problem=name, select=how) for name in ("grid", "pc") for how in ("random", "ucb1"))
    )
    for labels, expected in (("ab", ["ab", "ab"]), ("abcd", ["ab", "cd"])):
        found, _ = compare(runs, naming=Naming(tuple(labels)))
        assert ["".join(comparison.runs.labels()) for comparison in found] == expected
        assert [test.first + test.second for test in found[1].differences] == [expected[1]] * 2
    with pytest.raises(RequestError, match="there are 3 labels, and 4 runs: 'grid, random', 'grid, ucb1'"):
        compare(runs, naming=Naming(("a", "b", "c")))
    with pytest.raises(RequestError, match="labels tell runs apart"):
        compare(runs, naming=Naming(("a", "a")))


def test_what_is_left_out_is_said(folders: Path) -> None:
    done = pcl("compare", folders / "several", folders / "training")
    assert "one run on training with seed 7, and nothing to compare it with" in done.stderr
    few = pcl("compare", folders / "random", folders / "few").stdout
    assert "Only the 3 users that all runs have in common" in few
    assert "With 3 users a paired test can hardly find anything" in few
    assert "Only the first 10 queries" in pcl("compare", folders / "random", folders / "short").stdout
    stopped = pcl("compare", folders / "random", folders / "stopped").stdout
    assert "30 queries" in stopped
    assert "Only" not in stopped
    longer = pcl("compare", folders / "random", folders / "short", "--queries", "20").stdout
    assert "'smallest' ends at query 10 with unsatisfied users" in longer


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "nowhere: file-not-found: there is no such folder"),
        (["."], "the folder has no traces.parquet"),
        (["random"], "there is only one run"),
        (["random", "training"], "different problems (grid, training)"),
        (["random", "strangers"], "different users: they were drawn with seeds 7, 8"),
        (["random", "slow", "--column", "regrt"], "did you mean 'regret'"),
        (["random", "slow", "--column", "part"], "not a column that makes a curve"),
        (["random", "slow", "--out", "c.gif"], "cannot write a '.gif' file"),
        (["random", "slow", "--out", "nowhere/c.png"], "cannot-write"),
        (["random", "slow", "--out", "random/traces.parquet/below"], "cannot-write"),
        (["random", "slow", "--queries", "0"], "--queries"),
        (["broken", "slow"], "damaged, or not Parquet"),
    ],
)
def test_wrong_requests_are_sentences(
    arguments: list[str], sentence: str, folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folders / "broken").mkdir()
    (folders / "broken" / "traces.parquet").write_bytes(b"PAR1 and nothing else")
    monkeypatch.chdir(folders)
    assert sentence in pcl("compare", *arguments, code=2).stderr


def test_a_missing_extra_is_exit_code_5_with_what_to_install(folders: Path) -> None:
    for package, extra in (("pyarrow", "experiments"), ("scipy", "experiments"), ("matplotlib", "plot")):
        hide = f"import sys; sys.modules['{package}'] = None; from pcl_app.main import run; run()"
        arguments = ["compare", str(folders / "random"), str(folders / "slow"), "--out", str(folders / "c.png")]
        done = subprocess.run([sys.executable, "-c", hide, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 5, done.stderr
        assert f"pip install 'pcl-elicit[{extra}]'" in done.stderr


def test_several_problems_are_compared_each_for_itself(tmp_path: Path) -> None:
    cells = [Made(users=8, queries=5, problem=name, alpha=alpha) for name in ("grid", "hotel") for alpha in (0.1, 0.5)]
    found, alone = compare(runs_of(tmp_path, *cells))
    assert [entry.title for entry in found] == ["grid, seed 7", "hotel, seed 7"]
    assert alone == []


def test_unproven_optima_are_said(tmp_path: Path) -> None:
    cells = [SMALL.but(gap=2.0), SMALL.but(gap=2.0, alpha=0.5)]
    ((found,), _) = compare(runs_of(tmp_path, *cells))
    assert any("the optima of 8 users are not proven" in note for note in found.notes)


def test_users_are_paired_not_pooled(tmp_path: Path) -> None:
    """A small difference that every user shows is found, however much users differ among themselves."""
    rows = []
    for alpha, shift in ((0.1, 0.01), (0.3, 0.0)):
        for row in Made(users=12, queries=3, alpha=alpha, noise=0).rows():
            regret = 50.0 * float(np.random.default_rng(int(str(row["user"]))).random()) + shift
            rows.append({**row, "regret": regret, "regret_bound": regret})
    write_traces(tmp_path / "made", rows)
    from pcl_app.experiments.record.traces import read_traces

    ((found,), _) = compare(read_traces(tmp_path / "made"))
    assert found.differences[0].p_value == pytest.approx(2 / 2**12)
    assert found.differences[0].estimate.value == pytest.approx(0.01)
