"""One mistake at a random place of a problem file, and the lines where it may be reported."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

NAME = re.compile(r"\b[A-Za-z_]\w*\b")
DECLARING = ("parameters", "sets", "tables", "variables", "definitions")
EXPRESSION_KEYS = ("value", "require", "that", "if")


@dataclass(frozen=True)
class Mistake:
    """A file with one mistake in it; where no lines are given, any will do."""

    kind: str
    text: str
    lines: frozenset[int] | None
    what: str


def section_lines(text: str) -> dict[str, list[tuple[int, str]]]:
    """The lines of each section, with their numbers from 0."""
    sections: dict[str, list[tuple[int, str]]] = {}
    current = ""
    for number, line in enumerate(text.split("\n")):
        if found := re.match(r"([a-z_]+):", line):
            current = found.group(1)
        sections.setdefault(current, []).append((number, line))
    return sections


def declared(text: str) -> list[tuple[str, int, str]]:
    """Every declared name: its section, its line and itself."""
    return [
        (section, number, found.group(1))
        for section in DECLARING
        for number, line in section_lines(text).get(section, [])
        if (found := re.match(r"  ([A-Za-z_]\w*):", line))
    ]


def expressions(text: str) -> list[tuple[int, int, str]]:
    """Expressions that stand in one line: the line, where they start in it, and themselves."""
    found = []
    for number, line in enumerate(text.split("\n")):
        for match in re.finditer(rf"\b(?:{'|'.join(EXPRESSION_KEYS)}): (\"[^\"]+\"|[^\"{{\[>|&*'#][^,}}#]*)", line):
            body = match.group(1)
            start = match.start(1) + (body[0] == '"')
            found.append((number, start, body.strip('"').rstrip()))
    return found


def edited(text: str, line: int, start: int, old: str, new: str) -> str:
    lines = text.split("\n")
    assert lines[line][start:].startswith(old)
    lines[line] = lines[line][:start] + new + lines[line][start + len(old) :]
    return "\n".join(lines)


def slipped(word: str, random: Random) -> str:
    """A slip of the finger: two letters swapped, one doubled, or one too many."""
    at = random.randrange(len(word))
    return random.choice((word[: at + 1] + word[at:], word + "q", word[:at] + "z" + word[at:])) if word else "q"


def _in_expression(
    text: str, random: Random, kind: str, pattern: str, change: Callable[[str, Random], str]
) -> Mistake | None:
    """A change of one match of a pattern inside one expression."""
    places = [
        (line, start + match.start(), match.group())
        for line, start, body in expressions(text)
        for match in re.finditer(pattern, body)
    ]
    if not places:
        return None
    line, start, old = random.choice(places)
    new = change(old, random)
    return Mistake(kind, edited(text, line, start, old, new), frozenset((line + 1,)), f"{old} -> {new}")


def misspelt_declaration(text: str, random: Random) -> Mistake | None:
    section, line, name = random.choice(declared(text))
    if not re.search(rf"(?<![\w'\"]){name}(?![\w'\"])", text.replace(f"  {name}:", "", 1)):
        return None
    new = slipped(name, random)
    return Mistake("declaration", edited(text, line, 2, name, new), None, f"{section}: {name} -> {new}")


def misspelt_use(text: str, random: Random) -> Mistake | None:
    names = "|".join(sorted({name for _, _, name in declared(text)}, key=len, reverse=True))
    return _in_expression(text, random, "use", rf"(?<!['\w])(?:{names})\b(?!')", lambda old, r: old + "q")


def misspelt_function(text: str, random: Random) -> Mistake | None:
    return _in_expression(text, random, "function", r"\b(?:sum|any|all|count|size|consecutive)(?=\()", slipped)


def missing_bracket(text: str, random: Random) -> Mistake | None:
    return _in_expression(text, random, "bracket", r"[()\[\]]", lambda old, r: " ")


def foreign_sign(text: str, random: Random) -> Mistake | None:
    signs = {"==": "=", "and": "&&", "or": "||", "<=": "=<", ">=": "=>", "!=": "<>", "*": "**", "not": "!", "+": "++ *"}
    pattern = r"==|<=|>=|!=|\band\b|\bor\b|\bnot\b|(?<= )\*(?= )|(?<= )\+(?= )"
    return _in_expression(text, random, "sign", pattern, lambda old, r: signs[old])


def misspelt_label(text: str, random: Random) -> Mistake | None:
    return _in_expression(text, random, "label", r"(?<=')\w+(?=')", lambda old, r: old + "q")


def label_without_quotes(text: str, random: Random) -> Mistake | None:
    return _in_expression(text, random, "quotes", r"'\w+'", lambda old, r: old.strip("'"))


def index_too_many(text: str, random: Random) -> Mistake | None:
    return _in_expression(text, random, "index", r"(?<=\w)\[", lambda old, r: "[1, 1, 1, ")


def misspelt_field(text: str, random: Random) -> Mistake | None:
    fields = r"(?<=[ {])(name|foreach|value|require|variables|domain|index|set|to|label|that|message)(?=: )"
    places = [
        (number, match.start(), match.group())
        for number, line in enumerate(text.split("\n"))
        for match in re.finditer(fields, line)
        if number > 5
    ]
    line, start, old = random.choice(places)
    new = slipped(old, random)
    return Mistake("field", edited(text, line, start, old, new), frozenset((line + 1,)), f"{old} -> {new}")


def misspelt_section(text: str, random: Random) -> Mistake | None:
    found = [
        (number, line.split(":")[0]) for number, line in enumerate(text.split("\n")) if re.match(r"[a-z]+:$", line)
    ]
    line, old = random.choice(found)
    new = slipped(old, random)
    return Mistake("section", edited(text, line, 0, old, new), frozenset((line + 1,)), f"{old} -> {new}")


def misspelt_member(text: str, random: Random) -> Mistake | None:
    """A member of a set, where the set is declared."""
    places = [
        (number, match.start(), match.group())
        for number, line in section_lines(text).get("sets", [])
        if re.match(r"  \w+: \[", line)
        for match in re.finditer(r"(?<=[\[ ])[a-z]+(?=[,\]])", line)
    ]
    if not places:
        return None
    line, start, old = random.choice(places)
    new = old + "q"
    return Mistake("member", edited(text, line, start, old, new), None, f"{old} -> {new}")


def misspelt_loop(text: str, random: Random) -> Mistake | None:
    """The set that a `foreach` or an index runs over."""
    places = [
        (number, match.start(1), match.group(1))
        for number, line in enumerate(text.split("\n"))
        if "foreach: {" in line or "index: " in line
        for match in re.finditer(
            r"(?:(?:foreach|index): [{\[](?:\w+: )?|, (?:(?!column|unit)\w+: )?)([a-z]{3,})(?=[,}\]])", line
        )
        if line[: match.start(1)].count('"') % 2 == 0  # in quotes are the variables that pairs are unpacked into
    ]
    if not places:
        return None
    line, start, old = random.choice(places)
    return Mistake("loop", edited(text, line, start, old, old + "q"), frozenset((line + 1,)), f"{old} -> {old}q")


def declared_twice(text: str, random: Random) -> Mistake | None:
    """A second declaration, of another section, of a name that exists; where it is used, no one knows which is meant."""
    (first, line, name), (second, _, other) = random.choice(declared(text)), random.choice(declared(text))
    lines = text.split("\n")
    if first == second or not re.match(r"  \w+: .+", lines[line]):
        return None
    again = "  " + other + lines[line][2 + len(name) :]
    return Mistake("twice", "\n".join((*lines[:line], again, *lines[line:])), None, f"{first}: {again}")


def removed_declaration(text: str, random: Random) -> Mistake | None:
    section, line, name = random.choice(declared(text))
    lines = text.split("\n")
    used = re.search(rf"(?<![\w'\"]){name}(?![\w'\"])", text.replace(f"  {name}:", "", 1))
    if (
        used is None
        or not re.match(r"  \w+: .+", lines[line])
        or len([1 for s, _, _ in declared(text) if s == section]) < 2
    ):
        return None
    return Mistake("removed", "\n".join((*lines[:line], *lines[line + 1 :])), None, f"{section}: {name}")


def huge_number(text: str, random: Random) -> Mistake | None:
    return _in_expression(text, random, "number", r"(?<![\w.\[])\d+(?![\w.\]])", lambda old, r: "9" * 20)


def wrong_sort(text: str, random: Random) -> Mistake | None:
    """A number for a truth value, or a label for a number."""
    places = [(line, start, body) for line, start, body in expressions(text) if "if" not in text.split("\n")[line]]
    if not places:
        return None
    line, start, old = random.choice(places)
    new = random.choice((f"({old}) + 'red'", f"({old}) and 3", f"sum({old}, 'a')", f"abs({old}, 1)"))
    return Mistake("sort", edited(text, line, start, old, new), frozenset((line + 1,)), f"{old} -> {new}")


def misspelt_placeholder(text: str, random: Random) -> Mistake | None:
    places = [
        (number, match.start(1), match.group(1))
        for number, line in enumerate(text.split("\n"))
        if "name:" in line or "label:" in line
        for match in re.finditer(r"(?<=\{)([a-z]+)(?=\})", line)
    ]
    if not places:
        return None
    line, start, old = random.choice(places)
    return Mistake("placeholder", edited(text, line, start, old, old + "q"), frozenset((line + 1,)), f"{old} -> {old}q")


def wrong_entry(text: str, random: Random) -> Mistake | None:
    """A number of a table that is none, is missing, or is far too large."""
    places = [
        (number, match.start(), match.group())
        for number, line in section_lines(text).get("tables", [])
        if "values: {" in line
        for match in re.finditer(r"(?<=[ \[])[\d.]+(?=[,\]}])", line)
    ]
    if not places:
        return None
    line, start, old = random.choice(places)
    new = random.choice(("many", "true", "9" * 30, "1e-30", "[1]", ".nan"))
    return Mistake("entry", edited(text, line, start, old, new), frozenset((line + 1,)), f"{old} -> {new}")


KINDS: tuple[Callable[[str, Random], Mistake | None], ...] = (
    misspelt_declaration,
    misspelt_use,
    misspelt_function,
    missing_bracket,
    foreign_sign,
    misspelt_label,
    label_without_quotes,
    index_too_many,
    misspelt_field,
    misspelt_section,
    misspelt_member,
    misspelt_loop,
    declared_twice,
    removed_declaration,
    huge_number,
    wrong_sort,
    misspelt_placeholder,
    wrong_entry,
)
