"""Whether anything at all satisfies a problem, found out in a few seconds or not at all."""

from dataclasses import dataclass

import numpy as np

from pcl_app.output import Worker
from pcl_core.errors import Code, Issue, PclError
from pcl_core.model import Problem, assess
from pcl_core.solve import Conflict, Options, Oracle, Status, explain

SOLVE_SECONDS = 3.0
ALL_SECONDS = 6.0
"""Seconds for everything: compiling takes time, too, and so does finding a small conflict."""
MAX_NAMED = 5


@dataclass
class Possibility:
    """Whether some configuration is allowed; None if that was not found out, and then why."""

    possible: bool | None = None
    undecided: str | None = None
    conflict: Conflict | None = None


def find_out(problem: Problem, worker: Worker) -> Possibility:
    """Solve for nothing in particular. What is known is filled in as it is found, and the time is limited."""
    found = Possibility(undecided=f"it takes more than {ALL_SECONDS:g} seconds")
    declared = problem.initial_configuration
    if not problem.constraints or (declared is not None and assess(problem, declared).feasible):
        return Possibility(True)

    def work() -> None:
        try:
            oracle = Oracle.of(problem, "auto", Options(SOLVE_SECONDS))
            status = oracle.solve(np.zeros(len(problem.features)), features=()).status
        except PclError as error:  # too large without a solver, or numbers that no solver takes
            hint = f" ({error.issues[0].hint})" if error.issues[0].hint else ""
            found.undecided = error.issues[0].message + hint
            return
        if status is Status.UNKNOWN:
            found.undecided = f"a solver did not know after {SOLVE_SECONDS:g} seconds"
            return
        found.possible, found.undecided = status is not Status.INFEASIBLE, None
        if not found.possible:
            found.conflict = explain(oracle, {}).conflict

    worker.run_within(work, ALL_SECONDS)
    return found


def impossible(problem: Problem, conflict: Conflict | None) -> Issue:
    """The finding for a problem that nothing satisfies, with the constraints that cannot hold together."""
    message = "nothing is possible: no configuration satisfies all constraints"
    names = conflict.constraints if conflict else ()
    if not names:
        return Issue(Code.INFEASIBLE, message, "`pcl explain` names those that cannot hold together")
    labels = {constraint.name: constraint.label for constraint in problem.constraints}
    named = [f"{name} ({labels[name]})" if labels[name] else name for name in names[:MAX_NAMED]]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    if len(names) == 1:
        return Issue(Code.INFEASIBLE, f"{message}; this one cannot hold: {named[0]}", "loosen it")
    listed = "; ".join(named) + more
    return Issue(Code.INFEASIBLE, f"{message}; these cannot hold together: {listed}", "loosen one of them")
