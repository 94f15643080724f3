"""What Python code hands to the builder: plain values made exact, and refusals that say what to write instead.

Numbers of numpy count as the numbers they are. A truth value of Python is refused where a condition is expected:
it comes from a comparison of two things of which none is an expression, and would silently decide everything.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from decimal import Decimal
from numbers import Integral, Real

import numpy as np
from pydantic import ValidationError

from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import missing_key
from pcl_core.documents import issues_from_validation
from pcl_core.errors import Code, Issue, Location, MisuseError, ProblemError
from pcl_core.ir.nodes import Key
from pcl_core.ir.numbers import Number, NumberError, exact

Truths = (bool, np.bool_)
TRUTH_HINT = (
    "a comparison makes an expression only where one side is an expression; did you compare two plain values? "
    "For a constant on purpose write constant(True)"
)
MAX_SHOWN = 40


def wrong(code: Code, message: str, hint: str | None = None, subject: str | None = None) -> ProblemError:
    """A value of the right sort that does not fit."""
    return ProblemError(Issue(code, message, hint, Location(subject=subject)))


def misuse(message: str, hint: str | None = None) -> MisuseError:
    """A thing of the wrong sort, where Python itself would raise a TypeError."""
    return MisuseError(Issue(Code.WRONG_KIND, message, hint))


def described(value: object) -> str:
    """A value as a sentence names it."""
    if value is None:
        return "None"
    if isinstance(value, Truths):
        return f"the truth value {bool(value)}"
    if isinstance(value, str):
        return f"the text '{value[:MAX_SHOWN]}'"
    if isinstance(value, (Integral, Real, Decimal)):
        return f"the number {str(value)[:MAX_SHOWN]}"
    name = getattr(value, "described", None)
    return name if isinstance(name, str) else f"a {type(value).__name__}"


def plain(value: object) -> bool | Number | str | None:
    """A plain value of Python or numpy, exact; None for everything else."""
    if isinstance(value, Truths):
        return bool(value)
    if isinstance(value, str):
        return str.__str__(value)
    with findings():
        if isinstance(value, Integral):
            return exact(int(value))
        if isinstance(value, float):
            return exact(float(value))  # numpy's own kind of float has a text of its own
        if isinstance(value, Decimal):
            return exact(value)
        if isinstance(value, np.floating):
            return exact(str(value))  # a float of fewer bits stands for its own shortest text
    return None


def number(value: object, used_for: str) -> Number:
    """An exact number; truth values are none here."""
    found = plain(value)
    if found is None or isinstance(found, (bool, str)):
        raise misuse(f"{used_for} is a number, not {described(value)}")
    return found


def whole(value: object, used_for: str) -> int:
    found = number(value, used_for)
    if not isinstance(value, Integral) or not isinstance(found, int):
        raise misuse(f"{used_for} is a whole number, not {described(value)}", _whole_hint(value))
    return found


def key(value: object, used_for: str) -> Key:
    """An index or key: a label or a whole number."""
    if isinstance(value, (str, Integral)) and not isinstance(value, bool):
        found = plain(value)
        assert isinstance(found, (int, str))
        return found
    raise misuse(f"{used_for} is a label or a whole number, not {described(value)}", _whole_hint(value))


def _whole_hint(value: object) -> str | None:
    return f"write {int(value)}" if isinstance(value, float) and value.is_integer() else None


def text(value: object, used_for: str) -> str:
    if not isinstance(value, str):
        raise misuse(f"{used_for} is text, not {described(value)}")
    return str.__str__(value)


def listed(values: object, used_for: str, of: str) -> list[object]:
    """The members of a list, in order."""
    if isinstance(values, Mapping):
        raise misuse(f"{used_for} takes a list of {of}, not a mapping", "write .values() or .keys()")
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable) or _has_no_members(values):
        raise misuse(f"{used_for} takes a list of {of}, not {described(values)}", "put it in a list: [...]")
    return list(values)


def _has_no_members(values: object) -> bool:
    """Whether it only looks like a list: an array of numpy without axes."""
    return isinstance(values, np.ndarray) and values.ndim == 0


def keys(values: object, used_for: str, of: str) -> tuple[Key, ...]:
    """Distinct labels or whole numbers in an order that is always the same."""
    if isinstance(values, AbstractSet) and not isinstance(values, type({}.keys())):
        raise misuse(f"{used_for} is a set, which has no order", "sort it: sorted(...)")
    if isinstance(values, Integral) and not isinstance(values, bool):
        raise misuse(f"{used_for} is a list of {of}, not {described(values)}", f"write range({int(values)})")
    members = list(values) if isinstance(values, Mapping) else listed(values, used_for, of)
    found = tuple(key(member, f"each of {used_for}") for member in members)
    if not found:
        raise wrong(Code.EMPTY_DOMAIN, f"{used_for} is empty", "give at least one")
    if len(set(found)) < len(found):
        twice = next(member for at, member in enumerate(found) if member in found[:at])
        raise wrong(Code.DUPLICATE_NAME, f"{used_for} lists '{twice}' twice", "give each once")
    return found


def absent(name: str, axes: tuple[tuple[Key, ...], ...], at: tuple[Key, ...], code: Code) -> ProblemError:
    """Why an array or a table has nothing at these keys."""
    found: ExpressionError = missing_key(name, axes, at, code)
    return wrong(found.code, found.message, found.hint)


def filled(template: str, index: tuple[Key, ...], owner: str) -> str:
    """A label with {0}, {1}, ... replaced by the indices."""
    fill: Callable[..., str] = text(template, f"the label of {owner}").format
    try:
        return fill(*index)
    except (LookupError, ValueError, AttributeError, TypeError):
        holders = " and ".join(f"{{{at}}}" for at in range(len(index)))
        hint = f"only {holders} can stand in it" if holders else "nothing can stand in braces"
        raise wrong(
            Code.BAD_EXPRESSION, f"the label '{template[:MAX_SHOWN]}' cannot be filled in", hint, owner
        ) from None


@contextmanager
def findings(subject: str | None = None) -> Iterator[None]:
    """What is wrong with a piece, as our own error."""
    try:
        yield
    except ValidationError as error:
        issues = issues_from_validation(error)
        raise ProblemError([Issue(i.code, i.message, i.hint, Location(subject=subject)) for i in issues]) from None
    except NumberError as error:
        raise wrong(error.code, str(error), None, subject) from None
