"""A session: lines in, the elicitation driven, everything said to the person."""

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

from pcl_app.terminal.draft import Draft
from pcl_app.terminal.help import COMMANDS
from pcl_app.terminal.lines import read_order
from pcl_app.terminal.looking import Looking
from pcl_app.terminal.names import Names
from pcl_app.terminal.reading import Lines
from pcl_app.terminal.values import show_value
from pcl_app.terminal.view import View
from pcl_app.terminal.words import counted
from pcl_app.working import Worker
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.query import Answer
from pcl_core.errors import Code, Issue, PclError, RequestError
from pcl_core.model.configuration import Configuration

Ending: TypeAlias = Literal["finished", "left"]


class Session(Looking):
    """One person at one elicitation, until it ends or she leaves."""

    def __init__(
        self, elicitation: Elicitation, names: Names, view: View, lines: Lines, worker: Worker, log: str
    ) -> None:
        super().__init__(elicitation, names, view, lines, worker, log)
        self._ending: Ending | None = None
        self._handlers: dict[str, Callable[[str], None]] = {
            command.name: getattr(self, f"_{command.name}") for command in COMMANDS
        }
        self._handlers |= {"edit": self._edit, "nothing": self._nothing}

    def run(self) -> Ending:
        looking_back = self._elicitation.finished
        if looking_back:
            self._view.say("This elicitation has ended. 'undo' takes the end back, 'quit' or Enter leaves.")
        while self._ending is None:
            if self._elicitation.finished:
                if not looking_back:
                    return "finished"
            else:
                looking_back = False
                self._ask()
            line = self._lines.read("draft> " if self.draft else "> ")
            if line is None or (looking_back and not line.strip()):
                break
            self._obey(line)
        return "finished" if looking_back and self._elicitation.finished else "left"

    def _obey(self, line: str) -> None:
        try:
            order = read_order(line)
            self._handlers[order.name](order.rest)
        except PclError as error:
            advice = None
            if error.code is Code.INFEASIBLE and self.draft:
                helps = ": 'complete' fills in the rest around your values" if error.issues[0].hint else ""
                advice = f"your draft is as it was{helps}"
            self._view.error(error, advice)

    def _ask(self, part: str | None = None) -> None:
        if self._query is not None:
            return
        try:
            self._query = self._worker.run(lambda: self._elicitation.ask(part))
        except PclError as error:
            self._view.error(error, "any command, or Enter, tries again; 'quit' leaves")
            return
        if self._query is not None:
            self._again("")

    def _part(self, name: str) -> None:
        wanted = self._names.find_part(name)
        if self._query is not None:
            if self._query.part == wanted:
                self._view.say(f"this query is about {self._query.label} already")
                return
            self._without_draft("part")
            self._tell(self._query.skip(), quiet=True)
        if self._elicitation.finished:
            self._open()
        self._ask(wanted)

    def _edit(self, text: str) -> None:
        query = self._open()
        edits = self._reader.read(text, self._part_in_question())
        for name, value in edits.items():
            if query.pins.get(name, value) != value:
                message = f"'{self._names.label(name)}' is pinned to {show_value(query.pins[name])}"
                raise RequestError(Issue(Code.INFEASIBLE, message, "unpin it first"))
        self.draft = self.draft.edited(edits)
        self._view.draft(query, self.draft)

    def _nothing(self, _: str) -> None:
        if self.draft:
            self._done("")
        elif self._query is not None:
            self._view.say("type a change such as '1 = ...', 'accept' if nothing could be better, or '?' for help")

    def _done(self, _: str) -> None:
        query = self._open()
        if not self.draft and query.proposal != query.first_proposal:  # then the pins are what she improved
            self._tell(query.accept())
            return
        if not self.draft.changes(query.proposal):
            message = "nothing is changed" if not self.draft else "the draft is the same as the proposal"
            raise RequestError(Issue(Code.BAD_VALUE, message, "'accept' says that nothing here could be better"))
        self._tell(query.improve(self.draft.values))

    def _accept(self, _: str) -> None:
        self._without_draft("accept")
        self._tell(self._open().accept())

    def _skip(self, _: str) -> None:
        self._without_draft("skip")
        self._tell(self._open().skip())

    def _tell(self, answer: Answer, quiet: bool = False) -> None:
        elicitation, label = self._elicitation, self._open().label
        weights = elicitation.weights
        learned = self._worker.run(lambda: elicitation.tell(answer))
        self._query, self.draft = None, Draft()
        if quiet:
            return
        confirmed = f"{len(elicitation.confirmed)} of {counted(len(elicitation.problem.parts), 'part')} confirmed"
        if learned is None:
            self._view.say("skipped, nothing learned")
        elif learned.satisfied:
            self._view.say(f"satisfied with {label}: {confirmed}", "green")
        else:
            moved = (weights != elicitation.weights).any()
            outcome = "your preferences moved" if moved else "no feature tells the difference, so nothing was learned"
            self._view.say(f"{counted(learned.changed, 'value')} of {label} improved: {outcome}", "green")

    def _complete(self, _: str) -> None:
        query = self._open()
        if not self.draft:
            hint = "type the values that matter to you first"
            raise RequestError(Issue(Code.BAD_VALUE, "there is no draft to complete", hint))
        chosen = self.draft.chosen
        self.draft = self.draft.filled(self._worker.run(lambda: self._elicitation.complete(chosen)))
        self._view.draft(query, self.draft)

    def _undo(self, _: str) -> None:
        if self.draft:
            self.draft = self.draft.before or Draft()
            self._view.draft(self._open(), self.draft)
            return
        self._elicitation.undo()
        self._query = None
        self._view.say("taken back")

    def _clear(self, _: str) -> None:
        self.draft = Draft()
        self._again("")

    def _pin(self, text: str) -> None:
        query, part = self._open(), self._part_in_question()
        standing = {**query.proposal, **self.draft.values}
        wanted: Configuration = {}
        for piece in self._reader.pieces(text, part):
            if "=" in piece:
                found = self._reader.read(piece, part)
            else:
                name = self._names.find(piece, part)
                found = {name: standing[name]}
            for name, value in found.items():
                self._reader.add(wanted, name, value)
        self._pin_all(wanted)
        for name in wanted:
            self.draft = self.draft.without(name)
        self._again("")

    def _pin_all(self, wanted: Configuration) -> None:
        """All pins of a line, or an error and none of them."""
        before, pinned = self._query, 0
        try:
            for name, value in wanted.items():
                self._query = self._worker.run(partial(self._elicitation.pin, name, value))
                pinned += 1
        except PclError:
            for _ in range(pinned):
                self._elicitation.undo()
            self._query = before
            raise

    def _unpin(self, text: str) -> None:
        pins = self._elicitation.pins
        if text.isdecimal() and self._query is not None:
            name = self._names.find(text, self._part_in_question())
            if name not in pins:
                raise self._names.not_pinned(self._names.label(name), pins)
        else:
            own = [] if self._query is None else [name for name in self._query.proposal if name in pins]
            name = self._names.find_pinned(text, (own, list(pins)))
        self._elicitation.unpin(name)
        self._view.say(f"'{self._names.label(name)}' is free again")
        if self._query is not None:
            self._query = self._elicitation.ask()
            self._again("")

    def _stop(self, _: str) -> None:
        self._without_draft("stop")
        self._elicitation.stop()

    def _quit(self, _: str) -> None:
        self._ending = "left"
