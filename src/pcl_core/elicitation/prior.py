"""What learners may know before the first answer, computed where one looks at it: from the problem and the start alone.

How much features vary over what may stand in parts is the scale on which they can be compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pcl_core.alternatives.listing import Listing
from pcl_core.ir.domains import Value
from pcl_core.learn import Prior
from pcl_core.learn.selection import LOOKED_AT, looked_at
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.model.names import feature_families
from pcl_core.model.problem import Problem


def feature_spread(listing: Listing, configuration: Mapping[str, Value], families: Sequence[int]) -> Vector:
    """√ of the mean variance of a feature over what may stand in its parts, the rest as in `configuration`.

    The mean is over those of its parts that can be listed, and over the features of its family. Where it is zero, the
    width of the feature's bounds takes its place, and where that is zero too, 1: such a feature says nothing.
    Of very many parts some are listed; what none of them says is taken to vary as much of its width as other features do.
    """
    problem = listing.problem
    total, parts = np.zeros(len(problem.features)), np.zeros(len(problem.features))
    places = np.array([facts.places for facts in problem.feature_facts], dtype=np.float64)
    subsets, seen = problem.structure.feature_subsets, np.zeros(len(problem.features), dtype=np.bool_)
    for part in _some(subsets, families):
        found, own = listing.of(part, configuration), list(subsets[part])
        seen[own] = True
        if found is not None:
            total[own] += (found.units / 10.0 ** places[own]).var(axis=0)
            parts[own] += 1
    widths = np.array([float(high - low) for low, high in (facts.bounds for facts in problem.feature_facts)])
    wide = np.sqrt(_within(families, widths**2, np.ones(len(seen), dtype=np.bool_)))
    spread = np.sqrt(_within(families, total / np.maximum(1, parts), seen))
    known = (spread > 0) & (wide > 0)
    share = np.median(spread[known] / wide[known]) if known.any() and not seen.all() else 1.0
    unseen = np.bincount(np.array(families), seen)[np.array(families)] == 0
    spread = np.where(spread > 0, spread, np.where(unseen, share * wide, wide))
    return np.where(spread > 0, spread, 1.0)


def _some(subsets: Sequence[Sequence[int]], families: Sequence[int]) -> list[int]:
    """All parts; of very many so many that each family is in one of them, up to a limit."""
    some = looked_at(range(len(subsets)))
    seen = {families[feature] for part in some for feature in subsets[part]}
    for part, subset in enumerate(subsets):
        if len(some) >= 2 * LOOKED_AT:
            break
        if any(families[feature] not in seen for feature in subset):
            some.append(part)
            seen |= {families[feature] for feature in subset}
    return some


def _within(families: Sequence[int], values: Vector, seen: npt.NDArray[np.bool_]) -> Vector:
    """For each feature the mean over those of its family that were looked at."""
    family = np.array(families)
    mean = np.bincount(family, values) / np.maximum(1, np.bincount(family, seen))
    return np.asarray(mean[family], dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class ProblemPrior(Prior):
    """The prior of an elicitation; nothing in it is solved for, so a log is replayed with the same."""

    problem: Problem
    start: Configuration
    """x^1"""

    @cached_property
    def spread(self) -> Vector:
        return feature_spread(Listing.shared(self.problem), self.start, self.families)

    @cached_property
    def families(self) -> tuple[int, ...]:
        return feature_families(self.problem)
