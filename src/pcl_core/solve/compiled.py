"""The scopes of a problem as one backend compiled them: what all oracles on that problem and backend have in common.

Nothing in here belongs to one solve. A scope is compiled by whoever asks first while others wait for it; afterwards it
is only read. What a solver changes while it solves is the backend's to keep apart (`Capability.SHARED`).
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from pcl_core.compile.pipeline import ContextEvaluator, Scope, scope_of
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.ir.evaluate import Evaluation, Result
from pcl_core.ir.nodes import Node
from pcl_core.ir.numbers import from_fraction, scaled
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.model.evaluation import FeatureMap
from pcl_core.model.problem import Problem
from pcl_core.plugins import takes
from pcl_core.solve.asking import Domains, Quantiser, asked, check_names
from pcl_core.solve.protocol import Backend, BackendContractError, Capability, Prepared, Refusal
from pcl_core.solve.registry import examine_backends, first_taker, get_backend, reach_of, refusal_of

AskedFor = TypeVar("AskedFor")
Held = TypeVar("Held")

ROOM = 400_000
"""The size of all compiled scopes that are kept, in registers. With what a solver keeps, one takes two to six kilobytes."""


def size_of(scope: Scope) -> int:
    """In registers."""
    return len(scope.registers.registers.items)


class RecentItems(Generic[AskedFor, Held]):
    """Items of different sizes, together no larger than the room for them. The last one stays, whatever its size."""

    def __init__(self) -> None:
        self._items: OrderedDict[AskedFor, tuple[Held, int]] = OrderedDict()
        self._size, self._lock = 0, threading.Lock()

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: AskedFor) -> Held | None:
        with self._lock:
            found = self._items.get(key)
            if found is None:
                return None
            self._items.move_to_end(key)
            return found[0]

    def put(self, key: AskedFor, item: Held, size: int) -> None:
        with self._lock:
            self._size += size - self._items.pop(key, (item, 0))[1]
            self._items[key] = (item, size)
            while self._size > ROOM and len(self._items) > 1:
                _, (_, gone) = self._items.popitem(last=False)
                self._size -= gone


class Checker:
    """Features and constraints of an answer of one scope, by meaning and not by what a solver says.

    Every answer is evaluated over the scope's own variables and the context's values. The first answer of a scope is
    also evaluated by the reference evaluator on the problem as it was written: a scope whose expressions lost their
    meaning while being compiled cannot be used at all. Of sums over hundreds of things it takes the scope's own terms.
    """

    def __init__(self, problem: Problem, scope: Scope) -> None:
        self._problem, self._scope = problem, scope
        self._evaluator = VectorEvaluator(scope.registers.registers, scope.registers.roots)
        self._trusted = False

    def evaluate(
        self, configurations: Sequence[Mapping[str, Value]], context: Mapping[str, Value]
    ) -> list[tuple[list[int], list[bool]]]:
        """For each configuration its features in units, and which constraints hold."""
        count = len(self._scope.features)
        values = self._evaluator.few([{**x, **context} for x in configurations])
        found = [(numbers[:count], [number != 0 for number in numbers[count:]]) for numbers in values]
        if not self._trusted:
            self._compare_with_the_reference(configurations[0], context, *found[0])
            self._trusted = True
        return found

    def _compare_with_the_reference(
        self, configuration: Mapping[str, Value], context: Mapping[str, Value], units: list[int], satisfied: list[bool]
    ) -> None:
        problem, scope = self._problem, self._scope
        evaluation = _OfScope(problem, scope, configuration, context)
        expected = [
            scaled(from_fraction(evaluation.number(problem.features[index].value)), facts.places)
            for index, facts in zip(scope.features, scope.feature_facts, strict=True)
        ]
        holds = [evaluation.truth(problem.constraints[index].require) for index in scope.constraints]
        if units != expected or satisfied != holds:
            raise AssertionError("a compiled scope does not mean what the problem says")


class _OfScope(Evaluation):
    """The reference, but for what others contribute to long sums: that is the context's value, which took all of it."""

    def __init__(
        self, problem: Problem, scope: Scope, configuration: Mapping[str, Value], context: Mapping[str, Value]
    ) -> None:
        super().__init__(problem.symbols, configuration)
        self._long_sums = problem.long_sums
        self._others: dict[int, tuple[Node | None, Fraction]] = {}
        for value in scope.context:
            long = self._long_sums.of(value.node)
            if long is not None:
                rest = Fraction(int(context[value.variable.name]), 10**value.places)
                self._others[long.number] = (value.less, rest)

    def value(self, node: Node) -> Result:
        long = self._long_sums.of(node)
        if long is None or long.number not in self._others:
            return super().value(node)
        own, rest = self._others[long.number]
        return rest if own is None else self.number(own) + rest


@dataclass(frozen=True)
class CompiledScope:
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


class Compiled:
    """One problem on one backend. Any number of threads may use it."""

    def __init__(
        self,
        problem: Problem,
        backend: Backend,
        turn: AbstractContextManager[object] | None = None,
        wider: "Compiled | None" = None,
    ) -> None:
        """`turn` is held while the backend is called: by default nothing, if it is for several threads, or a lock.

        `wider` is of the problem without its last constraints: scopes that these do not touch are shared with it.
        """
        self.problem, self.backend, self._wider = problem, backend, wider
        self.compilations = 0
        """How many scopes were compiled so far."""
        self._scopes = RecentItems[object, CompiledScope | Refusal]()
        self._beside: dict[object, Compiled] = {}
        self.seen = RecentItems[frozenset[str], tuple[Compiled, ContextEvaluator]]()
        """The problem as some variables see it, for those that were asked about lately (`seen.py`)."""
        self.kept: tuple[object, ...] = ()
        """What else was made of the problem and shall last as long as this."""
        shared = Capability.SHARED in backend.capabilities
        self._turn = turn or (nullcontext() if shared else threading.RLock())
        _ = problem.long_sums  # every scope needs them; the first should not wait for all others

    @classmethod
    def of(cls, problem: Problem, name: str) -> "Compiled":
        """The one that is in use on this problem and backend, or a new one."""
        backend = get_backend(name)
        return problem.shared.get((cls, type(backend), name), lambda: cls(problem, backend))

    @cached_property
    def features(self) -> FeatureMap:
        """φ, ready to be computed."""
        return FeatureMap(self.problem) if self._wider is None else self._wider.features

    @cached_property
    def domains(self) -> Domains:
        return Domains(self.problem.variables)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Meanwhile the backend may be called: by this thread alone, where it is not for several."""
        with self._turn, asked(self.backend):
            yield

    def derived(self, make: Callable[[Problem], Problem]) -> "Compiled":
        """The same backend on a problem made from this one; it is made once, and kept."""
        return self._kept_beside(make, lambda: self.beside(make(self.problem)))

    def beside(self, problem: Problem) -> "Compiled":
        """The same backend on another problem."""
        return Compiled(problem, self.backend, self._turn)

    def restricted(self, problem: Problem) -> "Compiled":
        """The same backend on this problem with further constraints after its own, and all else as it is."""
        return Compiled(problem, self.backend, self._turn, self)

    def on(self, backend: str) -> "Compiled":
        """The same problem on another backend, for what this one does not take; it is kept."""
        return self._kept_beside(backend, lambda: Compiled.of(self.problem, backend))

    def _kept_beside(self, key: object, make: Callable[[], "Compiled"]) -> "Compiled":
        with self.problem.shared.lock:
            if key not in self._beside:
                self._beside[key] = make()
            return self._beside[key]

    def scope(
        self, variables: Collection[str] | None, features: Sequence[int] | None, constraints: Sequence[int] | None
    ) -> CompiledScope | Refusal:
        """A scope, compiled, or why the backend does not take it."""
        own = frozenset(self.problem.symbols.variables if variables is None else variables)
        wanted = tuple(range(len(self.problem.features))) if features is None else tuple(features)
        if self._wider is not None and constraints is None and self._adds_nothing_on(own, self._wider):
            return self._wider.scope(own, wanted, None)
        key = (own, wanted, None if constraints is None else tuple(constraints))
        found = self._scopes.get(key)
        if found is None:
            with self.problem.shared.lock:
                found = self._scopes.get(key)
                if found is None:
                    check_names(self.problem, own, wanted, constraints)
                    found = self._compiled(scope_of(self.problem, own, wanted, constraints))
                    self._scopes.put(key, found, 1 if isinstance(found, Refusal) else size_of(found.scope))
        return found

    def known(self, variables: Collection[str], features: Sequence[int]) -> CompiledScope | None:
        """A scope, if somebody had it compiled."""
        own = frozenset(variables)
        if self._wider is not None and self._adds_nothing_on(own, self._wider):
            return self._wider.known(own, features)
        found = self._scopes.get((own, tuple(features), None))
        return found if isinstance(found, CompiledScope) else None

    def _adds_nothing_on(self, own: frozenset[str], wider: "Compiled") -> bool:
        """Whether the last constraints do not touch these variables."""
        return self.problem.constraints_on(own) == wider.problem.constraints_on(own)

    def _compiled(self, scope: Scope) -> CompiledScope | Refusal:
        with self.asking():
            refusal = refusal_of(self.backend, scope)
        if refusal is not None:
            return refusal if refusal.hint else replace(refusal, hint=_who_else(scope))
        with self.asking():
            prepared = self.backend.compile(scope)
        if not takes(getattr(prepared, "solve", None), 2):
            raise BackendContractError(self.backend.name, "compiles to what cannot solve a request with options")
        self.compilations += 1
        context = ContextEvaluator(self.problem, scope)
        with self.asking():
            reach = reach_of(self.backend, scope)
        return CompiledScope(
            scope,
            prepared,
            Checker(self.problem, scope),
            context,
            Quantiser(scope.feature_facts, reach),
            np.array(scope.features, dtype=np.intp),
            frozenset(variable.name for variable in scope.variables),
            tuple(self.problem.symbols.variables[name] for name in context.variables),
        )


def _who_else(scope: Scope) -> str | None:
    """The backends that take a scope, as advice."""
    installed = {it.plugin.name: it.made for it in examine_backends() if it.made is not None}
    takers = [name for name, backend in installed.items() if first_taker([backend], scope)]
    return f"use backend {', or '.join(repr(name) for name in takers)}" if takers else None
