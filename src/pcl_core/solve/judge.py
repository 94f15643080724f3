"""What a backend says, and what of it is true.

Every answer is evaluated with the problem's own meaning. What contradicts it, or the incumbent that the caller holds,
is an error of the backend. What is left is claimed for the weights as they were given, not for what the backend saw.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from pcl_core.compile.pipeline import Scope
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import nearest, not_above, not_below
from pcl_core.solve.asking import IntegerWeights
from pcl_core.solve.compiled import Checker
from pcl_core.solve.protocol import BackendContractError, Reply, Request, Status, StopReason


@dataclass(frozen=True)
class Solution(JsonForm):
    """A checked outcome. `utility` is Σ w·φ of the configuration, with the weights as they were given."""

    FORM: ClassVar[tuple[str, ...]] = (
        *("status", "reason", "utility", "bound", "rounding", "objective", "objective_places", "configuration"),
        *("backend", "seconds", "kept"),
    )
    SHOWN = ("status", "utility", "bound", "configuration", "backend")
    status: Status
    reason: StopReason
    configuration: Configuration | None
    utility: float | None
    bound: float | None
    """No configuration of the scope has a better utility; equal to `utility` where that is proven best."""
    objective: int | None
    """The utility in integers that are the same for all backends, at 10^-objective_places; rounded where these are too small."""
    objective_places: int
    backend: str
    seconds: float
    kept: bool = False
    """Whether the incumbent was kept because nothing is better, but for rounding."""
    rounding: float = 0.0
    """How much better another one may be than what is optimal, or how far below a floor this one, at most.

    Weights that are beyond the range of the backend are rounded. Where this is zero, nothing was.
    """
    exact: Fraction | None = None
    """The utility as the exact number that it is."""


class Candidate(NamedTuple):
    """A complete configuration that is allowed."""

    configuration: Configuration
    units: list[int]
    objective: int


@dataclass(frozen=True)
class Judge:
    """Judges one answer to one request."""

    backend: str
    scope: Scope
    checker: Checker
    request: Request
    context: Mapping[str, Value]
    weights: IntegerWeights

    def solution(self, answer: Reply, started: float) -> Solution:
        """The answer as a solution, once everything it says has been checked; it was asked for when the clock said so."""
        if not isinstance(answer, Reply):
            raise self._lie(f"gives a {type(answer).__name__} and no answer")
        said: tuple[object, object] = (answer.status, answer.reason)
        if not (isinstance(said[0], Status) and isinstance(said[1], StopReason)):
            raise self._lie("gives a status or a reason that there is not")
        if answer.values is not None and not isinstance(answer.values, Mapping):
            raise self._lie(f"gives a {type(answer.values).__name__} in place of values")
        if answer.values is None:
            return self._without_values(answer, started)
        if answer.status in (Status.INFEASIBLE, Status.UNKNOWN):
            raise self._lie(f"says {answer.status} but gives values")
        values = self._values(answer.values)
        if values == self.request.hint:
            chosen, is_kept = self._checked(answer, values), True
        else:
            chosen, is_kept = self._better_of(answer, values)
        shared, exact = self._shared, self.weights.exact.of(chosen.units)
        utility = nearest(exact)
        return Solution(
            answer.status,
            answer.reason,
            chosen.configuration,
            utility,
            self._bound(answer, chosen.objective, utility),
            chosen.objective if shared is self.weights else shared.objective(chosen.units),
            shared.places,
            self.backend,
            time.perf_counter() - started,
            is_kept,
            self._rounding,
            exact,
        )

    @property
    def _shared(self) -> IntegerWeights:
        return self.weights.shared or self.weights

    @property
    def _rounding(self) -> float:
        lost = self.weights.error
        return not_below(2 * lost) if lost else 0.0  # what is compared may be off by it on both sides

    def _lie(self, message: str) -> BackendContractError:
        return BackendContractError(self.backend, message)

    def _without_values(self, answer: Reply, started: float) -> Solution:
        if answer.status in (Status.OPTIMAL, Status.FEASIBLE):
            raise self._lie(f"says {answer.status} but gives no values")
        if answer.status is Status.INFEASIBLE:
            if answer.reason is not StopReason.PROVED:
                raise self._lie(f"says infeasible after stopping for {answer.reason}")
            if self._incumbent() is not None:
                raise self._lie("says infeasible, but the current configuration satisfies everything")
        return Solution(
            answer.status, answer.reason, None, None, None, None, self._shared.places, self.backend,
            time.perf_counter() - started, rounding=self._rounding,
        )  # fmt: skip

    def _values(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """The answer's values, if each own variable has one from its domain and fixed ones are as asked."""
        values: dict[str, Value] = {}
        for variable in self.scope.variables:
            value = given.get(variable.name)
            if value is None or not variable.holds(value):
                raise self._lie(f"gives '{variable.name}' the value {value!r:.60}")
            if variable.name in self.request.fixed and self.request.fixed[variable.name] != value:
                raise self._lie(f"changes the fixed variable '{variable.name}'")
            values[variable.name] = value
        return values

    def _evaluated(self, several: list[Mapping[str, Value]]) -> list[tuple[Candidate, bool]]:
        """Each set of own values in its context, and whether the constraints allow it."""
        configurations = [{**self.context, **values} for values in several]
        found = self.checker.evaluate(configurations, self.request.context)
        return [
            (Candidate(x, units, self.weights.objective(units)), all(satisfied))
            for x, (units, satisfied) in zip(configurations, found, strict=True)
        ]

    def _checked(self, answer: Reply, values: Mapping[str, Value]) -> Candidate:
        [(candidate, allowed)] = self._evaluated([values])
        self._check(answer, candidate.objective, allowed)
        return candidate

    def _better_of(self, answer: Reply, values: Mapping[str, Value]) -> tuple[Candidate, bool]:
        """The answer's values, or the incumbent where these are no better, and whether it is the incumbent."""
        if not self._has_incumbent:
            return self._checked(answer, values), False
        (found, allowed), (incumbent, stands) = self._evaluated([values, self.request.hint])
        self._check(answer, found.objective, allowed)
        if stands and self._within(incumbent):
            gain = incumbent.objective - found.objective
            ahead = gain if self.request.sense == "max" else -gain
            if ahead > 0 and answer.status is Status.OPTIMAL:
                raise self._lie("says optimal, but the current configuration is better")
            if ahead >= 0:
                self._check_bound(answer, incumbent.objective)
                return incumbent, True
        return found, False

    @property
    def _has_incumbent(self) -> bool:
        return bool(self.request.hint) and len(self.request.hint) == len(self.scope.variables)

    def _incumbent(self) -> Candidate | None:
        """The caller's own configuration, if it satisfies all that was asked."""
        if not self._has_incumbent:
            return None
        [(incumbent, allowed)] = self._evaluated([self.request.hint])
        return incumbent if allowed and self._within(incumbent) else None

    def _within(self, candidate: Candidate) -> bool:
        """Whether a configuration respects the request's floor and fixed variables."""
        if self.request.floor is not None and candidate.objective < self.request.floor:
            return False
        return all(candidate.configuration[name] == value for name, value in self.request.fixed.items())

    def _check(self, answer: Reply, total: int, feasible: bool) -> None:
        if not feasible:
            raise self._lie("gives values that violate a hard constraint")
        if answer.objective != total:
            raise self._lie(f"claims the objective {answer.objective}, but it is {total}")
        if self.request.floor is not None and total < self.request.floor:
            raise self._lie(f"gives values below the floor: {total} < {self.request.floor}")
        if answer.status is Status.OPTIMAL:
            if answer.reason is not StopReason.PROVED:
                raise self._lie(f"says optimal after stopping for {answer.reason}")
            if answer.bound is not None and answer.bound != total:
                raise self._lie(f"says optimal at {total} with a bound of {answer.bound}")
        self._check_bound(answer, total)

    def _check_bound(self, answer: Reply, total: int) -> None:
        if answer.bound is not None:
            wrong_side = answer.bound < total if self.request.sense == "max" else answer.bound > total
            if wrong_side or answer.bound != answer.bound:
                raise self._lie(f"gives the bound {answer.bound}, but {total} is better")

    def _bound(self, answer: Reply, objective: int, utility: float) -> float | None:
        """What no utility exceeds, for the weights as given; the utility itself only where that is proven."""
        proven = answer.status is Status.OPTIMAL
        if proven and not self.weights.error:
            return utility
        if answer.bound is None and not proven:
            return None
        best = Fraction(objective if proven else answer.bound or 0) / self.weights.scale
        if self.request.sense == "max":
            found = not_below(best + self.weights.error)
            return math.nextafter(utility, math.inf) if found <= utility else found
        found = not_above(best - self.weights.error)
        return math.nextafter(utility, -math.inf) if found >= utility else found
