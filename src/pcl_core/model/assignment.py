"""Values for variables from plain data: which fit their domain, which do not, and which are missing."""

from collections.abc import Collection, Mapping
from decimal import Decimal

from pcl_core.errors import MAX_FINDINGS, Code, Issue, suggest
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, Value

MAX_LISTED = 10
MAX_BITS = 200
"""Whole numbers beyond this are not spelled out; beyond 4,300 digits Python refuses to."""


def fitting(variable: AnyVariable, value: object) -> Value | None:
    """The value as the variable holds it, or None; Booleans may be written 1 and 0."""
    if isinstance(variable, BoolVariable) and isinstance(value, int) and value in (0, 1):
        return bool(value)
    return value if variable.holds(value) and isinstance(value, (bool, int, str)) else None


def read_values(
    variables: Mapping[str, AnyVariable], raw: Mapping[str, object]
) -> tuple[dict[str, Value], list[Issue]]:
    """The values that fit, in the order of the variables, and a finding for each that does not, up to a number."""
    issues: list[Issue] = []
    found: dict[str, Value] = {}
    for name, value in raw.items():
        if len(issues) > MAX_FINDINGS:
            break
        variable = variables.get(name)
        if variable is None:
            hint = suggest(str(name), variables)
            issues.append(Issue(Code.BAD_CONFIGURATION, f"unknown variable '{name!s:.80}'", hint, path=(name,)))
            continue
        checked = fitting(variable, value)
        if checked is None:
            message, hint = refusal(variable, value)
            issues.append(Issue(Code.BAD_CONFIGURATION, message, hint, path=(name,)))
        else:
            found[name] = checked
    return {name: found[name] for name in variables if name in found}, issues


def missing_values(variables: Mapping[str, AnyVariable], given: Collection[str]) -> list[Issue]:
    """One finding about all variables that have no value, or none."""
    missing = [name for name in variables if name not in given]
    if not missing:
        return []
    listed = ", ".join(missing[:MAX_LISTED]) + (" ..." if len(missing) > MAX_LISTED else "")
    return [Issue(Code.BAD_CONFIGURATION, f"{len(missing)} variables have no value: {listed}")]


def refusal(variable: AnyVariable, value: object) -> tuple[str, str]:
    """Why a variable cannot have a value, and what it can have instead."""
    return f"'{variable.name}' cannot be {_shown(value)}", _expected(variable, value)


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return "so large a number"
    text = str(value) if isinstance(value, Decimal) else repr(value)
    text = text.lower() if isinstance(value, bool) else text
    return text if len(text) <= 60 else text[:57] + "..."


def _expected(variable: AnyVariable, value: object) -> str:
    if isinstance(variable, BoolVariable):
        return "write true or false"
    if isinstance(variable, CategoricalVariable):
        said = value if isinstance(value, str) else _shown(value)
        more = " ..." if len(variable.labels) > MAX_LISTED else ""
        return suggest(said, variable.labels) or "one of " + ", ".join(variable.labels[:MAX_LISTED]) + more
    return f"a whole number from {variable.lower} to {variable.upper}"
