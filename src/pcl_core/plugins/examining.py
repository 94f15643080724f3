"""Trying out all that packages offer, and finding out whose code it was where something failed."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, TypeVar

from pcl_core.errors import Code, Issue, Location, PclError
from pcl_core.plugins.discovery import (
    MODULES,
    BrokenPluginError,
    Group,
    Plugin,
    discover,
    guarded,
    one_line,
    told,
)
from pcl_core.plugins.own_file import line_in_own_file

T = TypeVar("T")


@dataclass(frozen=True)
class Examined(Generic[T]):
    """Something that a package offers: what was made of it, or why it cannot be used."""

    plugin: Plugin
    made: T | None = None
    broken: str | None = None


def examine(group: str, use: Callable[[Plugin], T], reserved: Collection[str] = ()) -> tuple[Examined[T], ...]:
    """All that is offered in a group, each tried out with `use`, which loads it and looks at what it got."""
    return tuple(_examined(plugin, use) for plugin in discover(group, reserved))


def _examined(plugin: Plugin, use: Callable[[Plugin], T]) -> Examined[T]:
    if plugin.refused is not None:
        return Examined(plugin, broken=plugin.refused)
    try:
        return Examined(plugin, guarded(plugin, lambda: use(plugin)))
    except BrokenPluginError as error:
        return Examined(plugin, broken=error.reason)
    except PclError as error:
        return Examined(plugin, broken=one_line(error.issues[0].message))


def blamed(error: BaseException) -> BrokenPluginError | None:
    """Where something was raised that nobody expected: the plug-in, if it was in one's code and not in ours.

    What a file of somebody's own had to do with is hers: what ours raises, called from there, was called wrongly.
    """
    if (own := line_in_own_file(error)) is not None:
        return BrokenPluginError(Issue(Code.PLUGIN_BROKEN, f"this fails: {told(error)}", None, Location(*own)))
    others = {_top(plugin.module): plugin for group in Group for plugin in discover(group) if not plugin.ours}
    found: Plugin | None = None
    for module in _modules(error.__traceback__):
        if module in MODULES or module in others:
            found = others.get(module)
    if found is None:
        return None
    message = f"something of package '{found.package}', which adds to {found.group}, failed: {told(error)}"
    return BrokenPluginError(Issue(Code.PLUGIN_BROKEN, message, f"mend or remove package '{found.package}'"))


def _modules(trace: TracebackType | None) -> Iterator[str]:
    while trace is not None:
        yield _top(str(trace.tb_frame.f_globals.get("__name__", "")))
        trace = trace.tb_next


def _top(module: str) -> str:
    return module.partition(".")[0]
