"""What a session knows of its query, and the commands that just look."""

from pcl_app.terminal.edits import EditReader
from pcl_app.terminal.reading import Lines
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.working import Worker
from pcl_core.elicitation import Elicitation, Preview, Query
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.model import Configuration, Part


class Looking:
    """The query that is open, and the draft for it. No command here changes anything."""

    def __init__(
        self, elicitation: Elicitation, names: Vocabulary, view: View, lines: Lines, worker: Worker, log: str
    ) -> None:
        self._elicitation = elicitation
        self._log = log
        self._names = names
        self._view = view
        self._lines = lines
        self._worker = worker
        self._reader = EditReader(elicitation.problem, names)
        self._query: Query | None = None
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

    def _open(self) -> Query:
        if self._query is None:
            raise RequestError(
                Issue(Code.STALE_ANSWER, "there is no question open", "'undo' goes back to the last one")
            )
        return self._query

    def _part_in_question(self) -> Part:
        problem = self._elicitation.problem
        return problem.parts[problem.part_position(self._open().part)]

    def _without_draft(self, word: str) -> None:
        if self.draft:
            message = f"there is a draft, and '{word}' would lose it"
            raise RequestError(Issue(Code.BAD_VALUE, message, "'done' tells it, 'clear' drops it"))

    def _pins(self, _: str) -> None:
        self._view.pins(self._elicitation.pins)

    def _why(self, _: str) -> None:
        self._view.why(self._open())

    def _values(self, text: str) -> None:
        self._view.everything_allowed(self._names.find(text, self._part_in_question()))

    def _again(self, _: str) -> None:
        self._view.query(self._open(), self.draft, len(self._elicitation.confirmed))

    def _show(self, _: str) -> None:
        self._view.configuration(self._elicitation.configuration, self._elicitation.confirmed)

    def _save(self, _: str) -> None:
        self._view.say(f"everything told so far is saved in {self._log}")

    def _help(self, _: str) -> None:
        self._view.help()
