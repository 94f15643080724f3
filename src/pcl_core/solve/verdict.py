"""What linear solvers are trusted with, and what may be said after they spoke.

Numbers beyond their range are refused before; values are rounded and checked, and claims that do not fit are dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from pcl_core.compile.flat import Form
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code
from pcl_core.solve.program import LARGEST_IN_ARRAYS, Instance, LinearProgram, rounded, total
from pcl_core.solve.protocol import Refusal, Reply, Request, Status, StopReason


@dataclass(frozen=True, slots=True)
class LinearRange:
    """Sizes within which a solver that computes in doubles tells neighbours apart.

    Coefficients need no limit, since rows that are too large are split (see `digits`). What is left are columns and
    rows whose values are so large that the solver's tolerances, absolute or relative, come near to a whole unit.
    """

    columns: int
    """No column may have values beyond this."""
    activity: int
    """Σ |coefficient · column| of a row may not go beyond this."""

    def refusal(self, scope: Scope, name: str) -> Refusal | None:
        """Why a scope is not taken, or None."""
        sizes = scope.linear.sizes
        for found, most, what in (
            (sizes.columns, self.columns, "a number to be computed"),
            (sizes.activity, self.activity, "a sum in a constraint"),
            (sizes.sums, LARGEST_IN_ARRAYS, "a sum in a constraint"),
        ):
            if found > most:
                message = (
                    f"{what} can be as large as {found:,}; backend '{name}' computes in floating point and can tell "
                    f"neighbours apart up to {most:,}"
                )
                return Refusal(Code.NUMBERS_OUT_OF_RANGE, message)
        return None


class Said(Enum):
    """A solver's own status, in the few kinds that matter."""

    OPTIMAL = auto()
    INFEASIBLE = auto()
    STOPPED = auto()
    """A limit; there may be values."""
    NOTHING = auto()
    """An error, or a status that cannot be true of columns with bounds."""


def settled(program: LinearProgram, instance: Instance, request: Request) -> Reply | None:
    """The answer where nothing is left to be solved: bounds show a conflict, or leave one value for each column."""
    if instance.fails:
        return Reply(Status.INFEASIBLE)
    if instance.low != instance.high:
        return None
    # Carries have more than one value wherever they exist, so these are all columns there are.
    if not program.satisfied(instance.low, instance):
        return Reply(Status.INFEASIBLE)
    objective = total(instance.objective, instance.low)
    if request.floor is not None and objective < request.floor:
        return Reply(Status.INFEASIBLE)
    return Reply(Status.OPTIMAL, StopReason.PROVED, program.decode(instance.low), objective, objective)


def concluded(
    program: LinearProgram,
    instance: Instance,
    request: Request,
    said: Said,
    values: Sequence[float | None] | None,
    limit: StopReason | None,
) -> Reply | None:
    """What follows, or None: it contradicts itself, and the solver is to be asked in another way.

    `limit` is the limit that may have stopped the solver; without one there is nothing to stop for.
    """
    if said is Said.INFEASIBLE:
        return Reply(Status.INFEASIBLE)
    whole = None if values is None else rounded(values, program, instance)
    if said is Said.NOTHING or whole is None or values is None:
        return Reply(Status.UNKNOWN, limit) if limit is not None and said is not Said.OPTIMAL else None
    objective = total(instance.objective, whole)
    below = request.floor is not None and objective < request.floor
    if said is Said.OPTIMAL and _off(instance.objective, values, whole) < 0.5:
        if not below:
            return Reply(Status.OPTIMAL, StopReason.PROVED, program.decode(whole), objective, objective)
        return Reply(Status.INFEASIBLE) if request.sense == "max" else None
    if limit is None:
        return None
    if below:
        return Reply(Status.UNKNOWN, limit)
    return Reply(Status.FEASIBLE, limit, program.decode(whole), objective)


def _off(objective: Form, values: Sequence[float | None], whole: Sequence[int]) -> float:
    """How far the objective that the solver compared with can be from that of the whole values."""
    pairs = zip(objective.columns, objective.coefs, strict=True)
    return sum(abs(coef) * abs((values[column] or 0.0) - whole[column]) for column, coef in pairs)
