"""Validation errors of Pydantic as our own findings, one for each place."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from pcl_core.errors import MAX_FINDINGS, Code, Issue, Location, suggest
from pcl_core.ir.numbers import MAX_MAGNITUDE

MAX_DETAILS = 10 * MAX_FINDINGS
"""One finding may come of several: a value can fail to be any of several things."""
MAX_FIELD, MAX_BESIDE = 40, 10
"""How long, and how many, unknown fields are compared with a missing one."""

OUT_OF_PLACE = "it belongs elsewhere; is a line above missing, with the name of a section?"

_WORDS = {
    "string_too_short": "a name may not be empty",
    "string_too_long": "a name is too long",
    "too_short": "at least one entry is needed",
    "union_tag_not_found": "the field that says what sort of thing this is ('op' or 'domain') is missing",
}
_WORDS |= dict.fromkeys(("model_type", "model_attributes_type", "dataclass_type"), "input should be a mapping")
_NAME_ERRORS = {"string_pattern_mismatch", "string_too_short", "string_too_long"}
_SIZE_ERRORS = {
    "less_than_equal": ("le", "a whole number is larger than 2^53"),
    "greater_than_equal": ("ge", "a whole number is below -2^53"),
}
_QUOTED = re.compile("'([^']*)'")
_CODES = {code.value: code for code in Code}
_EXPECTED = "input should be "
_PLAIN_WORDS = {
    "a valid integer": "a whole number",
    "an instance of Decimal": "a number",
    "a valid string": "text",
    "a valid boolean": "true or false",
    "a valid list": "a list",
    "a valid tuple": "a list",
    "a valid dictionary": "a mapping",
    "an object": "a mapping",
}


def issues_from_validation(
    error: ValidationError, known_fields: Iterable[str] = (), piece: tuple[str, int] | None = None
) -> list[Issue]:
    """One finding for each error, up to a number; `path` is kept so that a loader can add line and column.

    `piece` says that a piece of a list was looked at: the list's name, and where in it the piece starts.
    """
    known = list(known_fields)
    details = error.errors(include_url=False)[:MAX_DETAILS]
    extra: dict[tuple[str | int, ...], list[str]] = {}
    for detail in details:
        if detail["type"] == "extra_forbidden":
            extra.setdefault(detail["loc"][:-1], []).append(str(detail["loc"][-1])[:MAX_FIELD])
    return [_issue(detail, known, piece) for detail in details if not _misspelt(detail, extra)]


def _misspelt(detail: Any, extra: Mapping[tuple[str | int, ...], Sequence[str]]) -> bool:
    """Whether a field is only missing because it is misspelt: then the field that is not known says it all."""
    if detail["type"] != "missing":
        return False
    beside = extra.get(detail["loc"][:-1], ())
    return bool(difflib.get_close_matches(str(detail["loc"][-1]), beside[:MAX_BESIDE], n=1))


def _issue(detail: Any, known_fields: list[str], piece: tuple[str, int] | None) -> Issue:
    sort, path = detail["type"], tuple(detail["loc"])
    if piece is not None and path:
        path = (piece[0], piece[1] + path[0], *path[1:])
    code = _CODES.get(sort, Code.BAD_NAME if sort in _NAME_ERRORS else Code.WRONG_SHAPE)
    if sort in _SIZE_ERRORS and abs(detail["ctx"][_SIZE_ERRORS[sort][0]]) >= MAX_MAGNITUDE:
        return Issue(Code.NUMBER_TOO_LARGE, _SIZE_ERRORS[sort][1], None, Location(), path)
    message = _WORDS.get(sort, detail["msg"][:1].lower() + detail["msg"][1:])
    hint = None
    if sort == "missing":
        message, path = f"the field '{path[-1]}' is missing", path[:-1]
    elif sort == "extra_forbidden":
        message, hint = f"there is no field '{path[-1]}' here", _elsewhere(str(path[-1]), known_fields)
    elif sort == "literal_error" and isinstance(given := detail["input"], str):
        code, message, hint = Code.UNKNOWN_OPTION, f"there is no '{given:.60}'", suggest(given, choices_of(detail))
    elif sort == "string_pattern_mismatch":
        plain = "a-z" in str(detail.get("ctx", {}).get("pattern", "")).lower()
        message = (
            "a name has letters, digits and _, and starts with a letter"
            if plain
            else "a name or a text has no control characters, and nothing that turns the direction of writing"
        )
    where = ".".join(str(step) for step in path if str(step).replace("_", "").isalnum())
    return Issue(code, message, hint, Location(subject=where or None), path, one_of_several=sort == "too_short")


def _elsewhere(name: str, known_fields: list[str]) -> str | None:
    """What to do about an unknown field; one that is known elsewhere is not misspelt but out of place."""
    return OUT_OF_PLACE if name in known_fields else suggest(name, known_fields)


def choices_of(detail: Mapping[str, Any]) -> list[str]:
    """The words that a `literal_error` allows; Pydantic has them in a sentence only."""
    return _QUOTED.findall(detail["ctx"]["expected"])


def merged(issues: Sequence[Issue]) -> list[Issue]:
    """Findings about one place; what would have fitted there is said in one of them."""
    expected = [issue for issue in issues if issue.message.startswith(_EXPECTED)]
    others = [issue for issue in issues if not issue.message.startswith(_EXPECTED)]
    if not expected:
        return [*issues]
    wanted = dict.fromkeys(_in_words(issue.message.removeprefix(_EXPECTED)) for issue in expected)
    one = replace(expected[0], message="expected " + " or ".join(wanted), one_of_several=True)
    return [one, *others]


def _in_words(expected: str) -> str:
    """What Pydantic asks for, as a person would say it."""
    return _PLAIN_WORDS.get(expected, expected)
