"""Configurations: values for the variables of a problem, whole or in part, and how parts are put together."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, NoReturn, TypeAlias

from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.model.assignment import missing_values, read_values
from pcl_core.model.problem import Problem

Configuration: TypeAlias = dict[str, Value]
"""x, or a partial configuration x_P: values by ground variable name."""


class FrozenConfiguration(dict[str, Value]):
    """A configuration that cannot be edited; otherwise a dict, which can be compared, copied and written as JSON."""

    FORM_TYPE: ClassVar[object] = dict[str, Value]

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this is what was shown, and cannot be edited; edit a copy of it: dict(...)")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["FrozenConfiguration"], tuple[Configuration]]:
        return FrozenConfiguration, (dict(self),)


def read_configuration(problem: Problem, raw: Mapping[str, object], *, partial: bool = False) -> Configuration:
    """A checked configuration from plain data, in the order of the variables; Booleans may be written 1 and 0.

    All findings come at once.
    """
    variables = problem.symbols.variables
    found, issues = read_values(variables, raw)
    if not partial:
        issues += missing_values(variables, raw)
    if issues:
        raise RequestError(issues)
    ordered = sorted(found, key=problem.symbols.positions.__getitem__) if partial else variables
    return {name: found[name] for name in ordered}


def restrict(problem: Problem, configuration: Mapping[str, Value], parts: Iterable[str]) -> Configuration:
    """x_P: the values of the given parts' variables."""
    wanted = {name for part in parts for name in problem.parts[problem.part_position(part)].variables}
    return {name: value for name, value in configuration.items() if name in wanted}


def complement(problem: Problem, parts: Iterable[str]) -> tuple[str, ...]:
    """P̄: all parts but the given ones, in the problem's order."""
    left_out = {problem.part_position(part) for part in parts}
    return tuple(part.name for position, part in enumerate(problem.parts) if position not in left_out)


def combine(*partials: Mapping[str, Value]) -> Configuration:
    """x_P ∘ x_Q; parts that overlap must agree."""
    combined: Configuration = {}
    for partial in partials:
        for name, value in partial.items():
            if combined.setdefault(name, value) != value:
                raise RequestError(Issue(Code.BAD_CONFIGURATION, f"two partial configurations disagree on '{name}'"))
    return combined
