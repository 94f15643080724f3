"""Edits as a person types them: `slot 2 = running; 3-5 = rest`."""

from collections.abc import Callable, Collection

from pcl_app.terminal.values import read_value
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import fold, printable
from pcl_core.errors import Code, Issue, PclError, RequestError
from pcl_core.ir import CategoricalVariable, Value
from pcl_core.model import Configuration, Part, Problem


class EditReader:
    """Reads edits of one problem's variables."""

    def __init__(
        self, problem: Problem, names: Vocabulary, forbidden: Callable[[str], Collection[Value]] = lambda name: ()
    ) -> None:
        """`forbidden`: what rules of her own forbid at a variable, which is not offered where a value is refused."""
        self._problem = problem
        self._names = names
        self._forbidden = forbidden

    def value(self, name: str, text: str) -> Value:
        """The value that a person means for a variable."""
        return read_value(self._problem.symbols.variables[name], text, self._forbidden(name))

    def add(self, edits: Configuration, name: str, value: Value) -> None:
        """One more value of a line; nothing can have two."""
        if edits.setdefault(name, value) != value:
            message = f"'{self._names.label(name)}' has two values in this line"
            raise RequestError(Issue(Code.BAD_VALUE, message))

    def read(self, text: str, part: Part) -> Configuration:
        """All edits of a line, or an error and none of them."""
        edits: Configuration = {}
        for piece in self.pieces(text, part):
            for name, value in self._between_commas(piece, part):
                self.add(edits, name, value)
        if not edits:
            raise _form("there is nothing to change in this line")
        return edits

    def pieces(self, text: str, part: Part) -> list[str]:
        """What stands between semicolons, those inside a value apart."""
        left, found = text.split(";"), []
        while left:
            count = self._in_value(left, part)
            piece = ";".join(left[: count + 1])
            left = left[count + 1 :]
            if piece.strip():
                found.append(piece)
        return found

    def _in_value(self, left: list[str], part: Part) -> int:
        """How many semicolons belong to the value that the first piece begins."""
        variable, equals, beginning = left[0].partition("=")
        if not equals or len(left) == 1:
            return 0
        try:
            known = self._problem.symbols.variables[self._names.find_all(variable, part)[0]]
        except PclError:
            return 0  # what is wrong with it is said when it is read
        labels = known.labels if isinstance(known, CategoricalVariable) else ()
        written = [(label.count(";"), fold(label)) for label in labels if ";" in label]
        fits = [count for count, label in written if fold(";".join([beginning, *left[1 : count + 1]])) == label]
        return max(fits, default=0)

    def _edits(self, variable: str, value: str, part: Part) -> list[tuple[str, Value]]:
        """What stands around one '='."""
        if not variable.strip():
            raise _form("there is no name before '='")
        return [(name, self.value(name, value)) for name in self._names.find_all(variable, part)]

    def _between_commas(self, text: str, part: Part) -> list[tuple[str, Value]]:
        """Names and values may hold commas: one separates edits where there is a value before and a name after it."""
        variable, *rest = text.split("=")
        if not rest:
            raise _form(f"'{printable(text)}' has no '='")
        if len(rest) > 1 and (whole := self._holding_equals(variable, "=".join(rest), part)):
            return whole
        found: list[tuple[str, Value]] = []
        for segment in rest[:-1]:
            value, following = self._split(variable, segment, part)
            found += self._edits(variable, value, part)
            variable = following
        found += self._edits(variable, rest[-1].rstrip(" ,"), part)
        return found

    def _holding_equals(self, variable: str, value: str, part: Part) -> list[tuple[str, Value]]:
        """One edit whose value holds '=' itself, if that is what this is."""
        try:
            return self._edits(variable, value, part)
        except PclError:
            return []  # several edits, then

    def _split(self, variable: str, segment: str, part: Part) -> tuple[str, str]:
        pieces = segment.split(",")
        if len(pieces) == 1:
            raise _form(f"between '{printable(variable)}' and the next '=' a comma is missing")
        for at in range(1, len(pieces)):
            value, following = ",".join(pieces[:at]), ",".join(pieces[at:])
            try:
                self._edits(variable, value, part)
                self._names.find_all(following, part)
            except PclError:
                continue
            return value, following
        return pieces[0], ",".join(pieces[1:])


def _form(message: str) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, message, "write 'name = value', several separated by ';'"))
