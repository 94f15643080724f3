"""How much features vary over what may stand in parts: the scale on which they can be compared."""

from collections.abc import Mapping, Sequence

import numpy as np

from pcl_core.alternatives.listing import Listing
from pcl_core.ir.domains import Value
from pcl_core.model.evaluation import Vector


def feature_spread(listing: Listing, configuration: Mapping[str, Value], families: Sequence[int]) -> Vector:
    """√ of the mean variance of a feature over what may stand in its parts, the rest as in `configuration`.

    The mean is over those of its parts that can be listed, and over the features of its family. Where it is zero, the
    width of the feature's bounds takes its place, and where that is zero too, 1: such a feature says nothing.
    """
    problem = listing.problem
    total, parts = np.zeros(len(problem.features)), np.zeros(len(problem.features))
    places = np.array([facts.places for facts in problem.feature_facts], dtype=np.float64)
    for part, subset in enumerate(problem.structure.feature_subsets):
        found, own = listing.of(part, configuration), list(subset)
        if found is not None:
            total[own] += (found.units / 10.0 ** places[own]).var(axis=0)
            parts[own] += 1
    widths = np.array([float(high - low) for low, high in (facts.bounds for facts in problem.feature_facts)])
    spread = np.sqrt(_within(families, total / np.maximum(1, parts)))
    spread = np.where(spread > 0, spread, np.sqrt(_within(families, widths**2)))
    return np.where(spread > 0, spread, 1.0)


def _within(families: Sequence[int], values: Vector) -> Vector:
    """For each feature the mean of its family."""
    family = np.array(families)
    return np.asarray((np.bincount(family, values) / np.bincount(family))[family], dtype=np.float64)
