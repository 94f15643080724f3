"""What every backend that calls HiGHS tells it. Its tolerances stay as they are: tighter ones make it report false optima."""

from typing import Any

from pcl_core.solve import LinearRange, Said

HIGHS_OPTIONS: dict[str, Any] = {"mip_heuristic_run_feasibility_jump": False, "presolve": "off"}
"""That heuristic takes 5 to 10 ms however small the model is; without it a part takes 1 to 5 ms in all.

With its presolve HiGHS 1.13.1 gives false optima on disjunctions over whole numbers of about 100,000; the models here
are small and tight, and are solved as quickly without.
"""
HIGHS_RANGE = LinearRange(columns=10**5, activity=10**6)
"""On columns of 300,000 values and more it gave optima that were off by a few units."""
HIGHS_ATTEMPTS: tuple[dict[str, Any], ...] = ({}, {"mip_heuristic_effort": 0.0}, {"presolve": "on"})
"""The ways in which HiGHS is asked, one after the other, while what it says contradicts itself."""


def run_highs(problem: Any, options: dict[str, Any], seconds: float | None) -> tuple[Said, dict[str, float] | None]:
    """Solve PuLP's problem with PuLP's interface to HiGHS, but read the outcome from HiGHS itself.

    PuLP looks for values where HiGHS has none (IndexError), and calls a limit optimal.
    """
    import highspy
    import pulp

    command = pulp.HiGHS(msg=False, gapRel=0.0, gapAbs=0.0, timeLimit=seconds, **options)
    command.createAndConfigureSolver(problem)
    command.buildSolverModel(problem)
    solver: Any = problem.solverModel
    solver.run()
    status, solution = solver.getModelStatus(), solver.getSolution()
    kinds = highspy.HighsModelStatus
    said = {
        kinds.kOptimal: Said.OPTIMAL,
        kinds.kInfeasible: Said.INFEASIBLE,
        kinds.kTimeLimit: Said.STOPPED,
        kinds.kInterrupt: Said.STOPPED,
    }.get(status, Said.NOTHING)
    values = list(solution.col_value)
    variables = problem.variables()
    if not solution.value_valid or len(values) != len(variables):
        return said, None
    return said, {variable.name: value for variable, value in zip(variables, values, strict=True)}
