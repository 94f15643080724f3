"""Which values can stand where, in a few words and within a moment."""

import time
from collections.abc import Iterable, Mapping, Sequence

from pcl_app.sentences import show_value
from pcl_app.terminal.values import allowed_values
from pcl_app.terminal.words import listed
from pcl_core.elicitation import Query
from pcl_core.errors import UndecidedError
from pcl_core.ir import AnyVariable, BoolVariable, CategoricalVariable, IntVariable, Value

SECONDS = 1.0
"""What is not found out in this time is not said; a part may have very many variables."""
MAX_LISTED = 16


def possible_values(query: Query) -> Mapping[str, Sequence[Value]]:
    """The values that some completion allows, of the variables for which that is soon known."""
    found: dict[str, Sequence[Value]] = {}
    until = time.monotonic() + SECONDS
    for name in query.proposal:
        if time.monotonic() > until:
            break
        try:
            found[name] = query.possible[name]
        except UndecidedError:
            continue
    return found


def in_words(variable: AnyVariable, values: Sequence[Value] | None, most: int = MAX_LISTED) -> str:
    """What may stand there; everything that the variable can be, where nothing more is known."""
    if values is None or (isinstance(variable, BoolVariable) and len(values) > 1):
        return allowed_values(variable)
    numbers: Sequence[int] = values if isinstance(values, range) else [each for each in values if type(each) is int]
    if len(numbers) == len(values) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        unit = f" {variable.unit}" if isinstance(variable, IntVariable) and variable.unit else ""
        return f"{numbers[0]} to {numbers[-1]}{unit}"
    return listed([show_value(value) for value in values], most)


def possible_in_words(
    variables: Mapping[str, AnyVariable], rows: Sequence[str], possible: Mapping[str, Sequence[Value]]
) -> str:
    """What can stand where. Rows that allow the same are said once, and what they have in common, where that is much."""
    free = {row: name for row, name in enumerate(rows, start=1) if len(possible.get(name, "..")) > 1}
    if not free:
        return "nothing else is possible here as things stand"
    labels = [possible.get(name) for name in free.values() if isinstance(variables[name], CategoricalVariable)]
    known = [values for values in labels if values is not None]
    where = "" if len(free) == len(rows) else f" in {ranges(free)}"
    if len(known) == len(free) and len({tuple(values) for values in known}) > 1:
        common = [value for value in known[0] if all(value in values for values in known)]
        others = {row: [value for value in possible[name] if value not in common] for row, name in free.items()}
        if len(common) > sum(map(len, others.values())):
            also = [f"; in {row} also {', '.join(map(show_value, more))}" for row, more in others.items() if more]
            return f"possible{where}: {listed([show_value(value) for value in common], MAX_LISTED)}{''.join(also)}"
    groups: dict[str, list[int]] = {}
    for row, name in free.items():
        groups.setdefault(in_words(variables[name], possible.get(name)), []).append(row)
    if len(groups) == 1:
        return f"possible{where}: {next(iter(groups))}"
    return "possible " + "; ".join(f"in {ranges(numbers)}: {words}" for words, numbers in groups.items())


def ranges(numbers: Iterable[int]) -> str:
    """`1-3, 5`"""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
