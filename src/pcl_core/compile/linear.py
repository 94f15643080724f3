"""Pass: the flat model as rows alone, for solvers that know nothing but linear rows over whole numbers.

    clause            Σ literals >= 1; a single literal fixes its column
    exactly one       Σ literals == 1
    literal => row    big-M with the smallest M that bounds allow where the literal is false, one row for each side
    literal => != 0   two more Booleans say on which side of zero the form lies
    maximum           column >= each form; a Boolean for each form says which one it equals
    at most one       Σ literals <= 1
    all different     for each value Σ (the form is this one) <= 1, or every pair told apart

Columns that the context fixes are moved to the right-hand side: lower <= A·x + C·context <= upper.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pcl_core.compile.digits import Sizes, sizes_of
from pcl_core.compile.flat import (
    Apart,
    AtMostOne,
    Clause,
    Column,
    Different,
    ExactlyOne,
    FlatModel,
    Form,
    Implied,
    Literal,
    Maximum,
    Row,
    add,
    form_of,
    interval,
    total,
    truth_form,
)


@dataclass(frozen=True)
class LinearModel:
    """The flat model's columns, then those made here; every row is a form with bounds."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    context: frozenset[int]
    """The columns that the context fixes; the others are free."""
    sizes: Sizes


def linearise(flat: FlatModel) -> LinearModel:
    """Rows that have exactly the flat model's solutions."""
    work = _Linearisation(flat)
    for constraint in flat.constraints:
        if isinstance(constraint, Clause) and len(constraint.literals) == 1:
            work.settle(constraint.literals[0])
        if isinstance(constraint, Implied):
            work.learn(constraint)
    for constraint in flat.constraints:
        match constraint:
            case Row():
                work.row(constraint.form, constraint.lower, constraint.upper)
            case Clause():
                work.row(total(constraint.literals), 1, None)
            case ExactlyOne():
                work.exactly_one(constraint)
            case Implied():
                work.implied(constraint.literal, constraint.form, constraint.lower, constraint.upper)
            case Apart():
                work.apart(constraint.form, ~constraint.literal)
            case Maximum():
                work.maximum(constraint)
            case AtMostOne():
                work.row(total(constraint.literals), None, 1)
            case Different():
                work.different(constraint)
    return work.done()


class _Linearisation:
    def __init__(self, flat: FlatModel) -> None:
        self._columns, self._groups, self._context = [*flat.columns], flat.groups, flat.context_columns
        self._rows: list[Row] = []
        self._settled = {at for at, column in enumerate(flat.columns) if column.lower == column.upper}
        self._zero: dict[Literal, list[int]] = {}
        self._indicators = {**flat.indicators}

    def done(self) -> LinearModel:
        sizes = sizes_of(self._columns, self._rows, self._context)
        return LinearModel(tuple(self._columns), tuple(self._rows), self._context, sizes)

    def _bounds(self, form: Form) -> tuple[int, int]:
        return interval(form, self._columns, self._groups)

    def _boolean(self, sort: str, value: int | None = None) -> int:
        self._columns.append(Column(f"{sort}{len(self._columns) if value is None else value}", 0, 1))
        return len(self._columns) - 1

    def settle(self, literal: Literal) -> None:
        """A literal that must be true: its column is fixed, which is cheaper than a row."""
        column, value = (literal, 1) if literal >= 0 else (~literal, 0)
        held = self._columns[column]
        if held.lower <= value <= held.upper and column not in self._context:
            self._columns[column] = Column(held.name, value, value)
            self._settled.add(column)

    def learn(self, constraint: Implied) -> None:
        """Remember a column that is zero where a literal is true, such as a product where its factor is false."""
        form = constraint.form
        if form.coefs == (1,) and form.constant == constraint.lower == constraint.upper == 0:
            self._zero.setdefault(constraint.literal, []).append(form.columns[0])

    def _bounds_without(self, literal: Literal, form: Form) -> tuple[int, int]:
        """Interval of a form where a literal is false."""
        known = dict.fromkeys(self._zero.get(~literal, ()), 0)
        known[literal if literal >= 0 else ~literal] = int(literal < 0)
        if known.keys().isdisjoint(form.columns):
            return self._bounds(form)
        kept = {c: k for c, k in zip(form.columns, form.coefs, strict=True) if c not in known}
        fixed = sum(k * known[c] for c, k in zip(form.columns, form.coefs, strict=True) if c in known)
        return self._bounds(form_of(kept, form.constant + fixed))

    def row(self, form: Form, lower: int | None, upper: int | None) -> None:
        """Keep a row with all that is known moved to the bounds; rows that always hold are left out."""
        low, high = self._bounds(form)
        if (lower is None or low >= lower) and (upper is None or high <= upper):
            return
        form = self._without_settled(form)
        below = None if lower is None or low >= lower else lower - form.constant
        above = None if upper is None or high <= upper else upper - form.constant
        self._rows.append(Row(Form(form.columns, form.coefs), below, above))

    def _without_settled(self, form: Form) -> Form:
        """The form with the columns that have one value counted in its constant."""
        columns = self._columns
        if self._settled.isdisjoint(form.columns):
            return form
        kept: dict[int, int] = {}
        constant = form.constant
        for column, coef in zip(form.columns, form.coefs, strict=True):
            if columns[column].lower == columns[column].upper:
                constant += coef * columns[column].lower
            else:
                kept[column] = coef
        return form_of(kept, constant)

    def implied(self, literal: Literal, form: Form, lower: int | None, upper: int | None) -> None:
        """form <= upper + M·(1 - literal) with M = max(0, high - upper) where the literal is false; likewise below."""
        low, high = self._bounds(form)
        over, under = upper is not None and high > upper, lower is not None and low < lower
        if not over and not under:
            return
        free_low, free_high = self._bounds_without(literal, form)
        if over and upper is not None:
            most = max(0, min(high, free_high) - upper)
            self.row(add([(1, form), (most, truth_form(literal))]), None, upper + most)
        if under and lower is not None:
            most = max(0, lower - max(low, free_low))
            self.row(add([(1, form), (-most, truth_form(literal))]), lower - most, None)

    def exactly_one(self, constraint: ExactlyOne) -> None:
        """Stated whatever the bounds say: it is what makes them so tight."""
        form = self._without_settled(total(constraint.literals))
        self._rows.append(Row(Form(form.columns, form.coefs), 1 - form.constant, 1 - form.constant))

    def apart(self, form: Form, *unless: Literal) -> None:
        low, high = self._bounds(form)
        if low <= 0 <= high:
            below, above = self._boolean("below"), self._boolean("above")
            self.implied(below, form, None, -1)
            self.implied(above, form, 1, None)
            self.row(total((*unless, below, above)), 1, None)

    def different(self, constraint: Different) -> None:
        """Of the indicators of each value at most one is true; pairs are told apart where that takes fewer columns."""
        by_value: Iterable[Sequence[Literal]] = constraint.by_value
        columns = [form.columns[0] for form in constraint.forms if form.columns]
        values = sum(self._columns[at].upper - self._columns[at].lower + 1 for at in columns)
        if not by_value and len(columns) == len(constraint.forms) and values <= 2 * len(columns) * (len(columns) - 1):
            having: dict[int, list[Literal]] = {}
            for form in constraint.forms:
                for value, literal in self._indicated(form.columns[0]).items():
                    having.setdefault(form.constant + form.coefs[0] * value, []).append(literal)
            by_value = having.values()
        for literals in by_value:
            self.row(total(literals), None, 1)
        for pair in () if by_value else constraint.pairs():
            self.apart(pair)

    def _indicated(self, column: int) -> Mapping[int, Literal]:
        """For each value of a column the literal that is true where it has it."""
        if column not in self._indicators:
            held = self._columns[column]
            made = {value: self._boolean(f"{held.name}=", value) for value in range(held.lower, held.upper + 1)}
            self._indicators[column] = made
            self.exactly_one(ExactlyOne(tuple(made.values())))
            self.row(form_of({column: -1} | {at: value for value, at in made.items()}, 0), 0, 0)
        return self._indicators[column]

    def maximum(self, constraint: Maximum) -> None:
        column = Form((constraint.column,), (1,))
        chosen = []
        for form in constraint.forms:
            above = add([(1, column), (-1, form)])
            self.row(above, 0, None)
            chosen.append(self._boolean("top"))
            self.implied(chosen[-1], above, None, 0)
        self.row(total(chosen), 1, None)
