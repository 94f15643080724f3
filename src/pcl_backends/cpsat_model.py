"""The flat model as CP-SAT's own, one constraint at a time; and objectives and floors beyond its 64 bits, taken apart:

    form = unit · leading + rest,   |leading| within 64 bits,   low <= rest <= high

What maximises the form is within 2·(high − low)/unit of the best leading part. So the leading part is maximised first;
then a column says how far below its best it is, and in terms of that column the form is small enough for the next step.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

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
    add,
    form_of,
    total,
)
from pcl_core.errors import Code, Issue, RequestError

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


LARGEST_FOR_CPSAT = 2**60
"""CP-SAT rejects models with a sum that could come near the end of its 64-bit integers."""


class TakenApart(NamedTuple):
    """form = unit · leading + rest"""

    leading: Form
    rest: Form
    unit: int


def split(proto: Any, form: Form) -> TakenApart | None:
    """The form taken apart, or None if CP-SAT can take it as it is."""
    size = size_of(proto, form)
    if size <= LARGEST_FOR_CPSAT:
        return None
    unit = 1 << (size // LARGEST_FOR_CPSAT).bit_length() + 1
    leading = {column: (2 * coef + unit) // (2 * unit) for column, coef in _terms(form).items()}
    rest = {column: coef - unit * leading[column] for column, coef in _terms(form).items()}
    found = TakenApart(form_of(leading, 0), form_of(rest, form.constant), unit)
    low, high = bounds_of(proto, found.rest)
    if 4 * (high - low) > size:
        message = "the weights and the features of so many variables are too large together to be compared exactly"
        raise RequestError(Issue(Code.NUMBERS_OUT_OF_RANGE, message, "give the weights fewer digits"))
    return found


def _terms(form: Form) -> dict[int, int]:
    return dict(zip(form.columns, form.coefs, strict=True))


def near_the_best(proto: Any, apart: TakenApart, best: int) -> Form:
    """Require that the leading part is so near to its best that the form can be; the form in terms of how near."""
    low, high = bounds_of(proto, apart.rest)
    window = -(-(high - low) // apart.unit)
    above = add_column(proto, 0, window)
    near = add([(1, apart.leading), (-1, Form((above,), (1,)))])
    add_constraint(proto, Row(near, best - window, best - window))
    return settled(proto, add([(apart.unit, Form((above,), (1,))), (1, apart.rest)], apart.unit * (best - window)))


def require_at_least(proto: Any, form: Form, floor: int, *only_if: int) -> None:
    """form >= floor, where all the literals `only_if` are true."""
    apart = split(proto, form)
    if apart is None:
        least, most = bounds_of(proto, form)  # what is beyond these says no more, and may be too large to be said
        add_constraint(proto, Row(form, max(least, min(floor, most + 1)), None), *only_if)
        return
    low, high = bounds_of(proto, apart.rest)
    least, most = bounds_of(proto, apart.leading)
    hopeless, enough = (
        max(least, min(-(-(floor - rest) // apart.unit), most + 1)) for rest in (high, low)
    )  # below the first it cannot be enough, from the second on it is
    add_constraint(proto, Row(apart.leading, hopeless, None), *only_if)
    clearly = add_column(proto, 0, 1)
    add_constraint(proto, Row(apart.leading, enough, None), clearly, *only_if)
    above = add_column(proto, 0, enough - hopeless)
    near = add([(1, apart.leading), (-1, Form((above,), (1,)))])
    add_constraint(proto, Row(near, hopeless, hopeless), ~clearly, *only_if)
    rest = add([(apart.unit, Form((above,), (1,))), (1, apart.rest)], apart.unit * hopeless)
    require_at_least(proto, settled(proto, rest), floor, ~clearly, *only_if)
