"""Values as fields of a form hold them, and the fields themselves: `v17` is the problem's variable number 17."""

from collections.abc import Mapping, Sequence
from typing import Any

from pcl_core.json_form import Value

TRUTHS = {"true": True, "false": False}
MAX_DIGITS = 18


def field_names(variables: Sequence[str]) -> dict[str, str]:
    """The field of each variable, by its name."""
    return {name: f"v{at}" for at, name in enumerate(variables)}


def written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read(kind: str, text: str) -> Value:
    """What a field says of a variable of this kind. What cannot be a value of it stays a text, which the core refuses."""
    if kind == "truth":
        return TRUTHS.get(text, text)
    if kind == "number":
        digits = text.strip().removeprefix("-")
        return int(text) if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS else text[:80]
    return text


def read_all(variables: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> dict[str, Value]:
    """All values that the fields of a form say, by variable: the last one of each counts."""
    return {
        it["name"]: read(it["kind"], fields[field])
        for field, it in ((f"v{at}", it) for at, it in enumerate(variables))
        if field in fields
    }
