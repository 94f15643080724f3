"""What can be typed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A word that a person can start a line with."""

    name: str
    usage: str
    meaning: str
    aliases: tuple[str, ...] = ()


COMMANDS = (
    Command("done", "done (or Enter)", "tell the draft: this is how you improve the part"),
    Command("accept", "accept, a", "nothing in this part can be improved", ("a", "ok")),
    Command("skip", "skip, s", "no opinion now; ask about something else", ("s",)),
    Command("complete", "complete, c", "let the solver fill in the rest around your values", ("c",)),
    Command("undo", "undo, u", "take back the last edit, or else the last answer or pin", ("u",)),
    Command("clear", "clear", "drop the draft"),
    Command("pin", "pin 2 = running", "hold a value from now on; 'pin 2' holds what is there"),
    Command("unpin", "unpin 2", "let the solver change it again"),
    Command("pins", "pins", "list what is pinned"),
    Command("why", "why, w", "why this is proposed, at length", ("w",)),
    Command("values", "values 2", "everything that may stand there"),
    Command("again", "again", "the query again", ("query",)),
    Command("show", "show", "the whole configuration, part by part", ("all",)),
    Command("part", "part NAME", "ask about this part next", ("p",)),
    Command("save", "save", "where the log is; everything is saved at once", ("log",)),
    Command("stop", "stop", "end with the result as it stands", ("end", "finish")),
    Command("quit", "quit, q, ctrl-D", "leave, and go on another time", ("q", "exit", "bye")),
    Command("help", "help, ?", "this", ("?", "h")),
)
BY_WORD = {word: command.name for command in COMMANDS for word in (command.name, *command.aliases)}
USAGE = {command.name: command.usage for command in COMMANDS}
WITH_VARIABLE = ("pin", "unpin", "part", "values")
INTRODUCTION = "Type what should be different, look at the draft, and tell it with 'done'."
EDITS = (
    ("2 = running", "row 2 of the table; the start of a value is enough"),
    ("slot 2 = r; 3 = abs", "by its label, or the start of it; several at once"),
)
ON_ONE_LINE = (("unpin", "pins"), ("again", "show"))
"""Commands that share a line of the help, so that all of it fits a small terminal."""


def help_rows() -> list[tuple[str, str]]:
    """What can be typed, and what it means."""
    second = {other: first for first, other in ON_ONE_LINE}
    rows: dict[str, tuple[str, str]] = {}
    for command in COMMANDS:
        usage, meaning = command.usage, command.meaning
        if first := second.get(command.name):
            usage, meaning = f"{rows[first][0]}, {usage}", f"{rows[first][1]}; {meaning}"
        rows[first or command.name] = (usage, meaning)
    return [*EDITS, *rows.values()]
