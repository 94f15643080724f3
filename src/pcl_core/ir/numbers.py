"""Exact numbers: whole numbers and finite decimals, never binary fractions.

A decimal is kept as it was written. Where arithmetic is needed it becomes an integer at a power of ten that
is known before anything is evaluated, so every evaluator and every solver works on the same integers.
"""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, TypeAlias

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from pcl_core.errors import Code

MAX_MAGNITUDE = 2**53
"""Solvers that compute in doubles hold whole numbers exactly up to here."""

MAX_PLACES = 15
MAX_DECIMAL_TEXT = 40

Number: TypeAlias = int | Decimal
Exact: TypeAlias = int | Fraction
"""What the reference evaluator computes with; a Fraction only where decimals are involved."""


class NumberError(ValueError):
    """A number that cannot be represented exactly; carries a stable code."""

    def __init__(self, code: Code, message: str) -> None:
        self.code = code
        super().__init__(message)


def exact(value: object) -> Number:
    """Turn what a person or a program wrote into an exact number.

    A float stands for its shortest decimal text, so 0.1 means one tenth. Whole decimals become integers,
    which gives every number one spelling and so one hash.
    """
    if type(value) is int:
        if abs(value) > MAX_MAGNITUDE:
            raise NumberError(Code.NUMBER_TOO_LARGE, "a whole number is larger than 2^53 in size")
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise NumberError(Code.WRONG_SHAPE, f"expected a number, got {_shown(value)}")
    if isinstance(value, str) and len(value) <= MAX_PLACES and value.isascii() and value.isdecimal():
        return int(value)
    text = repr(value) if isinstance(value, float) else str(value).strip()
    if len(text) > MAX_DECIMAL_TEXT:
        raise NumberError(Code.CANNOT_SCALE, "a number has too many digits to be kept exactly")
    try:
        decimal = Decimal(text)
    except InvalidOperation:
        raise NumberError(Code.WRONG_SHAPE, f"expected a number, got {_shown(value)}") from None
    if not decimal.is_finite():
        raise NumberError(Code.NOT_FINITE, f"a number must be finite, got {text}")
    return _shortest(decimal)


def _shortest(decimal: Decimal) -> Number:
    _, digits, exponent = decimal.as_tuple()
    if isinstance(exponent, int) and -MAX_PLACES <= exponent < 0 and digits[-1] and len(digits) <= MAX_PLACES:
        return decimal  # short, and as short as it can be: what most decimals are
    # Sizes are judged by digit counts first: 1e999999 must not be spelled out to be refused.
    if decimal and len(digits) + int(exponent) > len(str(MAX_MAGNITUDE)):
        raise NumberError(Code.NUMBER_TOO_LARGE, f"the number {decimal} is larger than 2^53 in size")
    if decimal and int(exponent) < -MAX_PLACES - len(digits):
        raise NumberError(Code.CANNOT_SCALE, f"the number {decimal} has more than {MAX_PLACES} decimal places")
    fraction = Fraction(decimal)
    if abs(fraction) > MAX_MAGNITUDE:
        raise NumberError(Code.NUMBER_TOO_LARGE, f"the number {decimal} is larger than 2^53 in size")
    if fraction.denominator == 1:
        return int(fraction)
    shortest = _stripped(decimal)
    if places(shortest) > MAX_PLACES:
        raise NumberError(Code.CANNOT_SCALE, f"the number {shortest} has more than {MAX_PLACES} decimal places")
    if abs(scaled(shortest, places(shortest))) > MAX_MAGNITUDE:
        raise NumberError(
            Code.CANNOT_SCALE, f"the number {shortest} has too many digits to be scaled to a whole number"
        )
    return shortest


def places(number: Number) -> int:
    """How many digits after the point the number needs."""
    return 0 if isinstance(number, int) else max(0, -int(number.as_tuple().exponent))


def scaled(number: Number, to_places: int) -> int:
    """The number as a whole number of 10^-to_places; `to_places` must be at least `places(number)`."""
    if isinstance(number, int):
        return number if to_places == 0 else number * 10**to_places
    result = Fraction(number) * 10**to_places
    assert result.denominator == 1, f"{number} does not fit {to_places} decimal places"
    return int(result)


def unscaled(value: int, from_places: int) -> Number:
    """The inverse of `scaled`."""
    if from_places == 0:
        return value
    whole, rest = divmod(value, int(10**from_places))
    if rest == 0:
        return whole
    sign, digits = (1 if value < 0 else 0), Decimal(abs(value)).as_tuple().digits
    return _stripped(Decimal((sign, digits, -from_places)))


def from_fraction(value: Exact) -> Number:
    """A finite decimal from exact arithmetic back as a number."""
    if isinstance(value, int):
        return value
    power = 0
    while (10**power) % value.denominator:
        power += 1
    return unscaled(int(value * 10**power), power)


def to_exact(number: Number) -> Exact:
    return number if isinstance(number, int) else Fraction(number)


def magnitude(value: Exact) -> Exact:
    return -value if value < 0 else value


def _stripped(decimal: Decimal) -> Decimal:
    sign, digits, exponent = decimal.as_tuple()
    while digits[-1] == 0:
        digits, exponent = digits[:-1], int(exponent) + 1
    return Decimal((sign, digits, int(exponent)))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def validate_number(value: object) -> Number:
    if type(value) is int and -MAX_MAGNITUDE <= value <= MAX_MAGNITUDE:
        return value
    try:
        return exact(value)
    except NumberError as error:
        raise PydanticCustomError(error.code.value, "{reason}", {"reason": str(error)}) from None


def serialize_number(number: Number) -> int | str:
    return number if isinstance(number, int) else format(number, "f")


NumberField = Annotated[
    int | Decimal,
    PlainValidator(validate_number),
    PlainSerializer(serialize_number, return_type=int | str),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}]}),
]
"""A number in the interchange format: a JSON integer, or a decimal as a string so that no reader rounds it."""


def _constant(value: object) -> object:
    return value if isinstance(value, bool) else validate_number(value)


ConstantField = Annotated[
    bool | int | Decimal,
    PlainValidator(_constant),
    PlainSerializer(lambda value: value if isinstance(value, bool) else serialize_number(value)),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}]}),
]
"""The same, or a truth value."""
