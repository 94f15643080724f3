"""Backends: by name, which of them takes what and why not, and how several threads use one.

Discovery reads entry points and imports no solver. Whether a backend takes something is asked here by all who choose,
fall back or refuse. A refusal is data: it is found before anything is compiled, so whoever gets one can go elsewhere.
"""

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Generic, TypeVar, cast

from pcl_core import plugins
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, MissingDependencyError, PclError, RequestError, suggest
from pcl_core.model.assignment import of_type
from pcl_core.plugins import Examined, Group, Plugin
from pcl_core.solve.protocol import (
    COMMON_REACH,
    Availability,
    Backend,
    BackendContractError,
    Capability,
    KnowsItsRange,
    KnowsItsReach,
    Options,
    Prepared,
    Refusal,
    Reply,
    Request,
)

Factory = Callable[[str | None], Backend]
"""Makes a backend for the solver named after the colon, or its default."""


def backend_names() -> tuple[str, ...]:
    return plugins.names(Group.BACKENDS)


def examine_backends() -> tuple[Examined[Backend], ...]:
    """All that packages offer as backends, whether they can run here or not; what is broken has the reason."""
    return plugins.examine(Group.BACKENDS, lambda plugin: _made(plugin, None))


def find_backend(name: str) -> Backend:
    """The backend behind `name` or `name:solver`, whether it can run or not."""
    base, _, solver = of_type(name, str, "the name of a backend").partition(":")
    plugin = plugins.find(Group.BACKENDS, base)
    if plugin is None:
        known = backend_names()
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"there is no backend '{base:.60}'", suggest(base, known)))
    return _made(plugin, solver or None)


def _made(plugin: Plugin, solver: str | None) -> Backend:
    factory = cast(Factory, plugins.load(plugin))
    backend = plugins.guarded(plugin, lambda: factory(solver))
    wrong = plugins.guarded(plugin, lambda: _what_is_wrong(backend))
    if wrong is not None:
        raise plugins.broken(plugin, wrong)
    return backend


def _what_is_wrong(backend: Backend) -> str | None:
    """Why an object is no backend, as far as that shows without a problem to solve."""
    name: object = backend.name
    if not isinstance(name, str) or not name:
        return "its name is no text"
    capabilities: object = backend.capabilities
    if not isinstance(capabilities, Collection) or not all(isinstance(item, Capability) for item in capabilities):
        return "its capabilities are not a set of pcl_core.solve.protocol.Capability"
    found = backend.availability()
    if not isinstance(cast(object, found), Availability):
        return "its availability() gives no pcl_core.solve.protocol.Availability"
    words: tuple[object, ...] = (found.version, found.reason, found.fix, *found.solvers)
    if not isinstance(cast(object, found.available), bool) or not all(isinstance(word, str) for word in words):
        return "its availability() has fields of other types than Availability says"
    if not plugins.takes(backend.compile, 1):
        return "its compile cannot be called with a scope"
    return None


def get_backend(name: str) -> Backend:
    """The backend behind a name, ready to run; what is missing is said, with how to get it."""
    backend = find_backend(name)
    found = backend.availability()
    if not found.available:
        raise MissingDependencyError(
            Issue(Code.MISSING_DEPENDENCY, f"backend '{name}' cannot run: {found.reason}", found.fix)
        )
    _, _, solver = name.partition(":")
    if solver and solver not in found.solvers:
        message = f"backend '{backend.name}' has no solver '{solver:.60}'"
        raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(solver, found.solvers)))
    return backend


MAX_THREADS = 1_000
LONGEST_SECONDS = 10**9
"""A human generation; solvers refuse limits that are much longer."""


def refusal_of(backend: Backend, scope: Scope, options: Options | None = None) -> Refusal | None:
    """Why a backend does not take a scope with these options, or None: it does."""
    found = backend.availability()
    if not found.available:
        message = f"backend '{backend.name}' cannot run: {found.reason}"
        return Refusal(Code.MISSING_DEPENDENCY, message, found.fix or None)
    return refusal_of_options(backend, options or Options()) or _refusal_of_scope(backend, scope)


def refusal_of_options(backend: Backend, options: Options) -> Refusal | None:
    """The option that a backend cannot honour; it is an error, never ignored."""
    wanted = {
        Capability.TIME_LIMIT: options.time_limit,
        Capability.SEED: options.seed,
        Capability.THREADS: options.threads,
    }
    for capability, value in wanted.items():
        if value is not None and capability not in backend.capabilities:
            message = f"backend '{backend.name}' does not take the option '{capability}'"
            return Refusal(Code.UNSUPPORTED, message, "leave the option out, or choose another backend")
    return None


def _refusal_of_scope(backend: Backend, scope: Scope) -> Refusal | None:
    if not isinstance(backend, KnowsItsRange):
        return None
    found: object = backend.accepts(scope)
    if found is not None and not isinstance(found, Refusal):
        raise BackendContractError(backend.name, f"gives a {type(found).__name__} and no reason why it refuses")
    return found


def first_taker(backends: Iterable[Backend], scope: Scope, options: Options | None = None) -> Backend | None:
    """The first of several backends that takes a scope with these options."""
    return next((backend for backend in backends if refusal_of(backend, scope, options) is None), None)


def reach_of(backend: Backend, scope: Scope | None = None) -> int:
    """How large an objective may be that a backend tells apart from its neighbours: in a scope, or in all that it takes."""
    if not isinstance(backend, KnowsItsRange):
        return COMMON_REACH
    found: object = backend.reach
    if scope is not None and isinstance(backend, KnowsItsReach):
        found = backend.reach_in(scope)
    if not isinstance(found, int) or found < 1:
        raise BackendContractError(backend.name, f"has a reach of {found!r:.40}, which is no size of an objective")
    return found


def refused(refusal: Refusal) -> PclError:
    """The error for what a backend does not take."""
    kind = MissingDependencyError if refusal.code is Code.MISSING_DEPENDENCY else RequestError
    return kind(Issue(refusal.code, refusal.message, refusal.hint))


def check_options(backend: Backend, options: Options) -> None:
    """Raise what is wrong with options, for anybody or for this backend."""
    limit = options.time_limit
    if limit is not None and not (isinstance(limit, Real) and 0 < limit <= LONGEST_SECONDS):
        hint = f"at most {LONGEST_SECONDS:,}, or none"
        raise RequestError(Issue(Code.BAD_VALUE, "a time limit is a positive number of seconds", hint))
    if options.seed is not None and (not isinstance(options.seed, Integral) or options.seed < 0):
        raise RequestError(Issue(Code.BAD_VALUE, "a seed is a whole number that is not negative"))
    threads = options.threads
    if threads is not None and not (isinstance(threads, Integral) and 1 <= threads <= MAX_THREADS):
        raise RequestError(Issue(Code.BAD_VALUE, f"the number of threads is from 1 to {MAX_THREADS:,}"))
    refusal = refusal_of_options(backend, options)
    if refusal is not None:
        raise refused(refusal)


T = TypeVar("T")


class Pool(Generic[T]):
    """Whoever needs one takes a free one or makes another; there are never more than the machine has cores."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._free: list[T] = []
        self._room = threading.BoundedSemaphore(len(os.sched_getaffinity(0)))
        self.made = 0

    @contextmanager
    def one(self) -> Iterator[T]:
        """One for this thread alone. The last that was used comes first: alone, a thread always has the same."""
        with self._room:
            try:
                found = self._free.pop()
            except IndexError:
                self.made += 1
                found = self._make()
            try:
                yield found
            finally:
                self._free.append(found)


class Copies(Pool[Prepared]):
    """A prepared scope for several threads, made of copies that are for one thread each."""

    def solve(self, request: Request, options: Options) -> Reply:
        with self.one() as prepared:
            return prepared.solve(request, options)
