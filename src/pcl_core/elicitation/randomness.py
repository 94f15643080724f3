"""Randomness of an elicitation: from its seed and the query, and from nothing else."""

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

FOR_THE_ORDER, FOR_THE_START = 0, 2**63
"""Keys that no query has: queries count from 1."""
_PROPOSALS = 2**63
"""Added to seeds, which are smaller: what a belief draws for its proposals is no draw of the selection's."""


class _Key(ISeedSequence):
    """A key as it is, where numpy would mix one from entropy: that takes longer than everything else in a query."""

    def __init__(self, seed: int, query: int) -> None:
        self._key = np.array((seed, query), dtype=np.uint64)

    def generate_state(self, n_words: int, dtype: object = np.uint32) -> npt.NDArray[np.uint64]:
        assert (n_words, dtype) == (len(self._key), np.uint64), "Philox asks for its key"
        return self._key


def generator_for(seed: int, query: int) -> np.random.Generator:
    """Randomness for one query: it depends on nothing else, so a resumed elicitation goes on as it would have."""
    # numpy takes any `ISeedSequence` for a seed, and its types know only one of them
    return np.random.Generator(np.random.Philox(_Key(seed, query)))  # type: ignore[arg-type]


def proposing_generator(seed: int, query: int) -> np.random.Generator:
    """Randomness for the proposals of one query, the same for each of them: pins do not make a belief draw anew."""
    return generator_for(seed + _PROPOSALS, query)
