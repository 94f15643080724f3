"""What is known of an expression before any variable has a value: its kind and its bounds."""

from enum import StrEnum
from typing import NamedTuple

from pcl_core.ir.numbers import Number, unscaled


class Kind(StrEnum):
    """What sort of value an expression has; UNKNOWN silences errors that follow from an earlier one."""

    NUMBER = "a number"
    TRUTH = "a truth value"
    LABEL = "a label"
    UNKNOWN = "unknown"


class Facts(NamedTuple):
    """What is known of an expression before any variable has a value."""

    kind: Kind
    low: int = 0
    high: int = 1
    places: int = 0
    labels: frozenset[str] = frozenset()
    depth: int = 1

    @property
    def bounds(self) -> tuple[Number, Number]:
        return unscaled(self.low, self.places), unscaled(self.high, self.places)

    def units(self, to_places: int) -> tuple[int, int]:
        factor = 10 ** (to_places - self.places)
        return self.low * factor, self.high * factor

    @property
    def is_boolean(self) -> bool:
        """Whether the only values are 0 and 1."""
        return self.kind is Kind.TRUTH or (self.places == 0 and self.low >= 0 and self.high <= 1)


UNKNOWN = Facts(Kind.UNKNOWN)
