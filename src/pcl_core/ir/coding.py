"""Values as whole numbers, and back: the one place that knows how.

    a truth value     0 or 1
    a whole number    itself; a number that the context fixes counts units of 10^-places
    a label           its number: equal labels of all variables and tables have the same one

These are the *codes* that registers compute with. Where a solver sees columns, a label has a Boolean column for each label
of its domain, of which one is true; everything else has one column, with its code. Where values are listed, a value has a
*place*: 0 for the first of its domain, 1 for the next.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pcl_core.ir.domains import AnyVariable, Kind, Value, is_labelled


class Coding:
    """Codes of the values of one problem, or of one scope: labels are numbered as they are met."""

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        self._labels: list[str] = []
        for label in labels:
            self.code(label)

    def copied(self) -> "Coding":
        """One that knows the same labels, and meets others on its own."""
        return Coding(self._labels)

    def code(self, value: Value) -> int:
        """The code of a value of any variable, or of a key of a table."""
        if not isinstance(value, str):
            return int(value)
        number = self._numbers.get(value)
        if number is None:  # listed first: whatever an interrupt leaves behind, a number has its label
            number = len(self._labels)
            self._labels.append(value)
            self._numbers[value] = number
        return number

    def codes(self, values: Sequence[Value]) -> list[int]:
        """The codes of several values of which some may be labels; these have been met before."""
        numbers = self._numbers
        return [numbers[value] if isinstance(value, str) else value for value in values]

    def value(self, variable: AnyVariable, code: int) -> Value:
        """The value of a variable that has a code."""
        if variable.kind is Kind.LABEL:
            return self._labels[code]
        return bool(code) if variable.kind is Kind.TRUTH else code

    def domain(self, variable: AnyVariable) -> Sequence[int]:
        """The codes of a variable's values, by their places."""
        return [self.code(value) for value in variable.values()] if is_labelled(variable) else range_of(variable)


def range_of(variable: AnyVariable) -> range:
    """The codes of a truth value or a whole number: from its smallest to its largest."""
    first, last = variable.values()[0], variable.values()[-1]
    return range(int(first), int(last) + 1)


def place_of(variable: AnyVariable, value: Value) -> int:
    """Where a value stands in the domain of a variable."""
    return variable.values().index(value)  # type: ignore[arg-type]


def value_at(variable: AnyVariable, place: int) -> Value:
    return variable.values()[place]


class ColumnSpec(NamedTuple):
    """A whole number that a solver sees of a variable."""

    name: str
    lower: int
    upper: int


def column_specs(variable: AnyVariable) -> list[ColumnSpec]:
    """The columns of a variable."""
    if is_labelled(variable):
        return [ColumnSpec(f"{variable.name}={label}", 0, 1) for label in variable.labels]
    codes = range_of(variable)
    return [ColumnSpec(variable.name, codes[0], codes[-1])]


class VariableColumns(NamedTuple):
    """A variable and its columns, by their numbers in a model."""

    variable: AnyVariable
    columns: tuple[int, ...]

    @property
    def labels(self) -> dict[str, int]:
        """For each label the column that is true where the variable has it; nothing for other variables."""
        return dict(zip(self.variable.labels, self.columns, strict=True)) if is_labelled(self.variable) else {}


def to_columns(variables: Iterable[VariableColumns], values: Mapping[str, Value]) -> dict[int, int]:
    """The numbers in the columns of some variables; all of them have a value."""
    found: dict[int, int] = {}
    for variable, columns in variables:
        value = values[variable.name]
        if is_labelled(variable):
            found.update(dict.fromkeys(columns, 0))
            found[columns[place_of(variable, value)]] = 1
        else:
            found[columns[0]] = int(value)
    return found


def from_columns(variables: Iterable[VariableColumns], numbers: Sequence[int]) -> dict[str, Value]:
    """The values of variables, from the numbers of all columns.

    What a solver gets wrong stays wrong: a truth value that is 2, or a label of which nothing is chosen.
    """
    values: dict[str, Value] = {}
    for variable, columns in variables:
        if is_labelled(variable):
            chosen = [label for label, at in zip(variable.labels, columns, strict=True) if numbers[at] == 1]
            values[variable.name] = chosen[0] if chosen else ""
        else:
            number = numbers[columns[0]]
            values[variable.name] = bool(number) if variable.kind is Kind.TRUTH and number in (0, 1) else number
    return values
