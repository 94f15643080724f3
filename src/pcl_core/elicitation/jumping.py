"""Jumps: before a query, what nobody has spoken for moves to what is believed to be the best whole.

A proposal is the best for one part beside all others as they stand. What two parts would gain only together is out of its
reach, and parts that were not asked about yet stand as they did at the start. So all values that are not the person's own
are searched together, by climbs: one part after the other gets its best until none gains. One climb starts from what
stands, the others from something random that is allowed.

Where all that a person typed was final, nothing jumps: she goes through the parts once, and each is proposed when it is its
turn, by all that is known then.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from pcl_core.elicitation.people import PeopleRules
from pcl_core.elicitation.state import State, is_searching
from pcl_core.learn.selection import LOOKED_AT, looked_at
from pcl_core.model.configuration import Configuration

RESTARTS = 3
"""How many climbs start from something random."""
MOST_ROUNDS = 10
"""How often a climb goes through all parts: it ends by itself but for rounding."""
MOST_TURNS = 600
"""How often a part gets its best in all climbs together. Fifteen parts never need more; with hundreds of them a person would
wait for seconds, and what is left for the random starts comes after the climb from what stands."""
FEWER_TURNS, OTHERS = 120, 8
"""The same for the one climb where there are too many parts to look at each, and how many are looked at beside those that
may be next."""
LEAST_GAIN = 1e-6
"""A gain this small beside the utility is rounding."""

BestChanges: TypeAlias = Callable[[State, int], Configuration | None]
"""What the best for a part changes in it, around what is hers; None where it is too large to be listed."""


def jump(rules: PeopleRules, state: State, best: BestChanges) -> Configuration:
    """What changes in the best whole that was found by the weights to propose by; nothing where nothing is better."""
    weights = rules.proposing_weights(state)
    if not weights.any() or not is_searching(state):
        return {}
    generator = rules.proposing_generator(state)
    free = [part for part in _looked_at(rules, state, generator) if _is_free(rules, state, part)]
    if not free:
        return {}

    def utility(found: State) -> float:
        return float(weights @ rules.features.to_values(found.units))

    few = len(rules.problem.parts) <= LOOKED_AT
    top, turns = state, MOST_TURNS if few else FEWER_TURNS
    for climb in range(1 + RESTARTS if few else 1):
        if climb and turns < len(free):
            break
        start = _shuffled(rules, state, free, generator) if climb else state
        found, taken = _climbed(rules, start, free, best, min(turns, MOST_ROUNDS * len(free)))
        turns -= taken
        if utility(found) > utility(top) + LEAST_GAIN * max(1.0, abs(utility(top))):
            top = found
    standing = state.configuration
    return {name: value for name, value in top.configuration.items() if standing[name] != value}


def _looked_at(rules: PeopleRules, state: State, generator: np.random.Generator) -> Sequence[int]:
    """All parts; of very many those that she was asked about, those that may be next, and some others each time."""
    parts = range(len(rules.problem.parts))
    if len(parts) <= LOOKED_AT:
        return parts
    asked = [part for part in parts if state.asked[part]]
    fresh = [part for part in parts if not state.asked[part]]
    others = generator.choice(fresh, min(OTHERS, len(fresh)), replace=False).tolist()
    return sorted({*asked, *looked_at(fresh, LOOKED_AT - OTHERS), *others})


def _is_free(rules: PeopleRules, state: State, part: int) -> bool:
    """Whether a part has values that nobody has spoken for, and can be listed."""
    own = rules.problem.parts[part].variables
    return len(rules.held(state, part)) < len(own) and rules.alternatives(state, part) is not None


def _climbed(rules: PeopleRules, state: State, parts: Sequence[int], best: BestChanges, most: int) -> tuple[State, int]:
    """One part after the other gets its best, until none gains; and how many turns that took."""
    quiet = turn = 0
    while turn < most and quiet < len(parts):
        part = parts[turn % len(parts)]
        turn += 1
        changes = best(state, part)
        quiet = 0 if changes else quiet + 1
        if changes:
            configuration, units = rules.with_changes(state, (part,), changes, state.pins)
            state = state._replace(configuration=configuration, units=units)
    return state, turn


def _shuffled(rules: PeopleRules, state: State, parts: Sequence[int], generator: np.random.Generator) -> State:
    """Something random in each of some parts, one after the other, around what is hers."""
    start = state
    for part in generator.permutation(parts).tolist():
        hers = {**rules.remembered(start, part), **rules.held(start, part)}
        found = rules.alternatives(state, part, hers)
        if found is not None and len(found):
            changes = found.values(int(generator.integers(len(found))))
            state = state._replace(configuration={**state.configuration, **changes})
    return state._replace(units=rules.features.units(state.configuration))
