"""Strategies by name: ours, and those that other packages add through entry points.

A strategy is a frozen Pydantic model; its fields are its options, written `name:key=value,key=value`.
"""

import inspect
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from pcl_core import plugins
from pcl_core.documents import choices_of
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.plugins import Examined, Group, OwnFile, Plugin

T = TypeVar("T")


class Strategy(BaseModel):
    """The base of strategies: options are checked, unknown ones refused, and nothing changes afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Registry(Generic[T]):
    """Strategies of one kind. Discovery reads entry points; a name of ours cannot be taken by others.

    `writing` says what a strategy of this kind has beside its options: a method and with how many arguments it is
    called, or 0 for an attribute.
    """

    def __init__(self, kind: str, group: Group, own: Mapping[str, type[Strategy]], needs: Mapping[str, int]) -> None:
        self.kind = kind
        self.group = group
        self._own = own
        self._needs = needs

    @property
    def own_names(self) -> tuple[str, ...]:
        """Ours alone, known without looking at what is installed."""
        return tuple(self._own)

    def names(self) -> tuple[str, ...]:
        return (*self._own, *plugins.names(self.group, self._own))

    def examine(self) -> tuple[Examined[None], ...]:
        """What other packages add; what is broken has the reason."""
        return plugins.examine(self.group, self._tried, self._own)

    def describe(self) -> dict[str, str]:
        """What each of ours does: the first line of its docstring."""
        return {name: (found.__doc__ or "").partition("\n")[0] for name, found in self._own.items()}

    def make(self, said: str | OwnFile, **defaults: Any) -> T:
        """The strategy behind `name:key=value,...`, or in a file; `defaults` are options it takes unless it is given them."""
        if isinstance(said, OwnFile):
            name, options = plugins.split_parameters(f"{said.name}:{said.options}")
            plugin: Plugin | None = Plugin.in_file(self.group, said)
        else:
            if said.partition(":")[0] not in self._own:
                refuse_own_file(self.kind, said)
            name, options = plugins.split_parameters(said)
            plugin = None if name in self._own else self._plugin(name)
        found = self._own[name] if plugin is None else self._class(plugin)
        given: dict[str, Any] = {key: value for key, value in defaults.items() if key in found.model_fields}
        try:
            made = found(**(given | options)) if plugin is None else _made(plugin, found, given | options)
        except ValidationError as error:
            raise RequestError(option_issues(f"{self.kind} '{name}'", found, error)) from None
        return cast(T, made)

    def _plugin(self, name: str) -> Plugin:
        plugin = plugins.find(self.group, name, self._own)
        if plugin is None:
            message = f"there is no {self.kind} '{name:.60}'"
            raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(name, self.names())))
        return plugin

    def _class(self, plugin: Plugin) -> type[Strategy]:
        found = plugins.load(plugin)
        if not isinstance(found, type) or not plugins.guarded(plugin, lambda: issubclass(found, Strategy)):
            raise plugins.broken(plugin, "it is not a subclass of pcl_core.learn.plugins.Strategy")
        strategy = cast(type[Strategy], found)
        for name, arguments in self._needs.items():
            # Every class can be called, so what instances have is looked up in the classes alone.
            held = next((vars(base)[name] for base in strategy.__mro__ if name in vars(base)), None)
            there = held is not None or name in strategy.model_fields
            if not there or (inspect.isfunction(held) and arguments and not plugins.takes(held, 1 + arguments)):
                taken = ("", " with one argument", " with two arguments")[arguments]
                raise plugins.broken(plugin, f"a {self.kind} needs '{name}'{taken}")
        return strategy

    def _tried(self, plugin: Plugin) -> None:
        """Load a strategy and make one without options, where it takes that."""
        with suppress(ValidationError):  # there are options that it cannot do without
            _made(plugin, self._class(plugin), {})


def _made(plugin: Plugin, found: type[Strategy], options: Mapping[str, Any]) -> Strategy:
    """A strategy of another package; only what is wrong with the options is not its fault."""
    wrong: list[ValidationError] = []

    def make() -> Strategy | None:
        try:
            return found(**options)
        except ValidationError as error:
            wrong.append(error)
            return None

    made = plugins.guarded(plugin, make)
    if wrong:
        raise wrong[0]
    if not isinstance(made, found):
        raise plugins.broken(plugin, f"it makes a {type(made).__name__}")
    return made


def refuse_own_file(kind: str, name: str) -> None:
    """Where a name is all there is, for instance in a log, no file is read: it would run whatever stands there."""
    if plugins.is_own_file(name):
        message = f"the {kind} '{name:.120}' is in a file, which a name alone does not run"
        hint = "give it to `pcl simulate`, `pcl elicit` (with --resume, too) or in an experiment file; in Python, give the object"
        raise RequestError(Issue(Code.UNKNOWN_OPTION, message, hint))


def option_issues(owner: str, model: type[BaseModel], error: ValidationError) -> list[Issue]:
    """What is wrong with options, in words: `owner` is who takes them."""
    return [_option_issue(owner, model, detail) for detail in error.errors()]


def _option_issue(owner: str, model: type[BaseModel], detail: Mapping[str, Any]) -> Issue:
    option = ".".join(str(step) for step in detail["loc"])
    if detail["type"] == "extra_forbidden":
        hint = suggest(option, model.model_fields) or (None if model.model_fields else f"{owner} takes no options")
        return Issue(Code.UNKNOWN_OPTION, f"{owner} has no option '{option:.60}'", hint)
    if detail["type"] == "missing":
        return Issue(Code.BAD_VALUE, f"{owner} needs the option '{option}'")
    said = str(detail["msg"]).removeprefix("Input ").removeprefix("Value error, ")
    message = f"{option} of {owner} is {detail['input']!s:.40}, but it {said}"
    if detail["type"] == "literal_error":
        return Issue(Code.UNKNOWN_OPTION, message, suggest(str(detail["input"]), choices_of(detail)))
    return Issue(Code.BAD_VALUE, message)
