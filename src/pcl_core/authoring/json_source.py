"""JSON text to plain data, exactly; lines and columns are looked up only when something is wrong."""

import bisect
import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from pcl_core.authoring.yaml_source import KEY, MAX_DIGITS, Document, Mark, Path, has_surrogates
from pcl_core.errors import Code, Issue, Location, ProblemError
from pcl_core.ir.nodes import MAX_DEPTH

MAX_NESTING = 2 * MAX_DEPTH + 20
"""Each expression node takes two levels (its object and its list of arguments)."""

_HALF = re.compile(r"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+)', re.DOTALL)


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


def read_json(text: str, file: str) -> Document:
    """Plain data with decimals as written; duplicate keys, NaN and deep nesting are findings."""
    duplicates: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            duplicates.extend(sorted({key for key, _ in pairs if sum(1 for k, _ in pairs if k == key) > 1}))
        return found

    deepest = _nesting(text)
    if deepest > MAX_NESTING:
        message = f"nested more than {MAX_NESTING} deep (an expression may have {MAX_DEPTH} nodes on top of each other)"
        raise ProblemError(Issue(Code.TOO_DEEP, message, "use lists or definitions", Location(file, 1, 1)))
    try:
        data = json.loads(
            text, parse_float=_decimal, parse_int=_whole, parse_constant=_not_finite, object_pairs_hook=once
        )
    except json.JSONDecodeError as error:
        where = Location(file, error.lineno, error.colno)
        raise ProblemError(Issue(Code.SYNTAX, f"not valid JSON: {error.msg}", None, where)) from None
    except _NumberRefusedError as error:
        at = next(token.start(1) for token in _TOKEN.finditer(text) if token.group(1) == error.text)
        raise ProblemError(Issue(error.code, str(error), None, _position(text, at, file))) from None
    except (ValueError, RecursionError) as error:
        raise ProblemError(Issue(Code.SYNTAX, f"not valid JSON: {error}", None, Location(file))) from None
    halves = [
        Issue(Code.NOT_TEXT, "a text has half of a surrogate pair in it", None, _position(text, at, file))
        for at in _surrogates(text)
    ]
    if halves:
        raise ProblemError(halves)
    if duplicates:
        issues = [
            Issue(
                Code.DUPLICATE_KEY, f"the key '{key[:60]}' stands twice", "keep one of them", _position(text, at, file)
            )
            for key, at in _repeated_keys(text)
        ]
        raise ProblemError(issues)
    return Document(file, data)


def locate(text: str, document: Document) -> Document:
    """The same document with the marks of all values filled in."""
    lines = _line_starts(text)
    marks: dict[Path, Mark] = {}
    for path, offset in _values(text):
        line = _line_of(lines, offset)
        marks[path] = Mark(line + 1, offset - lines[line] + 1)
    return Document(document.file, document.data, marks)


def skip_tags(path: Path, data: Any) -> Path:
    """A path from Pydantic without the names of union members that it puts in."""
    kept: list[str | int] = []
    for step in path:
        if isinstance(data, dict) and step in data:
            data = data[str(step)]
            kept.append(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
            kept.append(step)
    return tuple(kept)


def _nesting(text: str) -> int:
    """How deep brackets are nested outside of strings, without recursion."""
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[{\[]|[}\]]', text, re.DOTALL):
        first = token.group()[0]
        if first in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif first in "}]":
            depth -= 1
    return deepest


def _values(text: str) -> Iterator[tuple[Path, int]]:
    """Every value's path and offset, in a text that is known to be valid JSON."""
    stack: list[list[str | int | None]] = []  # one entry a level: the current key or index
    expect_key = False
    for token in _TOKEN.finditer(text):
        word, at = token.group(1), token.start(1)
        if word in ":,":
            if word == ",":
                top = stack[-1]
                if isinstance(top[0], int):
                    top[0] += 1
                else:
                    expect_key = True
            continue
        if word in "}]":
            stack.pop()
            expect_key = False
            continue
        if expect_key:
            stack[-1][0] = json.loads(word)
            expect_key = False
            yield (*_path(stack), KEY), at
            continue
        yield _path(stack), at
        if word == "{":
            stack.append([None])
            expect_key = True
        elif word == "[":
            stack.append([0])


def _path(stack: list[list[str | int | None]]) -> Path:
    return tuple(level[0] for level in stack if level[0] is not None)


def _repeated_keys(text: str) -> Iterator[tuple[str, int]]:
    """Keys that stand twice in one object; what is below such a key is not looked at again."""
    seen: set[Path] = set()
    repeated: set[Path] = set()
    for path, at in _values(text):
        if path and path[-1] == KEY and not any(path[:end] in repeated for end in range(1, len(path) - 1)):
            if path in seen:
                repeated.add(path[:-1])
                yield str(path[-2]), at
            seen.add(path)


def _surrogates(text: str) -> Iterator[int]:
    """Where strings cannot be written as UTF-8."""
    if _HALF.search(text):
        for token in _TOKEN.finditer(text):
            if token.group(1).startswith('"') and has_surrogates(json.loads(token.group(1))):
                yield token.start(1)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _line_of(starts: list[int], offset: int) -> int:
    return bisect.bisect_right(starts, offset) - 1


def _position(text: str, offset: int, file: str) -> Location:
    lines = _line_starts(text)
    line = _line_of(lines, offset)
    return Location(file, line + 1, offset - lines[line] + 1)
