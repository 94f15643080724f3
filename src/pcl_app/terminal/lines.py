"""From a line to a command."""

import re
from collections.abc import Callable
from typing import NamedTuple

from pcl_app.terminal.help import BY_WORD, OR_ALONE, WITH_WORDS, Examples, usage_of
from pcl_app.terminal.words import printable
from pcl_core.errors import Code, Issue, RequestError, suggest

MAX_LENGTH = 10_000
AT = re.compile(r"at\s+(?=(?:most|least)\b)", re.IGNORECASE)


class Order(NamedTuple):
    """What a line asks for: a command's name, `edit`, `no`, or `nothing`."""

    name: str
    rest: str = ""


def read_order(
    line: str, examples: Callable[[], Examples], meant: Callable[[str], Order | None] = lambda text: None
) -> Order:
    """The command of a line. Whatever has a '=' is an edit, unless it starts with a command that may have one.

    `examples` are for hints; `meant` says what a line is that is neither a command nor a change as one is written.
    """
    text = line.strip()
    if not text:
        return Order("nothing")
    if len(text) > MAX_LENGTH:
        raise RequestError(Issue(Code.BAD_VALUE, "this line is too long", f"{MAX_LENGTH} letters are the most"))
    words = AT.sub("", text)
    first, _, rest = words.partition(" ")
    rest = rest.strip()
    name = BY_WORD.get(first.casefold())
    if name in WITH_WORDS and not rest.startswith("="):
        if not rest.strip(" ;"):
            raise RequestError(
                Issue(Code.BAD_VALUE, f"'{name}' does not stand alone", f"such as '{usage_of(name, examples())}'")
            )
        return Order(name, rest)
    if "=" in text:
        return Order("edit", text)
    if name is None:
        if order := meant(text):
            return order
        known = [word for word in BY_WORD if len(word) > 1]
        hint = suggest(first.casefold(), known) if len(first) > 2 else None  # so few letters are like too much
        raise RequestError(
            Issue(
                Code.UNKNOWN_OPTION,
                f"'{printable(text)}' is neither a command nor a change",
                f"{hint} " * bool(hint) + "'?' lists the commands; a change is written 'name = value'",
            )
        )
    if rest and name in OR_ALONE:
        return Order(name, rest)
    if rest:
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"'{name}' stands alone", f"not with '{printable(rest)}'"))
    return Order(name)
