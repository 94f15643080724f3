"""The oracle: the only caller of backends. What they say is judged (`judge.py`) before anybody hears of it.

It turns weights into integers, keeps compiled scopes, and keeps the current configuration where nothing is better: an
unchanged subutility gives an unchanged part.
"""

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pcl_core.compile.pipeline import ContextEvaluator, Scope, scope_of
from pcl_core.errors import Code, Issue, MissingDependencyError, PclError, RequestError
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.model.evaluation import FeatureMap
from pcl_core.model.problem import Problem
from pcl_core.plugins import takes
from pcl_core.solve.asking import (
    asked,
    check_names,
    check_own,
    check_values,
    read_floor,
    read_sense,
    read_weights,
    refuse_unsupported,
)
from pcl_core.solve.check import Checker
from pcl_core.solve.judge import Judge, Solution
from pcl_core.solve.protocol import (
    Backend,
    BackendContractError,
    Options,
    Prepared,
    Refusal,
    Request,
    Sense,
    reach_of,
    refusal_of,
)
from pcl_core.solve.registry import examine_backends, get_backend
from pcl_core.solve.weights import IntegerWeights, Quantiser

MAX_SCOPES = 1_000
FOR_PROOFS = "auto"
"""What must be decided exactly is given to this backend where another one would have to round."""


@dataclass
class _Kept:
    """A scope with all that is needed to solve it again."""

    scope: Scope
    prepared: Prepared
    checker: Checker
    context: ContextEvaluator
    quantiser: Quantiser
    features: npt.NDArray[np.intp]
    names: frozenset[str]
    outside: tuple[AnyVariable, ...]
    """The variables of the context that matter."""


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
    _exact: "Oracle | None" = field(default=None, repr=False)

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
        floor: float | Fraction | None = None,
        incumbent: Mapping[str, Value] | None = None,
        fixed: Mapping[str, Value] | None = None,
        exact: bool = False,
    ) -> Solution:
        """Optimise the weighted features over `variables` (all by default) in the context `given`.

        `weights` has an entry for each feature of the problem; `features` restricts which count, `constraints`
        which must hold. `incumbent` is kept if it is as good as the best. `floor` asks for at least this utility.
        `exact` forbids rounding: weights that are beyond the range of the backend are given to `auto`.
        """
        started = time.perf_counter()
        everything = read_weights(weights, len(self.problem.features))
        read_sense(sense)
        kept = self._scope(variables, features, constraints)
        integers = kept.quantiser(everything[kept.features], reach_of(self.backend))
        if exact and integers.error:
            return self._for_proofs().solve(
                weights,
                variables=variables,
                given=given,
                features=features,
                constraints=constraints,
                sense=sense,
                floor=floor,
                incumbent=incumbent,
                fixed=fixed,
                exact=True,
            )
        context = self._context(kept, given or {})
        own = {v.name: incumbent[v.name] for v in kept.scope.variables if v.name in incumbent} if incumbent else {}
        if fixed:
            check_own(kept.names, fixed)
            check_values(kept.scope.variables, fixed)
        check_values(kept.scope.variables, own)
        request = Request(
            integers.integers,
            sense,
            kept.context(context),
            dict(fixed or {}),
            None if floor is None else _floor(read_floor(floor), integers),
            own,
        )
        with asked(self.backend):
            answer = kept.prepared.solve(request, self.options)
        judge = Judge(self.backend.name, kept.scope, kept.checker, request, context, integers)
        return replace(judge.solution(answer), seconds=time.perf_counter() - started)

    def _for_proofs(self) -> "Oracle":
        """The same problem on the backend that takes weights of any size."""
        if self.backend.name == FOR_PROOFS:
            message = "the weights and features are too far apart in size to be compared exactly"
            raise RequestError(Issue(Code.NUMBERS_OUT_OF_RANGE, message, "use smaller or fewer-digit weights"))
        if self._exact is None:
            self._exact = Oracle(self.problem, get_backend(FOR_PROOFS), self.options)
        return self._exact

    def violated(
        self, configuration: Mapping[str, Value], *, variables: Collection[str], features: Sequence[int]
    ) -> tuple[str, ...]:
        """The constraints on `variables` that a complete configuration breaks; the scope is one that is solved."""
        kept = self._scope(variables, features, None)
        _, satisfied = kept.checker.evaluate([configuration], kept.context(configuration))
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
            check_names(self.problem, own, wanted, constraints)
            scope = scope_of(self.problem, own, wanted, constraints)
            with asked(self.backend):
                refused = refusal_of(self.backend, scope)
            if refused is not None:
                raise _refused(scope, refused)
            with asked(self.backend):
                prepared = self.backend.compile(scope)
            if not takes(getattr(prepared, "solve", None), 2):
                raise BackendContractError(self.backend.name, "compiles to what cannot solve a request with options")
            context = ContextEvaluator(self.problem, scope)
            self._scopes[key] = _Kept(
                scope,
                prepared,
                Checker(self.problem, scope),
                context,
                Quantiser(scope.feature_facts),
                np.array(scope.features, dtype=np.intp),
                frozenset(variable.name for variable in scope.variables),
                tuple(self.problem.symbols.variables[name] for name in context.variables),
            )
        return self._scopes[key]

    def _context(self, kept: _Kept, given: Mapping[str, Value]) -> Mapping[str, Value]:
        everything = self.problem.symbols.variables
        if len(given) != len(everything):  # else a whole configuration, as the learner gives it
            missing = everything.keys() - kept.names - given.keys()
            if missing:
                message = f"the context has no value for {len(missing)} variables, such as '{min(missing)}'"
                raise RequestError(Issue(Code.BAD_CONFIGURATION, message, "give all variables outside the part"))
        check_values(kept.outside, given)
        return given


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


def _floor(floor: Fraction, weights: IntegerWeights) -> int:
    """The floor in integers, lowered by what rounding the weights may cost, so nothing above it is cut off.

    What no configuration can fail, or reach, is as near to what they can have as says the same.
    """
    least = math.ceil((floor - weights.error) * weights.scale)
    return max(-weights.most, min(least, weights.most + 1))
