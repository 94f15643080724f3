"""The initial configuration of a problem, x¹: complete, of the domains, and feasible, or not declared at all."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Annotated, Any, TypeAlias

from pydantic import GetCoreSchemaHandler, StrictBool, StrictInt, StrictStr
from pydantic_core import CoreSchema, core_schema

from pcl_core.errors import MAX_FINDINGS, Code, Issue, Location
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.symbols import Symbols
from pcl_core.model.assignment import MAX_LISTED, fitting, missing_values, read_values
from pcl_core.model.elements import Constraint

SUBJECT = "initial configuration"

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
