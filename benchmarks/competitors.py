"""Who solves the queries of a case: pcl with each backend, hand-written models, MiniZinc with Gecode, and CPMpy."""

import importlib.util
import shutil
from collections.abc import Callable

from benchmarks.cases import Case, Query
from benchmarks.handwritten import cpsat_models, cvxpy_models, minizinc_models, pulp_models
from benchmarks.handwritten.data import Outcome, Solve

from pcl_core.solve import Oracle, Solution

Competitor = Callable[[Query], Outcome | Solution]

HAND_WRITTEN = {
    "auto": "CP-SAT",
    "table": "CP-SAT",
    "cpsat": "CP-SAT",
    "pulp": "PuLP/CBC",
    "pulp:highs": "PuLP/HiGHS",
    "cvxpy": "CVXPY/HiGHS",
}
"""Our backends, and the hand-written models that each is compared with."""
PROCESSES = "MiniZinc + Gecode"
MODELLING = "CPMpy + CP-SAT"


def ours(case: Case, backend: str) -> Competitor:
    """One oracle for all queries, as in an elicitation; it gets the weights as they are, not as whole numbers."""
    oracle = Oracle.of(case.problem, backend)
    variables, features = case.variables, case.features
    return lambda query: oracle.solve(query.weights, variables=variables, given=query.context, features=features)


def competitors(case: Case) -> dict[str, Competitor]:
    """Everyone who can run here, by name."""
    found = {backend: ours(case, backend) for backend in HAND_WRITTEN}
    return found | {name: asked(solve) for name, solve in _others(case).items()}


def numbered(case: Case, solve: Competitor) -> Callable[[int], Outcome | Solution]:
    """The same, by the number of the query."""
    return lambda at: solve(case.queries[at])


def asked(solve: Solve) -> Competitor:
    return lambda query: solve(query.integers, query.context)


def _others(case: Case) -> dict[str, Solve]:
    kind, _, part = case.name.partition(" ")
    first = case.queries[0]
    pairs = {
        "CP-SAT": cpsat_models.both(kind, part),
        "PuLP/CBC": pulp_models.both(kind, part, "cbc"),
        "PuLP/HiGHS": pulp_models.both(kind, part, "highs"),
        "CVXPY/HiGHS": cvxpy_models.both(kind, part, (first.integers, first.context)),
    }
    found: dict[str, Solve] = {}
    for name, (fresh, kept) in pairs.items():
        found |= {f"{name} fresh": fresh, f"{name} kept": kept}
    if PROCESSES not in missing():
        found[PROCESSES] = minizinc_models.of(kind, part)
    if MODELLING not in missing():
        from benchmarks.handwritten import cpmpy_models

        found[MODELLING] = cpmpy_models.of(kind, part)
    return found


def missing() -> dict[str, str]:
    """Who is left out, and why."""
    found = {}
    if shutil.which("minizinc") is None:
        found[PROCESSES] = "minizinc is not on the PATH"
    if importlib.util.find_spec("cpmpy") is None:
        found[MODELLING] = "cpmpy is not installed"
    return found
