"""Pass: the flat model as rows alone, for solvers that know nothing but linear rows over whole numbers.

    clause            Σ literals >= 1; a single literal fixes its column
    exactly one       Σ literals == 1
    literal => row    big-M with the smallest M the bounds allow, one row for each side
    literal => != 0   two more Booleans say on which side of zero the form lies
    maximum           column >= each form; a Boolean for each form says which one it equals

Columns that the context fixes are moved to the right-hand side: lower <= A·x + C·context <= upper.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pcl_core.compile.flat import Apart, Clause, Column, ExactlyOne, FlatModel, Form, Implied, Literal, Maximum, Row
from pcl_core.compile.forms import add, form_of


@dataclass
class LinearModel:
    """The flat model's columns, then those made here; every row is a form with bounds."""

    columns: list[Column]
    rows: list[Row] = field(default_factory=list)


def linearise(flat: FlatModel) -> LinearModel:
    """Rows that have exactly the flat model's solutions."""
    work = _Linearisation(flat)
    for constraint in flat.constraints:
        if isinstance(constraint, Clause) and len(constraint.literals) == 1:
            work.settle(constraint.literals[0])
    for constraint in flat.constraints:
        match constraint:
            case Row():
                work.row(constraint.form, constraint.lower, constraint.upper)
            case Clause():
                work.row(total(constraint.literals), 1, None)
            case ExactlyOne():
                work.row(total(constraint.literals), 1, 1)
            case Implied():
                work.implied(constraint.literal, constraint.form, constraint.lower, constraint.upper)
            case Apart():
                work.apart(constraint)
            case Maximum():
                work.maximum(constraint)
    return work.linear


class _Linearisation:
    def __init__(self, flat: FlatModel) -> None:
        self._flat = FlatModel(columns=list(flat.columns))
        self._context = flat.context_columns
        self.linear = LinearModel(self._flat.columns)

    def _boolean(self, name: str) -> int:
        self._flat.columns.append(Column(f"{name}{len(self._flat.columns)}", 0, 1))
        return len(self._flat.columns) - 1

    def settle(self, literal: Literal) -> None:
        """A literal that must be true: its column is fixed, which is cheaper than a row."""
        column, value = (literal, 1) if literal >= 0 else (~literal, 0)
        held = self._flat.columns[column]
        if held.lower <= value <= held.upper and column not in self._context:
            self._flat.columns[column] = Column(held.name, value, value)

    def row(self, form: Form, lower: int | None, upper: int | None) -> None:
        """Keep a row with its constant moved to the bounds; rows that always hold are left out."""
        low, high = self._flat.bounds(form)
        below = None if lower is None or low >= lower else lower - form.constant
        above = None if upper is None or high <= upper else upper - form.constant
        if below is not None or above is not None:
            self.linear.rows.append(Row(Form(form.columns, form.coefs), below, above))

    def implied(self, literal: Literal, form: Form, lower: int | None, upper: int | None) -> None:
        """form <= upper + (high - upper)·(1 - literal), and likewise below."""
        low, high = self._flat.bounds(form)
        if upper is not None and high > upper:
            self.row(add([(1, form), (high - upper, _literal(literal))]), None, high)
        if lower is not None and low < lower:
            self.row(add([(1, form), (low - lower, _literal(literal))]), low, None)

    def apart(self, constraint: Apart) -> None:
        below, above = self._boolean("below"), self._boolean("above")
        self.implied(below, constraint.form, None, -1)
        self.implied(above, constraint.form, 1, None)
        self.row(total((~constraint.literal, below, above)), 1, None)

    def maximum(self, constraint: Maximum) -> None:
        column = Form((constraint.column,), (1,))
        chosen = []
        for form in constraint.forms:
            above = add([(1, column), (-1, form)])
            self.row(above, 0, None)
            chosen.append(self._boolean("top"))
            self.implied(chosen[-1], above, None, 0)
        self.row(total(chosen), 1, None)


def total(literals: Iterable[Literal]) -> Form:
    """How many of the literals are true."""
    coefs: dict[int, int] = {}
    constant = 0
    for literal in literals:
        if literal >= 0:
            coefs[literal] = coefs.get(literal, 0) + 1
        else:
            coefs[~literal] = coefs.get(~literal, 0) - 1
            constant += 1
    return form_of(coefs, constant)


def _literal(literal: Literal) -> Form:
    return Form((literal,), (1,)) if literal >= 0 else Form((~literal,), (-1,), 1)
