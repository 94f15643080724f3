"""JSON text to plain data, exactly; lines and columns are looked up only when something is wrong."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from itertools import accumulate, islice
from typing import Any

from pcl_core.documents.document import KEY, MAX_DIGITS, Document, Mark
from pcl_core.documents.text import has_surrogates, location_at
from pcl_core.errors import MAX_FINDINGS, Code, DataPath, Issue, Location, ProblemError
from pcl_core.ir.nodes import MAX_DEPTH

MAX_JSON_VALUES = 1_000_000
"""As many commas; each value takes about a hundred bytes, whatever it is."""

MAX_JSON_NESTING = 2 * MAX_DEPTH + 20
"""Each expression node takes two levels (its object and its list of arguments)."""

_HALF = re.compile(r"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
# Nothing is given back once it fits (++, *+): a quote that is never closed must not be looked at again and again.
_JSON_TOKEN = re.compile(r'\s*+("(?:[^"\\]++|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]++)', re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NOT_BRACKETS = re.compile(r"[^{}\[\]]++")


class _NumberRefusedError(ValueError):
    """A number that cannot be read, as it is written."""

    def __init__(self, text: str, code: Code, message: str) -> None:
        self.text, self.code = text, code
        super().__init__(message)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise _NumberRefusedError(text, Code.NUMBER_TOO_LARGE, "a number has too large an exponent") from None


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _NumberRefusedError(text, Code.NUMBER_TOO_LARGE, "a number has too many digits")
    return int(text)


def _not_finite(text: str) -> None:
    raise _NumberRefusedError(text, Code.NOT_FINITE, f"a number must be finite, not {text}")


def read_json(text: str, file: str, decimal: Callable[[str], Any] = _decimal) -> Document:
    """Plain data, decimals as written unless `decimal` says otherwise; duplicate keys, NaN and deep nesting are findings."""
    if text.count(",") > MAX_JSON_VALUES:
        message = f"the file has more than {MAX_JSON_VALUES:,} values"
        raise ProblemError(Issue(Code.FILE_TOO_LARGE, message, None, Location(file, 1, 1)))
    repeats = False

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeats
        found = dict(pairs)
        repeats = repeats or len(found) < len(pairs)
        return found

    try:
        data = json.loads(
            text, parse_float=decimal, parse_int=_whole, parse_constant=_not_finite, object_pairs_hook=once
        )
    except json.JSONDecodeError as error:
        where = Location(file, error.lineno, error.colno)
        raise ProblemError(Issue(Code.SYNTAX, f"not valid JSON: {error.msg}", None, where)) from None
    except _NumberRefusedError as error:
        at = next(token.start(1) for token in _JSON_TOKEN.finditer(text) if token.group(1) == error.text)
        raise ProblemError(Issue(error.code, str(error), None, location_at(text, at, file))) from None
    except RecursionError:
        raise _too_deep(file) from None
    except ValueError as error:
        raise ProblemError(Issue(Code.SYNTAX, f"not valid JSON: {error}", None, Location(file))) from None
    if _nesting(text) > MAX_JSON_NESTING:
        raise _too_deep(file)
    halves = [
        Issue(Code.NOT_TEXT, "a text has half of a surrogate pair in it", None, location_at(text, at, file))
        for at in islice(_surrogates(text), MAX_FINDINGS + 1)
    ]
    if halves:
        raise ProblemError(halves)
    if repeats:
        issues = [
            Issue(Code.DUPLICATE_KEY, f"the key '{key}' stands twice", "keep one of them", location_at(text, at, file))
            for key, at in islice(_repeated_keys(text), MAX_FINDINGS + 1)
        ]
        raise ProblemError(issues)
    return Document(file, data, find_marks=lambda paths: _marks(text, paths))


def _too_deep(file: str) -> ProblemError:
    message = (
        f"nested more than {MAX_JSON_NESTING} deep (an expression may have {MAX_DEPTH} nodes on top of each other)"
    )
    return ProblemError(Issue(Code.TOO_DEEP, message, "use lists or definitions", Location(file, 1, 1)))


def _marks(text: str, paths: Iterable[DataPath]) -> dict[DataPath, Mark]:
    """The marks of these values, and of all around them."""
    wanted = {path[:end] for path in paths for end in range(len(path) + 1)}
    marks: dict[DataPath, Mark] = {}
    missing = len(wanted)
    line, line_start, searched = 1, 0, 0
    for path, offset in _values(text, wanted):
        line += text.count("\n", searched, offset)
        line_start = max(line_start, text.rfind("\n", searched, offset) + 1)
        searched = offset
        marks[path] = Mark(line, offset - line_start + 1)
        missing -= path in wanted
        if not missing:  # what is wrong is often near the beginning
            break
    return marks


def _nesting(text: str) -> int:
    """How deep brackets are nested outside of strings, without recursion, in valid JSON."""
    brackets = _NOT_BRACKETS.sub("", _STRING.sub("", text))
    return max(accumulate(1 if bracket in "{[" else -1 for bracket in brackets), default=0)


def _values(text: str, wanted: Collection[DataPath]) -> Iterator[tuple[DataPath, int]]:
    """The offsets of wanted values and of their keys, in valid JSON; a path is wanted only if what is around it is."""
    path: list[str | int] = []  # one entry a level: the current key or index
    strange = 0  # levels below the last whose values are wanted
    expect_key = False
    for token in _JSON_TOKEN.finditer(text):
        word, at = token.group(1), token.start(1)
        if strange:
            strange += (word in "{[") - (word in "}]")
        elif word in "}]":
            path.pop()
            expect_key = False
        elif word == ",":
            expect_key = isinstance(path[-1], str)
            if isinstance(path[-1], int):
                path[-1] += 1
        elif expect_key:
            path[-1] = str(json.loads(word))
            expect_key = False
            if tuple(path) in wanted:
                yield (*path, KEY), at
        elif word != ":":
            found = tuple(path) in wanted
            if found:
                yield tuple(path), at
            if word in "{[":
                if found:
                    path.append("" if word == "{" else 0)
                    expect_key = word == "{"
                else:
                    strange = 1


def _repeated_keys(text: str) -> Iterator[tuple[str, int]]:
    """Keys that stand twice in one object; what is below such a key is not looked at again."""
    open_objects: list[set[str] | None] = []
    repeated = 0  # how deep the object is that has such a key, while what the key holds is passed over
    expect_key = False
    for token in _JSON_TOKEN.finditer(text):
        word, at = token.group(1), token.start(1)
        if word in "{[":
            open_objects.append(set() if word == "{" else None)
            expect_key = word == "{"
        elif word in "}]":
            open_objects.pop()
            expect_key = False
        elif word == "," and open_objects:
            expect_key = open_objects[-1] is not None
        elif expect_key and word != ":":
            keys, key = open_objects[-1], str(json.loads(word))
            if repeated >= len(open_objects):
                repeated = 0
            if keys is not None and key in keys and not repeated:
                repeated = len(open_objects)
                yield key, at
            elif keys is not None:
                keys.add(key)
            expect_key = False


def _surrogates(text: str) -> Iterator[int]:
    """Where strings cannot be written as UTF-8."""
    if _HALF.search(text):
        for token in _JSON_TOKEN.finditer(text):
            if token.group(1).startswith('"') and has_surrogates(json.loads(token.group(1))):
                yield token.start(1)
