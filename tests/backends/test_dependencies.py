"""The capped versions live together: every order of imports, every backend in one process, no false optimum."""

import subprocess
import sys
from itertools import permutations

import pytest

from pcl_backends.cpsat_run import Ended

IMPORTS = {
    "cpsat": "from ortools.sat.python import cp_model",
    "cvxpy": "import cvxpy",
    "pulp": "import pulp; pulp.HiGHS(msg=False)",
    "highs": "import highspy",
}
SOLVE = """
import numpy as np
from fractions import Fraction
from pcl_core.solve.oracle import Oracle
from pcl_core.testing.traps import HIGHS_FALSE_OPTIMUM
for name in {names!r}:
    found = Oracle.of(HIGHS_FALSE_OPTIMUM, name).solve(np.array([1.0]), sense="min")
    assert (found.status, Fraction(found.objective, 10**found.objective_places)) == ("optimal", 9), (name, found)
print("solved")
"""
BACKENDS = ("cpsat", "cvxpy", "pulp:highs", "pulp")


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("order", list(permutations(IMPORTS, 2)), ids="-".join)
def test_two_solvers_import_in_any_order(order: tuple[str, str]) -> None:
    done = run("; ".join(IMPORTS[name] for name in order) + "; print('imported')")
    assert done.stdout.strip() == "imported", done.stderr


@pytest.mark.parametrize("first", BACKENDS)
def test_all_backends_solve_in_one_process(first: str) -> None:
    names = [first, *(name for name in BACKENDS if name != first)]
    done = run(SOLVE.format(names=names))
    assert done.stdout.strip() == "solved", done.stderr


def test_highs_itself_has_no_false_optimum() -> None:
    """The trap with its continuous variable, on HiGHS directly: 9, where highspy 1.14.0 says 15."""
    program = """
import highspy
solver = highspy.Highs()
solver.setOptionValue("output_flag", False)
x, z = solver.addVariable(lb=0), solver.addIntegral(lb=0)
solver.addConstr(x + z >= 4.5)
solver.minimize(2 * x + 3 * z)
print(round(solver.getObjectiveValue(), 6))
"""
    done = run(program)
    assert done.stdout.strip() == "9.0", done.stderr


def test_discovery_imports_no_solver() -> None:
    program = """
import sys
from pcl_core.solve.registry import backend_names, find_backend
for name in backend_names():
    find_backend(name).availability()
print(sorted({"ortools", "cvxpy", "pulp", "highspy", "pyscipopt", "scipy"} & set(sys.modules)))
"""
    done = run(program)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_solve_with_cpsat_imports_nothing_of_pandas() -> None:
    """It takes longer to import than most problems take to solve, and CP-SAT's own Python layer does import it."""
    program = """
import sys
from pcl_core import Oracle, load
found = Oracle.of(load("grid"), "cpsat").solve([1.0] * 24)
print(found.status, sorted({"pandas", "pyarrow", "ortools.sat.python.cp_model"} & set(sys.modules)))
"""
    done = run(program)
    assert done.stdout.strip() == "optimal []", done.stderr


@pytest.mark.parametrize("order", ["theirs, ours", "ours, theirs"])
def test_a_program_with_models_and_tables_of_its_own_has_the_real_ones_beside_ours(order: str) -> None:
    theirs = """
import pandas
from ortools.sat.python import cp_model
model = cp_model.CpModel()
picked = model.new_int_var_series("picked", pandas.Index(["a", "b"]), 0, 4)
model.add(picked.sum() <= 5)
model.maximize(picked.sum())
solver = cp_model.CpSolver()
assert solver.solve(model) == cp_model.OPTIMAL
assert pandas.DataFrame({"x": solver.values(picked)})["x"].sum() == 5
"""
    ours = """
from pcl_core import Oracle, load
assert Oracle.of(load("grid"), "cpsat").solve([1.0] * 24).status == "optimal"
"""
    both = {"theirs": theirs, "ours": ours}
    done = run("".join(both[name] for name in order.split(", ")) + "print('both')")
    assert done.stdout.strip() == "both", done.stderr


def test_how_a_search_ended_is_numbered_as_cpsat_numbers_it() -> None:
    from ortools.sat import cp_model_pb2

    ours = {"INVALID": "MODEL_INVALID"}
    assert {ours.get(each.name, each.name): each.value for each in Ended} == dict(cp_model_pb2.CpSolverStatus.items())
