"""A problem as a module of Python types.

The text follows from what the problem means and from nothing else: the same content, the same module. It is as `ruff format`
writes it, whatever the length of lines: what could be folded has a trailing comma, and longer lines are marked.
"""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

from pcl_core.errors import Code, Issue
from pcl_core.model.problem import Problem
from pcl_core.typed.aliases import MOST_WORDS, Aliases
from pcl_core.typed.naming import NEEDED, Identifiers, line, quoted
from pcl_core.typed.shape import Family, FieldOfPart, families, part_kinds

OURS = (
    *("ConfigurationSheet", "Content", "Many", "PartSheet", "Single", "Stamp", "TypedElicitation", "TypedName"),
    *("TypedQuery", "ValueSheet", "WeightSheet"),
)
TYPING = ("Literal", "TypeAlias", "TypedDict", "overload")
WRITTEN = ("Values", "WeightsByName", "Configuration", "Weights", "Query", "Elicitation", "STAMP")
MOST_PINNED = 250
"""Names that overloads list; beyond, values are pinned by typed names and sheets."""
HINT = "write it anew: pcl types PROBLEM --out FILE"


def types_module(problem: Problem) -> str:
    """The text of a Python module with the types of a problem: what `pcl types` writes."""
    aliases = Aliases(*OURS, *TYPING, *WRITTEN)
    aliases.of_indices("", "PartName", tuple(part.name for part in problem.parts))
    variables = families(variable.name for variable in problem.variables)
    features = families(feature.name for feature in problem.features)
    known = problem.symbols.variables
    values = {it: aliases.of_values(it.base, (known[name] for name in it.names)) for it in variables}
    numbers = dict.fromkeys(features, "float")
    of_variables, of_features = _Fields(aliases, values), _Fields(aliases, numbers)
    sheets = [
        *_by_name("Values", values),
        *_by_name("WeightsByName", numbers),
        *of_variables.sheet("Configuration", "ConfigurationSheet[Values]", "Values of any variables.", _all(variables)),
        *_parts(problem, variables, aliases, of_variables),
        *of_features.sheet("Weights", "WeightSheet[WeightsByName]", "Weights of features.", _all(features)),
    ]
    pins = _pins(values, aliases)
    body = [
        *(
            "STAMP = Stamp(",
            f"    problem={quoted(problem.name)},",
            f"    content={quoted(problem.content_hash)},",
            ")",
        ),
        *("", *aliases.lines, *sheets, "", ""),
        "Query: TypeAlias = TypedQuery[PartName, Values, Configuration]",
        *("", "", "class Elicitation(TypedElicitation[PartName, Values, Configuration]):"),
        *('    """An elicitation of this problem: `Elicitation(pcl.Elicitation(problem))`."""', ""),
        "    sheet = Configuration",
        *pins,
    ]
    return "\n".join([*_head("\n".join(body)), *body, ""])


def misfit_of_module(problem: Problem, text: str) -> Issue | None:
    """What is wrong with a module that was written before, or None; how it is laid out does not matter."""
    try:
        found = ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Issue(Code.TYPES_OUTDATED, "this is not a module of types", HINT)
    if found == ast.dump(ast.parse(types_module(problem))):
        return None
    if problem.content_hash not in text:
        return Issue(Code.TYPES_OUTDATED, f"these types were not made from '{problem.name:.60}' as it is now", HINT)
    return Issue(Code.TYPES_OUTDATED, "these types were edited, or written by another version of pcl", HINT)


def _head(body: str) -> list[str]:
    """The docstring, and imports of what is used."""
    ours = [name for name in OURS if re.search(rf"\b{name}[\[(\],]", body)]
    return [
        '"""Types of a problem. Written by `pcl types`: to change them, change the problem and write them anew."""',
        *("", "# ruff: noqa", ""),
        f"from typing import {', '.join(name for name in TYPING if name in body)}",
        *("", "from pcl_core.typed import (", *(f"    {name}," for name in ours), ")", ""),
    ]


def _all(found: Iterable[Family]) -> list[FieldOfPart]:
    return [FieldOfPart(family, family.axes) for family in found]


def _parts(problem: Problem, variables: Sequence[Family], aliases: Aliases, fields: "_Fields") -> Iterable[str]:
    """A class for each kind of part."""
    kinds = part_kinds(problem, variables)
    for kind in kinds:
        title = kind.parts[0] if len(kind.parts) == 1 else kind.parts[0].partition("[")[0]
        name = aliases.identifiers.of_type(title if len(kinds) > 1 else "", "Part")
        names = aliases.of_indices(title, "PartName", kind.parts)
        said = f"Parts of this kind: {len(kind.parts)} of {len(problem.parts)}."
        yield from fields.sheet(name, f"PartSheet[Values, {names}]", said, kind.fields)


def _by_name(name: str, contents: Mapping[Family, str]) -> Iterable[str]:
    """A dictionary with ground names as keys. Too many are not listed: then values go through sheets."""
    types = {key: content for family, content in contents.items() for key in family.names}
    listed = [f"        {quoted(key)}: {content}," for key, content in types.items()]
    entries = ["    {", *listed, "    },"] if len(listed) <= MOST_WORDS else ["    {},"]
    yield from ("", f"{name} = TypedDict(", f'    "{name}",', *entries, "    total=False,", ")")


def _pins(contents: Mapping[Family, str], aliases: Aliases) -> list[str]:
    """`pin` with a ground name and its value: an overload for all variables that may be the same."""
    if sum(len(family.names) for family in contents) > MOST_PINNED:
        return []
    alike: dict[str, list[Family]] = {}
    for family, content in contents.items():
        alike.setdefault(content, []).append(family)
    taken = [("variable: TypedName[Content]", "value: Content"), ("variable: Values | ValueSheet[Values]",)]
    for content, found in alike.items():
        names = tuple(name for family in found for name in family.names)
        taken.append((f"variable: {aliases.of_indices(found[0].base, 'Name', names)}", f"value: {content}"))
    written: list[str] = []
    for arguments in taken:
        whole = f"    def pin(self, {', '.join(arguments)}) -> Query: ..."
        folded = ("    def pin(", *(f"        {it}," for it in ("self", *arguments)), "    ) -> Query: ...")
        written += ("    @overload", *([whole] if line(whole) == whole else folded))
    last = "    def pin(self, variable: object, value: object = None) -> Query:"
    return ["", *written, last, "        return self._pinned(variable, value)"]


class _Fields:
    """The attributes of sheets about variables, or about features; a family is called the same on all of them."""

    def __init__(self, aliases: Aliases, contents: Mapping[Family, str]) -> None:
        identifiers = Identifiers(*OURS, *TYPING, *WRITTEN, *NEEDED)
        self._aliases, self._contents = aliases, contents
        self._attributes = {family: identifiers.attribute(family.base) for family in contents}

    def sheet(self, name: str, base: str, said: str, fields: Iterable[FieldOfPart]) -> Iterable[str]:
        yield from ("", "", line(f"class {name}({base}):"), f'    """{said}"""', "", "    stamp = STAMP")
        for field in fields:
            yield line(f"    {self._attributes[field.family]} = {self._field(field)}")

    def _field(self, field: FieldOfPart) -> str:
        base, content = field.family.base, self._contents[field.family]
        sets: list[str] = []
        indices: list[str] = []
        for number, place in enumerate(field.places, 1):
            if isinstance(place, int):
                indices.append(str(place))
            else:
                suffix = "Index" if len(field.places) == 1 else f"Index{number}"
                sets.append(self._aliases.of_indices(base, suffix, place))
                indices.append(type(place[0]).__name__)
        arguments = ", ".join([quoted(base), *indices])
        if not sets:
            return f"Single[{content}]({arguments})"
        at = sets[0] if len(sets) == 1 else f"tuple[{', '.join(sets)}]"
        return f"Many[{at}, {content}]({arguments})"
