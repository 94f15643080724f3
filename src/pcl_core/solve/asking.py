"""What a caller may ask, checked before a backend hears of it; and what a backend may raise while it is asked."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from numbers import Integral, Real
from typing import get_args

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, PclError, RequestError, suggest
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.model.evaluation import read_exactly
from pcl_core.model.problem import Problem
from pcl_core.plugins import blamed
from pcl_core.solve.protocol import Backend, BackendContractError, Sense


def read_weights(weights: npt.NDArray[np.float64] | Sequence[float], count: int) -> npt.NDArray[np.float64]:
    """Weights as numbers, one for each feature; whole ones that floating point cannot hold are refused, not rounded."""
    try:
        found = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise RequestError(Issue(Code.BAD_VALUE, "the weights are not a list of numbers")) from None
    if found.shape != (count,):
        message = f"expected {count} weights, got {found.size}"
        raise RequestError(Issue(Code.BAD_VALUE, message, "give one for each feature, in their order"))
    if not (isinstance(weights, np.ndarray) and weights.dtype == np.float64):
        for position, weight in enumerate(weights, start=1):
            if isinstance(weight, Integral) and int(weight) != int(found[position - 1]):
                message = f"weight {position} has more digits than floating point holds"
                raise RequestError(Issue(Code.NUMBER_TOO_LARGE, message, "use smaller weights"))
    return found


def read_sense(sense: str) -> None:
    if sense not in get_args(Sense):
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"there is no sense '{sense!s:.40}'", "'max' or 'min'"))


def read_floor(floor: object) -> Fraction:
    """A floor as the exact number that it is."""
    if isinstance(floor, (Fraction, Integral)) and not isinstance(floor, bool):
        return Fraction(int(floor)) if isinstance(floor, Integral) else floor
    if isinstance(floor, bool) or not isinstance(floor, Real):
        raise RequestError(Issue(Code.BAD_VALUE, f"the floor is {floor!r:.40}, which is not a number"))
    if not math.isfinite(floor):
        raise RequestError(Issue(Code.NOT_FINITE, "the floor is not a finite number"))
    return read_exactly(float(floor))


def check_names(
    problem: Problem, variables: Collection[str], features: Sequence[int], constraints: Sequence[int] | None
) -> None:
    """Whether a scope names what the problem has."""
    known = problem.symbols.variables
    for name in variables:
        if name not in known:
            raise RequestError(
                Issue(Code.UNKNOWN_NAME, f"there is no variable '{name!s:.60}'", suggest(str(name), known))
            )
    _check_positions("feature", features, len(problem.features))
    _check_positions("constraint", constraints or (), len(problem.constraints))


def _check_positions(what: str, positions: Iterable[int], count: int) -> None:
    seen: set[int] = set()
    for position in positions:
        if not isinstance(position, Integral) or not 0 <= position < count:
            message = f"there is no {what} at position {position!r:.40}"
            raise RequestError(Issue(Code.BAD_VALUE, message, f"positions go from 0 to {count - 1}"))
        if int(position) in seen:
            raise RequestError(Issue(Code.BAD_VALUE, f"the {what} at position {position} is listed twice"))
        seen.add(int(position))


def check_values(variables: Iterable[AnyVariable], values: Mapping[str, Value]) -> None:
    """Whether values are from the domains of their variables."""
    for variable in variables:
        if variable.name in values and not variable.holds(values[variable.name]):
            message = f"'{variable.name}' cannot be {values[variable.name]!r:.60}"
            raise RequestError(Issue(Code.BAD_CONFIGURATION, message, "give a value from its domain"))


def check_own(names: Collection[str], values: Mapping[str, Value]) -> None:
    """Whether only variables that are decided are fixed."""
    for name in values:
        if name not in names:
            message = f"'{name!s:.60}' is fixed, but it is not decided here"
            raise RequestError(Issue(Code.BAD_CONFIGURATION, message, suggest(str(name), names)))


@contextmanager
def asked(backend: Backend) -> Iterator[None]:
    """Whatever a backend raises while it is asked is said to be its; only our own errors and ctrl-C pass."""
    try:
        yield
    except (PclError, KeyboardInterrupt):
        raise
    except BaseException as error:
        message = f"failed: {type(error).__name__}: {_text(error):.200}"
        raise blamed(error) or BackendContractError(backend.name, message) from error


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException as unprintable:
        return f"its text cannot be had ({type(unprintable).__name__})"
