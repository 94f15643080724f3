"""The flat model as CP-SAT's own, one constraint at a time."""

from collections.abc import Sequence
from typing import Any

from pcl_core.compile import (
    Apart,
    AtMostOne,
    Clause,
    Different,
    ExactlyOne,
    FlatConstraint,
    Form,
    Implied,
    Maximum,
    Row,
    form_of,
    total,
)

LOWEST, HIGHEST = -(2**62), 2**62
NOT_ZERO: list[tuple[int | None, int | None]] = [(None, -1), (1, None)]


def add_constraint(proto: Any, constraint: FlatConstraint, *only_if: int) -> None:
    """One constraint of the flat model; it only holds where all the literals `only_if` are true."""
    if isinstance(constraint, Different) and (only_if or _is_loose(constraint)):
        for pair in constraint.pairs():
            _linear(_added(proto, only_if), pair, NOT_ZERO)
        return
    if only_if and isinstance(constraint, AtMostOne):  # CP-SAT takes no conditions on these
        constraint = Row(total(constraint.literals), None, 1)
    added = _added(proto, only_if)
    match constraint:
        case Row():
            _linear(added, constraint.form, [(constraint.lower, constraint.upper)])
        case Implied():
            added.enforcement_literal.append(constraint.literal)
            _linear(added, constraint.form, [(constraint.lower, constraint.upper)])
        case Apart():
            added.enforcement_literal.append(constraint.literal)
            _linear(added, constraint.form, NOT_ZERO)
        case Clause():
            added.bool_or.literals.extend(constraint.literals)
        case ExactlyOne():
            added.exactly_one.literals.extend(constraint.literals)
        case Maximum():
            added.lin_max.target.vars.append(constraint.column)
            added.lin_max.target.coeffs.append(1)
            _expressions(added.lin_max, constraint.forms)
        case AtMostOne():
            added.at_most_one.literals.extend(constraint.literals)
        case Different():
            _expressions(added.all_diff, constraint.forms)
            for (
                literals
            ) in constraint.by_value:  # CP-SAT does not find them by itself, and they save most of the search
                add_constraint(proto, AtMostOne(literals))


def _is_loose(constraint: Different) -> bool:
    """Whether literals for more values than are needed are known; then pairs were found to be quicker."""
    return len(constraint.by_value) > len(constraint.forms)


def _added(proto: Any, only_if: Sequence[int]) -> Any:
    added = proto.constraints.add()
    added.enforcement_literal.extend(only_if)
    return added


def _expressions(added: Any, forms: Sequence[Form]) -> None:
    for form in forms:
        expression = added.exprs.add()
        expression.vars.extend(form.columns)
        expression.coeffs.extend(form.coefs)
        expression.offset = form.constant


def _linear(added: Any, form: Form, intervals: list[tuple[int | None, int | None]]) -> None:
    added.linear.vars.extend(form.columns)
    added.linear.coeffs.extend(form.coefs)
    for lower, upper in intervals:
        below = LOWEST if lower is None else lower - form.constant
        above = HIGHEST if upper is None else upper - form.constant
        added.linear.domain.extend((below, above))


def add_column(proto: Any, lower: int, upper: int) -> int:
    proto.variables.add(domain=[lower, upper])
    return len(proto.variables) - 1


def bounds_of(proto: Any, form: Form) -> tuple[int, int]:
    """The interval of a form, from the domains that its columns have now."""
    low = high = form.constant
    for column, coef in zip(form.columns, form.coefs, strict=True):
        domain = proto.variables[column].domain
        ends = coef * domain[0], coef * domain[-1]
        low, high = low + min(ends), high + max(ends)
    return low, high


def size_of(proto: Any, form: Form) -> int:
    """Σ |coefficient| · |column|: what CP-SAT adds up before it takes a sum. Constants are never told to it."""
    total = 0
    for column, coef in zip(form.columns, form.coefs, strict=True):
        domain = proto.variables[column].domain
        total += abs(coef) * max(abs(domain[0]), abs(domain[-1]))
    return total


def settled(proto: Any, form: Form) -> Form:
    """The form with columns that have only one value counted in its constant."""
    coefs, constant = {}, form.constant
    for column, coef in zip(form.columns, form.coefs, strict=True):
        domain = proto.variables[column].domain
        if domain[0] == domain[-1]:
            constant += coef * domain[0]
        else:
            coefs[column] = coef
    return form_of(coefs, constant)
