"""Backends by name. Discovery reads entry points and imports no solver."""

import importlib.metadata
from collections.abc import Callable

from pcl_core.errors import Code, Issue, MissingDependencyError, RequestError, suggest
from pcl_core.solve.protocol import Backend

ENTRY_POINT_GROUP = "pcl.backends"

Factory = Callable[[str | None], Backend]
"""Makes a backend for the solver named after the colon, or its default."""


def backend_names() -> tuple[str, ...]:
    return tuple(sorted(entry.name for entry in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)))


def find_backend(name: str) -> Backend:
    """The backend behind `name` or `name:solver`, whether it can run or not."""
    base, _, solver = name.partition(":")
    for entry in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP, name=base):
        factory: Factory = entry.load()
        return factory(solver or None)
    raise RequestError(Issue(Code.UNKNOWN_OPTION, f"there is no backend '{base:.60}'", suggest(base, backend_names())))


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
