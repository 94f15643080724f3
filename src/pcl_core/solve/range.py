"""The numbers that a linear solver is trusted with, and the refusal of all others."""

from dataclasses import dataclass

from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code
from pcl_core.solve.program import LARGEST_IN_ARRAYS
from pcl_core.solve.protocol import Refusal


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
