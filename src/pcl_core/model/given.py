"""What a program gives, looked at before any of it is used: of another type than it can be, it is refused in a sentence."""

from collections.abc import Iterable
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TypeVar

from pcl_core.errors import Code, Issue, RequestError

OfKind = TypeVar("OfKind")


def of_type(given: object, kind: type[OfKind], what: str, hint: str | None = None) -> OfKind:
    """What is given, which is of this kind; `what` it is to be, for people: `a problem`."""
    if not isinstance(given, kind):
        raise _refusal(given, what, hint)
    return given


def whole_number(given: object, what: str, hint: str | None = None) -> int:
    """A whole number, numpy's too; true and false are none."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise _refusal(given, what, hint)
    return int(given)


def names(given: object, what: str) -> list[str]:
    """Several names."""
    found = list(given) if isinstance(given, Iterable) else None
    if found is None or not all(isinstance(name, str) for name in found):
        raise _refusal(given, what, "give a list of names")
    return found


def path(given: object, what: str, hint: str | None = None) -> Path:
    """The path of a file."""
    if not isinstance(given, (str, PathLike)):
        raise _refusal(given, what, hint)
    return Path(given)


def _refusal(given: object, what: str, hint: str | None) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, f"{given!r:.60} is not {what}", hint))
