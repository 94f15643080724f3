"""Which backend takes what, and why not: the one answer for choosing, falling back and refusing.

A refusal is data. It is found before anything is compiled for a solver, so whoever gets one can go elsewhere.
"""

from collections.abc import Iterable
from numbers import Integral, Real

from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, MissingDependencyError, PclError, RequestError
from pcl_core.solve.protocol import (
    COMMON_REACH,
    Backend,
    BackendContractError,
    Capability,
    KnowsItsRange,
    Options,
    Refusal,
)

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


def reach_of(backend: Backend) -> int:
    """How large an objective may be that a backend tells apart from its neighbours."""
    if not isinstance(backend, KnowsItsRange):
        return COMMON_REACH
    found: object = backend.reach
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
