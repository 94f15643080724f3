"""What can be typed, with examples from the problem at hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from pcl_app.sentences import show_value
from pcl_app.terminal.possible import possible_values
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core.elicitation import Query
from pcl_core.ir import AnyVariable, IntVariable, Value
from pcl_core.model import Problem

MAX_EXAMPLE = 24


@dataclass(frozen=True)
class Command:
    """A word that a person can start a line with. `{...}` in its words stand for examples (`Examples`)."""

    name: str
    usage: str
    meaning: str
    aliases: tuple[str, ...] = ()


COMMANDS = (
    Command("done", "done (or Enter)", "that is how you want it"),
    Command("better", "better, b", "better so, but ask me again", ("b", "more")),
    Command("accept", "accept, a, yes", "right as it is: nothing here could be better", ("a", "ok", "yes", "y")),
    Command("take", "take, t", "take what is suggested", ("t",)),
    Command("skip", "skip, s", "no opinion now; ask about something else", ("s",)),
    Command("complete", "complete, c", "have the rest filled in around your values", ("c",)),
    Command("undo", "undo, u", "take back a change, or else an answer", ("u",)),
    Command("clear", "clear", "all changes"),
    Command("confirm", "confirm all", "all else is right as it stands; or 'confirm {part}'"),
    Command("never", "never {label}", "a rule of your own; or 'always ... in {part}'"),
    Command("always", "always {label} in {part}", "a rule of your own"),
    Command("most", "at most 2 {label}", "in all; with 'each' in each of them; or 'at least'"),
    Command("least", "at least 1 {label}", "a rule of your own"),
    Command("rules", "rules", "list your rules"),
    Command("remove", "remove 1", "take one away"),
    Command("everywhere", "everywhere", "your last change at the like places of all others, too"),
    Command("ask", "ask {part}", "ask about {part} now", ("part", "p")),
    Command("pin", "pin {row} = {value}", "hold a value from now on; 'pin {row}' what is there"),
    Command("unpin", "unpin {row}", "let go of it"),
    Command("pins", "pins", "list what is held"),
    Command("why", "why, w", "why this is proposed", ("w",)),
    Command("values", "values {row}", "all that can stand there"),
    Command("show", "show", "everything as it stands", ("all",)),
    Command("again", "again", "the question again", ("query",)),
    Command("stop", "stop", "end with what stands", ("end", "finish")),
    Command("save", "save", "where the log is", ("log",)),
    Command("further", "further", "then look at two together"),
    Command("taste", "taste", "keep what you like for later"),
    Command("quit", "quit, q", "leave, and go on another time", ("q", "exit", "bye")),
    Command("help", "help, ?", "this", ("?", "h")),
)
BY_WORD = {word: command.name for command in COMMANDS for word in (command.name, *command.aliases)}
RULES = {"never": "never", "always": "always", "most": "at_most", "least": "at_least"}
"""Commands that say rules, and what the rules are called."""
WITH_WORDS = ("pin", "unpin", "ask", "values", "confirm", "remove", *RULES)
"""Commands that need more words than their name."""
INTRODUCTION = "Type what should be different, look at it, and press Enter."
OR_ALONE = ("everywhere", "taste")
"""Commands that may have more words."""
ON_ONE_LINE = (
    *(("undo", "clear"), ("rules", "remove"), ("unpin", "pins"), ("why", "values")),
    *(("show", "again"), ("stop", "further"), ("save", "taste"), ("quit", "help")),
)
"""Commands that share a line of the help, so that all of it fits a small terminal."""
UNLISTED = ("always", "least")
"""Commands that the line of another names."""


@dataclass(frozen=True)
class Examples:
    """Words of the problem at hand, for examples."""

    row: int
    what: str
    value: str
    part: str
    label: str
    """What a rule could be about."""

    def fill(self, text: str) -> str:
        return text.format(row=self.row, what=self.what, value=self.value, part=self.part, label=self.label)


def examples_of(problem: Problem, names: Vocabulary, query: Query | None) -> Examples:
    """From the part in question: a row that can change, and a value that it could have."""
    asked = problem.parts[0] if query is None else problem.parts[query.part_position]
    other = next((part for part in problem.parts if part != asked), asked)
    possible = {} if query is None else possible_values(query)
    rows: list[tuple[int, str, Value]] = []
    for row, name in enumerate(asked.variables, start=1):
        standing = None if query is None else query.proposal[name]
        values = possible.get(name) or _some_values(problem.symbols.variables[name])
        rows += [(row, name, value) for value in values[:2] if value != standing][:1]
    row, name, value = rows[0] if rows else (1, asked.variables[0], "...")
    several = query is not None and len(query.parts) > 1
    what, said = (names.label if several else names.short)(name), show_value(value)[:MAX_EXAMPLE]
    label = said if isinstance(value, str) else f"{what} = {said}"
    return Examples(row, what, said, names.part_labels[other.name], label)


def _some_values(variable: AnyVariable) -> Sequence[Value]:
    return (variable.lower, variable.upper) if isinstance(variable, IntVariable) else variable.values()


def help_rows(examples: Examples) -> list[tuple[str, str]]:
    """What can be typed, and what it means."""
    second = {other: first for first, other in ON_ONE_LINE}
    rows = {
        "number": ("{row} = {value}", "row {row} of the table; the start of a value is enough"),
        "label": ("{what} = {value}", "by its name, or the start of it; ';' between several"),
    }
    for command in COMMANDS:
        if command.name in UNLISTED:
            continue
        usage, meaning = command.usage, command.meaning
        if first := second.get(command.name):
            usage, meaning = f"{rows[first][0]}, {usage}", f"{rows[first][1]}; {meaning}"
        rows[first or command.name] = (usage, meaning)
    return [(examples.fill(usage), examples.fill(meaning)) for usage, meaning in rows.values()]


def usage_of(name: str, examples: Examples) -> str:
    return next(examples.fill(command.usage) for command in COMMANDS if command.name == name)
