"""Rules as a person types them: `never running`, `at most 2 running in sat`, `never sofas = 3`."""

import re
from contextlib import suppress
from typing import NamedTuple

from pcl_app.terminal.values import nearest_label, read_value
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir import CategoricalVariable, IntVariable, Value
from pcl_core.model import ANY, Labels, Part, Problem, element, select, split_name
from pcl_core.wording import in_a_row

COUNTED = re.compile(r"(\d{1,6})\s+(?:of\s+)?(.*)")
EACH = re.compile(r"\s+(?:in\s+)?each(?:\s+part)?$", re.IGNORECASE)
EACH_OF = re.compile(r"\s+(?:in\s+|on\s+)?(?:each|every|per|a)\s+(\S+)$", re.IGNORECASE)
"""`at least 3 rest each day`: nothing here knows that the parts are days."""
EITHER = re.compile(r"\s*[,;]\s*(?:or\s+)?|\s+or\s+", re.IGNORECASE)
EITHER_OR_BOTH = re.compile(r"\s*[,;]\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+", re.IGNORECASE)
"""Of what stands nowhere, `running and abs` says the same as `running or abs`."""
HERE = re.compile(r"\s+(?:in|on)\s+(?=\S)", re.IGNORECASE)
MAX_LABELS = 8
MAX_PARTS = 3


class RuleLine(NamedTuple):
    """What `Elicitation.add_rule` needs."""

    kind: str
    variables: str | tuple[str, ...]
    value: Value | tuple[Value, ...]
    """One value, or several that are counted alike."""
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
        count, each, words = None, "all", kind.replace("_", " ")
        if kind in ("at_most", "at_least"):
            found = COUNTED.fullmatch(f"{text.strip()} ")
            if found is None:
                raise _refused(f"'{words}' needs a number", f"such as '{words} 2 {self._example()}'")
            count, text = int(found[1]), f" {found[2].strip()}"
            words = f"{words} {count}"
            if EACH.search(text):
                text, each = EACH.sub("", text), "part"
            if not text.strip():
                also = " each" if each == "part" else ""
                raise _refused(f"'{words}{also}' of what?", f"such as '{words} {self._example()}{also}'")
        said = text.strip()
        text, within = self._within(said)
        try:
            variables, value = self._about(text, part, within, kind)
        except RequestError as error:
            raise self._to_the_point(words, said, error) from None
        return RuleLine(kind, self._pattern(variables), value, count, each)

    def _to_the_point(self, words: str, said: str, error: RequestError) -> RequestError:
        """What people are likely to try and cannot say has a hint of its own; else the error as it is."""
        counts = words[-1].isdecimal()
        if counts and (where := EACH_OF.search(said)):
            with suppress(RequestError):
                self._label(said[: where.start()], list(self._problem.symbols.variables))
                parts = in_a_row(list(self._names.part_labels.values()), MAX_PARTS)
                hint = f"'{words} {printable(said[: where.start()])} each' counts in each of {parts}"
                return _refused(f"'{printable(where[0])}' is not known here", hint)
        reckoned = [it.label or it.name for it in self._problem.definitions]
        reckoned += [it.label or it.name for it in self._problem.features]
        if error.code is Code.UNKNOWN_NAME and any(starting_words(said, label) for label in reckoned):
            message = f"a rule is about what stands where, and '{printable(said)}' is a number that comes of that"
            return _refused(message, f"such as 'never {self._example()}'")
        return error

    def _example(self) -> str:
        """What a rule of this problem can be about."""
        variables = self._problem.variables
        labels = [variable.labels[0] for variable in variables if isinstance(variable, CategoricalVariable)]
        value = variables[0].upper if isinstance(variables[0], IntVariable) else "yes"
        return labels[0] if labels else f"{self._names.short(variables[0].name)} = {value}"

    def _within(self, text: str) -> tuple[str, Part | None]:
        """`running in sat` is about sat, unless that is all one value."""
        for cut in reversed(list(HERE.finditer(text))):
            try:
                name = self._names.find_part(text[cut.end() :])
            except RequestError:
                continue
            return text[: cut.start()], self._problem.parts[self._problem.part_position(name)]
        return text, None

    def _about(
        self, text: str, part: Part | None, within: Part | None, kind: str
    ) -> tuple[list[str], Value | tuple[Value, ...]]:
        own = self._problem.symbols.variables if within is None else within.variables
        if "=" in text:
            if part is None:
                raise RequestError(Issue(Code.STALE_ANSWER, "there is no question open, so no row is known"))
            name, _, said = text.partition("=")
            found = self._names.find(name, part)
            place = self._labels.place(found)
            like = [other for other in own if self._labels.place(other) == place]
            return like, read_value(self._problem.symbols.variables[found], said)
        labels = self._several(text, list(own), kind)
        names = [name for name in own if any(label in labels for label in self._labels_of(name))]
        return names, labels[0] if len(labels) == 1 else labels

    def _several(self, text: str, own: list[str], kind: str) -> tuple[str, ...]:
        """The values that a rule is about: `abs, pushups`, unless all of that is one of them."""
        text = text.strip(" ,;")
        ways = [[text], *(it.split(text) for it in (EITHER, EITHER_OR_BOTH) if it is EITHER or kind == "never")]
        for pieces in ways[:-1]:
            with suppress(RequestError):
                return tuple(dict.fromkeys(self._label(piece, own) for piece in pieces))
        return tuple(dict.fromkeys(self._label(piece, own) for piece in ways[-1]))

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
        if (
            found == ways[-1] and not ways[0] and not ways[1]
        ):  # nuts are in peanuts, too: a rule may be about an allergy
            found = [label for label in known if label in found or (found and wanted in fold(label))]
        if len(found) == 1:
            return found[0]
        if found:
            message = f"'{printable(text)}' can be {listed(found, MAX_LABELS, ' or ')}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "write more of it, or several with a comma between them"))
        hint = nearest_label(text.strip(), known)
        hint = hint or "a rule about a number, or yes and no, is written 'never name = value'"
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


def _refused(message: str, hint: str) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, message, hint))
