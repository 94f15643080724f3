"""From a file to its text, and to what is in it: size, encoding and control characters are each refused with their place."""

import codecs
import re
from pathlib import Path

from pcl_core.documents.document import Document
from pcl_core.errors import Code, Issue, Location, ProblemError, shown
from pcl_core.ir.domains import TEXT_PATTERN

MAX_FILE_BYTES = 1_000_000
"""Of a file that people write. The reader of YAML takes up to two seconds for as much; data goes to CSV files."""

MAX_DATA_BYTES = 5_000_000
"""Of a CSV file beside it."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NOT_IN_TEXT = re.compile(TEXT_PATTERN.removeprefix("^").removesuffix("*$").replace("[^", "[", 1))
_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: Path, name: str, limit: int = MAX_FILE_BYTES, *, pipes: bool = False) -> str:
    """A file's text; every way this can fail is a finding. `pipes` also takes `<(command)` of a shell."""
    where = Location(name)
    try:
        if path.exists() and not path.is_file() and not (pipes and path.is_fifo()):
            raise ProblemError(Issue(Code.FILE_UNREADABLE, "this is not a file", None, where))
        if path.stat().st_size > limit:
            raise _too_large(limit, where)
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except FileNotFoundError:
        raise ProblemError(Issue(Code.FILE_NOT_FOUND, "there is no such file", None, where)) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ProblemError(Issue(Code.FILE_UNREADABLE, f"cannot read the file: {reason}", None, where)) from None
    if len(raw) > limit:  # a pipe does not say its size in advance
        raise _too_large(limit, where)
    return decoded(raw, name)


def _too_large(limit: int, where: Location) -> ProblemError:
    message = f"the file is larger than {limit:,} bytes"
    hint = "put data into CSV files beside it, split it, or raise the limit"
    return ProblemError(Issue(Code.FILE_TOO_LARGE, message, hint, where))


def decoded(raw: bytes, name: str) -> str:
    """Bytes as text; the first byte that is not UTF-8 is shown with its line and column."""
    if raw.startswith(_WIDE):
        message = "the file is UTF-16 or UTF-32, not UTF-8 text"
        raise ProblemError(Issue(Code.NOT_TEXT, message, "save it as UTF-8", Location(name, 1, 1)))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Where there is a byte order mark, the decoder counts from behind it.
        at = error.start + (len(raw) - len(error.object))
        before = raw[:at].decode("utf-8-sig")
        message = f"the file is not UTF-8 text: byte 0x{raw[at]:02x}"
        where = location_at(before, len(before), name)
        raise ProblemError(Issue(Code.NOT_TEXT, message, "save it as UTF-8", where)) from None


def read_yaml(text: str, file: str) -> Document:
    """The document in a YAML text; every finding in it is raised at once."""
    from pcl_core.documents.yaml_reader import read  # with the library, which only they need who read YAML

    return read(text, file)


def refuse_controls(text: str, name: str, *, comments: bool = True) -> None:
    """Text may have line breaks and tabs, and no other control characters.

    In comments, people whose writing goes the other way may say so; a file without comments is all names and numbers.
    """
    if found := (_CONTROL if comments else _NOT_IN_TEXT).search(text):
        message = f"the character {shown(found[0])} has no place in a text file"
        raise ProblemError(Issue(Code.SYNTAX, message, "remove it", location_at(text, found.start(), name)))


def has_surrogates(text: str) -> bool:
    """Whether a text cannot be written as UTF-8."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def strange_character(text: str) -> str | None:
    """The first character that no label may have, as it can be shown."""
    found = _NOT_IN_TEXT.search(text)
    return shown(found[0]) if found else None


def location_at(text: str, offset: int, name: str) -> Location:
    """The line and column of an offset; lines end as editors end them."""
    before = text[:offset]
    line_start = max(before.rfind("\n"), before.rfind("\r")) + 1
    lines = before.count("\n") + before.count("\r") - before.count("\r\n")
    return Location(name, lines + 1, offset - line_start + 1)
