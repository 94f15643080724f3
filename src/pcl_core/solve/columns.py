"""Between variables and columns: what every backend over the flat model needs."""

from collections.abc import Mapping, Sequence

from pcl_core.compile.flat import FlatModel, Form, VariableColumns
from pcl_core.compile.forms import add
from pcl_core.compile.pipeline import Scope
from pcl_core.ir.domains import BoolVariable, Value


def objective_of(flat: FlatModel, weights: Sequence[int]) -> Form:
    """Σ weights · features as one form."""
    return add(
        [(weight, form._replace(places=0)) for weight, form in zip(weights, flat.features, strict=True) if weight]
    )


def column_values(variables: Sequence[VariableColumns], values: Sequence[int]) -> dict[int, int]:
    """Columns fixed by whole numbers; a label is its position."""
    found: dict[int, int] = {}
    for variable, value in zip(variables, values, strict=True):
        if variable.labels:
            found.update((column, int(at == value)) for at, column in enumerate(variable.columns))
        else:
            found[variable.columns[0]] = value
    return found


def own_columns(flat: FlatModel, values: Mapping[str, Value]) -> dict[int, int]:
    """Columns of own variables that have the given values."""
    by_name = {variable.name: variable for variable in flat.variables}
    found: dict[int, int] = {}
    for name, value in values.items():
        held = by_name[name]
        if held.labels:
            found.update((column, int(label == value)) for column, label in zip(held.columns, held.labels, strict=True))
        else:
            found[held.columns[0]] = int(value)
    return found


def decoded(scope: Scope, flat: FlatModel, columns: Sequence[int]) -> dict[str, Value]:
    """Values of the own variables from the values of all columns."""
    values: dict[str, Value] = {}
    for variable, held in zip(scope.variables, flat.variables, strict=True):
        if held.labels:
            values[variable.name] = next(
                (label for column, label in zip(held.columns, held.labels, strict=True) if columns[column] == 1), ""
            )
        else:
            value = columns[held.columns[0]]
            values[variable.name] = bool(value) if isinstance(variable, BoolVariable) and value in (0, 1) else value
    return values
