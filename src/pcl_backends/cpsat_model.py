"""The flat model as CP-SAT's own, one constraint at a time; and what a request changes in it."""

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Any

from pcl_backends.cpsat_run import new_model
from pcl_core.compile import (
    Apart,
    AtMostOne,
    Clause,
    Column,
    Different,
    ExactlyOne,
    FlatConstraint,
    FlatModel,
    Form,
    Implied,
    Maximum,
    Row,
    form_of,
    interval,
    total,
)

LOWEST, HIGHEST = -(2**62), 2**62
NOT_ZERO: list[tuple[int | None, int | None]] = [(None, -1), (1, None)]


class CpSatModel:
    """A protocol buffer with the columns of a flat model, and the bounds that all columns have at the moment."""

    def __init__(self, flat: FlatModel) -> None:
        self.proto, self._groups = new_model(), flat.groups
        self.columns: list[Column] = []
        self._sizes: list[int] = []
        """The largest number in each column, without its sign."""
        for column in flat.columns:
            self.columns.append(column)
            self._sizes.append(column.size)
            self.proto.variables.add(name=column.name, domain=[column.lower, column.upper])

    def column(self, lower: int, upper: int) -> int:
        """One more column."""
        self.columns.append(Column("", lower, upper))
        self._sizes.append(self.columns[-1].size)
        self.proto.variables.add(domain=[lower, upper])
        return len(self.columns) - 1

    def restrict(self, bounds: Mapping[int, Column]) -> None:
        """Give columns other bounds than they have."""
        for at, column in bounds.items():
            if self.columns[at] != column:
                self.columns[at], self._sizes[at] = column, column.size
                self.proto.variables[at].domain[:] = [column.lower, column.upper]

    def cut(self, columns: int, constraints: int) -> None:
        """Keep so many, and forget those that were added later."""
        if len(self.proto.constraints) > constraints:
            del self.proto.constraints[constraints:]
        if len(self.columns) > columns:
            del self.proto.variables[columns:], self.columns[columns:], self._sizes[columns:]

    def bounds(self, form: Form) -> tuple[int, int]:
        """The interval of a form; of the columns of a label one is true."""
        return interval(form, self.columns, self._groups)

    def size(self, form: Form) -> int:
        """Σ |coefficient| · |column|: what CP-SAT adds up before it takes a sum. Constants are never told to it.

        It does not see that of the columns of a label one is true, and adds up all of them.
        """
        return sum(map(mul, map(abs, form.coefs), [self._sizes[at] for at in form.columns]))

    def settled(self, form: Form) -> Form:
        """The form with columns that have only one value counted in its constant."""
        columns = [self.columns[at] for at in form.columns]
        known = {
            at: column.lower for at, column in zip(form.columns, columns, strict=True) if column.lower == column.upper
        }
        if not known:
            return form
        coefs = dict(zip(form.columns, form.coefs, strict=True))
        constant = form.constant + sum([coefs.pop(at) * value for at, value in known.items()])
        return form_of(coefs, constant)

    def add(self, constraint: FlatConstraint, *only_if: int) -> None:
        """One constraint of the flat model; it only holds where all the literals `only_if` are true."""
        if isinstance(constraint, Different) and (only_if or _is_loose(constraint)):
            for pair in constraint.pairs():
                _linear(self._added(only_if), pair, NOT_ZERO)
            return
        if only_if and isinstance(constraint, AtMostOne):  # CP-SAT takes no conditions on these
            constraint = Row(total(constraint.literals), None, 1)
        added = self._added(only_if)
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
                    self.add(AtMostOne(literals))

    def _added(self, only_if: Sequence[int]) -> Any:
        added = self.proto.constraints.add()
        added.enforcement_literal.extend(only_if)
        return added

    def maximise(self, form: Form) -> None:
        """State an objective; its constant is left out, since CP-SAT keeps it as a double."""
        self.proto.ClearField("objective")
        if form.columns:
            self.proto.objective.vars.extend(form.columns)
            self.proto.objective.coeffs.extend([-coef for coef in form.coefs])
            self.proto.objective.scaling_factor = -1

    def hint(self, values: Mapping[int, int]) -> None:
        """Values to begin with."""
        self.proto.ClearField("solution_hint")
        if values:
            self.proto.solution_hint.vars.extend(values.keys())
            self.proto.solution_hint.values.extend(values.values())


def _is_loose(constraint: Different) -> bool:
    """Whether literals for more values than are needed are known; then pairs were found to be quicker."""
    return len(constraint.by_value) > len(constraint.forms)


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
