"""Words for people: text that a terminal or a notebook can show, of a length that can be read, and hints for misspelt names."""

import difflib
import re
import string
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

NEAR_A_LIMIT = 0.9
"""Whoever has used this much of a limit should know."""
MAX_HINTED_NAMES = 6
MAX_KNOWN = 50_000
MAX_COMPARED = 12
MAX_RANKED = 600
MAX_MISSPELT = 100
QUOTED_LENGTH = 80
MAX_CELL = 400
_GAP = "..."
_LETTERS = string.ascii_letters + string.digits + "_-,.[] "

# Control characters, what cannot be encoded, what breaks lines, and what turns the direction of writing or is not seen.
# The two joiners U+200C and U+200D stay: some scripts, and emoji, are not written without them.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
ANY = "*"
_INDEXED = re.compile(r"(.+)\[([^\[\]]*)\]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LONG_QUOTED = re.compile(f"'([^']{{{QUOTED_LENGTH + 1},}})'")


def printable(text: str) -> str:
    """The text with everything a terminal would obey, or not show, as a visible escape; it stays one line."""
    return text if text.isascii() and text.isprintable() else _UNPRINTABLE.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    number = ord(character)
    if number < 0x100:
        return _SHORT.get(character, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters: long names in quotes lose their middle first, then the text does."""
    if len(text) <= limit:
        return text
    if len(text) <= 100 * limit:  # what is longer is no sentence with a name in it
        text = _LONG_QUOTED.sub(lambda found: f"'{_without_middle(found[1], QUOTED_LENGTH)}'", text)
    return _without_middle(text, limit)


def _without_middle(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    tail = (limit - len(_GAP)) // 3
    return text[: limit - len(_GAP) - tail] + _GAP + text[len(text) - tail :]


def in_a_row(names: Sequence[str], most: int = 4) -> str:
    """`mon, tue and wed`; of more than `most` the last ones are counted. Names that are rows themselves stand in quotes."""
    names = [f"'{name}'" if " and " in name or ", " in name else name for name in names]
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def counted(number: int, noun: str) -> str:
    """`1 value`, `2 values`"""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def html_table(title: str, rows: Mapping[str, object]) -> str:
    """Names and values as a notebook shows them; a mapping among the values is a table of its own. Everything is escaped."""
    from html import escape  # here, because it brings a long list of characters

    def cell(value: object) -> str:
        if isinstance(value, Mapping):
            return html_table("", value)
        if isinstance(value, (tuple, list, frozenset)):
            value = "; ".join(map(str, value))
        return escape(printable(shortened(f"{value:.6g}" if isinstance(value, float) else str(value), MAX_CELL)))

    left = 'style="text-align:left"'
    lines = [f"<tr><th {left}>{cell(name)}</th><td {left}>{cell(value)}</td></tr>" for name, value in rows.items()]
    caption = f"<caption {left}><b>{cell(title)}</b></caption>" if title else ""
    return f"<table>{caption}{''.join(lines)}</table>"


def suggest(name: str, known: Iterable[str]) -> str | None:
    """A hint for a misspelt name: the nearest known ones, or all of them when they are few."""
    names = dict.fromkeys(islice(known, MAX_KNOWN))
    # Very long inputs make difflib quadratic and could not be a slip of the finger anyway.
    near = difflib.get_close_matches(name, _candidates(name, names), 3, 0.6) if len(name) <= MAX_MISSPELT else []
    if near:
        return "did you mean " + " or ".join(f"'{candidate}'" for candidate in near) + "?"
    if 0 < len(names) <= MAX_HINTED_NAMES:
        return "known: " + ", ".join(shortened(word, QUOTED_LENGTH) for word in names)
    return None


def _candidates(name: str, names: Collection[str]) -> list[str]:
    """The few names that are worth a comparison letter by letter, which is slow."""
    if len(names) <= MAX_COMPARED:
        return [word for word in names if len(word) <= 2 * MAX_MISSPELT]
    if len(names) > MAX_RANKED:  # of so many, one slip of the finger must do
        found = dict.fromkeys(word for word in _one_slip_away(name) if word in names)
        return list(islice(found, MAX_COMPARED))
    # A slip of the finger keeps the length, but for a letter or two, and the beginning or the end.
    alike = [word for word in names if abs(len(word) - len(name)) <= max(2, len(name) // 3)]
    backwards = name[::-1]
    alike.sort(key=lambda word: _shared(word, name) + _shared(word[::-1], backwards), reverse=True)
    return alike[:MAX_COMPARED]


def _one_slip_away(name: str) -> Iterator[str]:
    """Every word from which one letter too few, too many, wrong, or swapped with the next makes the name."""
    for at in range(len(name) + 1):
        before, after = name[:at], name[at:]
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[:1] + after[2:]
        for letter in _LETTERS:
            yield before + letter + after
            yield before + letter + after[1:]


def _shared(word: str, name: str) -> int:
    """How many letters two words have in common from the first."""
    return next((at for at, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """What comes before the brackets, and the indices in them; none for a name without brackets."""
    found = _INDEXED.fullmatch(name)
    return (found[1], tuple(index.strip() for index in found[2].split(","))) if found else (name, ())


def element(name: str, indices: Iterable[str]) -> str:
    """The inverse of `split_name`."""
    listed = ",".join(indices)
    return f"{name}[{listed}]" if listed else name
