"""Which variable, and which part, a person means."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model import Labels, Part, Problem

MAX_CANDIDATES = 6
_ROWS = re.compile(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*")
"""`2-4`, as the screen says where something is possible"""


class Vocabulary:
    """Labels of variables and parts, and the way back from what a person types."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._labels = Labels(problem)
        self.label = self._labels.of
        self.short = self._labels.short
        self.part_of = self._labels.part_of
        self.part_labels = self._labels.parts

    def find(self, text: str, part: Part) -> str:
        """The variable of a part that a person means: its number, its name, its label, or enough of these.

        Where several parts are looked at together they come as one that the problem does not have, without numbers.
        """
        own = part.variables
        exact = [name for name in own if _compact(name) == _compact(text)]
        if exact:
            return exact[0]
        numbered = part.name in self.part_labels
        if numbered and text.strip().isdecimal() and 1 <= len(text.strip()) <= 9:
            row = int(text)
            if 1 <= row <= len(own):
                return own[row - 1]
        found = self._best(text, own)
        if len(found) == 1:
            return found[0]
        if found and not numbered:
            raise _ambiguous(text, [self.label(name) for name in found])
        if found:
            raise _ambiguous(text, [self.short(name) for name in found], ", or the number of its row")
        raise self._unknown(text, part)

    def find_all(self, text: str, part: Part) -> Sequence[str]:
        """The variables of a part that a person means: rows such as `2-4`, unless something is called like that, or one."""
        if (rows := _ROWS.fullmatch(text)) and part.name in self.part_labels and not self._best(text, part.variables):
            first, last = int(rows[1]), int(rows[2])
            if 1 <= first <= last <= len(part.variables):
                return part.variables[first - 1 : last]
        return (self.find(text, part),)

    def find_pinned(self, text: str, groups: Sequence[Sequence[str]]) -> str:
        """The variable that a person means, of pinned ones in any part; earlier groups come first."""
        for variables in groups:
            exact = [name for name in variables if _compact(name) == _compact(text)]
            found = exact or self._best(text, variables)
            if len(found) == 1:
                return found[0]
            if found:
                raise _ambiguous(text, [self.label(name) for name in found])
        raise self.not_pinned(text, groups[-1])

    def not_pinned(self, text: str, pinned: Iterable[str]) -> RequestError:
        known = listed([self.label(name) for name in pinned], MAX_CANDIDATES)
        hint = f"pinned: {known}" if known else "nothing is pinned"
        return RequestError(Issue(Code.UNKNOWN_NAME, f"'{printable(text)}' is not pinned", hint))

    def find_part(self, text: str) -> str:
        parts = self._problem.parts
        exact = [part.name for part in parts if _compact(part.name) == _compact(text)]
        found = exact or _first_fitting(text, {part.name: (part.name, self.part_labels[part.name]) for part in parts})
        if len(found) == 1:
            return found[0]
        if found:
            raise _ambiguous(text, [self.part_labels[name] for name in found])
        hint = suggest(text.strip(), [*self.part_labels, *self.part_labels.values()])
        hint = hint or f"there are {listed(list(self.part_labels.values()), MAX_CANDIDATES)}"
        raise RequestError(Issue(Code.UNKNOWN_NAME, f"there is no '{printable(text)}'", hint))

    def _best(self, text: str, variables: Iterable[str]) -> list[str]:
        return _first_fitting(text, {name: (name, self.label(name), self.short(name)) for name in variables})

    def _unknown(self, text: str, part: Part) -> RequestError:
        """It may be in another part: by name or whole label, since shorter ones mean something else there."""
        label = self.part_labels.get(part.name, part.label)
        wanted = (_compact(text), fold(text))
        for name in self._problem.symbols.variables:
            if _compact(name) == wanted[0] or fold(self.label(name)) == wanted[1]:
                other = self.part_of(name)
                message = f"'{self.label(name)}' is in {self.part_labels[other.name]}, and this query is about {label}"
                return RequestError(Issue(Code.OUTSIDE_PART, message, f"'ask {other.name}' asks about it"))
        numbered = part.name in self.part_labels
        shorts = [(self.short if numbered else self.label)(name) for name in part.variables]
        hint = suggest(text.strip(), [*shorts, *part.variables]) if text.strip() else None
        hint = hint or f"there are {listed(shorts, MAX_CANDIDATES)}"
        if numbered and (text.strip().isdecimal() or _ROWS.fullmatch(text)):
            hint = f"rows are numbered from 1 to {len(part.variables)}"
        return RequestError(Issue(Code.UNKNOWN_NAME, f"{label} has no '{printable(text)}'", hint))


def _first_fitting(text: str, forms: Mapping[str, tuple[str, ...]]) -> list[str]:
    """All that fit in the strictest way in which any does."""
    wanted = fold(text)
    if not wanted:
        return []
    ways: tuple[Callable[[str], bool], ...] = (
        lambda form: form == text.strip(),
        lambda form: fold(form) == wanted,
        lambda form: fold(form).startswith(wanted),
        lambda form: starting_words(wanted, form),
    )
    for way in ways:
        found = [name for name, known in forms.items() if any(way(form) for form in known)]
        if found:
            return found
    return []


def _compact(text: str) -> str:
    return "".join(text.split()).casefold()


def _ambiguous(text: str, candidates: Sequence[str], other_way: str = "") -> RequestError:
    message = f"'{printable(text)}' can be {listed(candidates, MAX_CANDIDATES, ' or ')}"
    return RequestError(Issue(Code.UNKNOWN_NAME, message, f"write more of it{other_way}"))
