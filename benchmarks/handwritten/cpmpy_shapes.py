"""CPMpy with CP-SAT for the shapes: a model for each query, as its users write it."""

from collections.abc import Callable, Mapping
from typing import Any

import cpmpy as cp
import numpy as np
from benchmarks.handwritten import shape_data as data
from benchmarks.handwritten.cpmpy_models import solved
from benchmarks.handwritten.data import Configuration, Weights

Objective = Callable[[int, Weights, Configuration], int]


def weighted(w: Weights, features: Mapping[str, Any]) -> Any:
    return cp.sum([w[name] * feature for name, feature in features.items()])


def lookup(size: int, w: Weights, x: Configuration) -> int:
    a, b, c = cp.intvar(0, size - 1, shape=3)
    ways, charm = cp.cpm_array(data.rows(size, size)), cp.cpm_array(data.row(size))
    features = {"there": ways[a, b], "on": ways[b, c], "charm_a": charm[a], "charm_b": charm[b], "charm_c": charm[c]}
    return solved(cp.Model(a != c, maximize=weighted(w, features)))


def different(size: int, w: Weights, x: Configuration) -> int:
    seats = cp.intvar(0, size - 1, shape=size)
    features = {f"f{at}": cp.cpm_array(likes)[seats[at]] for at, likes in enumerate(data.rows(size, size))}
    return solved(cp.Model(cp.AllDifferent(seats), maximize=weighted(w, features)))


def wide(size: int, w: Weights, x: Configuration) -> int:
    a, b = cp.intvar(0, size - 1, shape=2)
    price, features = cp.cpm_array(data.row(size)), dict[str, Any]()
    for kind, row in enumerate(data.rows(data.KINDS, size)):
        worth = cp.cpm_array(row)
        features |= {f"worth{kind}_a": worth[a], f"worth{kind}_b": worth[b]}
    return solved(cp.Model(price[a] + price[b] <= data.MOST, maximize=weighted(w, features)))


def booleans(side: int, w: Weights, x: Configuration) -> int:
    cells = cp.boolvar(shape=(side, side))
    features = {}
    for r in range(side):
        for c in range(side):
            for name, (i, j) in ((f"h[{r},{c}]", (r, c + 1)), (f"v[{r},{c}]", (r + 1, c))):
                other = cells[i, j] if max(i, j) < side else bool(x[f"cell[{i},{j}]"])
                features[name] = 2 * (cells[r, c] != other) - 1
    return solved(cp.Model(maximize=weighted(w, features)))


def knapsack(size: int, w: Weights, x: Configuration) -> int:
    taken, weights = cp.boolvar(shape=size), np.array(data.row(size))
    features = {f"f{kind}": cp.sum(taken * np.array(row)) for kind, row in enumerate(data.rows(data.KINDS, size))}
    return solved(cp.Model(cp.sum(taken * weights) <= int(weights.sum()) // 3, maximize=weighted(w, features)))


def many_features(size: int, w: Weights, x: Configuration) -> int:
    chosen = cp.intvar(0, data.VALUES - 1, shape=3)
    pairs = enumerate(data.pairs(size))
    features = {f"f{at}": (chosen[one] == u) & (chosen[other] == v) for at, (one, u, other, v) in pairs}
    return solved(cp.Model(maximize=weighted(w, features)))


def domains(size: int, w: Weights, x: Configuration) -> int:
    a, b, c = cp.intvar(0, size - 1, shape=3)
    features = {"much_a": a, "much_b": b, "much_c": c, "near": abs(a - b), "far": abs(b - c)}
    return solved(cp.Model(a + b + c <= 2 * size, maximize=weighted(w, features)))


OBJECTIVES: Mapping[str, Objective] = {
    "lookup": lookup,
    "different": different,
    "wide": wide,
    "booleans": booleans,
    "knapsack": knapsack,
    "features": many_features,
    "domains": domains,
}
