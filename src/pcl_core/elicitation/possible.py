"""Which values of a part's variables some completion allows: facts, worked out when they are looked at."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from threading import Lock
from typing import Any, ClassVar, TypeAlias

import numpy as np

from pcl_core.alternatives.listing import Alternatives
from pcl_core.elicitation.completing import is_wide
from pcl_core.errors import UndecidedError
from pcl_core.ir.domains import Value
from pcl_core.ir.nodes import Var
from pcl_core.json_form import JsonForm
from pcl_core.model.elements import Feature
from pcl_core.model.problem import Problem
from pcl_core.solve.judge import Solution
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Sense, Status
from pcl_core.solve.seen import seen_by

SENSES: tuple[Sense, Sense] = ("min", "max")


@dataclass(frozen=True)
class Room:
    """The part that a question is about, the features it is solved with, and what stands around it."""

    oracle: Oracle
    variables: tuple[str, ...]
    features: tuple[int, ...]
    configuration: Mapping[str, Value]
    """x; the part's own values matter only where they are fixed"""

    def some(self, fixed: Mapping[str, Value]) -> Solution:
        """Any completion of the part around fixed values."""
        nothing = np.zeros(len(self.oracle.problem.features))
        return self.oracle.solve(
            nothing, variables=self.variables, given=self.configuration, features=self.features, fixed=fixed
        )

    def end(self, name: str, sense: Sense, fixed: Mapping[str, Value]) -> Solution:
        """The completion in which a whole number is least, or greatest."""
        seen = seen_by(self.oracle, self.variables)
        numbers, around = seen.oracle.derived(_numbers_as_features), seen.around(self.configuration, {})
        at = next(i for i, feature in enumerate(numbers.problem.features) if feature.name == name)
        weights = np.zeros(len(numbers.problem.features))
        weights[at] = 1.0
        return numbers.solve(weights, variables=self.variables, given=around, features=(at,), sense=sense, fixed=fixed)


PossibleData: TypeAlias = list[Value] | dict[str, int] | None


def possible_data(look: Callable[[], Sequence[Value]]) -> PossibleData:
    """A list of values, `least` and `greatest` of what is too many, null where a limit leaves undecided what `look` finds."""
    try:
        found = look()
    except UndecidedError:
        return None
    return {"least": found[0], "greatest": found[-1]} if isinstance(found, range) and found else list(found)


class Possible(Mapping[str, Sequence[Value]], JsonForm):
    """For each variable of a part the values that some completion allows, around what is fixed there and elsewhere.

    Of a whole number with many values it is the range from the least to the greatest; not all between need be allowed.
    What a limit left undecided raises `UndecidedError`. Threads may share it.
    """

    FORM_TYPE: ClassVar[object] = dict[str, PossibleData]

    def __init__(
        self, room: Room, fixed: Mapping[str, Value], listed: Callable[[], Alternatives | None] = lambda: None
    ) -> None:
        """`listed`: everything that may stand in the part, where somebody lists that; then nothing is solved."""
        self.room = room
        self._fixed = dict(fixed)
        self._listed = listed
        self._found: dict[str, Sequence[Value]] = {}
        self._lock = Lock()

    def __iter__(self) -> Iterator[str]:
        return iter(self.room.variables)

    def __len__(self) -> int:
        return len(self.room.variables)

    def __getitem__(self, name: str) -> Sequence[Value]:
        with self._lock:
            if name not in self._found:
                if name not in self._seen:
                    raise KeyError(name)
                wide, values = is_wide(self.room.oracle.problem.symbols.variables[name]), self._listed_values.get(name)
                if values is None:
                    self._found[name] = self._range(name) if wide else self._values(name)
                else:
                    self._found[name] = range(int(values[0]), int(values[-1]) + 1) if wide and values else values
            return self._found[name]

    def data(self) -> dict[str, Any]:
        return {name: possible_data(partial(self.__getitem__, name)) for name in self}

    @cached_property
    def _listed_values(self) -> Mapping[str, tuple[Value, ...]]:
        found = self._listed()
        return {} if found is None else found.offered

    def _values(self, name: str) -> tuple[Value, ...]:
        values = self.room.oracle.problem.symbols.variables[name].values()
        return tuple(value for value in values if self._allows(name, value))

    def _allows(self, name: str, value: Value) -> bool:
        if self._fixed.get(name, value) != value:
            return False
        if value not in self._seen[name]:
            found = self.room.some({**self._fixed, name: value})
            if found.status is Status.UNKNOWN:
                raise _undecided(found)
            if found.configuration is None:
                return False
            self._see(found.configuration)
        return True

    def _range(self, name: str) -> range:
        least, greatest = (self._end(name, sense) for sense in SENSES)
        return range(0) if least is None or greatest is None else range(least, greatest + 1)

    def _end(self, name: str, sense: Sense) -> int | None:
        found = self.room.end(name, sense, self._fixed)
        if found.status not in (Status.OPTIMAL, Status.INFEASIBLE):
            raise _undecided(found)
        return None if found.configuration is None else int(found.configuration[name])

    @cached_property
    def _seen(self) -> dict[str, set[Value]]:
        """Values that are in some completion found so far: each tells of all variables. What stands is the first."""
        standing = self.room.configuration
        stays = all(standing[name] == value for name, value in self._fixed.items())
        return {name: {standing[name]} if stays else set() for name in self.room.variables}

    def _see(self, configuration: Mapping[str, Value]) -> None:
        for name, seen in self._seen.items():
            seen.add(configuration[name])


class PossibleApart(Possible):
    """Of several parts that are looked at together: what a completion of a variable's own part allows, and others stay.

    So it is what `complete` gives, which changes those parts alone that values are given for: those in a draft move, too.
    """

    def __init__(
        self,
        room: Room,
        fixed: Mapping[str, Value],
        drafted: Collection[str],
        moving: Callable[[Sequence[int], Mapping[str, Value]], Possible],
    ) -> None:
        """`moving`: what is possible where these parts move, around values fixed in them."""
        super().__init__(room, fixed)
        structure = room.oracle.problem.structure
        self._where = structure.part_of_variable
        self._drafted = {self._where[name] for name in drafted}
        self._moving = moving
        self._of_parts: dict[frozenset[int], Possible] = {}

    def __getitem__(self, name: str) -> Sequence[Value]:
        if name not in self.room.variables:
            raise KeyError(name)
        parts = frozenset({self._where[name], *self._drafted})
        with self._lock:
            if parts not in self._of_parts:
                held = {it: value for it, value in self._fixed.items() if self._where[it] in parts}
                self._of_parts[parts] = self._moving(sorted(parts), held)
        return self._of_parts[parts][name]


def _undecided(found: Solution) -> UndecidedError:
    return UndecidedError(f"whether some completion allows this was not found out in time: {found.reason}")


def _numbers_as_features(problem: Problem) -> Problem:
    """The same variables and constraints, with the whole numbers that have many values as features."""
    numbers = tuple(Feature(name=it.name, value=Var(name=it.name)) for it in problem.variables if is_wide(it))
    parts = tuple(part.model_copy(update={"features": None}) for part in problem.parts)
    return problem.replace(features=numbers, parts=parts, shared_only="allow")
