"""`apart`: any backend in a process of its own, which is ended when time is up and whose death is a status.

`apart:cvxpy:scip` is the backend `cvxpy:scip`, apart. The process is started once for a backend and kept; a scope is sent
once, requests after it.
"""

import itertools
import time
from collections.abc import Callable, Mapping
from typing import Any

from pcl_backends.child import Child, ChildDied, ChildLate
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import Value
from pcl_core.solve import (
    Availability,
    Backend,
    BackendContractError,
    Capability,
    Copies,
    Options,
    Pool,
    Prepared,
    Refusal,
    Reply,
    Request,
    Scope,
    Status,
    StopReason,
    backend_names,
    find_backend,
    reach_of,
    refusal_of,
)

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
        """What the other one has; in any case a time limit, and a process for each thread that asks."""
        return self._inner.capabilities | {Capability.TIME_LIMIT, Capability.SHARED}

    def availability(self) -> Availability:
        found = self._inner.availability()
        names = dict.fromkeys((*(name for name in backend_names() if name != self.name), self._inner_name))
        version = f"{self._inner_name}, in a process of its own"
        return Availability(found.available, version, tuple(names), found.reason, found.fix)

    @property
    def reach(self) -> int:
        return reach_of(self._inner)

    def reach_in(self, scope: Scope) -> int:
        return reach_of(self._inner, scope)

    def accepts(self, scope: Scope) -> Refusal | None:
        return refusal_of(self._inner, scope)

    def compile(self, scope: Scope) -> Prepared:
        return self._workshop.prepared(scope)

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        """The other backend's conflict, where it finds one in time."""
        return self._workshop.conflict(scope, context, options)


class Workshop:
    """The processes of one backend, one for each thread that asks at the same time, and what is asked of them."""

    def __init__(self, backend: str) -> None:
        self._children = Pool(lambda: Child(backend))
        self._keys = itertools.count()

    def prepared(self, scope: Scope) -> "PreparedApart":
        if not self._children.made:
            with self._children.one() as child:
                child.ensure()  # it can import while the scope is got ready here
        return PreparedApart(self, next(self._keys), scope)

    def solve(self, prepared: "PreparedApart", request: Request, options: Options) -> Reply:
        with self._children.one() as child:
            child.ensure()
            began, limit = time.monotonic(), options.time_limit
            until = None if limit is None else began + limit + START
            ended = None if limit is None else began + limit + GRACE
            try:
                reply: tuple[Any, ...] = ("missing",)
                for scope in (None, prepared.scope) if prepared.key in child.known else (prepared.scope,):
                    if reply[0] == "missing":
                        reply = child.call(("solve", prepared.key, scope, request, options, until), ended)
            except ChildLate:
                return Reply(Status.UNKNOWN, StopReason.TIME_LIMIT)
            except ChildDied:
                return Reply(Status.UNKNOWN, StopReason.DIED)
            child.known.add(prepared.key)
        answer: Reply = _opened(reply)
        return answer

    def conflict(self, scope: Scope, context: Mapping[str, Value], options: Options) -> tuple[int, ...] | None:
        with self._children.one() as child:
            child.ensure()
            limit = options.time_limit
            ended = None if limit is None else time.monotonic() + limit + GRACE
            try:
                reply = child.call(("conflict", scope, context, options), ended)
            except (ChildLate, ChildDied):
                return None
        found: tuple[int, ...] | None = _opened(reply)
        return found


def _opened(reply: tuple[Any, ...]) -> Any:
    kind, *content = reply
    if kind == "answer":
        return content[0]
    raise BackendContractError(*content) if kind == "broken" else RequestError(*content)


class PreparedApart:
    """A scope that is compiled in the process, when it is first solved there."""

    def __init__(self, workshop: Workshop, key: int, scope: Scope) -> None:
        self._workshop = workshop
        self.key = key
        self.scope = scope

    def solve(self, request: Request, options: Options) -> Reply:
        return self._workshop.solve(self, request, options)


class Limited:
    """A prepared scope that is solved here without a time limit, and apart with one."""

    def __init__(self, here: Callable[[Scope], Prepared], scope: Scope, workshop: Workshop) -> None:
        self._here = Copies(lambda: here(scope))
        self._scope, self._workshop = scope, workshop
        self._apart: PreparedApart | None = None

    def solve(self, request: Request, options: Options) -> Reply:
        if options.time_limit is None:
            return self._here.solve(request, options)
        if self._apart is None:
            self._apart = self._workshop.prepared(self._scope)
        return self._apart.solve(request, options)
