"""What a variable may be: a Boolean, a bounded integer, or one of several labels. And what is known of any expression
before a variable has a value: its kind and its bounds.
"""

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Annotated, ClassVar, Literal, NamedTuple, Self, TypeAlias, TypeGuard

from pydantic import Field, StrictInt, StrictStr, model_validator
from pydantic_core import PydanticCustomError

from pcl_core.errors import Code
from pcl_core.ir.nodes import Frozen, Key, Relation
from pcl_core.ir.numbers import MAX_MAGNITUDE, Number, unscaled
from pcl_core.json_form import Value as Value


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

    def reachable(self, axis: Mapping[Key, int]) -> range:
        """The whole numbers that this can be, as a key; where that is more than the axis has, what the axis spans."""
        if self.high - self.low < len(axis):
            return range(self.low, self.high + 1)
        held = [number for number in axis if isinstance(number, int)]
        return range(max(self.low, min(held)), min(self.high, max(held)) + 1) if held else range(0)

    def compared(self, rel: Relation, other: "Facts") -> tuple[int, int]:
        """Bounds of a comparison: (1, 1) or (0, 0) where the intervals already decide it."""
        digits = max(self.places, other.places)
        (a, b), (c, d) = self.units(digits), other.units(digits)
        match rel:
            case "==" | "!=":
                same, apart = a == b == c == d, b < c or a > d
                return (int(same), int(not apart)) if rel == "==" else (int(apart), int(not same))
            case "<":
                return int(b < c), int(a < d)
            case "<=":
                return int(b <= c), int(a <= d)
            case ">":
                return int(a > d), int(b > c)
            case ">=":
                return int(a >= d), int(b >= c)


UNKNOWN = Facts(Kind.UNKNOWN)


MAX_NAME_LENGTH = 200

_TURNING = r"\u2028-\u202e\u2066-\u2069"
"""What breaks lines behind a reader's back, or turns the direction of writing."""

NAME_PATTERN = rf"^[^\x00-\x1f\x7f-\x9f{_TURNING}]+$"
TEXT_PATTERN = rf"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{_TURNING}]*$"


class Outside(Enum):
    """Marks the types of fields that are outside of what a problem means, and so outside its content hash."""

    SHOWN = "for people to see: the presentation"
    CHECKED = "says again what follows from the rest, or allows it; all of it is decided once a problem is valid"


Name = Annotated[StrictStr, Field(min_length=1, max_length=MAX_NAME_LENGTH, pattern=NAME_PATTERN)]
Text = Annotated[str, Field(pattern=TEXT_PATTERN), Outside.SHOWN]
"""What people see: a label, a unit, a description. It may have line breaks and tabs."""


class BoolVariable(Frozen):
    """True or false."""

    kind: ClassVar[Kind] = Kind.TRUTH
    domain: Literal["bool"] = "bool"
    name: Name
    label: Text = ""

    def holds(self, value: object) -> bool:
        return isinstance(value, bool)

    def values(self) -> tuple[Value, ...]:
        return (False, True)

    @property
    def size(self) -> int:
        return 2


class IntVariable(Frozen):
    """A whole number from `lower` to `upper`, both included."""

    kind: ClassVar[Kind] = Kind.NUMBER
    domain: Literal["int"] = "int"
    name: Name
    lower: StrictInt = Field(ge=-MAX_MAGNITUDE, le=MAX_MAGNITUDE)
    upper: StrictInt = Field(ge=-MAX_MAGNITUDE, le=MAX_MAGNITUDE)
    label: Text = ""
    unit: Text = ""

    @model_validator(mode="after")
    def _some_value(self) -> Self:
        if self.lower > self.upper:
            raise PydanticCustomError(
                Code.EMPTY_DOMAIN.value,
                "variable '{name}' has no value to take: {lower}..{upper} is empty",
                {"name": self.name, "lower": self.lower, "upper": self.upper},
            )
        return self

    def holds(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.lower <= value <= self.upper

    def values(self) -> range:
        return range(self.lower, self.upper + 1)

    @property
    def size(self) -> int:
        return self.upper - self.lower + 1


class CategoricalVariable(Frozen):
    """One of several labels."""

    kind: ClassVar[Kind] = Kind.LABEL
    domain: Literal["categorical"] = "categorical"
    name: Name
    labels: tuple[Name, ...] = Field(fail_fast=True)
    label: Text = ""

    @model_validator(mode="after")
    def _distinct_labels(self) -> Self:
        if not self.labels:
            raise PydanticCustomError(
                Code.EMPTY_DOMAIN.value, "variable '{name}' has no label to take", {"name": self.name}
            )
        if len(set(self.labels)) < len(self.labels):
            raise PydanticCustomError(
                Code.DUPLICATE_NAME.value, "variable '{name}' lists a label twice", {"name": self.name}
            )
        return self

    def holds(self, value: object) -> bool:
        return isinstance(value, str) and value in self.labels

    def values(self) -> tuple[Value, ...]:
        return self.labels

    @property
    def size(self) -> int:
        return len(self.labels)


AnyVariable: TypeAlias = BoolVariable | IntVariable | CategoricalVariable
Variable: TypeAlias = Annotated[AnyVariable, Field(discriminator="domain")]


def is_labelled(variable: AnyVariable) -> TypeGuard[CategoricalVariable]:
    return variable.kind is Kind.LABEL
