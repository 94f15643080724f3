"""Randomness of an elicitation: from its seed and the query, and from nothing else."""

import numpy as np

FOR_THE_ORDER, FOR_THE_START = 0, 2**63
"""Keys that no query has: queries count from 1."""
_PROPOSALS = 2**63
"""Added to seeds, which are smaller: what a belief draws for its proposals is no draw of the selection's."""
_ANY_SEED = np.random.SeedSequence(0)
"""Never seen: the key replaces it. Without one, numpy would ask the system for entropy first, which takes longest."""


def generator_for(seed: int, query: int) -> np.random.Generator:
    """Randomness for one query: it depends on nothing else, so a resumed elicitation goes on as it would have."""
    bits = np.random.Philox(_ANY_SEED)
    state = bits.state
    state["state"]["key"] = np.array((seed, query), dtype=np.uint64)
    bits.state = state
    return np.random.Generator(bits)


def proposing_generator(seed: int, query: int) -> np.random.Generator:
    """Randomness for the proposals of one query, the same for each of them: pins do not make a belief draw anew."""
    return generator_for(seed + _PROPOSALS, query)
