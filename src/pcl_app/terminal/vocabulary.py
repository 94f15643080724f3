"""Which variable, and which part, a person means."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model import Labels, Part, Problem

MAX_CANDIDATES = 6
LEAST_BEGINNING = 3
"""Letters that a part's name must have, so that a longer word that begins with it means it: `thursday` is thu."""
_ROWS = re.compile(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*")
"""`2-4`, as the screen says where something is possible"""
OWN = "yours: "
"""How the name of a constraint begins that is a rule of the person's own."""
_WHERE = re.compile(r" (?:in|of) [^\s\[]*\[[^\]]*\](?: #\d+)?$")
"""The selection at the end of such a name, where it is written as in a file"""
_IN_PART = re.compile(r"\s*(\S.*?)\s+([0-9]{1,9})(?:\s*-\s*([0-9]{1,9}))?\s*")
"""`tue 2` and `tue 2-4`: rows of a part that is named"""


class Vocabulary:
    """Labels of variables and parts, and the way back from what a person types."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._labels = Labels(problem)
        self.label = self._labels.of
        self.short = self._labels.short
        self.part_of = self._labels.part_of
        self.part_labels = self._labels.parts
        self.own_rules: Callable[[], Sequence[str]] = tuple
        """Her rules as they are now, in words; whoever holds a session says so."""

    def constraint(self, name: str, label: str | None = None) -> str:
        """In the author's words where there are some, and in her own where it is a rule of hers."""
        if name.startswith(OWN):
            said = [words for words in self.own_rules() if name.startswith(f"{OWN}{words}")]
            return f"your rule '{max(said, key=len, default=_WHERE.sub('', name.removeprefix(OWN)))}'"
        return (self._problem.constraint_labels.get(name, "") if label is None else label) or name

    def find(self, text: str, part: Part) -> str:
        """The variable of a part that a person means: its number, its name, its label, or enough of these.

        Where several parts are looked at together they come as one that the problem does not have, without numbers of its
        own: a row is named with its part, as in `tue 2`, which works everywhere.
        """
        found = self.find_all(text, part, several=False)
        return found[0]

    def find_all(self, text: str, part: Part, several: bool = True) -> Sequence[str]:
        """The variables of a part that a person means: rows such as `2-4`, unless something is called like that, or one."""
        own, wanted = part.variables, fold(text)
        if exact := [name for name in own if _compact(name) == _compact(text)]:
            return exact[:1]
        if found := self._numbered(text, part, several):
            return found
        if len(labelled := [name for name in own if fold(self.label(name)) == wanted]) == 1:
            return labelled
        if (rows := self._rows_in_part(text, exactly=True)) and (several or len(rows) == 1):
            return self._inside(rows, part)
        found = self._best(text, own)
        if len(found) == 1:
            return found
        if found and part.name in self.part_labels:
            raise _ambiguous(text, [self.short(name) for name in found], ", or the number of its row")
        if found:
            other_way = f", or {self._with_part(text, part)}" if text.strip().isdecimal() else ""
            raise _ambiguous(text, [self.label(name) for name in found], other_way)
        if (rows := self._rows_in_part(text)) and (several or len(rows) == 1):
            return self._inside(rows, part)
        raise self._unknown(text, part)

    def _numbered(self, text: str, part: Part, several: bool) -> Sequence[str]:
        """Rows of the part in question by their numbers alone."""
        own = part.variables
        if part.name not in self.part_labels:
            return ()
        if text.strip().isdecimal() and 1 <= len(text.strip()) <= 9:
            return own[int(text) - 1 : int(text)] if int(text) else ()
        rows = _ROWS.fullmatch(text)
        if not rows or not several or self._best(text, own):
            return ()
        return _span(own, int(rows[1]), int(rows[2]))

    def _rows_in_part(self, text: str, exactly: bool = False) -> Sequence[str]:
        """What `tue 2` or `tue 2-4` means: rows of the part whose name comes before the number, if there are such rows."""
        rows = _IN_PART.fullmatch(text)
        if rows is None:
            return ()
        named = [
            it.name
            for it in self._problem.parts
            if _compact(it.name) == _compact(rows[1]) or fold(self.part_labels[it.name]) == fold(rows[1])
        ]
        if not named and not exactly:
            try:
                named = [self.find_part(rows[1])]
            except RequestError:
                return ()
        if len(named) != 1:
            return ()
        own = self._problem.parts[self._problem.part_position(named[0])].variables
        return _span(own, int(rows[2]), int(rows[3] or rows[2]))

    def _inside(self, names: Sequence[str], part: Part) -> Sequence[str]:
        """Names that were found, if they are all in the part in question."""
        for name in names:
            if name not in part.variables:
                raise self._elsewhere(name)
        return names

    def _elsewhere(self, name: str) -> RequestError:
        other = self.part_labels[self.part_of(name).name]
        message = f"'{self.label(name)}' is in {other}, and not in this question"
        return RequestError(Issue(Code.OUTSIDE_PART, message, f"'ask {other}' opens it"))

    def _with_part(self, text: str, part: Part) -> str:
        """Of several parts each has rows of its own, so a number needs the part's name."""
        first = self.part_labels[self.part_of(part.variables[0]).name]
        return f"the part and the number, as in '{first} {printable(text)}'"

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
        if len(longer := [part.name for part in parts if self._begins(text, part.name)]) == 1:
            return longer[0]
        hint = suggest(text.strip(), [*self.part_labels, *self.part_labels.values()])
        hint = hint or f"there are {listed(list(self.part_labels.values()), MAX_CANDIDATES)}"
        raise RequestError(Issue(Code.UNKNOWN_NAME, f"there is no '{printable(text)}'", hint))

    def _best(self, text: str, variables: Iterable[str]) -> list[str]:
        return _first_fitting(text, {name: (name, self.label(name), self.short(name)) for name in variables})

    def _begins(self, text: str, part: str) -> bool:
        """Whether a part's name is the beginning of the word that she typed, as thu is of thursday."""
        word, names = fold(text), (fold(part), fold(self.part_labels[part]))
        return word.isalpha() and any(
            len(name) >= LEAST_BEGINNING and name.isalpha() and word.startswith(name) for name in names
        )

    def _unknown(self, text: str, part: Part) -> RequestError:
        """It may be in another part: a number alone, or what others share with this part, means something else there."""
        label, numbered = self.part_labels.get(part.name, part.label), part.name in self.part_labels
        number = text.strip().isdecimal() or _ROWS.fullmatch(text) is not None
        if not number:
            known = self._problem.symbols.variables
            others = [name for name in known if _compact(name) == _compact(text)]
            others = others or _first_fitting(text, {name: (name, self.label(name)) for name in known})
            if len(others) == 1:
                return self._elsewhere(others[0])
        shorts = [(self.short if numbered else self.label)(name) for name in part.variables]
        hint = suggest(text.strip(), [*shorts, *part.variables]) if text.strip() else None
        hint = hint or f"there are {listed(shorts, MAX_CANDIDATES)}"
        if number:
            hint = f"rows are numbered from 1 to {len(part.variables)}"
            if not numbered:
                hint = f"write {self._with_part(text, part)}"
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


def _span(own: Sequence[str], first: int, last: int) -> Sequence[str]:
    return own[first - 1 : last] if 1 <= first <= last <= len(own) else ()


def _compact(text: str) -> str:
    return "".join(text.split()).casefold()


def _ambiguous(text: str, candidates: Sequence[str], other_way: str = "") -> RequestError:
    message = f"'{printable(text)}' can be {listed(candidates, MAX_CANDIDATES, ' or ')}"
    return RequestError(Issue(Code.UNKNOWN_NAME, message, f"write more of it{other_way}"))
