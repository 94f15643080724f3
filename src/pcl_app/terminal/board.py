"""The whole product at a glance: a grid where its parts are alike, a list where they are not."""

import re
from collections.abc import Collection, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from pcl_app.sentences import show_value
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core.ir import Value
from pcl_core.learn import Standing
from pcl_core.model import Problem

CELL = re.compile(r"(.+)\[([^\[\],]+),([^\[\],]+)\]")
MARKS: dict[Standing, str] = {"closed": "ok", "open": "again", "new": ""}
"""How each part stands: right as it is; to be looked at again; not yet asked."""


class Board:
    """Draws configurations of one problem."""

    def __init__(self, problem: Problem, names: Vocabulary) -> None:
        self._problem = problem
        self._names = names
        columns = {tuple(names.short(name) for name in part.variables) for part in problem.parts}
        self._columns = columns.pop() if len(columns) == 1 else ()
        cells = [CELL.fullmatch(variable.name) for variable in problem.variables]
        self._cells = [(cell[2].strip(), cell[3].strip()) for cell in cells if cell is not None]
        if len(self._cells) < len(cells) or len({cell[1] for cell in cells if cell is not None}) > 1:
            self._cells = []

    @property
    def by_row(self) -> bool:
        """Whether each part has rows of its own, so that some can be left out."""
        return bool(self._columns) or not self._cells

    def table(
        self,
        values: Mapping[str, Value],
        standing: Mapping[str, Standing],
        asked: Collection[str] = (),
        only: Collection[str] | None = None,
    ) -> Table:
        """All parts, or some; the ones that are asked about are marked."""
        parts = [part for part in self._problem.parts if only is None or part.name in only]
        table = Table(box=None, pad_edge=False, show_edge=False)
        if not self.by_row:
            return self._matrix(table, values, asked)
        table.add_column("")
        table.add_column("", no_wrap=True)
        if self._columns:
            for at, column in enumerate(self._columns):
                widest = max(len(show_value(values[part.variables[at]])) for part in self._problem.parts)
                table.add_column(Text(column if widest >= len(column) else column.replace(" ", "\n")), no_wrap=True)
        else:
            table.add_column("")
        table.add_column("")
        for part in parts:
            own = {name: values[name] for name in part.variables}
            shown: Sequence[str] = [show_value(value) for value in own.values()]
            if not self._columns:
                shown = ["; ".join(f"{self._names.short(name)} = {show_value(value)}" for name, value in own.items())]
            here = part.name in asked
            label = self._names.part_labels[part.name]
            cells = [Text(text, style="bold" if here else "") for text in (label, *shown)]
            table.add_row("*" if here else "", *cells, MARKS[standing[part.name]])
        return table

    def _matrix(self, table: Table, values: Mapping[str, Value], asked: Collection[str]) -> Table:
        """One array with two indices that parts cut otherwise than by rows: the cells that are asked about in brackets."""
        columns = list(dict.fromkeys(column for _, column in self._cells))
        table.add_column("")
        for column in columns:
            table.add_column(Text(column))
        where = dict(zip(self._cells, (variable.name for variable in self._problem.variables), strict=True))
        for row in dict.fromkeys(row for row, _ in self._cells):
            cells = [Text(row)]
            for column in columns:
                name = where.get((row, column))
                here = name is not None and self._names.part_of(name).name in asked
                text = "" if name is None else show_value(values[name])
                cells.append(Text(f"[{text}]" if here else f" {text}", style="bold" if here else ""))
            table.add_row(*cells)
        return table
