"""YAML text to plain data, with the line and column of everything.

Only the plain core of YAML is used: mappings, lists, text, numbers, true/false/null. Anchors, aliases and tags
are refused, a key may stand once, and words such as `no` stay words. Decimals are kept as written.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from pcl_core.documents.document import KEY, MAX_DIGITS, Data, Document, Mark
from pcl_core.documents.text import has_surrogates, location_at, refuse_controls, strange_character
from pcl_core.errors import MAX_FINDINGS, Code, DataPath, Issue, Location, ProblemError

MAX_YAML_VALUES = 50_000
"""Keys, and what they hold. The reader takes a second for as many."""

MAX_YAML_NESTING = 40

_WHOLE = re.compile(r"[-+]?[0-9]+")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF|nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}


def read(text: str, file: str) -> Document:
    """The document in a text; every finding in it is raised at once."""
    refuse_controls(text, file)
    reader = _Reader(file)
    try:
        events: Iterator[Event] = YAML(typ="safe", pure=True).parse(text)
        data = reader.read(events)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Location(file, mark.line + 1, mark.column + 1) if mark else Location(file)
        expression = "'['" in str(error.problem) or "alias" in str(error.context)
        hint = "put an expression with brackets in quotes inside { }" if expression else None
        raise ProblemError(Issue(Code.SYNTAX, f"not valid YAML: {error.problem}", hint, where)) from None
    except ReaderError as error:  # what Unicode does not count as a character
        message = f"not valid YAML: the character U+{int(error.character):04X} has no place in a text file"
        where = location_at(text, error.position, file)
        raise ProblemError(Issue(Code.SYNTAX, message, "remove it", where)) from None
    except (YAMLError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "nested too deep"
        raise ProblemError(Issue(Code.SYNTAX, f"not valid YAML: {reason}", None, Location(file))) from None
    if reader.issues:
        raise ProblemError(reader.issues)
    return Document(file, data, reader.marks)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.marks: dict[DataPath, Mark] = {}
        self.issues: list[Issue] = []

    def _report(self, event: Event, code: Code, message: str, hint: str | None = None) -> None:
        mark = event.start_mark
        self.issues.append(Issue(code, message, hint, Location(self.file, mark.line + 1, mark.column + 1)))
        if len(self.issues) > MAX_FINDINGS:
            raise ProblemError(self.issues)

    def read(self, events: Iterator[Event]) -> Data:
        documents = 0
        data: Data = None
        for event in events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._report(event, Code.SYNTAX, "a file holds one document", "remove the second '---'")
                    break
            elif isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent, AliasEvent)):
                data = self._value(event, events, ())
        return data

    def _value(self, event: Event, events: Iterator[Event], path: DataPath) -> Data:
        mark = event.start_mark
        if len(self.marks) > MAX_YAML_VALUES:
            message = f"the file has more than {MAX_YAML_VALUES:,} values"
            self._report(event, Code.FILE_TOO_LARGE, message, "put data into CSV files beside it")
            raise ProblemError(self.issues)
        self.marks[path] = Mark(mark.line + 1, mark.column + 1)
        if isinstance(event, AliasEvent):
            self._report(event, Code.ALIAS_REFUSED, "aliases (*name) are not used in problem files", "write it out")
            return None
        assert isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent))
        if event.anchor is not None:
            self._report(event, Code.ALIAS_REFUSED, "anchors (&name) are not used in problem files", "remove it")
        self._check_plain(event)
        if len(path) > MAX_YAML_NESTING:
            self._report(event, Code.NESTED_TOO_DEEP, f"nested more than {MAX_YAML_NESTING} deep")
            raise ProblemError(self.issues)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, path)
        return self._list(events, path) if isinstance(event, SequenceStartEvent) else self._mapping(events, path)

    def _check_plain(self, event: Event) -> None:
        tag = getattr(event, "ctag", None)
        if tag is not None and str(tag) != "None":  # a bare ! would silently vanish from `! p`
            hint = "remove it; where an expression is negated write `not`"
            self._report(event, Code.TAG_REFUSED, f"tags ({tag}) are not used in problem files", hint)
        if isinstance(event, ScalarEvent) and (strange := strange_character(str(event.value))):
            self._report(event, Code.NOT_TEXT, f"the text has the character {strange} in it", "remove it")
        elif isinstance(event, ScalarEvent) and has_surrogates(str(event.value)):
            self._report(
                event, Code.NOT_TEXT, "the text has half of a surrogate pair in it", "write the character itself"
            )

    def _list(self, events: Iterator[Event], path: DataPath) -> Data:
        items: list[Data] = []
        for event in events:
            if isinstance(event, CollectionEndEvent):
                break
            items.append(self._value(event, events, (*path, len(items))))
        return items

    def _mapping(self, events: Iterator[Event], path: DataPath) -> Data:
        found: dict[str, Data] = {}
        for event in events:
            if isinstance(event, CollectionEndEvent):
                break
            if isinstance(event, AliasEvent) or getattr(event, "anchor", None) is not None:
                self._report(
                    event, Code.ALIAS_REFUSED, "anchors and aliases are not used in problem files", "write it out"
                )
                raise ProblemError(self.issues)
            if not isinstance(event, ScalarEvent):
                self._report(event, Code.WRONG_SHAPE, "a key must be plain text")
                raise ProblemError(self.issues)
            self._check_plain(event)
            key = str(event.value)
            if key in found:
                self._report(event, Code.DUPLICATE_KEY, f"the key '{key[:60]}' stands twice", "keep one of them")
            self.marks[(*path, key, KEY)] = Mark(event.start_mark.line + 1, event.start_mark.column + 1)
            found[key] = self._value(next(events), events, (*path, key))
        return found

    def _scalar(self, event: ScalarEvent, path: DataPath) -> Data:
        text = str(event.value)
        single_line = event.start_mark.line == event.end_mark.line
        if event.style is not None:
            inside = 1 if single_line and event.style in "'\"" else None
            self.marks[path] = Mark(event.start_mark.line + 1, event.start_mark.column + 1, inside)
            return text
        if not single_line:
            self.marks[path] = Mark(event.start_mark.line + 1, event.start_mark.column + 1, None)
        if text in _WORDS:
            return _WORDS[text]
        if _WHOLE.fullmatch(text) or _DECIMAL.fullmatch(text) or _NOT_FINITE.fullmatch(text):
            return self._number(event, text)
        return text

    def _number(self, event: ScalarEvent, text: str) -> Data:
        if _NOT_FINITE.fullmatch(text):
            self._report(event, Code.NOT_FINITE, f"a number must be finite, not {text}")
            return 0
        if len(text) > MAX_DIGITS:
            self._report(event, Code.NUMBER_TOO_LARGE, "a number has too many digits")
            return 0
        try:
            return int(text) if _WHOLE.fullmatch(text) else Decimal(text)
        except InvalidOperation:
            self._report(event, Code.NUMBER_TOO_LARGE, "a number has too large an exponent")
            return 0
