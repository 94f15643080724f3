"""The oracle: the only caller of backends, and the judge of what they say.

It turns weights into integers, keeps compiled scopes, evaluates every answer with the problem's own meaning, and
keeps the current configuration where nothing is better: an unchanged subutility gives an unchanged part.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pcl_core.compile.pipeline import Scope, scope_of
from pcl_core.errors import Code, Issue, MissingDependencyError, PclError, RequestError
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import FeatureMap
from pcl_core.model.problem import Problem
from pcl_core.plugins import takes
from pcl_core.solve.check import Checker
from pcl_core.solve.protocol import (
    Answer,
    Backend,
    BackendContractError,
    Capability,
    Options,
    Prepared,
    Reason,
    Refusal,
    Request,
    Sense,
    Status,
    refusal_of,
)
from pcl_core.solve.registry import examine_backends, get_backend
from pcl_core.solve.weights import IntegerWeights, Quantiser

MAX_SCOPES = 1_000
MAX_THREADS = 1_000


@dataclass(frozen=True)
class Solution:
    """A checked outcome. `utility` is Σ w·φ of the configuration, with the weights as they were given."""

    status: Status
    reason: Reason
    configuration: Configuration | None
    utility: float | None
    bound: float | None
    """No configuration of the scope has a better utility; equal to `utility` where that is proven best."""
    objective: int | None
    """The utility in the integers that all backends share, at 10^-places."""
    places: int
    backend: str
    seconds: float
    kept: bool = False
    """Whether the incumbent was kept because nothing is better."""


@dataclass
class _Kept:
    """A scope with all that is needed to solve it again."""

    scope: Scope
    prepared: Prepared
    checker: Checker
    quantiser: Quantiser
    units: npt.NDArray[np.float64]
    features: npt.NDArray[np.intp]
    names: frozenset[str]


@dataclass
class Oracle:
    """Solves scopes of one problem with one backend."""

    problem: Problem
    backend: Backend
    options: Options = field(default_factory=Options)
    _scopes: dict[tuple[frozenset[str], tuple[int, ...], tuple[int, ...] | None], _Kept] = field(
        default_factory=dict, repr=False
    )

    _derived: dict[Callable[[Problem], Problem], "Oracle"] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        _ = self.problem.feature_facts  # every scope needs them, and the first should not wait for all others

    @cached_property
    def features(self) -> FeatureMap:
        """φ, ready to be computed; whoever shares the oracle shares what it prepared."""
        return FeatureMap(self.problem)

    @classmethod
    def of(cls, problem: Problem, backend: str = "auto", options: Options | None = None) -> "Oracle":
        oracle = cls(problem, get_backend(backend), options or Options())
        refuse_unsupported(oracle.backend, oracle.options)
        return oracle

    def derived(self, make: Callable[[Problem], Problem]) -> "Oracle":
        """The oracle of a problem made from this one's, on the same backend; it is made once, and kept."""
        if make not in self._derived:
            self._derived[make] = Oracle(make(self.problem), self.backend, self.options)
        return self._derived[make]

    def solve(
        self,
        weights: npt.NDArray[np.float64] | Sequence[float],
        *,
        variables: Collection[str] | None = None,
        given: Mapping[str, Value] | None = None,
        features: Sequence[int] | None = None,
        constraints: Sequence[int] | None = None,
        sense: Sense = "max",
        floor: float | None = None,
        incumbent: Mapping[str, Value] | None = None,
        fixed: Mapping[str, Value] | None = None,
    ) -> Solution:
        """Optimise the weighted features over `variables` (all by default) in the context `given`.

        `weights` has an entry for each feature of the problem; `features` restricts which count, `constraints`
        which must hold. `incumbent` is kept if it is as good as the best. `floor` asks for at least this utility.
        """
        started = time.perf_counter()
        everything = np.asarray(weights, dtype=np.float64)
        if everything.shape != (len(self.problem.features),):
            message = f"expected {len(self.problem.features)} weights, got {everything.size}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "give one for each feature, in their order"))
        kept = self._scope(variables, features, constraints)
        chosen = everything[kept.features]
        integers = kept.quantiser(chosen)
        context = self._context(kept, given or {})
        request = Request(
            integers.integers,
            sense,
            tuple(kept.scope.context_values(context).tolist()),
            dict(fixed or {}),
            None if floor is None else _floor(floor, integers),
            {v.name: incumbent[v.name] for v in kept.scope.variables if v.name in incumbent} if incumbent else {},
        )
        answer = kept.prepared.solve(request, self.options)
        return self._judged(kept, request, answer, context, chosen, integers, started)

    def violated(
        self, configuration: Mapping[str, Value], *, variables: Collection[str], features: Sequence[int]
    ) -> tuple[str, ...]:
        """The constraints on `variables` that a complete configuration breaks; the scope is one that is solved."""
        kept = self._scope(variables, features, None)
        context = tuple(kept.scope.context_values(configuration).tolist())
        _, satisfied = kept.checker.evaluate([configuration], context)
        broken = np.flatnonzero(~satisfied[:, 0]).tolist()
        return tuple(self.problem.constraints[kept.scope.constraints[position]].name for position in broken)

    def _scope(
        self, variables: Collection[str] | None, features: Sequence[int] | None, constraints: Sequence[int] | None
    ) -> _Kept:
        own = frozenset(self.problem.symbols.variables if variables is None else variables)
        wanted = tuple(range(len(self.problem.features))) if features is None else tuple(features)
        key = (own, wanted, None if constraints is None else tuple(constraints))
        if key not in self._scopes:
            if len(self._scopes) >= MAX_SCOPES:
                self._scopes.pop(next(iter(self._scopes)))
            scope = scope_of(self.problem, own, wanted, constraints)
            refused = refusal_of(self.backend, scope)
            if refused is not None:
                raise _refused(scope, refused)
            prepared = self.backend.compile(scope)
            if not takes(getattr(prepared, "solve", None), 2):
                raise BackendContractError(self.backend.name, "compiles to what cannot solve a request with options")
            self._scopes[key] = _Kept(
                scope,
                prepared,
                Checker(scope),
                Quantiser([self.problem.feature_facts[index] for index in scope.features]),
                10.0 ** -np.array(scope.feature_places, dtype=np.float64),
                np.array(scope.features, dtype=np.intp),
                frozenset(variable.name for variable in scope.variables),
            )
        return self._scopes[key]

    def _context(self, kept: _Kept, given: Mapping[str, Value]) -> Mapping[str, Value]:
        everything = self.problem.symbols.variables
        if len(given) == len(everything):  # a whole configuration, as the learner gives it: nothing to look for
            return given
        missing = everything.keys() - kept.names - given.keys()
        if missing:
            message = f"the context has no value for {len(missing)} variables, such as '{min(missing)}'"
            raise RequestError(Issue(Code.BAD_CONFIGURATION, message, "give all variables outside the part"))
        return given

    def _judged(
        self,
        kept: _Kept,
        request: Request,
        answer: Answer,
        context: Mapping[str, Value],
        weights: npt.NDArray[np.float64],
        integers: IntegerWeights,
        started: float,
    ) -> Solution:
        """The answer as a solution, once everything it says has been checked."""
        name = self.backend.name
        if not isinstance(answer, Answer):
            raise BackendContractError(name, f"gives a {type(answer).__name__} and no answer")
        if answer.values is None:
            if answer.status in (Status.OPTIMAL, Status.FEASIBLE):
                raise BackendContractError(name, f"says {answer.status} but gives no values")
            if answer.status is Status.INFEASIBLE and answer.reason is not Reason.PROVED:
                raise BackendContractError(name, f"says infeasible after stopping for {answer.reason}")
            seconds = time.perf_counter() - started
            return Solution(answer.status, answer.reason, None, None, None, None, integers.places, name, seconds)
        if answer.status in (Status.INFEASIBLE, Status.UNKNOWN):
            raise BackendContractError(name, f"says {answer.status} but gives values")
        values = self._values(kept.scope, request, answer)
        configuration = {**context, **values}
        candidates = [configuration]
        hinted = bool(request.hint) and len(request.hint) == len(kept.scope.variables)
        chosen, is_kept = 0, hinted and values == request.hint
        if hinted and not is_kept:
            candidates.append({**context, **request.hint})
        units, satisfied = kept.checker.evaluate(candidates, request.context)
        totals = np.array(request.weights, dtype=np.int64) @ units
        self._check(request, answer, int(totals[0]), bool(satisfied[:, 0].all()))
        if len(candidates) == 2 and satisfied[:, 1].all() and _within(request, candidates[1], int(totals[1])):
            better = int(totals[1]) - int(totals[0]) if request.sense == "max" else int(totals[0]) - int(totals[1])
            if better > 0 and answer.status is Status.OPTIMAL:
                raise BackendContractError(name, "says optimal, but the current configuration is better")
            if better >= 0:
                chosen, is_kept = 1, True
        utility = float(weights @ (units[:, chosen] * kept.units))
        return Solution(
            answer.status,
            answer.reason,
            candidates[chosen],
            utility,
            self._bound(answer, request, integers, utility),
            int(totals[chosen]),
            integers.places,
            name,
            time.perf_counter() - started,
            is_kept,
        )

    def _values(self, scope: Scope, request: Request, answer: Answer) -> dict[str, Value]:
        """The answer's values, if each own variable has one from its domain and fixed ones are as asked."""
        assert answer.values is not None
        values: dict[str, Value] = {}
        for variable in scope.variables:
            value = answer.values.get(variable.name)
            if value is None or not variable.holds(value):
                raise BackendContractError(self.backend.name, f"gives '{variable.name}' the value {value!r:.60}")
            if variable.name in request.fixed and request.fixed[variable.name] != value:
                raise BackendContractError(self.backend.name, f"changes the fixed variable '{variable.name}'")
            values[variable.name] = value
        return values

    def _check(self, request: Request, answer: Answer, total: int, feasible: bool) -> None:
        name = self.backend.name
        if not feasible:
            raise BackendContractError(name, "gives values that violate a hard constraint")
        if answer.objective != total:
            raise BackendContractError(name, f"claims the objective {answer.objective}, but it is {total}")
        if request.floor is not None and total < request.floor:
            raise BackendContractError(name, f"gives values below the floor: {total} < {request.floor}")
        if answer.status is Status.OPTIMAL:
            if answer.reason is not Reason.PROVED:
                raise BackendContractError(name, f"says optimal after stopping for {answer.reason}")
            if answer.bound is not None and answer.bound != total:
                raise BackendContractError(name, f"says optimal at {total} with a bound of {answer.bound}")
        if answer.bound is not None:
            wrong_side = answer.bound < total if request.sense == "max" else answer.bound > total
            if wrong_side or answer.bound != answer.bound:
                raise BackendContractError(name, f"gives the bound {answer.bound}, but {total} is better")

    def _bound(self, answer: Answer, request: Request, integers: IntegerWeights, utility: float) -> float | None:
        if answer.status is Status.OPTIMAL:
            return utility
        if answer.bound is None:
            return None
        slack = integers.error if request.sense == "max" else -integers.error
        return (answer.bound + slack) / integers.scale


def _refused(scope: Scope, refusal: Refusal) -> PclError:
    """The error for a scope that a backend does not take, with the backends that do."""
    hint = refusal.hint
    if hint is None:
        takers = [it.plugin.name for it in examine_backends() if it.made is not None and _takes(it.made, scope)]
        hint = f"use backend {', or '.join(repr(name) for name in takers)}" if takers else None
    kind = MissingDependencyError if refusal.code is Code.MISSING_DEPENDENCY else RequestError
    return kind(Issue(refusal.code, refusal.message, hint))


def _takes(backend: Backend, scope: Scope) -> bool:
    return backend.availability().available and refusal_of(backend, scope) is None


def _within(request: Request, configuration: Mapping[str, Value], total: int) -> bool:
    """Whether a configuration respects the request's floor and fixed variables."""
    if request.floor is not None and total < request.floor:
        return False
    return all(configuration[name] == value for name, value in request.fixed.items())


def _floor(floor: float, integers: IntegerWeights) -> int:
    """The floor in integers, lowered by what rounding the weights may cost, so nothing above it is cut off."""
    if not np.isfinite(floor):
        raise RequestError(Issue(Code.NOT_FINITE, "the floor is not a finite number"))
    exact = floor * integers.scale
    slack = integers.error + 1e-9 * max(1.0, abs(exact))
    return int(np.ceil(exact - slack))


def refuse_unsupported(backend: Backend, options: Options) -> None:
    """An option that a backend cannot honour is an error, never ignored."""
    asked = {
        Capability.TIME_LIMIT: options.time_limit,
        Capability.SEED: options.seed,
        Capability.THREADS: options.threads,
    }
    for capability, value in asked.items():
        if value is not None and capability not in backend.capabilities:
            message = f"backend '{backend.name}' does not take the option '{capability}'"
            raise RequestError(Issue(Code.UNSUPPORTED, message, "leave the option out, or choose another backend"))
    if options.time_limit is not None and not options.time_limit > 0:
        raise RequestError(Issue(Code.BAD_VALUE, "a time limit is a positive number of seconds"))
    if options.threads is not None and not 1 <= options.threads <= MAX_THREADS:
        raise RequestError(Issue(Code.BAD_VALUE, f"the number of threads is from 1 to {MAX_THREADS:,}"))
