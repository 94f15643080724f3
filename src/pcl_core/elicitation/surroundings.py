"""What a person needs to know beyond the part itself.

Local features concern a few other parts: their variables are shown. Global ones concern nearly everything: a
summary stands for them, such as the budget used.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pcl_core.elicitation.completing import is_wide
from pcl_core.ir.domains import Kind, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.nodes import Cmp, Const, Node, Ref, Sum
from pcl_core.ir.numbers import Number, from_fraction
from pcl_core.ir.symbols import referenced_definitions
from pcl_core.model.problem import Problem

NEAR = 0.9
"""Whoever has used this much of a limit should know."""


class Figure(NamedTuple):
    """A line of the summary: a number that depends on (nearly) the whole configuration."""

    label: str
    value: Number | bool
    limit: Number | None = None
    """What a hard constraint allows at most."""

    @property
    def share(self) -> float | None:
        """How much of the limit is used."""
        return float(self.value) / float(self.limit) if self.limit else None

    def __str__(self) -> str:
        value = ("yes" if self.value else "no") if isinstance(self.value, bool) else str(self.value)
        share = "" if self.share is None else f" of {self.limit} ({self.share:.0%})"
        return f"{self.label}: {value}{share}"


@dataclass(frozen=True)
class _Quantity:
    label: str
    node: Node
    limit: Number | None = None


class Surroundings:
    """What there is to see around each part of a problem; derived once, when it is first looked at."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._local: dict[int, tuple[str, ...]] = {}
        self._quantities: dict[int, tuple[_Quantity, ...]] = {}
        self._free: dict[str, bool] = {}

    def local_variables(self, part: int) -> tuple[str, ...]:
        """The variables of other parts that share a local feature with this one."""
        if part not in self._local:
            problem = self.problem
            own = set(problem.parts[part].variables)
            found: set[str] = set()
            for feature in problem.structure.feature_subsets[part]:
                if problem.feature_reach(feature) == "local":
                    found |= problem.symbols.free_variables(problem.features[feature].value)
            self._local[part] = tuple(name for name in problem.symbols.variables if name in found - own)
        return self._local[part]

    def summary(self, part: int, configuration: Mapping[str, Value]) -> tuple[Figure, ...]:
        """The numbers behind the part's global features and the constraints that it shares with most others."""
        if part not in self._quantities:
            self._quantities[part] = tuple(self._find_quantities(part))
        evaluation = Evaluation(self.problem.symbols, configuration)
        figures = []
        for quantity in self._quantities[part]:
            value = evaluation.value(quantity.node)
            if not isinstance(value, str):
                shown = value if isinstance(value, bool) else from_fraction(value)
                figures.append(Figure(quantity.label, shown, quantity.limit))
        return tuple(figures)

    def notable(self, part: int, before: Mapping[str, Value], after: Mapping[str, Value]) -> tuple[Figure, ...]:
        """What of the summary differs between two configurations, and then what is near its limit."""
        figures = zip(self.summary(part, before), self.summary(part, after), strict=True)
        moved = [(new != old, new) for old, new in figures]
        return (
            *(figure for moves, figure in moved if moves),
            *(figure for moves, figure in moved if not moves and (figure.share or 0) >= NEAR),
        )

    def limits(self, part: int, configuration: Mapping[str, Value]) -> tuple[Figure, ...]:
        """The constraints on this part that are no part of the summary and have used much of their limit, most of it first."""
        problem, shared, figures = self.problem, self._shared_constraints(part), list[Figure]()
        evaluation = Evaluation(problem.symbols, configuration)
        for position in problem.constraints_on(problem.parts[part].variables):
            constraint = problem.constraints[position]
            node, limit = _limit(constraint.require)
            value = None if limit is None or position in shared else evaluation.value(node)
            if value is not None and not isinstance(value, (str, bool)):
                figures.append(Figure(constraint.label or constraint.name, from_fraction(value), limit))
        found = [figure for figure in figures if (figure.share or 0.0) >= NEAR]
        return tuple(sorted(found, key=lambda figure: -(figure.share or 0.0)))

    def _find_quantities(self, part: int) -> Iterable[_Quantity]:
        """Named definitions stand for the features made of them: `dorms: 5` says more than four thresholds."""
        problem, seen = self.problem, dict[str, _Quantity]()
        for position in self._shared_constraints(part):
            constraint = problem.constraints[position]
            node, limit = _limit(constraint.require)
            if limit is not None:
                key = node.name if isinstance(node, Ref) else constraint.name
                label = self._label(node.name) if isinstance(node, Ref) else constraint.label or constraint.name
                seen.setdefault(key, _Quantity(label, node, limit))
        for index in problem.structure.feature_subsets[part]:
            if problem.feature_reach(index) == "global":
                feature = problem.features[index]
                names = sorted(self._wide_definitions(feature.value))
                if not names:
                    seen.setdefault(feature.name, _Quantity(feature.label or feature.name, without_sign(feature.value)))
                for name in names:
                    seen.setdefault(name, _Quantity(self._label(name), Ref(name=name)))
        return seen.values()

    def _wide_definitions(self, node: Node) -> set[str]:
        """Definitions that an expression names and that are numbers over several parts."""
        problem = self.problem
        where = problem.structure.part_of_variable
        found = set()
        for name in referenced_definitions(node):
            mentioned = problem.symbols.free_variables(Ref(name=name))
            if len({where[variable] for variable in mentioned}) > 1:
                found.add(name)
        return found

    def _shared_constraints(self, part: int) -> list[int]:
        problem = self.problem
        where = problem.structure.part_of_variable
        return [
            index
            for index in problem.constraints_on(problem.parts[part].variables)
            if len({where[name] for name in problem.symbols.free_variables(problem.constraints[index].require)})
            > max(1, len(problem.parts) / 2)
        ]

    def is_free(self, variable: str) -> bool:
        """Whether a variable can have several values as far as constraints on it alone say: else nobody chose its value."""
        if variable not in self._free:
            domain, alone = self.problem.symbols.variables[variable], self._alone.get(variable, ())
            self._free[variable] = (
                not alone
                or is_wide(domain)
                or sum(
                    all(Evaluation(self.problem.symbols, {variable: value}).value(node) for node in alone)
                    for value in domain.values()
                )
                > 1
            )
        return self._free[variable]

    @cached_property
    def _alone(self) -> dict[str, list[Node]]:
        """The constraints that are about one variable, by its name."""
        found: dict[str, list[Node]] = {}
        for constraint in self.problem.constraints:
            about = self.problem.symbols.free_variables(constraint.require)
            if len(about) == 1:
                found.setdefault(next(iter(about)), []).append(constraint.require)
        return found

    @cached_property
    def _labels(self) -> dict[str, str]:
        return {definition.name: definition.label for definition in self.problem.definitions}

    def _label(self, name: str) -> str:
        return self._labels[name] or name

    def is_yes_or_no(self, feature: int) -> bool:
        """Whether a feature tells just whether something holds, such as `1 if ... else -1`."""
        problem = self.problem
        inner = without_sign(problem.features[feature].value)
        return problem.inference.facts(inner).kind is Kind.TRUTH


def without_sign(node: Node) -> Node:
    """The condition of `a if condition else b`, which is a sum of one term; other expressions as they are."""
    while isinstance(node, Sum) and len(node.args) == 1 and node.coefs[0] > 0:
        node = node.args[0]
    return node


def _limit(node: Node) -> tuple[Node, Number | None]:
    if isinstance(node, Cmp) and node.rel in ("<=", "<") and isinstance(node.right, Const):
        value = node.right.value
        return node.left, None if isinstance(value, bool) or value <= 0 else value
    return node, None
