"""Known facts: what a truthful person with a linear utility u = w*·φ has said once and for all.

N_p holds vectors d on I_p, in whole units, with w*·d <= 0 (`<` where she said *better*). That is about d and not about
the context, so a fact outlives every change elsewhere. Where every alternative x′ to what stands differs from it by zero or
by a member of N_p, nothing that is allowed improves part p: its conditional regret is zero, and all parts so is Lemma 1.

A positive multiple of a fact is a fact, so vectors are kept divided by the greatest common divisor of their entries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.alternatives.residual import Residual
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers

DirectionKey: TypeAlias = bytes
"""A vector on I_p without its length: 64-bit whole numbers one after the other."""


@dataclass(frozen=True)
class Known:
    """The facts about one part."""

    rejected: frozenset[DirectionKey] = frozenset()
    """N_p: every d with w*·d <= 0"""
    strict: frozenset[DirectionKey] = frozenset()
    """Those of them with w*·d < 0."""
    confirmed: Mapping[str, Value] | None = None
    """The values that she last confirmed by word; None when she never did, or improved them since."""
    residual: Residual | None = None
    """Of a part that is too large to be listed: what it was when she confirmed it."""
    outdone: frozenset[DirectionKey] = frozenset()
    """φ_I of what she was shown and improved, in whole units."""


@dataclass(frozen=True)
class Heard:
    """The facts after one more answer, and what it contradicted."""

    facts: "KnownFacts"
    dropped: Integers
    """Facts that she had stated and that cannot be true beside this answer; a row each."""
    inexplicable: bool = False
    """She called better what has the same features: something she cares about is in none of them."""


@dataclass(frozen=True)
class KnownFacts:
    """What is known of each part. Never changes; each answer gives new ones, so undoing is going back."""

    parts: Mapping[int, Known] = field(default_factory=dict)

    def of(self, part: int) -> Known:
        return self.parts.get(part, Known())

    def accepting(self, part: int, values: Mapping[str, Value], differences: Integers) -> Heard:
        """She has nothing better than these values, among alternatives with these φ_I(x′) − φ_I(x): none is better.

        The alternatives are those that constraints, rules and pins allowed when she answered, and no others.
        """
        known, some = self.of(part), _some(differences)
        opposite = known.strict.intersection(_keys(-some)) if known.strict else frozenset[DirectionKey]()
        return self._heard(part, known, opposite, frozenset(_keys(some)), frozenset(), dict(values))

    def accepting_unlisted(self, part: int, values: Mapping[str, Value], residual: Residual) -> Heard:
        """The same for a part with too many alternatives: it stays confirmed as long as its residual problem does."""
        known = replace(self.of(part), confirmed=dict(values), residual=residual)
        return Heard(self._with(part, known), np.empty((0, 0), dtype=np.int64))

    def improving(self, part: int, shown: Integers, better: Integers) -> Heard:
        """She likes another value better, in the same context: φ_I(x) and φ_I(x̂). So the way back is worse, strictly.

        What she had confirmed there is not confirmed any more.
        """
        difference = better - shown
        known = replace(self.of(part), outdone=self.of(part).outdone | {shown.tobytes()})
        if not difference.any():
            kept = replace(known, confirmed=None)
            return Heard(self._with(part, kept), np.empty((0, len(difference)), dtype=np.int64), inexplicable=True)
        back = frozenset(_keys(-difference[None, :]))
        opposite = known.rejected & frozenset(_keys(difference[None, :]))
        return self._heard(part, known, opposite, back, back, None)

    def keeping(self, part: int, values: Mapping[str, Value]) -> "KnownFacts":
        """She wants these values beside others than she was shown: they are hers, and nothing else follows."""
        return self._with(part, replace(self.of(part), confirmed=dict(values), residual=None))

    def doubting(self, part: int) -> "KnownFacts":
        """What she had confirmed in a part is not confirmed any more; what she rejected stays rejected."""
        return self._with(part, replace(self.of(part), confirmed=None, residual=None))

    def rejected(self, part: int, differences: Integers) -> npt.NDArray[np.bool_]:
        """For each difference (a row) whether it is known not to be an improvement; zero never is one."""
        held = self.of(part).rejected
        known = np.fromiter((key in held for key in _keys(differences)), dtype=np.bool_, count=len(differences))
        return np.asarray(known | ~differences.any(axis=1), dtype=np.bool_)

    def outdone(self, part: int, units: Integers) -> npt.NDArray[np.bool_]:
        """For each φ_I (a row) whether she has improved on it when she was shown it: she knows something better."""
        held = self.of(part).outdone
        if not held:
            return np.zeros(len(units), dtype=np.bool_)
        known = np.array([np.frombuffer(key, dtype=np.int64) for key in held])
        return np.asarray((units[:, None, :] == known[None, :, :]).all(axis=2).any(axis=1), dtype=np.bool_)

    def closed(self, part: int, values: Mapping[str, Value], differences: Integers) -> bool:
        """Whether these values are what she confirmed by word, and nothing that is allowed now can be better."""
        known = self.of(part)
        return _same(known.confirmed, values) and known.rejected.issuperset(_keys(_some(differences)))

    def closed_unlisted(self, part: int, values: Mapping[str, Value], residual: Residual) -> bool:
        """The same for a part with too many alternatives."""
        known = self.of(part)
        return _same(known.confirmed, values) and known.residual is not None and known.residual.still_holds(residual)

    def _heard(
        self,
        part: int,
        known: Known,
        opposite: frozenset[DirectionKey],
        keys: frozenset[DirectionKey],
        strict: frozenset[DirectionKey],
        confirmed: Mapping[str, Value] | None,
    ) -> Heard:
        """The newest word wins: what it contradicts goes."""
        rejected, all_strict = (known.rejected - opposite) | keys, (known.strict - opposite) | strict
        kept = Known(rejected, all_strict, confirmed, None, known.outdone)
        rows = [np.frombuffer(key, dtype=np.int64) for key in sorted(opposite)]
        dropped = np.array(rows, dtype=np.int64) if rows else np.empty((0, 0), dtype=np.int64)
        return Heard(self._with(part, kept), dropped)

    def _with(self, part: int, known: Known) -> "KnownFacts":
        return replace(self, parts={**self.parts, part: known})


def _same(confirmed: Mapping[str, Value] | None, values: Mapping[str, Value]) -> bool:
    return confirmed is not None and all(values[name] == value for name, value in confirmed.items())


def _some(differences: Integers) -> Integers:
    """The differences, zero left out."""
    return np.asarray(differences[differences.any(axis=1)], dtype=np.int64)


def _keys(differences: Integers) -> list[DirectionKey]:
    """The direction of each vector; zero is its own."""
    whole, width = primitive(differences).tobytes(), differences.shape[1] * differences.itemsize
    return [whole[at * width : (at + 1) * width] for at in range(len(differences))]


def primitive(vectors: Integers) -> Integers:
    """Each row divided by the greatest common divisor of its entries: the same direction, the smallest whole numbers."""
    if not vectors.shape[1]:
        return vectors
    return np.ascontiguousarray(vectors // np.maximum(np.gcd.reduce(vectors, axis=1, keepdims=True), 1))
