"""Reading a log that is a file: its complete lines, within limits."""

import errno
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pcl_core.errors import Code, Issue, Location, RequestError

MAX_LINE = 12_000_000
"""Bytes: more than the values of the largest problem take."""

MAX_EVENTS = 200_000
"""More than anyone answers; as many take 200 MB to read."""


def read_lines(path: Path) -> list[str]:
    """The events of a log, without having it. A last line that is not complete is left alone and left out."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with path.open("rb") as file:
            lines = list(complete_lines(file, str(path)))
    except OSError as error:
        raise unreadable(str(path), error) from None
    return as_texts(lines, str(path))


def complete_lines(file: BinaryIO, place: str) -> Iterator[bytes]:
    """The lines of a log up to one that is not complete."""
    number = 0
    file.seek(0)
    while line := file.readline(MAX_LINE):
        if not line.endswith(b"\n"):
            if len(line) == MAX_LINE:
                raise RequestError(Issue(Code.LOG_BROKEN, "a line is too long", None, Location(place, number + 1, 1)))
            break
        if number == MAX_EVENTS:
            message = f"a log has at most {MAX_EVENTS:,} events"
            raise RequestError(Issue(Code.FILE_TOO_LARGE, message, None, Location(place, number + 1, 1)))
        number += 1
        yield line
    if number == 0:
        message, hint = "the log has no first line", "nothing is in it; remove it and start anew"
        if line:  # whatever it is, it may be somebody's
            message = "the first line is not a complete event of pcl, and the file was left as it is"
            hint = "is it a log of pcl? If it is of no use, remove it and start anew"
        raise RequestError(Issue(Code.LOG_BROKEN, message, hint, Location(place, 1, 1)))


def as_texts(lines: list[bytes], place: str) -> list[str]:
    try:
        return b"".join(lines).decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        number = b"".join(lines).count(b"\n", 0, error.start) + 1
        message = "not an event of an elicitation: the line is not UTF-8 text"
        raise RequestError(Issue(Code.LOG_BROKEN, message, "is it a log of pcl?", Location(place, number, 1))) from None


def unreadable(place: str, error: OSError) -> RequestError:
    code = Code.FILE_NOT_FOUND if isinstance(error, FileNotFoundError) else Code.FILE_UNREADABLE
    return RequestError(Issue(code, f"cannot read the log: {error.strerror}", None, Location(place)))
