"""Why a proposal differs from what was there: weight × feature-change terms, in words."""

from collections.abc import Iterable
from typing import NamedTuple

from pcl_core.elicitation.surroundings import Surroundings
from pcl_core.model.elements import Feature
from pcl_core.model.evaluation import Vector


class Reason(NamedTuple):
    """A feature, its change, and what that counts for."""

    feature: str
    before: float
    after: float
    weight: float
    text: str

    @property
    def term(self) -> float:
        """weight × change"""
        return self.weight * (self.after - self.before)


def find_reasons(
    around: Surroundings, counted: Iterable[int], weights: Vector, before: Vector, after: Vector
) -> tuple[Reason, ...]:
    """All terms of the features that count, the largest first."""
    terms = weights * (after - before)
    ranked = sorted((i for i in counted if terms[i] != 0), key=lambda i: -abs(terms[i]))
    found = []
    for i in ranked:
        feature, numbers = around.problem.features[i], (float(before[i]), float(after[i]), float(weights[i]))
        found.append(Reason(feature.name, *numbers, _words(feature, around.is_yes_or_no(i), *numbers)))
    return tuple(found)


def _words(feature: Feature, is_yes_or_no: bool, before: float, after: float, weight: float) -> str:
    name, counts_for = feature.label or feature.name, weight * (after - before) > 0
    opinion = "which counts for it" if counts_for else "which counts against it"
    if is_yes_or_no:
        text = f"now {name}" if after > before else f"no longer {name}"
    else:
        unit = f" {feature.unit}" if feature.unit else ""
        direction = "more" if after > before else "less"
        text = f"{direction} {name} ({before:g} to {after:g}{unit})"
    return f"{text}, {opinion}"
