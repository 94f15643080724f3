"""What a person sees of a query."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pcl_app.terminal.help import INTRODUCTION, help_rows
from pcl_app.terminal.values import allowed_values, show_value
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import counted, listed
from pcl_core.elicitation import Preview, Query
from pcl_core.errors import PclError
from pcl_core.ir import CategoricalVariable, Value
from pcl_core.model import Problem

MAX_AROUND = 8
MAX_CONSTRAINTS = 5


class View:
    """Shows queries, drafts and configurations of one problem."""

    def __init__(self, problem: Problem, names: Vocabulary, console: Console) -> None:
        self._problem = problem
        self._names = names
        self._console = console

    def say(self, text: str, style: str = "") -> None:
        self._console.print(Text(text), style=style)

    def verbatim(self, text: str) -> None:
        """Text that may be copied: no line break is added to it."""
        self._console.print(Text(text), soft_wrap=True)

    def error(self, error: PclError, advice: str | None = None) -> None:
        for issue in error.issues:
            where = f"{issue.location}: " if str(issue.location) else ""
            hint = f" ({issue.hint})" if issue.hint else ""
            self.say(f"! {where}{issue.message}{hint}", "red")
        if advice:
            self.say(advice)

    def query(self, query: Query, draft: Preview | None, confirmed: int) -> None:
        parts = len(self._problem.parts)
        title = f"-- query {query.number}: {query.label} -- {confirmed} of {counted(parts, 'part')} confirmed --"
        self.say(f"\n{title}", "bold")
        self.values(query, draft)
        self._allowed(query)
        self._around(query)
        self._figures(query, draft)
        self.say(f"why: {query.why_text}")
        if not query.proven:
            self.say("the solver was stopped by the time limit: there may be a better proposal", "yellow")
        self._verdict(draft)

    def draft(self, query: Query, draft: Preview | None) -> None:
        """The part with the draft in it, and whether it would be allowed."""
        self.values(query, draft)
        self._figures(query, draft)
        self._verdict(draft)

    def _verdict(self, draft: Preview | None) -> None:
        """Whether the draft would be allowed, and what to do with it."""
        if draft is None:
            return
        if draft.broken:
            broken = listed([str(each) for each in draft.broken], MAX_CONSTRAINTS, "; ")
            self.say(f"not allowed as it stands: {broken}", "yellow")
            if draft.completable is False:
                self.say("no completion helps here: change one of these values, or 'undo'")
            else:
                self.say("change more, or let 'complete' fill in the rest around your values")
        elif draft.changes:
            self.say("'done' (or Enter) tells this; 'undo' takes back the last edit, 'clear' all")

    def values(self, query: Query, draft: Preview | None) -> None:
        table = Table(box=None, pad_edge=False, show_edge=False)
        table.add_column("#", justify="right")
        for key in ("what", "value", ""):
            table.add_column(key)
        before = {change.variable: change.before for change in query.changes}
        drafted = {} if draft is None else {change.variable: change.after for change in draft.changes}
        given = {} if draft is None else draft.given
        for row, (name, proposed) in enumerate(query.proposal.items(), start=1):
            notes = []
            if name in drafted:
                whose = "your value" if name in given else "completed"
                notes.append(f"{whose}, proposed was {show_value(proposed)}")
            elif name in before:
                notes.append(f"was {show_value(before[name])}")
            if name in query.pins:
                notes.append("pinned")
            elif name in given and name not in drafted:
                notes.append("your value, as proposed")
            style = "green" if name in drafted else "bold" if name in before else ""
            value = show_value(drafted.get(name, proposed))
            table.add_row(str(row), Text(self._names.short(name)), Text(value, style=style), Text(", ".join(notes)))
        self._console.print(table)

    def _allowed(self, query: Query) -> None:
        """What may stand where, once for rows that allow the same."""
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(query.proposal, start=1):
            rows.setdefault(allowed_values(self._problem.symbols.variables[name]), []).append(row)
        for allowed, numbers in rows.items():
            where = "" if len(rows) == 1 else f" in {_ranges(numbers)}"
            self.say(f"allowed{where}: {allowed}", "dim")

    def everything_allowed(self, name: str) -> None:
        variable = self._problem.symbols.variables[name]
        every = ", ".join(variable.labels) if isinstance(variable, CategoricalVariable) else allowed_values(variable)
        self.say(f"{self._names.label(name)}: {every}")

    def help(self) -> None:
        self.say(INTRODUCTION)
        table = Table(box=None, pad_edge=False, show_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        for usage, meaning in help_rows():
            table.add_row(Text(usage, style="bold"), Text(meaning))
        self._console.print(table)

    def _around(self, query: Query) -> None:
        grouped: dict[str, dict[str, Value]] = {}
        for name, value in query.context.items():
            grouped.setdefault(self._names.part_of(name).name, {})[name] = value
        if not grouped:
            return
        table = Table(box=None, pad_edge=False, show_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        for part, values in list(grouped.items())[:MAX_AROUND]:
            table.add_row(Text(self._names.part_labels[part]), Text(self.one_line(values)))
        self.say("next to it:", "dim")
        self._console.print(table, style="dim")
        if len(grouped) > MAX_AROUND:
            self.say(f"... and {counted(len(grouped) - MAX_AROUND, 'more part')}; 'show' lists everything", "dim")

    def _figures(self, query: Query, draft: Preview | None) -> None:
        figures = query.summary if draft is None else draft.summary
        if figures:
            whose = "in all: " if draft is None else "in all, with your draft: "
            self.say(whose + "; ".join(map(str, figures)))

    def one_line(self, values: Mapping[str, Value]) -> str:
        """Values as they could be typed."""
        return "; ".join(f"{self._names.short(name)} = {show_value(value)}" for name, value in values.items())

    def configuration(self, configuration: Mapping[str, Value], confirmed: Mapping[str, int]) -> None:
        table = Table("part", "values", "confirmed", box=None, pad_edge=False, show_edge=False)
        for part in self._problem.parts:
            values = {name: configuration[name] for name in part.variables}
            when = f"query {confirmed[part.name]}" if part.name in confirmed else "-"
            table.add_row(Text(self._names.part_labels[part.name]), Text(self.one_line(values)), when)
        self._console.print(table)

    def pins(self, pins: Mapping[str, Value]) -> None:
        if not pins:
            self.say("nothing is pinned")
        for name, value in pins.items():
            self.say(f"{self._names.label(name)} = {show_value(value)} (in {self._names.part_of(name).name})")

    def why(self, query: Query) -> None:
        reasons = query.reasons()
        self.say(query.why_text)
        if not reasons:
            return
        table = Table("feature", box=None, pad_edge=False, show_edge=False)
        for key in ("before", "now", "weight", "counts"):
            table.add_column(key, justify="right")
        labels = {feature.name: feature.label for feature in self._problem.features}
        for reason in reasons:
            numbers = (reason.before, reason.after, reason.weight, reason.term)
            table.add_row(Text(labels[reason.feature] or reason.feature), *(f"{number:.4g}" for number in numbers))
        self._console.print(table)
        self.say("'counts' is the weight times the change; the proposal has the largest sum of these")


def _ranges(numbers: list[int]) -> str:
    """`1-3, 5`"""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
