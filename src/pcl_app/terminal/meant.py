"""What a line most likely means that is neither a command nor a change as one is written."""

import re
from collections.abc import Callable
from typing import NamedTuple

from pcl_app.terminal.edits import EditReader
from pcl_app.terminal.rule_lines import RuleReader
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import fold, printable
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import CategoricalVariable
from pcl_core.model import Part, Problem

NO = ("no", "n", "nope", "no it is not", "not right", "not yet", "wrong")
UNSURE = re.compile(
    r"(?:no (?:idea|opinion|matter)|not sure|(?:i )?(?:don't|do not) (?:know|care|mind)|next)", re.IGNORECASE
)
UNWANTED = re.compile(r"(?:no|not|no more|without|(?:i )?(?:don't|do not) (?:want|like))\s+(\S.*)", re.IGNORECASE)
BETWEEN = ("is", "to", "becomes", "should be")
"""What may stand between a name and its value where people just write."""
MAX_WORDS = 16
"""A change has no more words; what is longer is not searched for one."""


class Cut(NamedTuple):
    """A place and what is to stand there, as they were typed."""

    place: str
    value: str

    def __str__(self) -> str:
        return f"{self.place} = {self.value}"


class MeantReader:
    """Reads what people just write about one problem."""

    def __init__(self, problem: Problem, names: Vocabulary, edits: EditReader) -> None:
        self._problem = problem
        self._names = names
        self._edits = edits

    def change(self, text: str, part: Part) -> str | None:
        """`1: walking` and `1 walking` as a change is written, where that can only mean one thing."""
        if ":" in text:
            return self._with_colons(text, part)
        found: list[str] = []
        for piece in filter(str.strip, re.split("[;,]", text)):
            cut = self._cut(piece, part)
            if cut is None:
                return None
            found.append(str(cut))
        return "; ".join(found) or None

    def _with_colons(self, text: str, part: Part) -> str | None:
        refused: RequestError | None = None
        for written in (text.replace(":", "="), text.replace(":", "=", 1)):
            try:
                self._edits.read(written, part)
            except RequestError as error:
                refused = refused or error
            else:
                return written
        if refused is not None and (refused.code is Code.OUTSIDE_PART or self._is_place(text.partition(":")[0], part)):
            raise refused
        return None

    def _is_place(self, text: str, part: Part) -> bool:
        try:
            return bool(self._names.find_all(text, part))
        except RequestError:
            return False

    def _cut(self, text: str, part: Part) -> Cut | None:
        """Where a name ends and a value begins. A number is a place: what cannot stand there is said."""
        words = text.split()
        fits: dict[tuple[tuple[str, ...], object], Cut] = {}
        refused: RequestError | None = None
        for at in range(1, len(words) if len(words) <= MAX_WORDS else 0):
            cut = Cut(" ".join(words[:at]), _without_beginning(" ".join(words[at:])))
            try:
                names = tuple(self._names.find_all(cut.place, part))
                values = {self._edits.value(name, cut.value) for name in names}
            except RequestError as error:
                if error.code is Code.OUTSIDE_PART or cut.place.isdecimal():
                    refused = refused or error
                continue
            fits.setdefault((names, frozenset(values)), cut)
        if not fits and refused is not None:
            raise refused
        return next(iter(fits.values())) if len(fits) == 1 else None

    def refusal(self, text: str, part: Part | None, example: Callable[[], str]) -> RequestError | None:
        """What to type instead, if it can be guessed. `example` is a change that would be possible."""
        said = printable(text)
        neither = f"'{said}' is neither a command nor a change"
        if UNSURE.fullmatch(text.strip(" .!")):
            return _refused(neither, "'skip' says that you have no opinion now")
        if unwanted := UNWANTED.fullmatch(text):
            try:
                RuleReader(self._problem, self._names).read("never", unwanted[1], part)
            except RequestError:
                return None
            return _refused(neither, f"as a rule of yours, write 'never {printable(unwanted[1])}'")
        try:
            found = self._names.find_part(text)
        except RequestError:
            found = ""
        if found and part is not None and part.name == found:
            return _refused(f"this question is about {said} already", f"to change something write '{example()}'")
        if found:
            also = f"; to change something write '{example()}'" if part is not None else ""
            return _refused(f"'{said}' alone changes nothing", f"'ask {self._names.part_labels[found]}' opens it{also}")
        if place := None if part is None else self._place_for(text, part):
            return _refused(f"where is '{said}' to stand?", f"such as '{place} = {said}'")
        return None

    def _place_for(self, text: str, part: Part) -> str:
        """A place that can have this value, if it is one."""
        numbered = part.name in self._names.part_labels
        for row, name in enumerate(part.variables, start=1):
            variable = self._problem.symbols.variables[name]
            if isinstance(variable, CategoricalVariable) and any(fold(it) == fold(text) for it in variable.labels):
                return str(row) if numbered else self._names.label(name)
        return ""


def _without_beginning(text: str) -> str:
    for beginning in BETWEEN:
        if fold(text).startswith(f"{beginning} "):
            return text[len(beginning) :].strip()
    return text


def _refused(message: str, hint: str) -> RequestError:
    return RequestError(Issue(Code.UNKNOWN_OPTION, message, hint))
