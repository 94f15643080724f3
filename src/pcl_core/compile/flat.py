"""The backend-neutral model: whole-number columns, and a few kinds of constraints over them.

Solvers with logic (CP-SAT) take it as it is; linear solvers take what `linearise` makes of it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeAlias

from pcl_core.ir.coding import VariableColumns, from_columns, to_columns
from pcl_core.ir.domains import Value

Literal: TypeAlias = int
"""A Boolean column, or its negation written ~column."""

Truth: TypeAlias = bool | Literal
"""A truth value while compiling: known, or a literal. Test with `is True` and `is False`."""


class Form(NamedTuple):
    """constant + Σ coefs · columns, in units of 10^-places; columns ascend and coefficients are not zero.

    In constraints only the units count, so `places` is zero there.
    """

    columns: tuple[int, ...] = ()
    coefs: tuple[int, ...] = ()
    constant: int = 0
    places: int = 0

    def scaled(self, factor: int, places: int | None = None) -> "Form":
        digits = self.places if places is None else places
        if factor == 0:
            return Form(places=digits)
        if factor == 1 and digits == self.places:
            return self
        return Form(self.columns, tuple(c * factor for c in self.coefs), self.constant * factor, digits)

    def at_places(self, digits: int) -> "Form":
        assert digits >= self.places, "decimals cannot be dropped"
        return self if digits == self.places else self.scaled(int(10 ** (digits - self.places)), digits)


def add(forms: Iterable[tuple[int, Form]], constant: int = 0, digits: int = 0) -> Form:
    """constant + Σ factor · form, all at the given places."""
    total = constant
    found: dict[int, int] = {}
    for factor, form in forms:
        if form.places != digits:
            form = form.at_places(digits)
        total += factor * form.constant
        for column, coef in zip(form.columns, form.coefs, strict=True):
            found[column] = found.get(column, 0) + factor * coef
    return form_of(found, total, digits)


def form_of(coefs: Mapping[int, int], constant: int, digits: int = 0) -> Form:
    """constant + Σ coef · column"""
    kept = sorted([(column, coef) for column, coef in coefs.items() if coef])
    return Form(tuple([column for column, _ in kept]), tuple([coef for _, coef in kept]), constant, digits)


def negated(truth: Truth) -> Truth:
    return (not truth) if isinstance(truth, bool) else ~truth


def truth_form(truth: Truth) -> Form:
    """A truth value as a number: 0 or 1."""
    if isinstance(truth, bool):
        return Form(constant=int(truth))
    return Form((truth,), (1,)) if truth >= 0 else Form((~truth,), (-1,), 1)


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


def without_common(forms: Sequence[Form]) -> tuple[int, tuple[Form, ...]]:
    """The largest g and smallest forms a, such that the forms are g·a + r for one r."""
    first = forms[0].constant
    divisor = math.gcd(*(number for form in forms for number in (*form.coefs, form.constant - first))) or 1
    return divisor, tuple(quotient(form, divisor) for form in forms)


def quotient(form: Form, divisor: int) -> Form:
    """floor(form / divisor), where the divisor divides all coefficients."""
    return Form(form.columns, tuple([coef // divisor for coef in form.coefs]), form.constant // divisor)


@dataclass(frozen=True, slots=True)
class Column:
    """A whole number between bounds; `lower == 0 and upper == 1` makes it usable as a literal."""

    name: str
    lower: int
    upper: int

    @property
    def size(self) -> int:
        """Its largest number, without the sign."""
        return max(abs(self.lower), abs(self.upper))


@dataclass(frozen=True, slots=True)
class Row:
    """lower <= form <= upper; None where there is no bound."""

    form: Form
    lower: int | None
    upper: int | None


@dataclass(frozen=True, slots=True)
class Implied:
    """Where the literal is true: lower <= form <= upper."""

    literal: Literal
    form: Form
    lower: int | None
    upper: int | None


@dataclass(frozen=True, slots=True)
class Apart:
    """Where the literal is true: form is not zero."""

    literal: Literal
    form: Form


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals is true."""

    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class ExactlyOne:
    """Exactly one of the literals is true."""

    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class AtMostOne:
    """No two of the literals are true."""

    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Different:
    """No two of the forms are equal; each has one column, or none."""

    forms: tuple[Form, ...]
    by_value: tuple[tuple[Literal, ...], ...] = ()
    """The same once more, where all forms have literals for their values: of each of these at most one is true."""

    def pairs(self) -> list[Form]:
        """The same as differences that are not zero."""
        found = [add([(1, first), (-1, second)]) for first, second in combinations(self.forms, 2)]
        return [form for form in found if form.columns]


@dataclass(frozen=True, slots=True)
class Maximum:
    """The column is the largest of the forms."""

    column: int
    forms: tuple[Form, ...]


FlatConstraint: TypeAlias = Row | Implied | Apart | Clause | ExactlyOne | AtMostOne | Different | Maximum


class Groups(NamedTuple):
    """Boolean columns of which at most one is true, in groups. They make bounds tight."""

    of_column: dict[int, int]
    """The number of a column's group."""
    sizes: list[int | None]
    """How many columns a group has if exactly one of them is true; None if there may be none."""


NO_GROUPS = Groups({}, [])


@dataclass(frozen=True)
class FlatModel:
    """Columns and constraints; `variables` are decided, `context` is fixed before each solve. Nothing in it changes."""

    columns: tuple[Column, ...]
    constraints: tuple[FlatConstraint, ...] = ()
    origins: tuple[int, ...] = ()
    """For each constraint the position of the named constraint it serves alone, or -1 for definitions."""
    variables: tuple[VariableColumns, ...] = ()
    context: tuple[VariableColumns, ...] = ()
    features: tuple[Form, ...] = ()
    groups: Groups = NO_GROUPS
    indicators: Mapping[int, Mapping[int, Literal]] = field(default_factory=dict)
    """For columns of which it was asked: for each value the literal that is true where the column has it."""

    @property
    def context_columns(self) -> frozenset[int]:
        return frozenset(column for variable in self.context for column in variable.columns)

    def context_numbers(self, values: Mapping[str, Value]) -> dict[int, int]:
        """What the columns of the context are, for values of all of it."""
        return to_columns(self.context, values)

    def own_numbers(self, values: Mapping[str, Value]) -> dict[int, int]:
        """What columns of own variables are, for values of some of them."""
        return to_columns([held for held in self.variables if held.variable.name in values], values)

    def values(self, numbers: Sequence[int]) -> dict[str, Value]:
        """Values of the own variables from the numbers of all columns."""
        return from_columns(self.variables, numbers)

    def objective(self, weights: Sequence[int]) -> Form:
        """Σ weights · features as one form."""
        coefs, constant = [0] * len(self.columns), 0
        for weight, (terms, start) in zip(weights, self._feature_terms, strict=True):
            if weight:
                constant += weight * start
                for column, coef in terms:
                    coefs[column] += weight * coef
        columns = tuple([column for column, coef in enumerate(coefs) if coef])
        return Form(columns, tuple([coefs[column] for column in columns]), constant)

    @cached_property
    def _feature_terms(self) -> list[tuple[list[tuple[int, int]], int]]:
        """Columns with coefficients, and the constant, of each feature: every solve goes through all of them."""
        return [(list(zip(form.columns, form.coefs, strict=True)), form.constant) for form in self.features]

    def bounds(self, form: Form) -> tuple[int, int]:
        return interval(form, self.columns, self.groups)

    def compared(self) -> list[Column]:
        """The columns that an objective can have."""
        return [self.columns[at] for at in sorted({column for form in self.features for column in form.columns})]

    def largest_sum(self) -> int:
        """The largest Σ |coefficient · column| of a constraint, with its constants and sides, or of all columns together."""
        sizes = [column.size for column in self.columns]
        found = sum(sizes)
        for constraint in self.constraints:
            if isinstance(constraint, (Clause, ExactlyOne, AtMostOne)):
                continue
            forms = constraint.forms if isinstance(constraint, (Maximum, Different)) else (constraint.form,)
            for form in forms:
                total = sum([abs(coef) * sizes[column] for column, coef in zip(form.columns, form.coefs, strict=True)])
                found = max(found, total + abs(form.constant))
            if isinstance(constraint, (Row, Implied)):
                found = max(found, *(abs(side or 0) + abs(constraint.form.constant) for side in _sides(constraint)))
        return found

    def text(self) -> str:
        """The model for people and for tests: one line for each column and constraint."""
        lines = [f"{c.name} in {c.lower}..{c.upper}" for c in self.columns]
        return "\n".join(lines + [self._constraint_text(constraint) for constraint in self.constraints])

    def form_text(self, form: Form) -> str:
        terms = []
        for column, coef in zip(form.columns, form.coefs, strict=True):
            size = "" if abs(coef) == 1 else f"{abs(coef)} "
            terms.append(f"{'-' if coef < 0 else '+'} {size}{self.columns[column].name}")
        if form.constant or not terms:
            terms.append(f"{'-' if form.constant < 0 else '+'} {abs(form.constant)}")
        return " ".join(terms).removeprefix("+ ")

    def _literal_text(self, literal: Literal) -> str:
        return self.columns[literal].name if literal >= 0 else f"not {self.columns[~literal].name}"

    def _between(self, form: Form, lower: int | None, upper: int | None) -> str:
        text = self.form_text(form)
        if lower is not None and lower == upper:
            return f"{text} == {lower}"
        return f"{'' if lower is None else f'{lower} <= '}{text}{'' if upper is None else f' <= {upper}'}"

    def _constraint_text(self, constraint: FlatConstraint) -> str:
        match constraint:
            case Row():
                return self._between(constraint.form, constraint.lower, constraint.upper)
            case Implied():
                then = self._between(constraint.form, constraint.lower, constraint.upper)
                return f"{self._literal_text(constraint.literal)} => {then}"
            case Apart():
                return f"{self._literal_text(constraint.literal)} => {self.form_text(constraint.form)} != 0"
            case Clause():
                return " or ".join(map(self._literal_text, constraint.literals))
            case ExactlyOne():
                return "exactly one of " + ", ".join(map(self._literal_text, constraint.literals))
            case AtMostOne():
                return "at most one of " + ", ".join(map(self._literal_text, constraint.literals))
            case Different():
                return "all different: " + ", ".join(map(self.form_text, constraint.forms))
            case Maximum():
                forms = ", ".join(map(self.form_text, constraint.forms))
                return f"{self.columns[constraint.column].name} = max({forms})"


def _sides(constraint: Row | Implied) -> tuple[int | None, int | None]:
    return constraint.lower, constraint.upper


def interval(form: Form, columns: Sequence[Column], groups: Groups) -> tuple[int, int]:
    """Bounds of a form from those of its columns; of a group it holds what one member has, not the sum."""
    low = high = form.constant
    of_column, sizes = groups
    grouped: dict[int, list[tuple[int, Column]]] | None = None
    for column, coef in zip(form.columns, form.coefs, strict=True):
        held = columns[column]
        if column in of_column:
            if grouped is None:
                grouped = {}
            grouped.setdefault(of_column[column], []).append((coef, held))
        elif coef > 0:
            low, high = low + coef * held.lower, high + coef * held.upper
        else:
            low, high = low + coef * held.upper, high + coef * held.lower
    if grouped is not None:
        for group, members in grouped.items():
            least, most = _of_one(members, sizes[group])
            low, high = low + least, high + most
    return low, high


def _of_one(members: list[tuple[int, Column]], size: int | None) -> tuple[int, int]:
    """What members of a group can add to a form; `size` is given where exactly one of so many is true."""
    possible = [coef for coef, held in members if held.upper == 1]
    chosen = [coef for coef, held in members if held.lower == 1]
    if chosen:
        return chosen[0], chosen[0]
    if size is None or len(members) < size or not possible:
        possible.append(0)
    return min(possible), max(possible)
