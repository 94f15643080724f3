"""What a person needs to know beyond the part itself.

Local features concern a few other parts: their variables are shown. Global ones concern nearly everything: a
summary stands for them, such as the budget used.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, cast

from pcl_core.elicitation.completing import is_wide
from pcl_core.ir.domains import Kind, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.nodes import Cmp, Const, Node, Ref, Sum
from pcl_core.ir.numbers import Exact, Number, from_fraction
from pcl_core.ir.symbols import referenced_definitions
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.model.elements import Constraint
from pcl_core.model.own_rules import OWN_LABEL
from pcl_core.model.problem import Problem
from pcl_core.wording import NEAR_A_LIMIT


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
    source: str
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
        self._wide: dict[str, bool] = {}
        self._shared: dict[int, bool] = {}
        self._evaluators: dict[tuple[str, ...], tuple[VectorEvaluator, list[bool]]] = {}

    def local_variables(self, part: int) -> tuple[str, ...]:
        """The variables of other parts that share a local feature with this one."""
        if part not in self._local:
            problem = self.problem
            own = set(problem.parts[part].variables)
            found: set[str] = set()
            for feature in problem.structure.feature_subsets[part]:
                if problem.feature_reach(feature) == "local":
                    found |= problem.symbols.free_variables(problem.features[feature].value)
            self._local[part] = tuple(sorted(found - own, key=problem.symbols.positions.__getitem__))
        return self._local[part]

    def summary(self, part: int, configuration: Mapping[str, Value]) -> tuple[Figure, ...]:
        """The numbers behind the part's global features and the constraints that it shares with most others."""
        if part not in self._quantities:
            facts = self.problem.inference.facts
            found = [it for it in self._find_quantities(part) if facts(it.node).kind is not Kind.LABEL]
            self._quantities[part] = tuple(found)
        quantities = self._quantities[part]
        values = self._values(quantities, configuration)
        return tuple(Figure(it.label, value, it.limit) for it, value in zip(quantities, values, strict=True))

    def _values(self, quantities: Sequence[_Quantity], configuration: Mapping[str, Value]) -> Iterable[Number | bool]:
        problem = self.problem
        if not problem.long_sums:
            evaluation = Evaluation(problem.symbols, configuration)
            found = [evaluation.value(quantity.node) for quantity in quantities]
            return [value if isinstance(value, bool) else from_fraction(cast(Exact, value)) for value in found]
        key = tuple(quantity.source for quantity in quantities)
        if key not in self._evaluators:  # most parts have the same summary
            nodes = [quantity.node for quantity in quantities]
            truths = [problem.inference.facts(node).kind is Kind.TRUTH for node in nodes]
            self._evaluators[key] = VectorEvaluator.of(problem.symbols, nodes, problem.registers.copied()), truths
        evaluator, truths = self._evaluators[key]
        units = zip(evaluator.few([configuration])[0], evaluator.places, truths, strict=True)
        return [bool(value) if truth else from_fraction(Fraction(value, 10**digits)) for value, digits, truth in units]

    def notable(self, part: int, before: Mapping[str, Value], after: Mapping[str, Value]) -> tuple[Figure, ...]:
        """What of the summary differs between two configurations, and then what is near its limit."""
        figures = zip(self.summary(part, before), self.summary(part, after), strict=True)
        moved = [(new != old, new) for old, new in figures]
        return (
            *(figure for moves, figure in moved if moves),
            *(figure for moves, figure in moved if not moves and (figure.share or 0) >= NEAR_A_LIMIT),
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
                figures.append(Figure(_called(constraint), from_fraction(value), limit))
        found = [figure for figure in figures if (figure.share or 0.0) >= NEAR_A_LIMIT]
        return tuple(sorted(found, key=lambda figure: -(figure.share or 0.0)))

    def _find_quantities(self, part: int) -> Iterable[_Quantity]:
        """Named definitions stand for the features made of them: `dorms: 5` says more than four thresholds."""
        problem, seen = self.problem, dict[str, _Quantity]()
        for position in self._shared_constraints(part):
            constraint = problem.constraints[position]
            node, limit = _limit(constraint.require)
            if limit is not None:
                key = node.name if isinstance(node, Ref) else constraint.name
                label = self._label(node.name) if isinstance(node, Ref) else _called(constraint)
                seen.setdefault(key, _Quantity(f"constraint {constraint.name}", label, node, limit))
        for index in problem.structure.feature_subsets[part]:
            if problem.feature_reach(index) == "global":
                feature = problem.features[index]
                names = sorted(self._wide_definitions(feature.value))
                if not names:
                    label, node = feature.label or feature.name, without_sign(feature.value)
                    seen.setdefault(feature.name, _Quantity(f"feature {feature.name}", label, node))
                for name in names:
                    seen.setdefault(name, _Quantity(f"definition {name}", self._label(name), Ref(name=name)))
        return seen.values()

    def _wide_definitions(self, node: Node) -> set[str]:
        """Definitions that an expression names and that are numbers over several parts."""
        where = self.problem.structure.part_of_variable
        found = referenced_definitions(node)
        for name in found - self._wide.keys():
            mentioned = self.problem.symbols.free_in_definition(name)
            self._wide[name] = len({where[variable] for variable in mentioned}) > 1
        return {name for name in found if self._wide[name]}

    def _shared_constraints(self, part: int) -> list[int]:
        problem = self.problem
        where = problem.structure.part_of_variable
        found = problem.constraints_on(problem.parts[part].variables)
        for index in found:
            if index not in self._shared:
                mentioned = problem.symbols.free_variables(problem.constraints[index].require)
                self._shared[index] = len({where[name] for name in mentioned}) > max(1, len(problem.parts) / 2)
        return [index for index in found if self._shared[index]]

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


def _called(constraint: Constraint) -> str:
    """As its author calls it; a rule of her own by its words, since all of them have the same label."""
    return constraint.name if constraint.label in ("", OWN_LABEL) else constraint.label


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
