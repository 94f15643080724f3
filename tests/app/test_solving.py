"""`pcl solve`, `explain`, `backends` and `conformance`, as others script against them."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from tests.app.commands import PCL, interrupt, start, until
from tests.app.hard import hard_problem

from pcl_core import load

WEEK = load("training")
RESTING = {variable.name: "rest" for variable in WEEK.variables}


def pcl(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PCL, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "w.json"
    path.write_text(json.dumps(np.random.RandomState(0).normal(size=82).tolist()))
    return path


@pytest.fixture
def resting(tmp_path: Path) -> Path:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(RESTING))
    return path


@pytest.mark.parametrize("backend", ["auto", "cpsat", "pulp", "cvxpy"])
def test_full_inference(backend: str, weights: Path) -> None:
    done = pcl("solve", "training", "--weights", weights, "--backend", backend, "--format", "json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["status"]) == (0, "optimal")
    assert found["utility"] == pytest.approx(143.263254, abs=1e-6)
    exact = backend in ("auto", "cpsat")  # solvers in doubles do not take all digits of these weights
    assert (found["bound"] == found["utility"]) is (found["rounding"] == 0.0) is exact
    assert found["utility"] <= found["bound"] <= found["utility"] + 1e-4
    assert set(found) >= {"status", "utility", "bound", "configuration", "features", "backend", "seconds"}
    total = float(np.dot(json.loads(weights.read_text()), found["features"]))
    assert total == pytest.approx(found["utility"])


def test_weights_may_be_given_by_name(tmp_path: Path, resting: Path) -> None:
    path = tmp_path / "named.json"
    path.write_text('{"power[thu,legs]": 1}')
    done = pcl("solve", "training", "--weights", path, "--part", "thu", "--given", resting, "--format", "json")
    found = json.loads(done.stdout)
    assert found["utility"] == found["features"][WEEK_FEATURES.index("power[thu,legs]")]
    changed = {name for name, value in found["configuration"].items() if value != "rest"}
    assert changed
    assert all(name.startswith("plan[thu,") for name in changed)


WEEK_FEATURES = [feature.name for feature in WEEK.features]


def test_features_that_count(weights: Path, resting: Path) -> None:
    utilities = {}
    for over in ("full", "part", "sub"):
        arguments = ("--part", "thu", "--given", resting, "--over", over, "--order", "declared")
        utilities[over] = json.loads(
            pcl("solve", "training", "--weights", weights, *arguments, "--format", "json").stdout
        )
    values = np.array(json.loads(weights.read_text()))
    thursday = WEEK.part_position("thu")
    for over, chosen in (
        ("full", range(82)),
        ("part", WEEK.structure.feature_subsets[thursday]),
        ("sub", WEEK.structure.decomposition(range(7))[thursday]),
    ):
        found = utilities[over]
        assert found["utility"] == pytest.approx(sum(values[i] * found["features"][i] for i in chosen))


def test_minimising_with_a_floor(weights: Path, resting: Path) -> None:
    arguments = (
        "solve",
        "training",
        "--weights",
        weights,
        "--part",
        "sat",
        "--given",
        resting,
        "--min",
        "--format",
        "json",
    )
    lowest = json.loads(pcl(*arguments).stdout)["utility"]
    above = json.loads(pcl(*arguments, "--floor", str(lowest + 5)).stdout)["utility"]
    assert lowest + 5 - 1e-4 <= above < lowest + 10
    assert pcl(*arguments, "--floor", "100000").returncode == 3


def test_what_the_context_itself_violates_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("""
pcl: 1
name: outside
variables: {a: {domain: 0..3}, b: {domain: 0..3}, c: {domain: 0..3}}
constraints: [{name: budget, require: a + b <= 3}, {name: own, require: c <= 2}]
features: [{name: fa, value: a}, {name: fb, value: b}, {name: fc, value: c}]
parts: [{name: A, variables: [a]}, {name: B, variables: [b]}, {name: C, variables: [c]}]
""")
    (tmp_path / "w.json").write_text("[1, 1, 1]")
    (tmp_path / "x.json").write_text('{"a": 3, "b": 3, "c": 0}')
    weights = ("--weights", tmp_path / "w.json", "--given", tmp_path / "x.json")
    done = pcl("solve", tmp_path / "p.yaml", *weights, "--part", "C", "--format", "json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert (found["status"], found["configuration"]["c"]) == ("optimal", 2)
    assert found["context_violated"] == ["budget"]
    assert "what is given violates budget, in which the part has no say" in done.stderr
    beside = pcl("solve", tmp_path / "p.yaml", *weights, "--part", "A", "--format", "json")
    assert json.loads(beside.stdout)["context_violated"] == []
    assert beside.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--backend", "cpsta"], 2, "did you mean 'cpsat'"),
        (["--backend", "pulp:hihgs"], 2, "highs"),
        (["--backend", "table"], 2, "takes up to"),
        (["--backend", "table", "--time-limit", "1"], 2, "does not take the option"),
        (["--time-limit", "-1"], 2, "positive"),
        (["--part", "thu"], 2, "--given"),
        (["--part", "thx", "--given", "X"], 2, "did you mean 'thu'"),
        (["--over", "sub"], 2, "--part"),
        (["--over", "subb", "--part", "thu"], 2, "did you mean 'sub'"),
        (["--given", "X"], 2, "--part"),
        (["--floor", "nan"], 2, "finite"),
    ],
)
def test_wrong_requests_are_sentences(
    arguments: list[str], code: int, sentence: str, weights: Path, resting: Path
) -> None:
    done = pcl(
        "solve", "training", "--weights", weights, *[str(resting) if word == "X" else word for word in arguments]
    )
    assert done.returncode == code
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[1, 2]", "expected 82 weights"),
        ('{"powr[mon,arms]": 1}', "did you mean 'power[mon,arms]'"),
        ('{"power[mon,arms]": "big"}', "a finite number"),
        ('{"power[mon,arms]": NaN}', "finite"),
        ("3", "a JSON list"),
        ("[1,", "not valid JSON"),
    ],
)
def test_wrong_weights_are_sentences(content: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(content)
    done = pcl("solve", "training", "--weights", path)
    assert done.returncode == 2
    assert f"{path}:1:" in done.stderr
    assert sentence in done.stderr


def test_a_limit_with_nothing_found_is_exit_code_4(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(json.dumps(np.random.RandomState(2).normal(size=140).tolist()))
    done = pcl("solve", "hotel", "--weights", path, "--backend", "cpsat", "--time-limit", "0.0001", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (4, "unknown")


def test_a_limit_with_something_found_says_so(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(json.dumps(np.random.RandomState(2).normal(size=140).tolist()))
    done = pcl(
        "solve",
        "hotel",
        "--weights",
        path,
        "--backend",
        "cpsat",
        "--time-limit",
        "1",
        "--threads",
        "1",
        "--format",
        "json",
    )
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert (found["status"], found["reason"]) in (("feasible", "time limit"), ("optimal", "proved"))
    assert found["bound"] >= found["utility"]


def test_explain_names_the_constraints(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"plan[thu,1]": "weights", "plan[thu,2]": "swimming", "plan[thu,3]": "weights"}))
    done = pcl("explain", "training", "--given", path, "--format", "json")
    found = json.loads(done.stdout)
    assert done.returncode == 3
    assert (found["status"], found["conflict"], found["minimal"]) == ("infeasible", ["overload[thu,1,arms]"], True)
    assert "arms must not tire too much on thu" in pcl("explain", "training", "--given", path).stdout


def test_explain_says_when_nothing_is_wrong(resting: Path) -> None:
    done = pcl("explain", "training", "--given", resting)
    assert done.returncode == 0
    assert "can be completed" in done.stdout


def test_a_problem_without_any_configuration(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(json.dumps([0] * 140))
    assert pcl("solve", "hotel:budget=100", "--weights", path).returncode == 3


def test_backends_are_listed() -> None:
    rows = {row["name"]: row for row in json.loads(pcl("backends", "--format", "json").stdout)}
    assert set(rows) >= {"auto", "cpsat", "cvxpy", "pulp", "table"}
    assert rows["cvxpy"]["solvers"] == ["highs", "scip", "scipy"]
    assert all(rows[name]["available"] for name in ("auto", "cpsat", "cvxpy", "pulp", "table"))


def test_a_missing_solver_is_exit_code_5_with_what_to_install(weights: Path) -> None:
    hide = "import sys; sys.modules['ortools'] = None; sys.argv[0] = 'pcl'\nfrom pcl_app.main import run; run()"
    arguments = ["solve", "training", "--weights", str(weights), "--backend", "cpsat"]
    hidden = "import importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if n == 'ortools' else f(n, *a)\n"
    done = subprocess.run(
        [sys.executable, "-c", hidden + hide, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 5
    assert "ortools is not installed" in done.stderr
    assert "pip install 'pcl-elicit[cpsat]'" in done.stderr


def test_conformance_runs_from_the_command_line() -> None:
    done = pcl("conformance", "table")
    assert done.returncode == 0, done.stdout
    assert "it has no: conflict, hint, threads, time limit" in done.stdout
    assert " passed" in done.stdout
    assert pcl("conformance", "nosuch").returncode == 2


PROGRAM = """
import threading
from pcl_app.main import run
from pcl_core.solve.oracle import Oracle

real = Oracle.solve

def solve(*arguments, **options):
    print("begun", flush=True)
    SOLVING

Oracle.solve = solve
run()
"""


@pytest.mark.parametrize(
    ("solving", "inside"),
    [("threading.Event().wait()", 0.0), ("return real(*arguments, **options)", 1.0)],
    ids=["a wait", "a real solver"],
)
def test_an_interrupt_ends_a_solve_at_once(solving: str, inside: float, tmp_path: Path) -> None:
    hard_problem(tmp_path)
    arguments = ("solve", tmp_path / "sacks.yaml", "--weights", tmp_path / "w.json", "--backend", "cvxpy:scipy")
    with start("-c", PROGRAM.replace("SOLVING", solving), *arguments, program=sys.executable) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(inside)  # deep in its own code, this solver does not hear signals
        assert interrupt(process) == (130, "", "pcl: interrupted\n")


def test_a_solver_that_is_a_program_ends_with_ours(weights: Path) -> None:
    """Also where only our process hears the signal, as from a supervisor, and not all of a terminal's."""
    solving = (
        "import subprocess; other = subprocess.Popen(['sleep', '600']); print(other.pid, flush=True); other.wait()"
    )
    arguments = ("solve", "training", "--weights", weights)
    with start("-c", PROGRAM.replace("SOLVING", solving), *arguments, program=sys.executable) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        other = psutil.Process(int(process.stdout.readline()))
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    until(lambda: not other.is_running() or other.status() == psutil.STATUS_ZOMBIE)
