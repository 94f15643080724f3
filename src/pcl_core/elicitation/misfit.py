"""Misfit: a sign that a person cares about something that is in none of the features."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from pcl_core.elicitation.state import State
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.problem import Problem

MOST_NAMED = 3


@dataclass(frozen=True)
class Misfit(JsonForm):
    """What no weights explain. A truthful person with a linear utility never gives this sign; a mistake may."""

    FORM: ClassVar[tuple[str, ...]] = ("queries", "variables", "values", "certain", "words")
    queries: tuple[int, ...]
    """Whose answers contradict what she had said, or prefer what has the same features."""
    variables: tuple[str, ...]
    """What she changed there."""
    values: tuple[Value, ...]
    """What she put in or took out there, the most frequent first."""
    certain: bool
    """Whether she preferred what has the same features: then no weights do, however she erred about others."""
    words: str
    """For people."""


def misfit_of(problem: Problem, state: State) -> Misfit | None:
    """The sign, once there is one."""
    if not state.surprises:
        return None
    made = [correction for correction in state.corrections if correction.query in state.surprises]
    counted = Counter(value for correction in made for value in (correction.after, correction.before))
    values = tuple(value for value, _ in counted.most_common())
    why = "where everything I know of is equal" if state.unexplained else "against what you had said before"
    times = "once" if len(state.surprises) == 1 else f"{len(state.surprises)} times"
    variables = tuple(dict.fromkeys(correction.variable for correction in made))
    named = [value for value in values if isinstance(value, str)]
    if not named:  # a number says nothing without what it counts
        named = [problem.symbols.variables[name].label or name for name in variables]
    about = ", ".join(named[:MOST_NAMED])
    words = f"you chose {times} {why}" + (f" ({about})" if about else "")
    words += ": something you care about may not be in my list, or an answer was not meant"
    return Misfit(state.surprises, variables, values, state.unexplained, words)
