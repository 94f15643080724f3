"""Sheets: values or weights by name, read and written through typed attributes.

    week = training.Configuration(problem, {"plan[tue,2]": "rest"})
    week.plan["tue", 3] = "swimming"
    week.ground()                                    # {"plan[tue,2]": "rest", "plan[tue,3]": "swimming"}

Their subclasses are made from a problem by `types_module`. Checkers of types hold each use to the names and values that the
problem has; at run time the problem itself is asked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, Generic, Self, TypeVar

from pcl_core.errors import MAX_FINDINGS, Code, Issue, RequestError, suggest
from pcl_core.model.assignment import read_values, values_by_name
from pcl_core.model.configuration import Configuration
from pcl_core.model.problem import Problem
from pcl_core.typed.shape import indices_of_part

ByName = TypeVar("ByName", bound=Mapping[str, object])
PartT = TypeVar("PartT", bound=str)


@dataclass(frozen=True)
class Stamp:
    """What a module of types was made from."""

    problem: str
    content: str

    def check(self, problem: Problem) -> None:
        """Refuse a problem that the module was not made from: what checkers of types said is not true of it."""
        if problem.content_hash != self.content:
            message = f"these types were made from problem '{self.problem:.60}' as it was, and do not fit this problem"
            hint = "write them anew: pcl types PROBLEM --out FILE, or types_module(problem) in Python"
            raise RequestError(Issue(Code.TYPES_OUTDATED, message, hint))


class NoValueError(RequestError, KeyError):
    """A sheet has no value under a name; as with any mapping, a KeyError as well."""

    def __str__(self) -> str:
        return "\n".join(self.lines())


class Sheet(Generic[ByName]):
    """Some or all of what a problem has names for."""

    stamp: ClassVar[Stamp]
    problem: Problem
    _own: tuple[str, ...] = ()
    _names: Mapping[str, object]
    """All that may stand here."""
    _held: dict[str, Any]

    def _begin(self, problem: Problem, given: "Mapping[str, object] | Sheet[ByName] | None") -> None:
        self.stamp.check(problem)
        self.problem, self._names = problem, self._known(problem)
        self._held = self._checked(given._held if isinstance(given, Sheet) else given or {})

    def _get(self, name: str) -> Any:
        if name not in self._held:
            self._refuse_unknown([name])
            raise NoValueError(Issue(Code.BAD_CONFIGURATION, f"'{name}' has no value here"))
        return self._held[name]

    def _put(self, name: str, value: object) -> None:
        self._held |= self._checked({name: value})

    def _known(self, problem: Problem) -> Mapping[str, object]:
        raise NotImplementedError

    def _checked(self, given: Mapping[str, object]) -> dict[str, Any]:
        """What is given, as it may stand here; all findings come at once."""
        raise NotImplementedError

    def _refuse_unknown(self, given: Iterable[str]) -> None:
        if strange := [name for name in given if name not in self._names]:
            said = [
                (f"there is no '{name!s:.80}' here", suggest(str(name), self._names)) for name in strange[:MAX_FINDINGS]
            ]
            issues = [Issue(Code.UNKNOWN_NAME, message, hint) for message, hint in said]
            raise NoValueError(issues, len(strange) - len(issues))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and (self._held, self._own) == (other._held, other._own)

    __hash__ = None  # type: ignore[assignment]  # it can be edited

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._held!r})"


class ValueSheet(Sheet[ByName]):
    """Values of variables: a configuration, whole or in part."""

    def ground(self) -> Configuration:
        """The same by ground names, as the rest of pcl takes it."""
        return dict(self._held)

    def _checked(self, given: Mapping[str, object]) -> dict[str, Any]:
        self._refuse_unknown(values_by_name(given))
        variables = self.problem.symbols.variables
        found, issues = read_values({name: variables[name] for name in given}, given)
        if issues:
            raise RequestError(issues)
        return found


class ConfigurationSheet(ValueSheet[ByName]):
    """Values of any variables of a problem."""

    def __init__(self, problem: Problem, given: "ByName | ValueSheet[ByName] | None" = None) -> None:
        self._begin(problem, given)

    @classmethod
    def read(cls, problem: Problem, raw: Mapping[str, object]) -> Self:
        """From data whose type says nothing of its names and values."""
        made = cls(problem)
        made._held = made._checked(raw)
        return made

    def _known(self, problem: Problem) -> Mapping[str, object]:
        return problem.symbols.variables


class PartSheet(ValueSheet[ByName], Generic[ByName, PartT]):
    """Values of the variables of one part; of a larger sheet it takes only these."""

    part: PartT

    def __init__(self, problem: Problem, part: PartT, given: "ByName | ValueSheet[ByName] | None" = None) -> None:
        self.part, self._own = part, indices_of_part(part)
        self._begin(problem, None if isinstance(given, ValueSheet) else given)
        if isinstance(given, ValueSheet):
            self._held = {name: given._held[name] for name in self._names if name in given._held}

    @classmethod
    def read(cls, problem: Problem, part: PartT, raw: Mapping[str, object]) -> Self:
        """From data whose type says nothing of its names and values."""
        made = cls(problem, part)
        made._held = made._checked(raw)
        return made

    def _known(self, problem: Problem) -> Mapping[str, object]:
        return dict.fromkeys(problem.parts[problem.part_position(self.part)].variables)


class WeightSheet(Sheet[ByName]):
    """Weights of features; what is not given is zero."""

    def __init__(self, problem: Problem, given: "ByName | WeightSheet[ByName] | None" = None) -> None:
        self._begin(problem, given)

    @classmethod
    def read(cls, problem: Problem, raw: Mapping[str, object]) -> Self:
        """From data whose type says nothing of its names."""
        made = cls(problem)
        made._held = made._checked(raw)
        return made

    def ground(self) -> list[float]:
        """A number for each feature, in the problem's order: as the rest of pcl takes weights."""
        return [self._held.get(name, 0.0) for name in self._names]

    def _get(self, name: str) -> Any:
        return self._held.get(name, 0.0) if name in self._names else super()._get(name)

    def _known(self, problem: Problem) -> Mapping[str, object]:
        return dict.fromkeys(feature.name for feature in problem.features)

    def _checked(self, given: Mapping[str, object]) -> dict[str, Any]:
        self._refuse_unknown(values_by_name(given))
        found: dict[str, float] = {}
        for name, weight in given.items():
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not isfinite(weight):
                message = f"the weight of '{name:.80}' is a finite number, not {weight!r:.40}"
                raise RequestError(Issue(Code.BAD_VALUE, message))
            found[name] = float(weight)
        return found
