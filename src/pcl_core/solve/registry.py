"""Backends by name. Discovery reads entry points and imports no solver."""

from collections.abc import Callable, Collection
from typing import cast

from pcl_core import plugins
from pcl_core.errors import Code, Issue, MissingDependencyError, RequestError, suggest
from pcl_core.plugins import Examined, Group, Plugin
from pcl_core.solve.protocol import Availability, Backend, Capability

Factory = Callable[[str | None], Backend]
"""Makes a backend for the solver named after the colon, or its default."""


def backend_names() -> tuple[str, ...]:
    return plugins.names(Group.BACKENDS)


def examine_backends() -> tuple[Examined[Backend], ...]:
    """All that packages offer as backends, whether they can run here or not; what is broken has the reason."""
    return plugins.examine(Group.BACKENDS, lambda plugin: _made(plugin, None))


def find_backend(name: str) -> Backend:
    """The backend behind `name` or `name:solver`, whether it can run or not."""
    base, _, solver = name.partition(":")
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
