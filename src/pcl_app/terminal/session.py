"""A session: lines in, the elicitation driven, everything said to the person."""

from collections.abc import Callable, Mapping
from functools import cached_property

from pcl_app.sentences import answer_in_words, show_value
from pcl_app.terminal.help import RULES
from pcl_app.terminal.lines import Order, read_order
from pcl_app.terminal.result import show_result
from pcl_app.terminal.speaking import Speaking
from pcl_app.terminal.words import fold
from pcl_core.elicitation import Answer, Preview, Told
from pcl_core.errors import Code, InfeasibleError, Issue, PclError, RequestError
from pcl_core.ir import Value
from pcl_core.model import Configuration


class Session(Speaking):
    """One person at one elicitation, until it ends or she leaves."""

    _leaving = False
    _misread = False
    """Whether the last line would have changed something, and was refused; or said that it is not right."""

    @cached_property
    def handlers(self) -> dict[str, Callable[[str], None]]:
        return {
            "edit": self._edit,
            "nothing": self._nothing,
            "no": self._no,
            "done": self._done,
            "better": self._better,
            "accept": self._accept,
            "take": self._take,
            "confirm": self._confirm,
            "everywhere": self._everywhere,
            "rules": self._rules,
            "remove": self._remove,
            **{name: self._rule(kind) for name, kind in RULES.items()},
            "skip": self._skip,
            "complete": self._complete,
            "undo": self._undo,
            "clear": self._clear,
            "pin": self._pin,
            "unpin": self._unpin,
            "pins": self._pins,
            "why": self._why,
            "values": self._values,
            "again": self._again,
            "show": self._show,
            "ask": self._ask_about,
            "save": self._save,
            "further": self._further,
            "taste": self._taste,
            "stop": self._stop,
            "quit": self._quit,
            "help": self._help,
        }

    def run(self, offering: bool = True) -> None:
        """Until she leaves. At the end she sees the result; where something is offered, she may still look further or go back."""
        at_the_end = False
        if self._elicitation.finished:
            offering = True
            self._view.say("This elicitation has ended.")
        while not self._leaving:
            if not self._elicitation.finished:
                at_the_end = False
                self._ask()  # which may find that there is nothing more to ask
            if self._elicitation.finished and not at_the_end:
                at_the_end = True
                show_result(self._elicitation, self._view)
                if not offering:
                    break
                self._offer()
            line = self._lines.read("draft> " if self.draft else "> ")
            if line is None or (at_the_end and not line.strip()):
                break
            self._obey(line)

    def _obey(self, line: str) -> None:
        order: Order | None = None
        try:
            order = read_order(line, self._examples, self._meant)
            self.handlers[order.name](order.rest)
            self._misread = order.name == "no"
        except PclError as error:
            advice = None
            self._misread = order is not None and order.name == "edit"
            if error.code is Code.INFEASIBLE and self.draft:
                helps = self.draft.broken and self.draft.completable
                more = ": 'complete' fills in the rest around your values" if helps else ""
                advice = f"your draft is as it was{more}"
            self._view.error(error, advice)

    def _ask(self, part: str | None = None) -> None:
        if self._query is not None and part is None:
            return
        try:
            self._standing = self._worker.run(lambda: self._elicitation.standing_before)
            self._query = self._worker.run(lambda: self._elicitation.ask(part))
        except PclError as error:
            self._view.error(error, "any command, or Enter, tries again; 'quit' leaves")
            return
        if self._query is not None:
            self._again("")

    def _ask_about(self, name: str) -> None:
        wanted, query = self._names.find_part(name), self._query
        if query is not None and query.parts == (wanted,):
            self._view.say(f"this query is about {query.label} already")
            return
        self._without_draft("ask")
        if self._elicitation.stopped:
            self._open()
        self._ask(wanted)

    def _edit(self, text: str) -> None:
        query = self._open(about=text)
        edits = self._reader.read(text, self._part_in_question())
        drafted = self._previewed({**self.draft.given, **edits} if self.draft else edits)
        if drafted.moved_pins:
            name = drafted.moved_pins[0]
            message = f"'{self._names.label(name)}' is pinned to {show_value(query.pins[name])}"
            raise RequestError(Issue(Code.INFEASIBLE, message, "unpin it first"))
        self._drafts.append(drafted)
        self._view.show(self._view.screen.draft(query, drafted))

    def _previewed(self, given: Mapping[str, Value], completed: Mapping[str, Value] | None = None) -> Preview:
        """A draft of these values, beside what a completion put there, now or before."""
        beside = completed or (self.draft.values if self.draft else {})

        def work() -> tuple[Preview, object]:
            found = self._elicitation.preview(given, beside)
            return found, (found.moved, found.completable)  # where that has to be solved for, ctrl-C can leave it

        return self._worker.run(work)[0]

    def _nothing(self, _: str) -> None:
        if self.draft:
            self._done("")
        elif self._query is not None:
            example = self._example()
            self._view.say(f"type a change such as '{example}', 'accept' if it is right as it is, or '?' for help")

    def _done(self, _: str) -> None:
        query = self._open()
        if not self.draft and self._misread:
            raise RequestError(Issue(Code.BAD_VALUE, "nothing was changed", "'accept' says that it is right as it is"))
        if not self.draft:  # as it stands, or as her pins made it, it is how she wants it
            self._tell(query.accept())
        elif not self.draft.changes:  # what she gave is hers, though it was proposed
            self._tell(query.improve(self.draft.given, final=True))
        else:
            self._improve(final=self._elicitation.settings.mode == "people")

    def _better(self, _: str) -> None:
        self._improve(final=False)

    def _improve(self, final: bool) -> None:
        query = self._open()
        if not self.draft or not self.draft.changes:
            message = "nothing is changed" if not self.draft else "the draft is the same as the proposal"
            raise RequestError(Issue(Code.BAD_VALUE, message, "'accept' says that it is right as it is"))
        completed = [name for name in self.untold if name not in self.draft.given]
        self._tell(query.improve(self.untold, final, completed))

    def _accept(self, _: str) -> None:
        self._without_draft("yes")
        self._tell(self._open().accept())

    def _take(self, _: str) -> None:
        self._without_draft("take")
        query = self._open()
        if not query.suggestion:
            hint = f"'accept' if it is right as it is; '{self._example()}' changes something"
            raise RequestError(Issue(Code.BAD_VALUE, "nothing is suggested here beside what you see", hint))
        self._tell(query.take())

    def _confirm(self, text: str) -> None:
        if fold(text) == "all" and self._query is not None and len(self._query.parts) > 1:
            self._accept("")  # the question is about all of it
        else:
            super()._confirm(text)

    def _skip(self, _: str) -> None:
        self._without_draft("skip")
        self._tell(self._open().skip())

    def _tell(self, answer: Answer) -> None:
        elicitation, query = self._elicitation, self._open()
        learned = self._worker.run(lambda: elicitation.tell(answer))
        self._query, self._drafts = None, []
        if learned is not None and learned.moved:
            self._view.say(f"to make room, {self._view.screen.moves(query.configuration, learned.moved)}")
        for sentence in answer_in_words(elicitation, query, answer, learned, self._standing):
            self._view.say(sentence, "green")

    def _complete(self, _: str) -> None:
        query = self._open()
        if not self.draft:
            hint = "type the values that matter to you first"
            raise RequestError(Issue(Code.BAD_VALUE, "there is no draft to complete", hint))
        given = self.draft.given
        try:
            completed = self._worker.run(lambda: self._elicitation.complete(given))
        except InfeasibleError:
            if not self.draft.tellable:
                raise
            message = f"nothing has to be filled in here: room is made elsewhere, outside {query.label}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "Enter says your values as they are")) from None
        self._drafts.append(self._previewed(given, completed))
        self._view.show(self._view.screen.draft(query, self.draft))

    def _undo(self, _: str) -> None:
        if self.draft:
            self._drafts.pop()
            self._view.show(self._view.screen.draft(self._open(), self.draft))
            return
        before = self._elicitation.history
        self._elicitation.undo()
        self._query = None
        words = "; ".join(map(_in_words, before[len(self._elicitation.history) :]))
        self._view.say(f"taken back: {words}" if words else "taken back")

    def _clear(self, _: str) -> None:
        self._drafts.clear()
        self._again("")

    def _pin(self, text: str) -> None:
        query, part = self._open(), self._part_in_question()
        standing = self.draft.values if self.draft else query.proposal
        wanted: Configuration = {}
        for piece in self._reader.pieces(text, part):
            if "=" in piece:
                found = self._reader.read(piece, part)
            else:
                found = {name: standing[name] for name in self._names.find_all(piece, part)}
            for name, value in found.items():
                self._reader.add(wanted, name, value)
        self._query = self._worker.run(lambda: self._elicitation.pin(wanted))
        left = {name: value for name, value in self.draft.given.items() if name not in wanted} if self.draft else {}
        self._drafts.clear()
        if left:
            self._drafts.append(self._previewed(left))
        self._again("")

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
            if self.draft:
                self._drafts[-1] = self._previewed(self.draft.given)
            self._again("")

    def _stop(self, _: str) -> None:
        self._without_draft("stop")
        self._elicitation.stop()
        show_result(self._elicitation, self._view)
        self._leaving = True

    def _quit(self, _: str) -> None:
        self._leaving = True


def _in_words(told: Told) -> str:
    """What she said, with yes and no as she would write them."""
    words = told.words
    for value in set(told.values.values()):
        if isinstance(value, bool):
            words = words.replace(f" = {value}", f" = {show_value(value)}")
    return words
