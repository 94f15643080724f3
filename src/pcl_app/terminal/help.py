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
    Command("pin", "pin 2 = running", "hold a value from now on; 'pin 2' holds the one that is there"),
    Command("unpin", "unpin 2", "let the solver change it again"),
    Command("pins", "pins", "list what is pinned"),
    Command("why", "why, w", "why this is proposed, at length", ("w",)),
    Command("values", "values 2", "everything that may stand there"),
    Command("again", "again", "show the query again", ("query",)),
    Command("show", "show", "the whole configuration, part by part", ("all",)),
    Command("part", "part NAME", "ask about this part next", ("p",)),
    Command("save", "save", "where the log is; everything is saved at once", ("log",)),
    Command("stop", "stop", "end with the result as it stands", ("end", "finish")),
    Command("quit", "quit, q, ctrl-D", "leave, and go on another time", ("q", "exit", "bye")),
    Command("help", "help, ?", "this", ("?", "h")),
)
BY_WORD = {word: command.name for command in COMMANDS for word in (command.name, *command.aliases)}
WITH_VARIABLE = ("pin", "unpin", "part", "values")
INTRODUCTION = (
    "Improve what is shown: type what should be different, look at the draft, and tell it with 'done'.",
    "If nothing here could be better, say 'accept'.",
)
EDITS = (
    ("2 = running", "row 2 of the table; 'r' is enough where no other value starts like this"),
    ("slot 2 = running", "by its label, or as much of it as is needed"),
    ("1 = rest; 2 = abs", "several at once"),
)
