"""Objectives and floors beyond the 64 bits of CP-SAT, taken apart:

    form = unit · leading + rest,   |leading| well within 64 bits,   low <= rest <= high

What maximises the form is within (high − low)/unit of the best leading part. So the leading part is maximised first. Where
nothing else comes so near, that was it. Otherwise a column says how far below its best it is, and in terms of that column
the form is small enough for the next step.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pcl_backends.cpsat_model import CpSatModel
from pcl_core.compile import Apart, Clause, Form, Row, add, form_of

LARGEST_FOR_CPSAT = 2**60
"""CP-SAT rejects models with a sum that could come near the end of its 64-bit integers."""
NOTHING = Form((), ())
LEADING = 2**42
"""How large the leading part is. The larger numbers are, the less CP-SAT can add up rows exactly, and the less it proves."""
GAINED = 2**8
"""Where what is left is not smaller by this, columns are so large that many steps would follow each other: the leading part
is as large as can be then.
"""
WIDE_FOR_CPSAT = 2**38
"""How many values the columns of features may have, together, where objectives of any size are compared. With more, many steps
follow each other in which bounds creep: with weights of all digits one solve in forty, beyond 2^50 one in ten, took more than
20 seconds.
"""
LARGEST_TO_COMPARE = 2**55
"""How large the columns of features may be, together: up to here every step leaves half of an objective at most."""


class TakenApart(NamedTuple):
    """form = unit · leading + rest"""

    leading: Form
    rest: Form
    unit: int


def taken_apart(model: CpSatModel, form: Form) -> TakenApart | None:
    """The form taken apart, or None if CP-SAT can take it as it is.

    What is left is smaller by far, and by half where columns are as large as they may be: it comes to an end.
    """
    size = model.size(form)
    if size <= LARGEST_FOR_CPSAT:
        return None
    found = _apart(form, 1 << (size // LEADING).bit_length() + 1)
    if GAINED * model.size(found.rest) <= size:
        return found
    return _apart(form, 1 << (size // LARGEST_FOR_CPSAT).bit_length() + 1)


def _apart(form: Form, unit: int) -> TakenApart:
    """With the coefficients of the leading part rounded to the nearest whole number."""
    leading = {column: (2 * coef + unit) // (2 * unit) for column, coef in _terms(form).items()}
    rest = {column: coef - unit * leading[column] for column, coef in _terms(form).items()}
    return TakenApart(form_of(leading, 0), form_of(rest, form.constant), unit)


def _terms(form: Form) -> dict[int, int]:
    return dict(zip(form.columns, form.coefs, strict=True))


def _window(model: CpSatModel, apart: TakenApart) -> int:
    """How far below its best the leading part is at most where the form is best."""
    low, high = model.bounds(apart.rest)
    return -(-(high - low) // apart.unit)


def require_another(model: CpSatModel, apart: TakenApart, best: int, numbers: Mapping[int, int]) -> None:
    """Require that the leading part is so near to its best that the form can be, with other numbers than these."""
    model.add(Row(apart.leading, best - _window(model, apart), None))
    literals = []
    for at, number in numbers.items():
        column = model.columns[at]
        if column.lower == column.upper:
            continue
        if (column.lower, column.upper) == (0, 1):
            literals.append(~at if number else at)
        else:
            differs = model.column(0, 1)
            model.add(Apart(differs, Form((at,), (1,), -number)))
            literals.append(differs)
    model.add(Clause(tuple(literals)))


def near_the_best(model: CpSatModel, apart: TakenApart, best: int) -> Form:
    """Require that the leading part is so near to its best that the form can be; the form in terms of how near."""
    window = _window(model, apart)
    above = model.column(0, window)
    near = add([(1, apart.leading), (-1, Form((above,), (1,)))])
    model.add(Row(near, best - window, best - window))
    return model.settled(add([(apart.unit, Form((above,), (1,))), (1, apart.rest)], apart.unit * (best - window)))


def require_at_least(model: CpSatModel, form: Form, floor: int, *only_if: int) -> None:
    """form >= floor, where all the literals `only_if` are true."""
    apart = taken_apart(model, form)
    if apart is None:
        least, most = model.bounds(form)  # what is beyond these says no more, and may be too large to be said
        model.add(Row(form, max(least, min(floor, most + 1)), None), *only_if)
        return
    low, high = model.bounds(apart.rest)
    least, most = model.bounds(apart.leading)
    hopeless, enough = (
        max(least, min(-(-(floor - rest) // apart.unit), most + 1)) for rest in (high, low)
    )  # below the first it cannot be enough, from the second on it is
    model.add(Row(apart.leading, hopeless, None), *only_if)
    clearly = model.column(0, 1)
    model.add(Row(apart.leading, enough, None), clearly, *only_if)
    above = model.column(0, enough - hopeless)
    near = add([(1, apart.leading), (-1, Form((above,), (1,)))])
    model.add(Row(near, hopeless, hopeless), ~clearly, *only_if)
    rest = add([(apart.unit, Form((above,), (1,))), (1, apart.rest)], apart.unit * hopeless)
    require_at_least(model, model.settled(rest), floor, ~clearly, *only_if)
