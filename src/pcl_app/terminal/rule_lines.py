"""Rules as a person types them: `never running`, `at most 2 running in sat`, `never sofas = 3`."""

import re
from typing import NamedTuple

from pcl_app.terminal.values import read_value
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.ir import CategoricalVariable, Value
from pcl_core.model import ANY, Labels, Part, Problem, element, select, split_name

COUNTED = re.compile(r"(\d{1,6})\s+(?:of\s+)?(.*)")
EACH = re.compile(r"\s+(?:in\s+)?each(?:\s+part)?$", re.IGNORECASE)
HERE = re.compile(r"\s+(?:in|on)\s+(?=\S)", re.IGNORECASE)
MAX_LABELS = 8


class RuleLine(NamedTuple):
    """What `Elicitation.add_rule` needs."""

    kind: str
    variables: str | tuple[str, ...]
    value: Value
    number: int | None
    each: str


class RuleReader:
    """Reads rules about one problem."""

    def __init__(self, problem: Problem, names: Vocabulary) -> None:
        self._problem = problem
        self._names = names
        self._labels = Labels(problem)

    def read(self, kind: str, text: str, part: Part | None) -> RuleLine:
        """`part` is the one in question, whose rows and names may be used."""
        count, each = None, "all"
        if kind in ("at_most", "at_least"):
            found = COUNTED.fullmatch(text.strip())
            if found is None:
                words = kind.replace("_", " ")
                raise RequestError(Issue(Code.BAD_VALUE, f"'{words}' needs a number", f"such as '{words} 2 ...'"))
            count, text = int(found[1]), found[2]
            if EACH.search(text):
                text, each = EACH.sub("", text), "part"
        text, within = self._within(text)
        variables, value = self._about(text, part, within)
        return RuleLine(kind, self._pattern(variables), value, count, each)

    def _within(self, text: str) -> tuple[str, Part | None]:
        """`running in sat` is about sat, unless that is all one value."""
        for cut in reversed(list(HERE.finditer(text))):
            try:
                name = self._names.find_part(text[cut.end() :])
            except RequestError:
                continue
            return text[: cut.start()], self._problem.parts[self._problem.part_position(name)]
        return text, None

    def _about(self, text: str, part: Part | None, within: Part | None) -> tuple[list[str], Value]:
        own = self._problem.symbols.variables if within is None else within.variables
        if "=" in text:
            if part is None:
                raise RequestError(Issue(Code.STALE_ANSWER, "there is no question open, so no row is known"))
            name, _, said = text.partition("=")
            found = self._names.find(name, part)
            place = self._labels.place(found)
            like = [other for other in own if self._labels.place(other) == place]
            return like, read_value(self._problem.symbols.variables[found], said)
        label = self._label(text, list(own))
        return [name for name in own if label in self._labels_of(name)], label

    def _labels_of(self, name: str) -> tuple[str, ...]:
        variable = self._problem.symbols.variables[name]
        return variable.labels if isinstance(variable, CategoricalVariable) else ()

    def _label(self, text: str, own: list[str]) -> str:
        known = list(dict.fromkeys(label for name in own for label in self._labels_of(name)))
        wanted = fold(text)
        ways = (
            [label for label in known if fold(label) == wanted],
            [label for label in known if fold(label).startswith(wanted)],
            [label for label in known if starting_words(wanted, label)],
        )
        found = next((fits for fits in ways if fits), []) if wanted else []
        if len(found) == 1:
            return found[0]
        if found:
            message = f"'{printable(text)}' can be {listed(found, MAX_LABELS, ' or ')}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "write more of it"))
        hint = suggest(text.strip(), known) or "a rule about a number, or yes and no, is written 'never name = value'"
        raise RequestError(Issue(Code.UNKNOWN_NAME, f"nothing here can be '{printable(text)}'", hint))

    def _pattern(self, variables: list[str]) -> str | tuple[str, ...]:
        """`plan[sat,*]` instead of a list, where that means the same."""
        split = [split_name(name) for name in variables]
        arrays = {(array, len(indices)) for array, indices in split}
        if len(arrays) == 1 and len(variables) > 1:
            array, columns = split[0][0], zip(*(indices for _, indices in split), strict=True)
            pattern = element(array, (column[0] if len(set(column)) == 1 else ANY for column in columns))
            if list(select(self._problem.symbols.variables, pattern)) == variables:
                return pattern
        return tuple(variables)
