"""Running what other packages offer: whatever their code raises, SystemExit included, is an error which names the package.

Nothing that it raises ends the program; only a real ctrl-C does.
"""

import importlib.metadata
import inspect
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Generic, NoReturn, TypeVar

from pcl_core.errors import Code, Issue, Location, PclError
from pcl_core.plugins.discovery import MODULES, BrokenPluginError, Group, Plugin, broken, discover, one_line
from pcl_core.plugins.own_file import line_in_own_file, place_of

T = TypeVar("T")


def load(plugin: Plugin) -> object:
    """The object behind an entry point, or in a file."""
    own, entry = plugin.own_file, importlib.metadata.EntryPoint(plugin.name, plugin.value, plugin.group)

    def loaded() -> object:
        with redirect_stdout(sys.stderr):  # what is on stdout is for programs that read it
            found: object = entry.load() if own is None else own.load()
        return found

    try:
        return guarded(plugin, loaded)
    except BrokenPluginError:
        raise
    except PclError as error:  # raised by the module itself, which nobody asked anything yet
        if own is not None:
            raise
        raise broken(plugin, told(error)) from error


def guarded(plugin: Plugin, work: Callable[[], T]) -> T:
    """Run somebody else's code. What it raises is said to be its; only our own errors and a real ctrl-C pass."""
    with _ctrl_c_told_apart():
        try:
            return work()
        except (PclError, _CtrlC):
            raise
        except BaseException as error:
            where = None if plugin.own_file is None else place_of(plugin.own_file, error)
            raise broken(plugin, told(error), where=where) from error


class _CtrlC(KeyboardInterrupt):
    """Ctrl-C, and not what a plug-in raises."""


@contextmanager
def _ctrl_c_told_apart() -> Iterator[None]:
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not handled or threading.current_thread() is not threading.main_thread():
        yield  # elsewhere nobody hears ctrl-C, or somebody else decides what it does
        return

    def pressed(number: int, frame: FrameType | None) -> NoReturn:
        raise _CtrlC

    signal.signal(signal.SIGINT, pressed)
    try:
        yield
    except _CtrlC:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def told(error: BaseException) -> str:
    """An error of somebody else's code in one line; even asking for its words runs their code."""
    try:
        words = one_line(error.msg if isinstance(error, SyntaxError) else str(error))
    except Exception:
        words = "it cannot say what"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def takes(function: object, arguments: int) -> bool:
    """Whether something can be called with so many arguments in order."""
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:
        return False
    except ValueError:  # some that are written in C do not say
        return True
    return True


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
