"""The oracle: the only caller of backends. What they say is judged (`judge.py`) before anybody hears of it.

It turns weights into integers, and keeps the current configuration where nothing is better: an
unchanged subutility gives an unchanged part.
"""

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pcl_core.compile.context import unused_prefix
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.model.elements import Constraint, Part
from pcl_core.model.evaluation import FeatureMap, broken_at
from pcl_core.model.problem import Problem
from pcl_core.solve.asking import IntegerWeights, check_own, check_values, read_floor, read_sense, read_weights
from pcl_core.solve.compiled import Compiled, CompiledScope
from pcl_core.solve.judge import Judge, Solution
from pcl_core.solve.protocol import Backend, Options, Refusal, Request, Sense
from pcl_core.solve.registry import check_options, reach_of, refused

FOR_PROOFS = "auto"
"""What must be decided exactly, or as a whole, is given to this backend where another one does not take it."""

FEW = 100
"""Values of a context that are looked at one by one."""


class Oracle:
    """Solves scopes of one problem with one backend. Any number of threads may ask it at once.

    Oracles on the same problem object and backend share what is compiled, whatever their options: with `Oracle.of` all
    that are in use do. One that is made from a backend object compiles for itself, unless it is given what is `compiled`.
    """

    def __init__(
        self, problem: Problem, backend: Backend, options: Options | None = None, compiled: Compiled | None = None
    ) -> None:
        self.problem, self.backend, self.options = problem, backend, options or Options()
        self.compiled = compiled or Compiled(problem, backend)
        check_options(backend, self.options)

    @classmethod
    def of(cls, problem: Problem, backend: str = "auto", options: Options | None = None) -> "Oracle":
        return cls._on(Compiled.of(problem, backend), options)

    @classmethod
    def _on(cls, compiled: Compiled, options: Options | None) -> "Oracle":
        return cls(compiled.problem, compiled.backend, options, compiled)

    @property
    def features(self) -> FeatureMap:
        """φ, ready to be computed; whoever shares what is compiled shares it."""
        return self.compiled.features

    def derived(self, make: Callable[[Problem], Problem]) -> "Oracle":
        """The oracle of a problem made from this one's, on the same backend; what it compiles is kept."""
        return self._on(self.compiled.derived(make), self.options)

    def restricted(self, problem: Problem) -> "Oracle":
        """The oracle of this one's problem with further constraints after its own; what these do not touch is shared."""
        return self._on(self.compiled.restricted(problem), self.options)

    def taking(self, variables: Collection[str] | None = None, features: Sequence[int] | None = None) -> "Oracle":
        """This oracle if its backend takes a scope; else one of the same problem that does, if there is one."""
        if isinstance(self.compiled.scope(variables, features, None), CompiledScope):
            return self
        other = self._on(self.compiled.on(FOR_PROOFS), self.options)
        return other if isinstance(other.compiled.scope(variables, features, None), CompiledScope) else self

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
        integers = kept.quantiser(everything[kept.features])
        if exact and integers.error:
            return self._for_proofs(kept).solve(
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
        if own:
            check_values(kept.scope.variables, own)
        request = Request(
            integers.integers,
            sense,
            kept.context(context),
            dict(fixed or {}),
            None if floor is None else _floor(read_floor(floor), integers),
            own,
        )
        with self.compiled.asking():
            answer = kept.prepared.solve(request, self.options)
        judge = Judge(self.backend.name, kept.scope, kept.checker, request, context, integers)
        return judge.solution(answer, started)

    def _for_proofs(self, kept: CompiledScope) -> "Oracle":
        """The same problem on the backend that takes weights of any size, if it does in this scope."""
        other = self._on(self.compiled.on(FOR_PROOFS), self.options)
        if reach_of(other.backend, kept.scope) <= reach_of(self.backend, kept.scope):
            message = "the weights and features are too far apart in size to be compared exactly"
            raise RequestError(Issue(Code.NUMBERS_OUT_OF_RANGE, message, "use smaller or fewer-digit weights"))
        return other

    def violated(
        self, configuration: Mapping[str, Value], *, variables: Collection[str], features: Sequence[int]
    ) -> tuple[str, ...]:
        """The constraints on `variables` that a complete configuration breaks.

        A scope that is solved knows them at once. For looking at one configuration nothing is compiled.
        """
        kept = self.compiled.known(variables, features)
        if kept is None:
            broken = broken_at(self.problem, configuration, self.problem.constraints_on(variables))
        else:
            [(_, satisfied)] = kept.checker.evaluate([configuration], kept.context(configuration))
            required = zip(kept.scope.constraints, satisfied, strict=True)
            broken = (position for position, holds in required if not holds)
        return tuple(self.problem.constraints[position].name for position in broken)

    def _scope(
        self, variables: Collection[str] | None, features: Sequence[int] | None, constraints: Sequence[int] | None
    ) -> CompiledScope:
        found = self.compiled.scope(variables, features, constraints)
        if isinstance(found, Refusal):
            raise refused(found)
        return found

    def _context(self, kept: CompiledScope, given: Mapping[str, Value]) -> Mapping[str, Value]:
        everything = self.problem.symbols.variables
        if len(given) != len(everything):  # else a whole configuration, as the learner gives it
            missing = everything.keys() - kept.names - given.keys()
            if missing:
                message = f"the context has no value for {len(missing)} variables, such as '{min(missing)}'"
                raise RequestError(Issue(Code.BAD_CONFIGURATION, message, "give all variables outside the part"))
        if len(kept.outside) <= FEW or len(given) != len(everything) or not self.compiled.domains.hold(given):
            check_values(kept.outside, given)
        return given


def _floor(floor: Fraction, weights: IntegerWeights) -> int:
    """The floor in integers, lowered by what rounding the weights may cost, so nothing above it is cut off.

    What no configuration can fail, or reach, is as near to what they can have as says the same.
    """
    least = math.ceil((floor - weights.error) * weights.scale)
    return max(-weights.most, min(least, weights.most + 1))


def free_prefix(problem: Problem) -> str:
    """A start for names that nothing in the problem has."""
    return unused_prefix([item.name for item in (*problem.variables, *problem.constraints, *problem.parts)])


def with_context(problem: Problem, variables: Sequence[AnyVariable], constraints: Sequence[Constraint]) -> Problem:
    """The problem with more variables, all in a part of their own, and more constraints, which may mention them.

    Their values are given with each solve, so one compiled scope answers many questions.
    """
    context = Part(name=f"{free_prefix(problem)}context", variables=tuple(variable.name for variable in variables))
    return problem.replace(
        variables=(*problem.variables, *variables),
        constraints=(*problem.constraints, *constraints),
        parts=(*problem.parts, context),
        initial=None,
        shared_only="allow",
    )
