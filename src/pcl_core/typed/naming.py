"""Identifiers from names that need not be any, and text that can stand in Python code."""

import keyword
import re
import unicodedata

LONGEST = 40
"""Characters of an identifier; names of problems may have 200."""
SHORT = 80
"""Columns of a line that nobody would fold; some letters take two."""
NEEDED = ("tuple", "bool", "int", "str", "float", "ground", "read", "problem", "stamp", "part", "sheet", "plain")
"""What attributes must not be called: the bodies of the classes use these, or the classes have them already."""
LIKE_A_TYPE = re.compile(r"(Value|Index\d*|Part|PartName)(_\d+)?$")


class Identifiers:
    """Different identifiers for different names, always the same for the same names in the same order."""

    def __init__(self, *taken: str) -> None:
        self._taken = {*taken}

    def attribute(self, name: str) -> str:
        """`single_beds` of `single_beds`, `dorms_4` of `dorms<=4`; never what a type is called."""
        wanted = _words(name)
        return self._free(f"{wanted}_" if LIKE_A_TYPE.search(wanted) else wanted, "n")

    def of_type(self, name: str, suffix: str) -> str:
        """`SingleBedsValue` of `single_beds`."""
        words = (word[:1].upper() + word[1:] for word in _words(name).split("_"))
        return self._free("".join(words) + suffix, "N")

    def _free(self, wanted: str, prefix: str) -> str:
        if not wanted.isidentifier():
            wanted = f"{prefix}{wanted}"
        if keyword.iskeyword(wanted):
            wanted += "_"
        found, number = wanted, 1
        while found in self._taken:
            number += 1
            found = f"{wanted}_{number}"
        self._taken.add(found)
        return found


def _words(name: str) -> str:
    """Letters, digits and single underscores; identifiers are compared in this normal form."""
    return re.sub(r"(\W|_)+", "_", unicodedata.normalize("NFKC", name)).strip("_")[:LONGEST].strip("_")


def quoted(text: str) -> str:
    """A literal in the spelling of `ruff format`: double quotes, unless single ones need fewer backslashes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    written = []
    for letter in text:
        if letter in (quote, "\\"):
            written.append(f"\\{letter}")
        elif letter.isprintable():
            written.append(letter)
        else:
            written.append(letter.encode("unicode_escape").decode())
    return quote + "".join(written) + quote


def line(text: str) -> str:
    """A line that `ruff format` leaves as it is, however short lines are to be."""
    columns = len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return text if columns <= SHORT else f"{text}  # fmt: skip"
