"""CP-SAT for the whole training week at once."""

from itertools import pairwise
from typing import Any

from benchmarks.handwritten import data
from benchmarks.handwritten.cpsat_models import DayModel, solved, weighted_sum
from benchmarks.handwritten.data import Configuration, Outcome, Value, Weights
from ortools.sat.python import cp_model


class WeekModel:
    """The days side by side, and for each half of a day and activity a Boolean for 'is in this half'."""

    def __init__(self) -> None:
        self.model = cp_model.CpModel()
        self.days = {day: DayModel(day, self.model) for day in data.DAYS}
        in_half = {(day, half): self._activities(day, half) for day in data.DAYS for half in data.PAIRS}
        self._links = {
            f"{half}[{after}]": self._shared(in_half[before, half], in_half[after, half])
            for before, after in pairwise(data.DAYS)
            for half in data.PAIRS
        }

    def _any(self, literals: list[Any]) -> Any:
        if len(literals) == 1:
            return literals[0]
        found = self.model.new_bool_var("")
        self.model.add_bool_or(*literals, ~found)
        for literal in literals:
            self.model.add_implication(literal, found)
        return found

    def _activities(self, day: str, half: str) -> list[Any]:
        """For each activity its literal, or None where it cannot be; rest is certain where a slot is not free."""
        free = [slot for slot in data.PAIRS[half] if slot in self.days[day].does]
        found: list[Any] = [None] * len(data.ACTIVITIES)
        if free:
            found = [self._any([self.days[day].does[slot][a] for slot in free]) for a in range(len(found))]
        if len(free) < 2:
            found[data.ACTIVITIES.index("rest")] = True
        return found

    def _shared(self, before: list[Any], after: list[Any]) -> Any:
        literals = []
        for one, other in zip(before, after, strict=True):
            if one is True and other is True:
                return True
            if one is True or other is True:
                certain_elsewhere = other if one is True else one
                literals += [] if certain_elsewhere is None else [certain_elsewhere]
            elif one is not None and other is not None:
                both = self.model.new_bool_var("")
                self.model.add_bool_and(one, other).only_enforce_if(both)
                self.model.add_bool_or(~one, ~other, both)
                literals.append(both)
        return self._any(literals) if literals else False

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        literals: list[Any] = []
        coefs: list[int] = []
        constant = 0
        for day in self.days.values():
            found, worth = day.objective(w)
            literals, coefs = literals + found, coefs + worth
        for name, linked in self._links.items():
            if isinstance(linked, bool):
                constant += w[name] if linked else -w[name]
            else:
                literals.append(linked)
                coefs.append(2 * w[name])
                constant -= w[name]
        self.model.maximize(weighted_sum(literals, coefs) + constant)
        solver = solved(self.model)
        values: dict[str, Value] = {}
        for day in self.days.values():
            values |= day.values(solver)
        return Outcome(round(solver.objective_value), values)


def week(w: Weights, x: Configuration) -> Outcome:
    return WeekModel().solve(w, x)
