"""Words: how text is compared, and shown back."""

from collections.abc import Sequence

from pcl_core.model import words_of

MAX_SHOWN = 60


def fold(text: str) -> str:
    """Text as it is compared: in one case, with single spaces."""
    return " ".join(text.casefold().split())


def starting_words(text: str, label: str) -> bool:
    """Whether each word of the text starts a word of the label, another one for each."""
    left = words_of(label)
    wanted = words_of(text)
    for word in sorted(wanted, key=len, reverse=True):
        fits = [candidate for candidate in left if candidate == word] or [w for w in left if w.startswith(word)]
        if not fits:
            return False
        left.remove(fits[0])
    return bool(wanted)


def printable(text: str) -> str:
    """What a person typed, safe to show: short, and without control characters."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text.strip()[: MAX_SHOWN + 1])
    return shown if len(shown) <= MAX_SHOWN else shown[: MAX_SHOWN - 3] + "..."


def listed(names: Sequence[str], most: int, separator: str = ", ") -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return separator.join(names[:most]) + more
