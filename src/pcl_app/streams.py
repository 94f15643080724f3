"""What surrounds the program: standard streams, whoever reads them or does not, and ctrl-C while modules are being made."""

import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from decimal import Decimal
from types import FrameType
from typing import TextIO

from pcl_core.wording import printable

BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def say(text: str, *, stderr: bool = False) -> None:
    """Lines of plain text for people, safe to show whatever names are in them."""
    stream = sys.stderr if stderr else sys.stdout
    stream.write(visible(text) + "\n")


def visible(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def silence_stdout() -> None:
    """Nobody reads it any more; keep the interpreter from failing again while it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def forgive_strange_bytes() -> None:
    """What cannot be read or shown in the terminal's encoding is no reason to end."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")


def print_json(document: object) -> None:
    """One JSON document on stdout."""
    write_json(json.dumps(document, indent=2, ensure_ascii=False, default=_plain))


_results: ContextVar[int | None] = ContextVar("results", default=None)
"""Where stdout goes while nobody but us may write to it."""


@contextmanager
def stdout_for_json(wanted: bool) -> Iterator[None]:
    """Whatever is printed meanwhile, by a plug-in or a solver written in C, goes to stderr; stdout has our JSON alone."""
    if not wanted or not _is_stdout(sys.stdout):
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    told = _results.set(kept)
    try:
        yield
    finally:
        _results.reset(told)
        with suppress(OSError):  # what others printed cannot be shown, and that is no matter
            sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _is_stdout(stream: TextIO) -> bool:
    try:
        return stream.fileno() == 1
    except (OSError, ValueError):  # something else stands there, or it is closed
        return False


def write_json(text: str) -> None:
    """JSON text on stdout; what its encoding may not have is escaped, for programs must read what was meant."""
    if not str(sys.stdout.encoding).lower().startswith("utf"):
        text = BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)
    kept = _results.get()
    if kept is None:
        sys.stdout.write(text + "\n")
        return
    left = (text + "\n").encode(sys.stdout.encoding, "replace")
    while left:
        left = left[os.write(kept, left) :]


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


INTERRUPTED = "pcl: interrupted"


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Meanwhile an interrupt, which would come out as all sorts of errors, ends the process with a sentence and an exit code."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # who starts a program in the background may want it to hear nothing
        signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, f"{INTERRUPTED}\n".encode())
    os._exit(130)
