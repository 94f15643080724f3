"""What packages offer to pcl through entry points: found by reading text, and imported when it is used.

A name of ours always means ours; a name that two other packages offer means neither. Whatever the code of others raises,
SystemExit included, is an error which names the package; it does not end the program, as only a real ctrl-C does.
"""

import importlib.metadata
import inspect
import re
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from types import FrameType
from typing import Final, NoReturn, TypeVar

from pcl_core.errors import Code, Issue, Location, PclError, RequestError
from pcl_core.plugins.own_file import STANDS_ALONE, OwnFile, place_of

T = TypeVar("T")

DISTRIBUTIONS: Final = ("pcl-elicit", "pcl")
"""Ours. It was renamed, and environments from before have it under the second name."""
MODULES: Final = frozenset({"pcl_core", "pcl_backends", "pcl_problems", "pcl_app"})


class Group(StrEnum):
    """The groups of entry points through which packages add to pcl."""

    BACKENDS = "pcl.backends"
    PROBLEMS = "pcl.problems"
    SELECTIONS = "pcl.selections"
    LEARNERS = "pcl.learners"
    USERS = "pcl.users"
    ORDERINGS = "pcl.orderings"


REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*\s*(:\s*[\w.-]+\s*)?(\[.*\])?")
NAME = re.compile(r"[^\W_](?:[\w .+-]{0,78}[\w+])?")
"""What can be typed as a name: no colon, comma or slash, for these begin something else."""
LONGEST = 200


@dataclass(frozen=True)
class Plugin:
    """What a package offers under a name in a group; `value` is where it is: `module:object`."""

    group: str
    name: str
    value: str
    package: str
    ours: bool = False
    refused: str | None = None
    """Why it cannot be used under this name, as far as that is known without importing it."""
    own_file: OwnFile | None = None
    """Where it is no package's, but in a file of somebody's own."""

    @classmethod
    def in_file(cls, group: str, own: OwnFile) -> "Plugin":
        return cls(group, own.name, own.file, "", own_file=own)

    @property
    def module(self) -> str:
        return re.split(r"[\s:\[]", self.value, maxsplit=1)[0]


class BrokenPluginError(RequestError):
    """Something of another package cannot be used; `reason` says why, in one line."""

    reason: str = ""


def broken(
    plugin: Plugin, reason: str, further: Collection[Issue] = (), where: Location | None = None
) -> BrokenPluginError:
    """The error for something that cannot be used; `further` are findings that its author wants to know.

    In a file of somebody's own, `where` is the line.
    """
    if plugin.own_file is not None:
        hint = STANDS_ALONE if reason.startswith(ModuleNotFoundError.__name__) else None
        place = where or Location(plugin.own_file.file)
        return BrokenPluginError(Issue(Code.PLUGIN_BROKEN, f"'{plugin.name}' cannot be used: {reason}", hint, place))
    whose = f"'{plugin.name}' of package '{plugin.package}' ({plugin.group}: {plugin.value})"
    hint = f"mend or remove package '{plugin.package}'"
    error = BrokenPluginError([Issue(Code.PLUGIN_BROKEN, f"{whose} cannot be used: {reason}", hint), *further])
    error.reason = reason
    return error


def discover(group: str, reserved: Collection[str] = ()) -> tuple[Plugin, ...]:
    """All that is offered in a group, by name; `reserved` are names of ours that need no entry point."""
    found: dict[tuple[str, str], Plugin] = {}
    # The very same twice is one, and so is ours twice: an environment may have an old and a new installation.
    for plugin in sorted(_offered(group), key=_rank):
        found.setdefault((plugin.name, "" if plugin.ours else plugin.value), plugin)
    ours = {(plugin.name, plugin.value) for plugin in found.values() if plugin.ours}
    plugins = [plugin for plugin in found.values() if plugin.ours or (plugin.name, plugin.value) not in ours]
    return tuple(replace(plugin, refused=_refusal(plugin, plugins, reserved)) for plugin in plugins)


def _rank(plugin: Plugin) -> tuple[str, int, str, str]:
    place = DISTRIBUTIONS.index(plugin.package) if plugin.ours else len(DISTRIBUTIONS)
    return plugin.name, place, plugin.package, plugin.value


def _refusal(plugin: Plugin, everything: Collection[Plugin], reserved: Collection[str]) -> str | None:
    same = [other for other in everything if other.name == plugin.name and other != plugin]
    if plugin.ours:
        return None
    if plugin.name in reserved or any(other.ours for other in same):
        return "the name is one of pcl's own"
    if not NAME.fullmatch(plugin.name):
        return "this cannot be a name: use letters, digits, '-', '_' and '.'"
    if not REFERENCE.fullmatch(plugin.value):
        return "its entry point is not written as name = module:object"
    if same:
        others = sorted({f"package '{other.package}'" for other in same})
        return f"{' and '.join(others)} offers something else under the same name"
    return None


def _offered(group: str) -> Iterator[Plugin]:
    for distribution in importlib.metadata.distributions():
        text = _entry_points(distribution)
        if group not in text:
            continue
        package = _package(distribution)
        if package is None or not _is_shadowed(package, text):
            yield from _read(group, package, text)


def _read(group: str, package: str | None, text: str) -> Iterator[Plugin]:
    """What the entry points of a package offer in a group."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == group and line and line[0] not in "#;":
            name, _, value = (part.strip() for part in line.partition("="))
            plugin = Plugin(group, one_line(name), one_line(value), "")
            known = package or plugin.module or "unknown"
            ours = package in DISTRIBUTIONS and plugin.module.partition(".")[0] in MODULES
            yield replace(plugin, package=one_line(known), ours=ours)


def _entry_points(distribution: importlib.metadata.Distribution) -> str:
    try:
        return distribution.read_text("entry_points.txt") or ""
    except UnicodeDecodeError as error:  # what can be read of it says which package is damaged
        return error.object.decode(errors="replace")
    except (OSError, ValueError):
        return ""


def _package(distribution: importlib.metadata.Distribution) -> str | None:
    """Its name; damaged metadata may have none, and fails in many ways."""
    try:
        name: object = distribution.metadata["Name"]
    except Exception:
        return None
    return name if isinstance(name, str) and name else None


def _is_shadowed(package: str, text: str) -> bool:
    """Whether a distribution of the same name comes before on the path, and has other entry points."""
    try:
        return _entry_points(importlib.metadata.distribution(package)) != text
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return False


def find(group: str, name: str, reserved: Collection[str] = ()) -> Plugin | None:
    """What a name means, or None where nobody offers it; a name that cannot be used is refused with the reason.

    A name of ours means ours whoever else offers it, so that nobody else is asked: there may be hundreds.
    """
    for plugin in _of_ours(group):
        if plugin.name == name:
            return plugin
    found = [plugin for plugin in discover(group, reserved) if plugin.name == name]
    if found and found[0].refused is not None:
        raise broken(found[0], found[0].refused)
    return found[0] if found else None


def _of_ours(group: str) -> Iterator[Plugin]:
    """What is ours in a group, read from our distribution alone."""
    for package in DISTRIBUTIONS:
        with suppress(importlib.metadata.PackageNotFoundError):
            text = _entry_points(importlib.metadata.distribution(package))
            yield from (plugin for plugin in _read(group, package, text) if plugin.ours)


def names(group: str, reserved: Collection[str] = ()) -> tuple[str, ...]:
    """The names that can be used, as far as that is known without importing anything."""
    return tuple(plugin.name for plugin in discover(group, reserved) if plugin.refused is None)


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


def split_parameters(source: str) -> tuple[str, dict[str, str]]:
    """`grid:side=8,part=4` as its name and parameters."""
    name, _, rest = source.partition(":")
    parameters: dict[str, str] = {}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals or not key.strip() or key.strip() in parameters:
            hint = "write them as name:key=value,key=value, each once"
            raise RequestError(Issue(Code.BAD_PARAMETER, f"cannot read the parameters in '{source[:80]}'", hint))
        parameters[key.strip()] = value.strip()
    return name, parameters


@cache
def version_of(package: str) -> str:
    """Which version of a package is installed. It is read once: every scope asks whether its backend can run."""
    return importlib.metadata.version(package)


def one_line(text: str) -> str:
    """Text of others, as it can stand in a sentence."""
    shown = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 3] + "..."
