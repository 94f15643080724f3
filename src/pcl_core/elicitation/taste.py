"""Taste: what was learned of a person, for a later elicitation of the same problem or one like it.

    taste = week.taste()
    path.write_text(json.dumps(taste.data()))
    pcl.Elicitation(problem, taste=pcl.Taste.from_data(data))

Everything goes by name: features and their families, variables. What the other problem does not have is left out.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np

from pcl_core.documents.forms import read_form
from pcl_core.elicitation.making_room import fewest_changes
from pcl_core.elicitation.rules import Rules
from pcl_core.elicitation.speaking import without_query
from pcl_core.elicitation.state import State
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.assignment import fitting, values_by_name
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector, assess
from pcl_core.model.names import family_names
from pcl_core.model.own_rules import OwnRule
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle

DIGITS = 9
SUREST = 1e-150
"""The least deviation that counts: the square of a smaller one is zero."""
MOST_UNSURE = 1e150
"""The largest deviation that counts: the square of a larger one is no number."""
LARGEST = sys.float_info.max
KEPT = 0.5
"""How much of the weights a later elicitation starts from: a taste may have changed, or be another's."""


@dataclass(frozen=True)
class Taste(JsonForm):
    """What was learned of a person."""

    FORM: ClassVar[tuple[str, ...]] = ("problem", "weights", "deviations", "values", "rules")
    problem: str
    """Its name, for people; nothing follows from it."""
    weights: Mapping[str, float]
    """Of features, and of families such as `power[*,arms]`: for features that only the other problem has."""
    deviations: Mapping[str, float] = field(default_factory=dict)
    """How far from that each may be, a standard deviation; nothing from a learner that does not say."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """What she ended with, where she confirmed, typed or pinned it."""
    rules: tuple[OwnRule, ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "Taste":
        found = read_form(cls, data)
        rules = tuple(OwnRule(*(getattr(it, name) for name in OwnRule.FORM)) for it in found["rules"])
        taste = cls(**{**found, "rules": rules})
        taste.check()
        return taste

    def check(self) -> None:
        """A taste that was put together by hand may hold anything."""
        for given in (self.weights, self.deviations, self.values):
            values_by_name(given)
        _refuse_strange(self.weights, "weight", -LARGEST)
        _refuse_strange(self.deviations, "deviation", 0.0)
        rules: object = self.rules
        if not isinstance(rules, (tuple, list)) or not all(isinstance(rule, OwnRule) for rule in rules):
            hint = "what was kept as JSON is read with Taste.from_data"
            raise RequestError(Issue(Code.BAD_VALUE, "the rules of a taste are a tuple of OwnRule", hint))

    def weights_for(self, problem: Problem) -> list[float]:
        """w^1: by feature, else by family, else zero; less of it than was learned."""
        return [KEPT * float(weight or 0.0) for weight in _by_name(problem, self.weights)]

    def deviations_for(self, problem: Problem) -> list[float | None]:
        """How far from w^1 each weight may be; None where nothing is known."""
        known = {name: min(float(deviation), MOST_UNSURE) for name, deviation in self.deviations.items()}
        return _by_name(problem, known) if known else []

    def start_for(self, oracle: Oracle, start: Configuration) -> tuple[Configuration, Configuration]:
        """x^1, and what of it she wanted: her values where they are allowed together, and `start` elsewhere."""
        known, variables = dict[str, Value](), oracle.problem.symbols.variables
        for name, value in self.values.items():
            if name in variables and (fits := fitting(variables[name], value)) is not None:
                known[name] = fits
        wanted = {**start, **known}
        if not assess(oracle.problem, wanted).feasible:
            wanted |= fewest_changes(oracle, wanted, list(wanted), known) or {}
            if not assess(oracle.problem, wanted).feasible:  # a limit stopped the search
                return start, {}
        return wanted, {name: value for name, value in known.items() if wanted[name] == value}


def taste_of(rules: Rules, state: State) -> Taste:
    """What is known of a person, without a proposal that waits for an answer."""
    known, problem = without_query(rules, state, counting=False), rules.problem
    belief, standing = known.learner.belief, known.configuration
    deviations = belief.deviations()
    weights, unsure = _named(problem, belief.weights, deviations)
    hers = dict(known.typed)
    for position, part in enumerate(problem.parts):
        hers |= rules.held(known, position)
        if position in known.progress.confirmed:
            hers |= {name: standing[name] for name in part.variables}
    values = {name: value for name, value in standing.items() if hers.get(name) == value}
    return Taste(problem.name, weights, unsure, values, tuple(bound.rule for bound in known.own_rules))


def _refuse_strange(given: Mapping[str, object], what: str, least: float) -> None:
    for name, number in given.items():
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not is_number or not least <= cast(float, number) <= LARGEST:
            message = f"the {what} of '{name:.60}' in a taste cannot be {number!r:.40}"
            hint = f"a {what} is a number from {least:g} to {LARGEST:g}"
            raise RequestError(Issue(Code.BAD_VALUE, message, hint))


def _by_name(problem: Problem, known: Mapping[str, float]) -> list[float | None]:
    families = family_names(problem)
    return [
        known.get(feature.name, known.get(family)) for feature, family in zip(problem.features, families, strict=True)
    ]


def _named(problem: Problem, weights: Vector, deviations: Vector | None) -> tuple[dict[str, float], dict[str, float]]:
    """Weights and deviations by feature and by family; in the mean of a family counts most what is surest."""
    members: dict[str, list[int]] = defaultdict(list)
    for at, (feature, family) in enumerate(zip(problem.features, family_names(problem), strict=True)):
        members[family].append(at)
        members[feature.name] = [at]
    means, unsure = dict[str, float](), dict[str, float]()
    for name, own in members.items():
        known = np.ones(len(own)) if deviations is None else np.maximum(deviations[own], SUREST)
        precisions = (known.min() / known) ** 2
        mean = _mean(weights[own], precisions)
        means[name] = _short(mean)
        if deviations is not None:
            spread = np.hypot(known, weights[own] - mean)
            unsure[name] = _short(float(spread.max() * np.sqrt(np.mean((spread / spread.max()) ** 2))))
    return means, unsure


def _mean(numbers: Vector, counts: Vector) -> float:
    """The mean of numbers of any size: a sum of large ones is no number any more."""
    largest = float(np.abs(numbers).max()) or 1.0
    return largest * float(np.average(numbers / largest, weights=counts))


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
