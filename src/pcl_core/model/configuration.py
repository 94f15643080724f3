"""Configurations: values for the variables of a problem, whole or in part, and how parts are put together."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TypeAlias

from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, Value
from pcl_core.model.problem import Problem

Configuration: TypeAlias = dict[str, Value]
"""x, or a partial configuration x_P: values by ground variable name."""

MAX_LISTED = 10


def read_configuration(problem: Problem, raw: Mapping[str, object], *, partial: bool = False) -> Configuration:
    """A checked configuration from plain data; Booleans may be written 1 and 0. All findings come at once."""
    variables = problem.symbols.variables
    issues: list[Issue] = []
    found: Configuration = {}
    for name, value in raw.items():
        variable = variables.get(name)
        if variable is None:
            hint = suggest(name, variables)
            issues.append(Issue(Code.BAD_CONFIGURATION, f"unknown variable '{name:.80}'", hint, path=(name,)))
            continue
        checked = _value(variable, value)
        if checked is None:
            message = f"'{name}' cannot be {_shown(value)}"
            issues.append(Issue(Code.BAD_CONFIGURATION, message, _expected(variable, value), path=(name,)))
        else:
            found[name] = checked
    missing = [] if partial else [name for name in variables if name not in raw]
    if missing:
        listed = ", ".join(missing[:MAX_LISTED]) + (" ..." if len(missing) > MAX_LISTED else "")
        issues.append(Issue(Code.BAD_CONFIGURATION, f"{len(missing)} variables have no value: {listed}"))
    if issues:
        raise RequestError(issues)
    return {name: found[name] for name in variables if name in found}


def _value(variable: AnyVariable, value: object) -> Value | None:
    if isinstance(variable, BoolVariable) and isinstance(value, int) and value in (0, 1):
        return bool(value)
    return value if variable.holds(value) and isinstance(value, (bool, int, str)) else None


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _expected(variable: AnyVariable, value: object) -> str:
    if isinstance(variable, BoolVariable):
        return "write true or false"
    if isinstance(variable, CategoricalVariable):
        return suggest(str(value), variable.labels) or "one of " + ", ".join(variable.labels)
    return f"a whole number from {variable.lower} to {variable.upper}"


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
