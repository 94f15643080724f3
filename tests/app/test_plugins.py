"""Other people's packages on the command line: listed, named, and never the end of the program."""

import json
from pathlib import Path

import pytest
from tests.app.commands import PATIENCE, Commands, start
from tests.packages import install_package

ENTRIES = {
    "pcl.backends": ["leaving = leaving_module:Backend", "cpsat = other_module:Quits", "quits = other_module:Quits"],
    "pcl.problems": ["nowhere = nowhere_package", "grid = nowhere_package"],
    "pcl.selections": ["absent = other_module:Absent", "numb = other_module:Numb"],
    "pcl.learners": ["quitting = other_module:Quitting", "perceptron = other_module:Quitting"],
    "pcl.users": ["absent = other_module:Absent"],
    "pcl.orderings": ["quits = other_module:order"],
}
CODE = """
import sys
from pathlib import Path
from pcl_backends.table import TableBackend
from pcl_core.learn.plugins import Strategy

class Prepared:
    def solve(self, request, options):
        sys.exit(0)

class Quits(TableBackend):
    def compile(self, scope):
        return Prepared()

class Numb(Strategy):
    def __call__(self, situation):
        return "first"

class Quitting(Strategy):
    def start(self, weights):
        sys.exit(0)

def order(problem, generator):
    sys.exit(0)
"""


@pytest.fixture(autouse=True)
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = install_package(tmp_path, monkeypatch, ENTRIES, CODE, package="hostile")
    (place / "leaving_module.py").write_text("print('bye')\nimport sys\nsys.exit(0)\n")
    (tmp_path / "w.json").write_text("{}")
    monkeypatch.chdir(tmp_path)


def test_broken_backends_are_listed_beside_the_others(pcl: Commands) -> None:
    pcl("backends")
    assert "SystemExit: 0: mend or remove package 'hostile'" in pcl.out
    assert "the name is one of pcl's own: mend or remove package 'hostile'" in pcl.out
    pcl("backends", "--format", "json")
    rows = json.loads(pcl.out)  # what the package prints does not stand in between
    assert {"auto", "cpsat", "cvxpy", "pulp", "quits", "table"} <= {row["name"] for row in rows if row["available"]}
    theirs = {row["name"]: row["reason"] for row in rows if row["package"] == "hostile" and row["broken"]}
    assert theirs == {"cpsat": "the name is one of pcl's own", "leaving": "SystemExit: 0"}


def test_broken_problems_are_listed_beside_the_others(pcl: Commands) -> None:
    pcl("problems")
    assert "nowhere of package 'hostile' is broken: there is no package 'nowhere_package'" in pcl.out
    pcl("problems", "--format", "json")
    rows = json.loads(pcl.out)
    ours = ["flat", "grid", "hotel", "hotel-published", "meals", "pc", "training", "trip"]
    assert [row["name"] for row in rows if row["broken"] is None] == ours
    assert {row["name"]: row["parts"] for row in rows if row["broken"]} == {"grid": None, "nowhere": None}


def test_everything_that_packages_add_is_listed(pcl: Commands) -> None:
    pcl("plugins", "--format", "json")
    found = {(row["group"], row["name"]): row["broken"] for row in json.loads(pcl.out)}
    assert len(found) == sum(map(len, ENTRIES.values()))
    assert found["pcl.learners", "perceptron"] == "the name is one of pcl's own"
    assert found["pcl.users", "absent"] == "AttributeError: module 'other_module' has no attribute 'Absent'"
    assert found["pcl.orderings", "quits"] is None
    pcl("plugins")
    assert "no: there is no package 'nowhere_package'" in pcl.out


SIMULATE = "simulate grid --users 1 --queries 2 --jobs 1 --out run"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("solve grid --weights w.json --backend leaving", "'leaving' of package 'hostile'"),
        ("conformance leaving", "'leaving' of package 'hostile'"),
        ("solve grid --weights w.json --backend quits", "something of package 'hostile'"),
        ("show nowhere", "'nowhere' of package 'hostile'"),
        ("show grid --order quits", "'quits' of package 'hostile'"),
        (SIMULATE + " --select absent", "'absent' of package 'hostile'"),
        (SIMULATE + " --user absent", "'absent' of package 'hostile'"),
        (SIMULATE + " --order quits", "'quits' of package 'hostile'"),
        ("elicit grid --learner quitting", "something of package 'hostile'"),
    ],
)
def test_using_what_is_broken_names_the_package(line: str, said: str, pcl: Commands) -> None:
    assert pcl(*line.split(), code=2).splitlines()[-1].startswith(f"plugin-broken: {said}")


def test_a_user_who_quits_fails_her_cell_alone(pcl: Commands) -> None:
    said = pcl(*SIMULATE.split(), "--learner", "quitting", code=2)
    assert said.startswith("cell-failed: SystemExit: 0")


def test_a_selection_that_names_no_part() -> None:
    with start("elicit", "grid", "--select", "numb") as process:
        out, said = process.communicate("quit\n", timeout=PATIENCE)
    assert process.returncode == 0, said
    assert "the selection chose part number first, but there are 4, from 0" in out + said


def test_a_name_of_ours_works_as_ever(pcl: Commands) -> None:
    pcl("solve", "grid", "--weights", "w.json", "--backend", "cpsat")
    assert pcl.out.startswith("optimal (proved), cpsat")


CHATTY = """
import os
from pcl_backends.table import TableBackend

class Chatty(TableBackend):
    def compile(self, scope):
        print("compiling")
        os.write(1, b"from C\\n")
        return super().compile(scope)
"""


def test_what_a_backend_prints_while_it_works_does_not_stand_in_the_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {"pcl.backends": ["chatty = chatty_module:Chatty"]}
    install_package(tmp_path, monkeypatch, entries, CHATTY, package="chatty", module="chatty_module")
    solve = "solve grid --weights w.json --backend chatty --format"
    with start(*solve.split(), "json") as process:
        out, said = process.communicate(timeout=PATIENCE)
    assert json.loads(out)["status"] == "optimal"
    assert "compiling" in said
    assert "from C" in said
    with start(*f"{solve}=json".split()) as process:
        assert json.loads(process.communicate(timeout=PATIENCE)[0])["status"] == "optimal"
