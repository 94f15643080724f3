"""Edits as a person types them: `slot 2 = running; 3 = rest`."""

from pcl_app.terminal.names import Names
from pcl_app.terminal.values import read_value
from pcl_app.terminal.words import printable
from pcl_core.errors import Code, Issue, PclError, RequestError
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Part
from pcl_core.model.problem import Problem


class EditReader:
    """Reads edits of one problem's variables."""

    def __init__(self, problem: Problem, names: Names) -> None:
        self._problem = problem
        self._names = names

    def read(self, text: str, part: Part) -> Configuration:
        """All edits of a line, or an error and none of them."""
        edits: Configuration = {}
        for piece in text.split(";"):
            if piece.strip():
                for name, value in self._between_commas(piece, part):
                    if edits.get(name, value) != value:
                        message = f"'{self._names.label(name)}' has two values in this line"
                        raise RequestError(Issue(Code.BAD_VALUE, message))
                    edits[name] = value
        if not edits:
            raise _form("there is nothing to change in this line")
        return edits

    def one(self, variable: str, value: str, part: Part) -> tuple[str, Value]:
        name = self._names.find(variable, part)
        return name, read_value(self._problem.symbols.variables[name], value)

    def _between_commas(self, text: str, part: Part) -> list[tuple[str, Value]]:
        """Names and values may hold commas: one separates edits where there is a value before and a name after it."""
        variable, *rest = text.split("=")
        if not rest:
            raise _form(f"'{printable(text)}' has no '='")
        found: list[tuple[str, Value]] = []
        for segment in rest[:-1]:
            value, following = self._split(variable, segment, part)
            found.append(self.one(variable, value, part))
            variable = following
        found.append(self.one(variable, rest[-1].rstrip(" ,"), part))
        return found

    def _split(self, variable: str, segment: str, part: Part) -> tuple[str, str]:
        pieces = segment.split(",")
        if len(pieces) == 1:
            raise _form(f"between '{printable(variable)}' and the next '=' a comma is missing")
        for at in range(1, len(pieces)):
            value, following = ",".join(pieces[:at]), ",".join(pieces[at:])
            try:
                self.one(variable, value, part)
                self._names.find(following, part)
            except PclError:
                continue
            return value, following
        return pieces[0], ",".join(pieces[1:])


def _form(message: str) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, message, "write 'name = value', several separated by ';'"))
