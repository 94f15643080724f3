"""What a person sees, beside the questions themselves."""

from collections.abc import Mapping, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from pcl_app.sentences import show_value
from pcl_app.terminal.help import INTRODUCTION, Examples, help_rows
from pcl_app.terminal.screen import Screen
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import listed
from pcl_core.elicitation import Query
from pcl_core.errors import InfeasibleError, PclError
from pcl_core.ir import CategoricalVariable, Value
from pcl_core.learn import Standing
from pcl_core.model import Problem

MAX_CONFLICT = 6


class View:
    """Shows questions, drafts and configurations of one problem."""

    def __init__(self, problem: Problem, names: Vocabulary, console: Console) -> None:
        self._problem = problem
        self._names = names
        self._console = console
        self.screen = Screen(problem, names, console)

    def say(self, text: str, style: str = "") -> None:
        self._console.print(Text(text), style=style)

    def show(self, shown: RenderableType) -> None:
        self._console.print(shown)

    def verbatim(self, text: str) -> None:
        """Text that may be copied: no line break is added to it."""
        self._console.print(Text(text), soft_wrap=True)

    def error(self, error: PclError, advice: str | None = None) -> None:
        for issue in error.issues:
            where = f"{issue.location}: " if str(issue.location) else ""
            hint = f" ({issue.hint})" if issue.hint else ""
            self.say(f"! {where}{self._in_words(issue.message, error)}{hint}", "red")
        if advice:
            self.say(advice)

    def _in_words(self, message: str, error: PclError) -> str:
        """A message without the names that constraints have in the file, where their author says what they mean."""
        names = error.conflict if isinstance(error, InfeasibleError) else ()
        before, found, _ = message.partition(f": {names[0]}") if names else (message, "", "")
        return f"{before}: {listed([*map(self._names.constraint, names)], MAX_CONFLICT, '; ')}" if found else message

    def possible(self, name: str, possible: Sequence[Value]) -> None:
        """Everything that can stand at a place, and of labels what cannot."""
        variable = self._problem.symbols.variables[name]
        if isinstance(possible, range):
            self.say(f"{self._names.label(name)}: {possible[0]} to {possible[-1]}" if possible else "nothing")
            return
        self.say(f"{self._names.label(name)}: {', '.join(map(show_value, possible))}")
        if isinstance(variable, CategoricalVariable) and len(possible) < len(variable.labels):
            others = [label for label in variable.labels if label not in possible]
            self.say(f"not possible as things stand: {', '.join(others)}", "dim")

    def help(self, examples: Examples) -> None:
        self.say(INTRODUCTION)
        table = Table(box=None, pad_edge=False, show_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        for usage, meaning in help_rows(examples):
            table.add_row(Text(usage, style="bold"), Text(meaning))
        self._console.print(table)

    def one_line(self, values: Mapping[str, Value], parts: int = 1) -> str:
        """Values as they could be typed where so many parts are in question: of several, each says which it is in."""
        called = self._names.short if parts == 1 else self._names.label
        return "; ".join(f"{called(name)} = {show_value(value)}" for name, value in values.items())

    def configuration(self, configuration: Mapping[str, Value], standing: Mapping[str, Standing]) -> None:
        self._console.print(self.screen.whole(configuration, standing))

    def pins(self, pins: Mapping[str, Value]) -> None:
        if not pins:
            self.say("nothing is pinned")
        for name, value in pins.items():
            part = self._names.part_labels[self._names.part_of(name).name]
            self.say(f"{self._names.label(name)} = {show_value(value)} (in {part})")

    def why(self, query: Query) -> None:
        """The reasons in words about values. What was reckoned with is data, for programs (`Query.reasons`)."""
        self.say(query.why_text)
        if query.suggestion:
            self.say(f"suggested ({self.one_line(query.suggestion, len(query.parts))}): {query.why_suggested}")
