"""What a caller may ask, checked before a backend hears of it; and what a backend may raise while it is asked.

A backend optimises integers. Where they can be as large as the weights need them, nothing is rounded and an optimum is
one for the weights as given. Elsewhere the error that rounding can cause is known, and widens what is claimed.
"""

import math
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral, Real
from operator import is_, mul
from typing import get_args

import numpy as np
import numpy.typing as npt

from pcl_core.errors import Code, Issue, PclError, RequestError, suggest
from pcl_core.ir.domains import AnyVariable, Facts, IntVariable, Value
from pcl_core.ir.vector import picker
from pcl_core.model.evaluation import Utility, read_exactly
from pcl_core.model.problem import Problem
from pcl_core.plugins import blamed
from pcl_core.solve.protocol import COMMON_REACH, Backend, BackendContractError, Sense

NOTHING_LOST = Fraction(0)


@dataclass(frozen=True)
class IntegerWeights:
    """Integers q with |Σ q·units / 10^places − u(x)| <= error for every configuration x."""

    integers: tuple[int, ...]
    places: int
    error: Fraction
    """Zero where nothing was rounded."""
    most: int
    """No configuration has an objective Σ q·units that is larger in size."""
    exact: Utility
    shared: "IntegerWeights | None" = None
    """The integers of the common size, where these are larger: what objectives of all backends are compared in."""

    @property
    def scale(self) -> Fraction:
        """How many units of the objective are a utility of one."""
        return Fraction(10) ** self.places

    def objective(self, units: Sequence[int]) -> int:
        """Σ q·units"""
        return sum(map(mul, self.integers, units))


class Quantiser:
    """Makes integer weights for a fixed list of features, which count units of 10^-places each."""

    def __init__(self, features: Sequence[Facts], reach: int = COMMON_REACH) -> None:
        """Objectives are never larger than `reach` in size."""
        self._reach = reach
        self._places = [facts.places for facts in features]
        self._sizes = [max(abs(facts.low), abs(facts.high)) for facts in features]

    def __call__(self, weights: npt.NDArray[np.float64] | Sequence[float]) -> IntegerWeights:
        """Integer weights: exact if they can be."""
        reach = self._reach
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (len(self._sizes),):
            raise RequestError(Issue(Code.BAD_VALUE, f"expected {len(self._sizes)} weights, got {given.size}"))
        exact = Utility(given, self._places)
        most = self._most(exact.coefficients)
        if most > min(reach, COMMON_REACH):
            exact = exact.shortest()
            most = self._most(exact.coefficients)
        if most > int(sys.float_info.max) * 10**exact.places:
            raise RequestError(Issue(Code.NUMBER_TOO_LARGE, "the weights are too large to compute with"))
        shared = self._rounded(exact, most, COMMON_REACH) if most > COMMON_REACH else None
        if most <= reach:
            return IntegerWeights(exact.coefficients, exact.places, NOTHING_LOST, most, exact, shared)
        if shared is not None and reach == COMMON_REACH:
            return shared
        whole = IntegerWeights(exact.coefficients, exact.places, NOTHING_LOST, most, exact)
        return replace(self._rounded(exact, most, reach), shared=shared or whole)

    def _most(self, coefficients: Sequence[int]) -> int:
        return sum(map(mul, map(abs, coefficients), self._sizes))

    def _rounded(self, exact: Utility, most: int, reach: int) -> IntegerWeights:
        """As many decimal places as leave room; the room that rounding up may take is kept free."""
        room = max(1, reach - sum(self._sizes) // 2)
        dropped = max(1, len(str(most // room)) - 1)
        while True:
            unit = 10**dropped
            integers = tuple([_divided(number, unit) for number in exact.coefficients])
            size = self._most(integers)
            if size <= reach:
                break
            dropped += 1
        lost = self._most([number - unit * kept for number, kept in zip(exact.coefficients, integers, strict=True)])
        return IntegerWeights(integers, exact.places - dropped, Fraction(lost, 10**exact.places), size, exact)


def _divided(number: int, unit: int) -> int:
    """number / unit, rounded to the nearest whole number, the same way for both signs."""
    whole = (2 * abs(number) + unit) // (2 * unit)
    return whole if number >= 0 else -whole


def quantise(
    weights: npt.NDArray[np.float64] | Sequence[float], features: Sequence[Facts], reach: int = COMMON_REACH
) -> IntegerWeights:
    """Integer weights for features that count units of 10^-places each, as fine as the range allows."""
    return Quantiser(features, reach)(weights)


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


class Domains:
    """Whether a complete configuration has values from the domains; whole numbers are looked at together."""

    def __init__(self, variables: Sequence[AnyVariable]) -> None:
        numbers = [variable for variable in variables if isinstance(variable, IntVariable)]
        self._others = [variable for variable in variables if not isinstance(variable, IntVariable)]
        self._pick = picker([variable.name for variable in numbers])
        self._lowest = np.array([variable.lower for variable in numbers], dtype=np.int64)
        self._highest = np.array([variable.upper for variable in numbers], dtype=np.int64)
        self._held: Sequence[Value] = ()
        """Whole numbers that were found to hold: the same are asked about again and again."""

    def hold(self, configuration: Mapping[str, Value]) -> bool:
        try:
            values = self._pick(configuration)
            if len(values) != len(self._held) or not all(map(is_, values, self._held)):
                codes = np.fromiter(values, dtype=np.int64, count=len(values))
                within = (codes >= self._lowest) & (codes <= self._highest)
                if not (set(map(type, values)) <= {int} and bool(within.all())):
                    return False
                self._held = values
            return all(variable.holds(configuration[variable.name]) for variable in self._others)
        except (
            KeyError,
            ValueError,
            TypeError,
            OverflowError,
        ):  # nothing of the sort; who looks closer says what it is
            return False


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
