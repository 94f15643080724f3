"""Strategies by name: ours, and those that other packages add through entry points.

A strategy is a frozen Pydantic model; its fields are its options, written `name:key=value,key=value`.
"""

import importlib.metadata
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from pcl_core.authoring.load import split_parameters
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model.shape import choices_of

T = TypeVar("T")


class Strategy(BaseModel):
    """The base of strategies: options are checked, unknown ones refused, and nothing changes afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Registry(Generic[T]):
    """Strategies of one kind. Discovery reads entry points; a name of ours cannot be taken by others."""

    def __init__(self, kind: str, group: str, own: Mapping[str, type[Strategy]]) -> None:
        self.kind = kind
        self.group = group
        self._own = own

    @property
    def own_names(self) -> tuple[str, ...]:
        """Ours alone, known without looking at what is installed."""
        return tuple(self._own)

    def names(self) -> tuple[str, ...]:
        others = {entry.name for entry in importlib.metadata.entry_points(group=self.group)}
        return (*self._own, *sorted(others - self._own.keys()))

    def describe(self) -> dict[str, str]:
        """What each of ours does: the first line of its docstring."""
        return {name: (found.__doc__ or "").partition("\n")[0] for name, found in self._own.items()}

    def make(self, text: str, **defaults: Any) -> T:
        """The strategy behind `name:key=value,...`; `defaults` are options it takes unless the text gives them."""
        name, options = split_parameters(text)
        found = self._find(name)
        given: dict[str, Any] = {key: value for key, value in defaults.items() if key in found.model_fields}
        try:
            return cast(T, found(**(given | options)))
        except ValidationError as error:
            raise RequestError(option_issues(f"{self.kind} '{name}'", found, error)) from None

    def _find(self, name: str) -> type[Strategy]:
        if name in self._own:
            return self._own[name]
        for entry in importlib.metadata.entry_points(group=self.group, name=name):
            found = load_plugin(entry)
            if isinstance(found, type) and issubclass(found, Strategy):
                return found
            raise broken_plugin(entry, "it is not a subclass of pcl_core.learn.plugins.Strategy")
        raise RequestError(
            Issue(Code.UNKNOWN_OPTION, f"there is no {self.kind} '{name:.60}'", suggest(name, self.names()))
        )


def load_plugin(entry: importlib.metadata.EntryPoint) -> object:
    """What another package offers under a name; whatever is wrong there is said to be that package's."""
    try:
        return cast(object, entry.load())
    except Exception as error:
        raise broken_plugin(entry, f"{type(error).__name__}: {error}") from error


def broken_plugin(entry: importlib.metadata.EntryPoint, reason: str) -> RequestError:
    package = f" of package '{entry.dist.name}'" if entry.dist is not None else ""
    message = f"'{entry.name}'{package} ({entry.group}: {entry.value}) cannot be used: {reason}"
    return RequestError(Issue(Code.PLUGIN_BROKEN, message, "mend or remove that package"))


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
