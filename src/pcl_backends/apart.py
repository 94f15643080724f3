"""`apart`: any backend in a process of its own, which is ended when time is up and whose death is a status.

`apart:cvxpy:scip` is the backend `cvxpy:scip`, apart. The process is started once for a backend and kept; a scope is sent
once, requests after it.
"""

import itertools
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from pcl_backends.child import Child, ChildDied, ChildLate
from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, PclError, RequestError
from pcl_core.ir.domains import Value
from pcl_core.solve.protocol import (
    Answer,
    Availability,
    Backend,
    BackendContractError,
    Capability,
    Options,
    Prepared,
    Reason,
    Refusal,
    Request,
    Status,
    reach_of,
    refusal_of,
)
from pcl_core.solve.registry import backend_names, find_backend

START = 0.3
"""Seconds beyond a limit that a solver gets back of what it takes to start the process and to build the model."""
GRACE = 0.8
"""Seconds beyond a limit after which the process is ended."""


class ApartBackend:
    """Another backend, in a process of its own."""

    name = "apart"

    def __init__(self, solver: str | None = None) -> None:
        self._inner_name = solver or "auto"
        if self._inner_name.partition(":")[0] == self.name:
            raise RequestError(Issue(Code.UNKNOWN_OPTION, "backend 'apart' cannot be apart from itself"))
        self._inner: Backend = find_backend(self._inner_name)
        self._workshop = Workshop(self._inner_name)

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What the other one has, and a time limit in any case."""
        return self._inner.capabilities | {Capability.TIME_LIMIT}

    def availability(self) -> Availability:
        found = self._inner.availability()
        names = dict.fromkeys((*(name for name in backend_names() if name != self.name), self._inner_name))
        version = f"{self._inner_name}, in a process of its own"
        return Availability(found.available, version, tuple(names), found.reason, found.fix)

    @property
    def reach(self) -> int:
        return reach_of(self._inner)

    def accepts(self, scope: Scope) -> Refusal | None:
        return refusal_of(self._inner, scope)

    def compile(self, scope: Scope) -> Prepared:
        return self._workshop.prepared(scope)

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        """The other backend's conflict, where it finds one in time."""
        return self._workshop.conflict(scope, context, options)


class Workshop:
    """The process of one backend, and what is asked of it."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._child = Child(backend)
        self._lock = threading.Lock()
        self._keys = itertools.count()

    def prepared(self, scope: Scope) -> "PreparedApart":
        with self._lock:
            self._child.ensure()  # it can import while the scope is got ready here
        return PreparedApart(self, next(self._keys), scope)

    def solve(self, prepared: "PreparedApart", request: Request, options: Options) -> Answer:
        began, limit = time.monotonic(), options.time_limit
        until = None if limit is None else began + limit + START
        with self._lock:
            self._child.ensure()
            known = prepared.sent == self._child.started
            try:
                reply: tuple[Any, ...] = ("missing",)
                for scope in (None, prepared.scope) if known else (prepared.scope,):
                    if reply[0] == "missing":
                        reply = self._call(("solve", prepared.key, scope, request, options, until), began, limit)
            except ChildLate:
                return Answer(Status.UNKNOWN, Reason.TIME_LIMIT)
            except ChildDied:
                return Answer(Status.UNKNOWN, Reason.DIED)
            prepared.sent = self._child.started
        answer: Answer = self._opened(reply)
        return answer

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        with self._lock:
            self._child.ensure()
            try:
                reply = self._call(("conflict", scope, context, options), time.monotonic(), options.time_limit)
            except (ChildLate, ChildDied):
                return None
        found: tuple[int, ...] | None = self._opened(reply)
        return found

    def _call(self, message: tuple[Any, ...], began: float, limit: float | None) -> tuple[Any, ...]:
        reply: tuple[Any, ...] = self._child.call(message, None if limit is None else began + limit + GRACE)
        return reply

    def _opened(self, reply: tuple[Any, ...]) -> Any:
        if reply[0] == "answer":
            return reply[1]
        _, issues, contract = reply
        error = BackendContractError.__new__(BackendContractError) if contract else RequestError.__new__(RequestError)
        PclError.__init__(error, issues)
        raise error


class PreparedApart:
    """A scope that is compiled in the process, when it is first solved there."""

    def __init__(self, workshop: Workshop, key: int, scope: Scope) -> None:
        self._workshop = workshop
        self.key = key
        self.scope = scope
        self.sent = 0
        """To which of the processes, counted by their starts, it was sent."""

    def solve(self, request: Request, options: Options) -> Answer:
        return self._workshop.solve(self, request, options)


class Limited:
    """A prepared scope that is solved here without a time limit, and apart with one."""

    def __init__(self, here: Callable[[Scope], Prepared], scope: Scope, workshop: Workshop) -> None:
        self._compile_here, self._scope, self._workshop = here, scope, workshop
        self._here: Prepared | None = None
        self._apart: PreparedApart | None = None

    def solve(self, request: Request, options: Options) -> Answer:
        if options.time_limit is not None:
            if self._apart is None:
                self._apart = self._workshop.prepared(self._scope)
            return self._apart.solve(request, options)
        if self._here is None:
            self._here = self._compile_here(self._scope)
        return self._here.solve(request, options)
