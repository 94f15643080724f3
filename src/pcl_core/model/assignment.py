"""What a program gives, looked at before any of it is used: what it cannot be is refused in a sentence.

Values for variables come from plain data: which fit their domain, which do not, and which are missing.

The initial configuration of a problem, x¹, is such values: complete, of the domains, and feasible, or not declared at all.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from numbers import Integral
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import GetCoreSchemaHandler, StrictBool, StrictInt, StrictStr
from pydantic_core import CoreSchema, core_schema

from pcl_core.errors import MAX_FINDINGS, Code, Issue, Location, RequestError, suggest
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.symbols import Symbols
from pcl_core.model.elements import Constraint

MAX_LISTED = 10
MAX_BITS = 200
"""Whole numbers beyond this are not spelled out; beyond 4,300 digits Python refuses to."""
SUBJECT = "initial configuration"

OfKind = TypeVar("OfKind")


def of_type(given: object, kind: type[OfKind], what: str, hint: str | None = None) -> OfKind:
    """What is given, which is of this kind; `what` it is to be, for people: `a problem`."""
    if not isinstance(given, kind):
        raise _refusal(given, what, hint)
    return given


def whole_number(given: object, what: str, hint: str | None = None) -> int:
    """A whole number, numpy's too; true and false are none."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise _refusal(given, what, hint)
    return int(given)


def names(given: object, what: str) -> list[str]:
    """Several names."""
    found = list(given) if isinstance(given, Iterable) else None
    if found is None or not all(isinstance(name, str) for name in found):
        raise _refusal(given, what, "give a list of names")
    return found


def _refusal(given: object, what: str, hint: str | None) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, f"{given!r:.60} is not {what}", hint))


def fitting(variable: AnyVariable, value: object) -> Value | None:
    """The value as the variable holds it, or None; Booleans may be written 1 and 0."""
    if isinstance(variable, BoolVariable) and isinstance(value, int) and value in (0, 1):
        return bool(value)
    return value if variable.holds(value) and isinstance(value, (bool, int, str)) else None


def values_by_name(given: object) -> Mapping[str, Any]:
    """What is given, which has values by name."""
    if not isinstance(given, Mapping):
        raise _refusal(given, "values by name", "give them as {name: value}")
    return given


def read_values(
    variables: Mapping[str, AnyVariable], raw: Mapping[str, object]
) -> tuple[dict[str, Value], list[Issue]]:
    """The values that fit, in the order in which they are given, and a finding for each that does not, up to a number."""
    issues: list[Issue] = []
    found: dict[str, Value] = {}
    for name, value in values_by_name(raw).items():
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
    return found, issues


def missing_values(variables: Mapping[str, AnyVariable], given: Collection[str]) -> list[Issue]:
    """One finding about all variables that have no value, or none."""
    missing = [name for name in variables if name not in given]
    if not missing:
        return []
    listed = ", ".join(missing[:MAX_LISTED]) + (" ..." if len(missing) > MAX_LISTED else "")
    have = "1 variable has" if len(missing) == 1 else f"{len(missing)} variables have"
    return [Issue(Code.BAD_CONFIGURATION, f"{have} no value: {listed}")]


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


Pairs: TypeAlias = tuple[tuple[str, Value], ...]


class _ByName:
    """A mapping where it is given or written, pairs inside: a problem never changes and can be hashed."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        mapping = handler.generate_schema(dict[StrictStr, StrictBool | StrictInt | StrictStr])
        pairs = core_schema.no_info_after_validator_function(lambda given: tuple(given.items()), mapping)
        return core_schema.no_info_before_validator_function(
            _as_mapping, pairs, serialization=core_schema.plain_serializer_function_ser_schema(dict)
        )


Initial = Annotated[Pairs, _ByName()]


def _as_mapping(given: object) -> object:
    """`Problem.replace` hands on the pairs of the problem before."""
    if isinstance(given, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in given):
        return dict(given)
    if isinstance(given, dict):
        wrong = {name: value for name, value in given.items() if not isinstance(value, (bool, int, str))}
        if len(wrong) > MAX_FINDINGS:  # each would be told three times: not a truth value, no number, no text
            return dict(islice(wrong.items(), MAX_FINDINGS + 1))
    return given


def in_order(initial: Pairs, variables: Iterable[AnyVariable]) -> Pairs:
    """The same values in the order of the variables, Booleans as true and false; what does not fit comes last."""
    left = dict(initial)
    ordered: list[tuple[str, Value]] = []
    for variable in variables:
        if variable.name in left:
            value = left.pop(variable.name)
            checked = fitting(variable, value)
            ordered.append((variable.name, value if checked is None else checked))
    return (*ordered, *left.items())


def check_values(symbols: Symbols, initial: Pairs) -> list[Issue]:
    """Unknown variables, values outside their domains, and variables without a value."""
    given = dict(initial)
    _, wrong = read_values(symbols.variables, given)
    hint = "give every variable an initial value, or none"
    missing = [replace(issue, hint=hint) for issue in missing_values(symbols.variables, given)]
    where = Location(subject=SUBJECT)
    return [replace(issue, location=where, path=("initial", *issue.path)) for issue in (*wrong, *missing)]


def check_feasible(symbols: Symbols, constraints: Sequence[Constraint], initial: Pairs) -> list[Issue]:
    """The violated constraints, by the reference evaluator; names and kinds must be right already."""
    evaluation = Evaluation(symbols, dict(initial))
    violated = [constraint.name for constraint in constraints if not evaluation.truth(constraint.require)]
    if not violated:
        return []
    listed = ", ".join(violated[:MAX_LISTED]) + (" ..." if len(violated) > MAX_LISTED else "")
    message = f"it violates {len(violated)} of the constraints: {listed}"
    hint = "start from values that satisfy every constraint"
    return [Issue(Code.BAD_CONFIGURATION, message, hint, Location(subject=SUBJECT), ("initial",))]
