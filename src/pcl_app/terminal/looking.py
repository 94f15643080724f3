"""What a session knows of its query, and the commands that just look."""

import json
import shlex
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pcl_app.inputs import read_taste_file
from pcl_app.output import Worker
from pcl_app.terminal.edits import EditReader
from pcl_app.terminal.help import Examples, examples_of
from pcl_app.terminal.lines import Order
from pcl_app.terminal.meant import NO, MeantReader
from pcl_app.terminal.possible import possible_values
from pcl_app.terminal.reading import Lines
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import fold, printable
from pcl_app.writing import replacing
from pcl_core.elicitation import Elicitation, Preview, Query
from pcl_core.errors import Code, Issue, PclError, RequestError
from pcl_core.ir import IntVariable, Value
from pcl_core.learn import Standing
from pcl_core.model import Configuration, Part, select


class Looking:
    """The query that is open, and the draft for it. No command here changes anything."""

    def __init__(
        self,
        elicitation: Elicitation,
        names: Vocabulary,
        view: View,
        lines: Lines,
        worker: Worker,
        log: str,
        taste: str = "taste.json",
        called: str = "",
    ) -> None:
        """`called`: the problem, as it is named where an elicitation begins."""
        self._elicitation = elicitation
        self.log = log
        self._taste_file = taste
        self._called = called or elicitation.problem.name
        self._names = names
        names.own_rules = lambda: [rule.words for rule in elicitation.rules]
        self._view = view
        self._lines = lines
        self._worker = worker
        self._reader = EditReader(elicitation.problem, names, self._forbidden)
        self._query: Query | None = None
        self._standing: Mapping[str, Standing] = {}
        """How the parts stood before this query: its proposal is not confirmed, and takes nothing away yet."""
        self._drafts: list[Preview] = []
        """The draft after each edit, for taking back one after the other."""

    @property
    def draft(self) -> Preview | None:
        """What the person changed in the proposal and has not yet told."""
        return self._drafts[-1] if self._drafts else None

    @property
    def untold(self) -> Configuration:
        """The draft's changes, in the order of the part."""
        return {} if self.draft is None else {change.variable: change.after for change in self.draft.changes}

    @property
    def untold_line(self) -> str:
        """The same as it could be typed again."""
        return self._view.one_line(self.untold, len(self._open().parts)) if self.untold else ""

    def _open(self, about: str = "") -> Query:
        """The open question. After the end any part can be opened: `about` may name it."""
        if self._query is None:
            hint = "'undo' goes back to the last one"
            if self._elicitation.finished and not self._elicitation.stopped:
                hint = f"'ask {self._named_in(about)}' goes on with that, {hint}"
            raise RequestError(Issue(Code.STALE_ANSWER, "there is no question open", hint))
        return self._query

    def _named_in(self, text: str) -> str:
        """The part that a change is in, where that can be seen; else the first."""
        problem = self._elicitation.problem
        names = " and ".join(part.name for part in problem.parts)
        everything = Part(name=names, label="everything", variables=tuple(problem.symbols.variables))
        for word in (text.partition("=")[0], *text.split()[:1]):
            with suppress(PclError):  # it is not this that names a place
                return self._names.part_labels[self._names.part_of(self._names.find_all(word, everything)[0]).name]
        return self._names.part_labels[problem.parts[0].name]

    def _part_in_question(self) -> Part:
        """Several parts that are looked at together are as one, which is not of the problem."""
        problem, query = self._elicitation.problem, self._open()
        if len(query.parts) == 1:
            return problem.parts[query.part_position]
        return Part(name=" and ".join(query.parts), label=query.label, variables=tuple(query.proposal))

    def _forbidden(self, name: str) -> Collection[Value]:
        """What rules of her own let stand there never, whatever stands elsewhere."""
        variable, found = self._elicitation.problem.symbols.variables[name], set[Value]()
        if isinstance(variable, IntVariable):
            return found
        for rule in self._elicitation.rules:
            if name in select(self._elicitation.problem.symbols.variables, rule.variables):
                always = rule.kind == "always"
                if always or rule.kind == "never" or (rule.kind, rule.count) == ("at_most", 0):
                    found |= {value for value in variable.values() if (value in rule.values) != always}
        return found

    def _without_draft(self, word: str) -> None:
        if self.draft:
            message = f"you have changes that are not said yet, and '{word}' would lose them"
            raise RequestError(Issue(Code.BAD_VALUE, message, "Enter says them, 'clear' drops them"))

    def _examples(self) -> Examples:
        return self._worker.run(lambda: examples_of(self._elicitation.problem, self._names, self._query))

    def _example(self) -> str:
        """A change that she could type at this question."""
        several = self._query is not None and len(self._query.parts) > 1
        return self._examples().fill("{what} = {value}" if several else "{row} = {value}")

    def _meant(self, text: str) -> Order | None:
        """What a line asks for that is neither a command nor a change as one is written; or what to type instead."""
        if fold(text).strip(" .!") in NO:
            return Order("no")
        reader = MeantReader(self._elicitation.problem, self._names, self._reader)
        part = None if self._query is None else self._part_in_question()
        if part is not None and (written := reader.change(text, part)):
            return Order("edit", written)
        if part is None and ":" in text:
            self._open(about=text.replace(":", "="))
        if refused := reader.refusal(text, part, self._example):
            raise refused
        return None

    def _no(self, _: str) -> None:
        """What she says no to is there to be changed."""
        query = self._open()
        if self.draft:
            self._view.say("change more, or 'undo' takes back the last of your changes, and 'clear' all of them")
            return
        said = [f"type what should be different, such as '{self._example()}'"]
        if query.suggestion:
            said.append("'t' takes what is suggested")
        if len(query.parts) > 1:
            said.append(f"'ask {self._names.part_labels[query.part]}' opens that alone")
        self._view.say(f"{'; '.join(said)}; 'skip' if you have no opinion")

    def _possible(self, query: Query) -> Mapping[str, Sequence[Value]]:
        if len(query.parts) > 1:
            return {}
        return self._worker.run(lambda: possible_values(query))

    def _pins(self, _: str) -> None:
        self._view.pins(self._elicitation.pins)

    def _why(self, _: str) -> None:
        self._view.why(self._open())

    def _values(self, text: str) -> None:
        query = self._open()
        name = self._names.find(text, self._part_in_question())
        self._view.possible(name, self._worker.run(lambda: query.possible[name]))

    def _again(self, _: str) -> None:
        query = self._open()
        self._view.show(self._view.screen.query(query, self.draft, self._standing, self._possible(query)))

    def _show(self, _: str) -> None:
        asked = self._query is not None  # then it is as it was before the question, which takes nothing away yet
        self._view.configuration(
            self._elicitation.configuration, self._standing if asked else self._elicitation.standing
        )

    def _save(self, _: str) -> None:
        self._view.say(f"everything told so far is saved in {self.log}")

    def _taste(self, text: str) -> None:
        """What is known of her, for another elicitation. A taste that is there is renewed, and nothing else is replaced."""
        path = Path(text or self._taste_file)
        if path.suffix != ".json":
            raise RequestError(
                Issue(Code.BAD_VALUE, f"'{printable(text)}' is no name for it", "such as 'taste my.json'")
            )
        instead = ""
        if path.exists():
            try:
                former = read_taste_file(path).problem
                other = f", of '{printable(former)}'" if former != self._elicitation.problem.name else ""
                instead = f", in place of the taste that was there{other}"
            except PclError:
                message = f"there is a file {path} already, and it is no taste"
                raise RequestError(Issue(Code.CANNOT_WRITE, message, "name another: 'taste FILE'")) from None
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(self._elicitation.taste().data(), indent=1) + "\n", encoding="utf-8")
        self._view.say(f"what you like is kept in {path}{instead}. To start from it another time:")
        self._view.verbatim(f"  {shlex.join(['pcl', 'elicit', self._called, '--taste', str(path)])}")

    def _help(self, _: str) -> None:
        self._view.help(self._examples())
