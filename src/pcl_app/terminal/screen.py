"""A question on the screen: the whole product as far as there is room for it, and then the part itself."""

from collections.abc import Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pcl_app.sentences import count_confirmed, show_value
from pcl_app.terminal.board import Board
from pcl_app.terminal.possible import possible_in_words
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import listed
from pcl_core.elicitation import Figure, Preview, Query
from pcl_core.ir import Value
from pcl_core.learn import Standing
from pcl_core.model import Problem
from pcl_core.wording import in_a_row

SMALL = 24
"""Lines of the smallest terminal, and of a pipe."""
SPARE = 3
"""Lines for what became of the last answer, and for the prompt."""
BESIDE = 3
"""Columns between the part and a board beside it."""
MAX_CONSTRAINTS = 3
MAX_FIGURES = 3
MAX_MOVED = 4
MOST_ELSEWHERE = 2


class Screen:
    """Draws the questions of one problem."""

    def __init__(self, problem: Problem, names: Vocabulary, console: Console) -> None:
        self._problem = problem
        self._names = names
        self._console = console
        self._board = Board(problem, names)

    def query(
        self,
        query: Query,
        draft: Preview | None,
        standing: Mapping[str, Standing],
        possible: Mapping[str, Sequence[Value]],
    ) -> RenderableType:
        title = f"-- query {query.number}: {query.label} -- {count_confirmed(standing)} --"
        head = Text(f"\n{title}", style="bold")
        if len(query.parts) > 1:
            values = query.configuration if draft is None else {**query.configuration, **draft.values}
            board = self._board.table(values, standing, query.parts)
            return Group(head, board, *self._look(query, draft))
        part = self.values(query, draft, possible)
        below = [*self._possible(query, possible), *self._figures(query, draft), *self._reasons(query, standing)]
        below += self.verdict(query, draft)
        room = max(SMALL, self._console.height) - SPARE - sum(map(self._height, (head, *below)))
        around = self._around(query, standing, part, room)
        return Group(head, *around, *below)

    def _around(
        self, query: Query, standing: Mapping[str, Standing], part: Table, room: int
    ) -> Sequence[RenderableType]:
        """The part with the board above it, or beside it; with some of the board, where there is no room for all."""
        board = self._board.table(query.configuration, standing, query.parts)
        above, rows = room - self._height(part) - 1, self._height(board)
        if rows <= above:
            return board, Text(), part
        heading = rows - len(self._problem.parts)
        width = sum(self._console.measure(table).maximum for table in (board, part)) + BESIDE
        beside = width <= self._console.width and room > above
        near = self._nearest(query, (room if beside else above - 1) - heading)
        if not near or not self._board.by_row:
            return (part,)
        some = self._board.table(query.configuration, standing, query.parts, near)
        if not beside:
            return some, Text("'show' shows the rest", style="dim"), part
        both = Table.grid(padding=(0, BESIDE, 0, 0))
        both.add_row(part, some)
        return (both,)

    def _nearest(self, query: Query, most: int) -> list[str]:
        """The part in question and those that it has most to do with: what shares features, then what is next to it."""
        beside = [self._names.part_of(name).name for name in query.context]
        parts = [part.name for part in self._problem.parts]
        here = query.part_position
        by_distance = sorted(parts, key=lambda name: abs(parts.index(name) - here))
        return list(dict.fromkeys([query.part, *beside, *by_distance]))[: max(0, most)]

    def whole(self, values: Mapping[str, Value], standing: Mapping[str, Standing]) -> RenderableType:
        """Everything as it stands."""
        return self._board.table(values, standing)

    def values(
        self, query: Query, draft: Preview | None, possible: Mapping[str, Sequence[Value]] | None = None
    ) -> Table:
        """The part as proposed, or with a draft in it. Of several parts only what the draft changes."""
        table = Table(box=None, pad_edge=False, show_edge=False)
        several = len(query.parts) > 1
        for key in ("", "", "") if several else ("#", "what", "value", ""):
            table.add_column(key, justify="right" if key == "#" else "left")
        before = {change.variable: change.before for change in query.changes}
        drafted = {} if draft is None else {change.variable: change.after for change in draft.changes}
        given = {} if draft is None else draft.given
        for row, (name, proposed) in enumerate(query.proposal.items(), start=1):
            if several and name not in drafted and name not in given:
                continue
            notes = []
            if name in drafted:
                whose = "your value" if name in given else "filled in"
                notes.append(f"{whose}, was {show_value(proposed)}")
            elif name in before:
                notes.append(f"new, was {show_value(before[name])}")
            if name in query.suggestion and not drafted:
                notes.append(f"suggested: {show_value(query.suggestion[name])}")
            if name in query.pins:
                notes.append("pinned")
            elif name in given and name not in drafted:
                notes.append("your value, as proposed")
            elif possible is not None and len(possible.get(name, "..")) == 1:
                notes.append("fixed")
            style = "green" if name in drafted else "bold" if name in before else ""
            label = self._names.label(name) if several else self._names.short(name)
            cells = (Text(label), Text(show_value(drafted.get(name, proposed)), style=style), Text(", ".join(notes)))
            table.add_row(*(() if several else (str(row),)), *cells)
        return table

    def _possible(self, query: Query, possible: Mapping[str, Sequence[Value]]) -> Sequence[Text]:
        said = possible_in_words(self._problem.symbols.variables, list(query.proposal), possible)
        return [Text(said, style="dim")]

    def _figures(self, query: Query, draft: Preview | None) -> Sequence[Text]:
        figures = query.notable if draft is None else draft.notable
        if not figures:
            return []
        called = [figure._replace(label=self._names.constraint(figure.label, figure.label)) for figure in figures]
        return [Text(("in all: " if draft is None else "then in all: ") + _listed(called))]

    def _reasons(self, query: Query, standing: Mapping[str, Standing]) -> Sequence[Text]:
        said = [Text(f"why: {query.why_text}")]
        stands = list(standing.values())
        if "new" not in stands and stands.count("open") > 1:
            said.append(Text("all of it was confirmed once; 'confirm all' says that the others are still right"))
        if query.moved:
            moved = {change.variable: change.after for change in query.moved}
            before = {change.variable: change.before for change in query.moved}
            said.append(
                Text(f"elsewhere, where you have not said that it stays: {self.moves(before, moved, MOST_ELSEWHERE)}")
            )
        if query.suggestion:
            said.append(Text(f"suggested: {query.why_suggested}; 't' takes it", style="cyan"))
        if not query.proven:
            said.append(Text("the solver was stopped by the time limit: there may be better", style="yellow"))
        return said

    def _look(self, query: Query, draft: Preview | None) -> Sequence[RenderableType]:
        """What to do with everything once more."""
        if draft is not None:
            return [Text(), self.values(query, draft), *self.verdict(query, draft)]
        name = next(iter(query.proposal))
        part = self._names.part_labels[query.part]
        example = f"{self._names.label(name)} = ..."
        if query.pair:
            both = in_a_row([self._names.part_labels[name] for name in query.parts])
            asked = Text(f"Are {both} right as they stand, taken together?", style="bold")
            keeps = Text(f"'yes' keeps what stands; '{example}' changes something; 'stop' ends it")
            return [asked, *self._gain(query, "both"), keeps]
        named = in_a_row([self._names.part_labels[name] for name in query.together])
        rather = "'skip' goes through it one by one" if query.remembered else f"'ask {part}' looks at one of them again"
        return [
            Text("Is all of it right?", style="bold"),
            *(self._gain(query, f"{named} both") if named else ()),
            Text(f"'yes' ends it; '{example}' changes something; {rather}"),
        ]

    def _gain(self, query: Query, both: str) -> Sequence[Text]:
        """What two parts could gain together."""
        if not query.suggestion:
            return [Text(f"By what you said, {both} may have to change to be better; how, I do not know.")]
        moves = self.moves(query.configuration, query.suggestion)
        return [Text(f"suggested: {moves}; 't' takes it", style="cyan"), Text(f"why: {query.why_suggested}")]

    def draft(self, query: Query, draft: Preview | None) -> RenderableType:
        """The part with the draft in it, and whether it would be allowed."""
        return Group(self.values(query, draft), *self._figures(query, draft), *self.verdict(query, draft))

    def verdict(self, query: Query, draft: Preview | None) -> Sequence[Text]:
        """Whether the draft would be allowed, and what to do with it."""
        if draft is None:
            return []
        said: list[Text] = []
        if draft.broken and not draft.moved:
            broken = listed([self._names.constraint(*each) for each in draft.broken], MAX_CONSTRAINTS, "; ")
            said.append(Text(f"not allowed as it stands, since this would not hold: {broken}", style="yellow"))
            if draft.in_the_way:
                said.append(Text(draft.in_the_way))
            if draft.completable is False:
                said.append(Text("no completion helps here: change one of these values, or 'undo'"))
            else:
                said.append(Text("change more, or let 'complete' fill in the rest around your values"))
            return said
        if draft.moved:
            said.append(Text(f"to make room, {self.moves(query.configuration, draft.moved)}", style="yellow"))
        if draft.moved or any(change.variable not in draft.given for change in draft.changes):
            said.append(Text("Enter: your values stay, and it is shown once more; 'better', 'undo', 'clear'"))
        elif draft.changes:
            said.append(Text("Enter: that is how you want it; 'better': ask me again; 'undo', 'clear'"))
        else:  # what she typed is what was proposed: there is nothing that 'better' could say
            said.append(Text("Enter: that is how you want it; 'undo', 'clear'"))
        return said

    def moves(self, before: Mapping[str, Value], moved: Mapping[str, Value], most: int = MAX_MOVED) -> str:
        """What changes elsewhere, in words."""
        words = [
            f"{self._names.label(name)} becomes {show_value(value)} (was {show_value(before[name])})"
            for name, value in moved.items()
        ]
        return listed(words, most)

    def _height(self, shown: RenderableType) -> int:
        return len(self._console.render_lines(shown, pad=False))


def _listed(figures: Sequence[Figure]) -> str:
    more = f"; {len(figures) - MAX_FIGURES} more" if len(figures) > MAX_FIGURES else ""
    return "; ".join(map(str, figures[:MAX_FIGURES])) + more
