"""How variables are called beside others of their part, and which variables of other parts are like them."""

import re
from collections.abc import Mapping
from functools import cached_property

from pcl_core.model.elements import Part
from pcl_core.model.names import split_name
from pcl_core.model.problem import Problem

SEPARATORS = re.compile(r"[\s\[\]()_]+")
SMALL_WORDS = frozenset({"in", "of", "on", "at", "for", "the", "a", "an", "to", "by", "from", "with", "and"})


def words_of(text: str) -> list[str]:
    return [word for word in SEPARATORS.split(text.casefold()) if word]


class Labels:
    """The labels of a problem's variables and parts."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._short: dict[str, dict[str, str]] = {}

    def of(self, variable: str) -> str:
        return self._problem.symbols.variables[variable].label or variable

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """Labels of parts, by their names."""
        return {part.name: part.label or part.name for part in self._problem.parts}

    def part_of(self, variable: str) -> Part:
        return self._problem.parts[self._problem.structure.part_of_variable[variable]]

    def short(self, variable: str) -> str:
        """The label without the words that just repeat the part."""
        part = self.part_of(variable)
        if part.name not in self._short:
            self._short[part.name] = self._shortened(part)
        return self._short[part.name][variable]

    def _shortened(self, part: Part) -> dict[str, str]:
        labels = {name: self.of(name) for name in part.variables}
        repeated = {*words_of(part.name), *words_of(part.label)}
        for label in labels.values():
            repeated &= set(label.casefold().split())
        found = {name: _without(label, repeated) for name, label in labels.items()}
        distinct = len({" ".join(text.casefold().split()) for text in found.values()}) == len(found)
        return found if distinct and all(found.values()) else labels

    def place(self, variable: str) -> tuple[str, ...]:
        """What a variable has in common with those that are like it in other parts: its name without what names the part.

        An index names the part if all variables of that array in the part have it: `plan[mon,2]` and `plan[tue,2]`
        are alike, and so are `beds[r7]` and `beds[r8]`.
        """
        array, indices = split_name(variable)
        beside = [split_name(name) for name in self.part_of(variable).variables]
        alike = [others for other, others in beside if other == array and len(others) == len(indices)]
        return (array, *(index for at, index in enumerate(indices) if any(other[at] != index for other in alike)))


def _without(label: str, repeated: set[str]) -> str:
    kept = [word for word in label.split() if word.casefold() not in repeated]
    while kept and kept[-1].casefold() in SMALL_WORDS:
        kept.pop()
    while kept and kept[0].casefold() in SMALL_WORDS:
        kept.pop(0)
    return " ".join(kept)
